//! Claims: the round of a player who is absent and has to move is lost. The server knows who is absent.

use game::Seat;
use table::{ActionBody, Actor, Author, Entry, EntryBody, Options};

use crate::test_table::{ONE, TWO, TestTable, message};

fn claim(
    test_table: &mut TestTable,
    by: Seat,
    seat: Seat,
) -> Result<table::Decision, game::Refusal> {
    let (round, ply) = (test_table.state.round(), test_table.state.ply());
    test_table.act(Actor::Seat(by), ActionBody::Claim { seat, round, ply })
}

const GOLDEN: &str = r#"{"format":1,"version":5,"at":1005,"who":{"seat":0},"action":"test:4","kind":"claimed","seat":1,"round":1}"#;

#[test]
fn the_round_of_a_player_who_has_to_move_can_be_claimed() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all("b2");
    claim(&mut test_table, ONE, TWO).expect("the seat is in turn");
    assert_eq!(test_table.state.losers(), [Some(TWO)]);
    assert_eq!((test_table.state.round(), test_table.state.ply()), (2, 0));
    let last = test_table.log.last().expect("the log has entries");
    assert_eq!(last.write(), GOLDEN);
    assert_eq!(Entry::read(GOLDEN, 5).as_ref(), Ok(last));
}

#[test]
fn a_claim_is_refused_out_of_turn_and_of_the_own_round_and_of_a_computer() {
    let mut test_table = TestTable::tic_tac_toe();
    let in_turn = "Only the round of a player who has to move can be claimed";
    assert_eq!(message(claim(&mut test_table, ONE, TWO)), in_turn);
    assert_eq!(message(claim(&mut test_table, ONE, ONE)), "You cannot claim your own round");
    test_table.play_all("a1 a2 b1 b2 c1");
    assert_eq!(message(claim(&mut test_table, ONE, TWO)), "The round is over");
    let computers = vec![None, Some("random".to_owned())];
    let options = Options { computers, ..Options::default() };
    let mut against = TestTable::empty("tic-tac-toe", options);
    against.join("one").expect("the first seat is free");
    against.play_all("a1");
    assert_eq!(message(claim(&mut against, ONE, TWO)), "A computer player is never absent");
}

#[test]
fn a_late_claim_is_refused() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all("b2 a1");
    let late = ActionBody::Claim { seat: TWO, round: 1, ply: 1 };
    let late = message(test_table.act(Actor::Seat(ONE), late));
    assert_eq!(late, "This claim was meant for an earlier position");
}

#[test]
fn a_claimed_entry_of_a_seat_that_is_not_in_turn_is_refused() {
    let mut test_table = TestTable::tic_tac_toe();
    let entry = Entry::new(4, 2_000, Author::Seat(ONE), EntryBody::Claimed { seat: TWO, round: 1 });
    test_table.state.clone().fold(&entry).expect_err("the seat is not in turn");
    let entry = Entry::new(4, 2_000, Author::Seat(TWO), EntryBody::Claimed { seat: ONE, round: 1 });
    test_table.state.fold(&entry).expect("the seat is in turn");
}
