//! The methods and the reducer of the tic-tac-toe of Conflux, sentence by sentence.

use game::Code;

use crate::test_table::{ONE, TWO, TestTable, message};

/// X has three in the first row, and O would be next.
const LOST: &str = "a1 a2 b1 b2 c1";

/// A full board without three in a row.
const FILLED: &str = "a1 b2 c3 a2 c2 c1 a3 b3 b1";

fn after(moves: &str) -> TestTable {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all(moves);
    test_table
}

#[test]
fn a_third_player_cannot_join() {
    assert_eq!(message(TestTable::tic_tac_toe().join("three")), "Player two has already joined");
}

#[test]
fn claiming_marks_the_board_and_counts_moves() {
    let mut test_table = after("a1 b2");
    assert_eq!((test_table.text().as_str(), test_table.state.ply()), ("X   O    ", 2));
    test_table.play(ONE, "8").expect("a bare digit is the number of a square");
    assert_eq!(test_table.text(), "X   O   X");
}

#[test]
fn a_move_in_a_lost_game_is_refused() {
    let lost = "The game is lost, you need to forfeit";
    for seat in [ONE, TWO] {
        assert_eq!(message(after(LOST).play(seat, "c3")), lost);
        assert_eq!(message(after(LOST).play(seat, "a1")), lost);
    }
    assert_eq!(message(after(LOST).tie(TWO)), lost);
}

#[test]
fn only_the_seat_to_move_can_claim_a_cell() {
    let refusal = after("a1").play(ONE, "a1").expect_err("the action is refused");
    let codes: Vec<&str> = refusal.reasons().map(|reason| reason.code.as_str()).collect();
    assert_eq!(codes, ["not_your_turn", "already_taken"]);
    assert_eq!(refusal.message(), "It is not your turn");
}

#[test]
fn a_marked_cell_is_refused_with_the_b_thread_behind_it() {
    let refusal = after("a1").play(TWO, "a1").expect_err("the action is refused");
    assert_eq!(refusal.to_string(), "That cell is already marked: SquareTaken(a1)");
    assert_eq!(refusal.code(), &Code::ALREADY_TAKEN);
}

#[test]
fn on_a_filled_board_the_turn_and_the_cell_are_still_checked() {
    assert_eq!(message(after(FILLED).play(ONE, "a1")), "It is not your turn");
    let refusal = after(FILLED).play(TWO, "a1").expect_err("the action is refused");
    let codes: Vec<&str> = refusal.reasons().map(|reason| reason.code.as_str()).collect();
    assert_eq!(codes, ["already_taken", "game_over"]);
    assert_eq!(refusal.message(), "That cell is already marked");
}

#[test]
fn every_seat_can_resign_by_forfeiting_also_when_another_is_to_move() {
    for seat in [ONE, TWO] {
        let mut resigned = after("a1");
        resigned.forfeit(seat).expect("the round is open");
        assert_eq!(resigned.state.losers(), [Some(seat)]);
        assert_eq!((resigned.state.round(), resigned.text().as_str()), (2, "         "));
    }
}

#[test]
fn the_loser_of_a_decided_game_acknowledges_by_forfeiting() {
    assert_eq!(message(after(LOST).forfeit(ONE)), "It is not your turn");
    let mut acknowledged = after(LOST);
    acknowledged.forfeit(TWO).expect("the seat has lost the round");
    assert_eq!(acknowledged.state.losers(), [Some(TWO)]);
    assert_eq!((acknowledged.state.wins(ONE), acknowledged.state.wins(TWO)), (1, 0));
    assert_eq!((acknowledged.state.ply(), acknowledged.state.round()), (0, 2));
}

#[test]
fn only_the_seat_to_move_can_agree_to_a_tie_on_a_filled_board() {
    assert_eq!(message(after("a1").tie(ONE)), "It is not your turn");
    assert_eq!(message(after("a1").tie(TWO)), "Cannot tie until the board is filled");
    assert_eq!(message(after(FILLED).tie(ONE)), "It is not your turn");
    let mut tied = after(FILLED);
    tied.tie(TWO).expect("the board is filled");
    assert_eq!((tied.state.losers(), tied.state.round()), (&[None][..], 2));
    assert_eq!((tied.state.wins(ONE), tied.state.wins(TWO)), (0, 0));
}
