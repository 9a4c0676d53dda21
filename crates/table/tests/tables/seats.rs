//! Seats, and the right to act.

use table::{ActionBody, Actor, Digest, PlayerName};

use crate::test_table::{ONE, TWO, TestTable, message};

fn join(test_table: &mut TestTable, seat: Option<game::Seat>, who: &str) -> Result<(), String> {
    let (name, token) =
        (PlayerName::new(who).expect("the name is valid"), Digest::of(who.as_bytes()));
    let version = test_table.state.version();
    let joined =
        test_table.act(Actor::Token(token), ActionBody::Join { seat, name, token, version });
    joined.map(drop).map_err(|refusal| refusal.message().to_owned())
}

#[test]
fn no_move_is_accepted_before_the_second_player_has_joined() {
    let mut test_table = TestTable::empty("tic-tac-toe", table::Options::default());
    test_table.join("one").expect("the first seat is free");
    for refused in [test_table.play(ONE, "b2"), test_table.forfeit(ONE), test_table.tie(ONE)] {
        assert_eq!(message(refused), "Player two has not joined yet");
    }
    test_table.join("two").expect("the second seat is free");
    test_table.play(ONE, "b2").expect("all have joined");
}

#[test]
fn a_player_may_choose_a_free_seat() {
    let mut test_table = TestTable::empty("tic-tac-toe", table::Options::default());
    assert_eq!(join(&mut test_table, Some(TWO), "two"), Ok(()));
    let taken = Err("That seat is not free".to_owned());
    assert_eq!(join(&mut test_table, Some(TWO), "other"), taken);
    let missing = Err("There is no seat 5: the seats are numbered from 0 to 1".to_owned());
    assert_eq!(join(&mut test_table, game::Seat::new(5), "other"), missing);
    assert_eq!(join(&mut test_table, game::Seat::new(5), "two"), missing);
    assert_eq!(join(&mut test_table, None, "one"), Ok(()));
    assert_eq!(test_table.state.occupant(ONE).map(|occupant| occupant.name.as_str()), Some("one"));
}

#[test]
fn a_player_who_leaves_comes_back_to_the_same_seat() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.leave(ONE).expect("a player may leave at any time");
    assert_eq!(test_table.state.occupant(ONE).map(|occupant| occupant.is_here), Some(false));
    assert_eq!(
        join(&mut test_table, None, "three"),
        Err("Player two has already joined".to_owned())
    );
    let other = join(&mut test_table, Some(TWO), "one");
    assert_eq!(other, Err("You hold seat 0 already: nobody holds two".to_owned()));
    assert_eq!(join(&mut test_table, None, "one"), Ok(()));
    assert_eq!(test_table.state.occupant(ONE).map(|occupant| occupant.is_here), Some(true));
}

#[test]
fn a_client_without_a_seat_can_only_join() {
    let mut test_table = TestTable::tic_tac_toe();
    let chosen = "b2".parse().expect("the move text is valid");
    for body in [
        ActionBody::Play { round: 1, ply: 0, chosen },
        ActionBody::Forfeit { round: 1, ply: 0 },
        ActionBody::Tie { round: 1, ply: 0 },
        ActionBody::NextRound { round: 1, ply: 0 },
        ActionBody::Leave { version: 9 },
    ] {
        assert_eq!(
            message(test_table.act(Actor::Stranger, body)),
            "You have no seat at this table"
        );
    }
}

#[test]
fn a_late_duplicate_of_a_leave_is_refused() {
    let mut test_table = TestTable::tic_tac_toe();
    let leave = ActionBody::Leave { version: test_table.state.version() };
    test_table.act(Actor::Seat(ONE), leave.clone()).expect("a player may leave at any time");
    assert_eq!(join(&mut test_table, None, "one"), Ok(()));
    let late = message(test_table.act(Actor::Seat(ONE), leave));
    assert_eq!(late, "This leaving was meant for an earlier position");
    assert_eq!(test_table.state.occupant(ONE).map(|occupant| occupant.is_here), Some(true));
}

#[test]
fn a_player_joins_only_when_absent_and_leaves_only_when_present() {
    let mut test_table = TestTable::tic_tac_toe();
    assert_eq!(join(&mut test_table, None, "one"), Err("You are at the table already".to_owned()));
    test_table.leave(ONE).expect("a player may leave at any time");
    assert_eq!(message(test_table.leave(ONE)), "You are away already");
}

#[test]
fn the_digest_of_a_token_does_not_give_access_to_its_seat() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.leave(ONE).expect("a player may leave at any time");
    let (name, token) = (PlayerName::new("Eve").expect("the name is valid"), Digest::of(b"one"));
    let body = ActionBody::Join { seat: None, name, token, version: test_table.state.version() };
    for by in [Actor::Stranger, Actor::Token(Digest::of(b"other"))] {
        let refused = message(test_table.act(by, body.clone()));
        assert_eq!(refused, "This seat is taken: show its token to come back to it");
    }
    assert_eq!(test_table.state.occupant(ONE).map(|occupant| occupant.name.as_str()), Some("one"));
    test_table.act(Actor::Token(token), body).expect("the token holds the seat");
}

#[test]
fn a_client_without_a_seat_cannot_start_the_next_round() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all("a1 a2 b1 b2 c1");
    let nobody = game::Seat::new(7).expect("the number is a seat");
    assert_eq!(message(test_table.next_round(nobody)), "You have no seat at this table");
    test_table.next_round(TWO).expect("the round is decided");
}
