//! Next rounds, alternating seats, late actions and scores.

use game::{Seat, Viewer};
use table::{Action, ActionBody, Actor, Decision, Options};

use crate::test_table::{ONE, TWO, TestTable, message};

const LOST: &str = "a1 a2 b1 b2 c1";
const FILLED: &str = "a1 b2 c3 a2 c2 c1 a3 b3 b1";

#[test]
fn either_player_can_start_the_next_round_and_the_same_loser_is_recorded() {
    for seat in [ONE, TWO] {
        let mut test_table = TestTable::tic_tac_toe();
        assert_eq!(message(test_table.next_round(seat)), "The round is not over");
        test_table.play_all(LOST);
        test_table.next_round(seat).expect("the round is decided");
        test_table.play_all(FILLED);
        test_table.next_round(seat).expect("the round is drawn");
        assert_eq!(test_table.state.losers(), [Some(TWO), None]);
    }
}

#[test]
fn seat_0_opens_every_round_unless_the_table_alternates() {
    for (alternate, opener) in [(false, ONE), (true, TWO)] {
        let mut test_table =
            TestTable::full("tic-tac-toe", Options { alternate, ..Options::default() });
        test_table.play_all(LOST);
        test_table.next_round(ONE).expect("the round is decided");
        assert!(test_table.state.turn().contains(opener));
        test_table.play(opener, "b2").expect("the journal opens");
        assert_eq!(test_table.text(), "    X    ");
    }
}

#[test]
fn losers_are_seats_of_the_table_even_when_seats_alternate() {
    let mut test_table =
        TestTable::full("tic-tac-toe", Options { alternate: true, ..Options::default() });
    test_table.play_all(LOST);
    test_table.forfeit(TWO).expect("the seat has lost the round");
    test_table.play_all(LOST);
    assert_eq!(message(test_table.forfeit(TWO)), "It is not your turn");
    test_table.forfeit(ONE).expect("the seat played O");
    assert_eq!(test_table.state.losers(), [Some(TWO), Some(ONE)]);
}

#[test]
fn a_repeated_action_is_applied_once_and_gets_the_same_answer() {
    let mut test_table = TestTable::tic_tac_toe();
    let (round, ply, chosen) = (1, 0, "b2".parse().expect("the move text is valid"));
    let action = Action { id: test_table.id(), body: ActionBody::Play { round, ply, chosen } };
    let first = test_table.submit(&action, Actor::Seat(ONE)).expect("the move is legal");
    assert!(matches!(first, Decision::Append(_)));
    let version = test_table.state.version();
    for _ in 0..2 {
        let again = test_table.submit(&action, Actor::Seat(ONE));
        assert_eq!(again, Ok(Decision::Known(version)));
    }
    assert_eq!(test_table.state.version(), version);
}

#[test]
fn a_late_duplicate_of_a_refused_move_is_never_accepted() {
    let mut test_table = TestTable::tic_tac_toe();
    let (round, ply, chosen) = (1, 0, "b2".parse().expect("the move text is valid"));
    let action = Action { id: test_table.id(), body: ActionBody::Play { round, ply, chosen } };
    assert_eq!(message(test_table.submit(&action, Actor::Seat(TWO))), "It is not your turn");
    test_table.play(ONE, "a1").expect("the move is legal");
    let late = message(test_table.submit(&action, Actor::Seat(TWO)));
    assert_eq!(late, "This move was meant for an earlier position");
}

#[test]
fn an_action_for_an_earlier_round_is_refused_in_a_later_one() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all(LOST);
    test_table.next_round(ONE).expect("the round is decided");
    for body in [
        ActionBody::Forfeit { round: 1, ply: 0 },
        ActionBody::Tie { round: 1, ply: 0 },
        ActionBody::NextRound { round: 1, ply: 0 },
    ] {
        let refused = message(test_table.act(Actor::Seat(ONE), body));
        assert!(refused.ends_with("was meant for an earlier position"), "{refused}");
    }
}

#[test]
fn a_late_duplicate_of_a_refused_forfeit_is_never_accepted() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all(LOST);
    let body = ActionBody::Forfeit { round: 1, ply: test_table.state.ply() };
    let action = Action { id: test_table.id(), body };
    assert_eq!(message(test_table.submit(&action, Actor::Seat(ONE))), "It is not your turn");
    test_table.next_round(TWO).expect("the round is decided");
    let late = message(test_table.submit(&action, Actor::Seat(ONE)));
    assert_eq!(late, "This forfeit was meant for an earlier position");
}

/// The wins, ties and losers that a client sees.
fn score(test_table: &TestTable) -> (Vec<u32>, u32, Vec<Option<Seat>>) {
    let view = test_table.state.view(Viewer::Spectator);
    (view.wins, view.ties, view.losers)
}

#[test]
fn a_round_counts_when_it_is_decided_and_not_again_when_it_is_acknowledged() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all("a1 a2 b1 b2");
    assert_eq!(score(&test_table), (vec![0, 0], 0, vec![]));
    test_table.play_all("c1");
    assert_eq!(score(&test_table), (vec![1, 0], 0, vec![]));
    test_table.forfeit(TWO).expect("the seat has lost the round");
    assert_eq!(score(&test_table), (vec![1, 0], 0, vec![Some(TWO)]));
    test_table.play_all(FILLED);
    assert_eq!(score(&test_table), (vec![1, 0], 1, vec![Some(TWO)]));
    test_table.next_round(ONE).expect("the round is drawn");
    assert_eq!(score(&test_table), (vec![1, 0], 1, vec![Some(TWO), None]));
}

#[test]
fn clients_see_the_losers_of_all_rounds_in_order() {
    let mut test_table = TestTable::tic_tac_toe();
    let mut expected = Vec::new();
    for round in 0..30 {
        let (moves, loser) = if round % 3 == 0 { (FILLED, None) } else { (LOST, Some(TWO)) };
        test_table.play_all(moves);
        test_table.next_round(ONE).expect("the round is decided");
        expected.push(loser);
    }
    assert_eq!(score(&test_table), (vec![20, 0], 10, expected));
    let view = serde_json::to_value(test_table.state.view(Viewer::Spectator))
        .expect("the view serializes");
    assert_eq!(view["losers"][0], serde_json::Value::Null, "a tie");
    assert_eq!(view["losers"][1], 1);
}
