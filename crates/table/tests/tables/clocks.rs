//! Clocks: time is passed in, and its end is a forfeit.

use table::{Body, Clock, Entry, Forfeit, Options, Secret, Who, own_entries};

use crate::sitting::{ONE, Sitting, TWO};

/// A full table with a clock; its last entry was written at 1,003.
fn table(clock: Clock) -> Sitting {
    Sitting::full("tic-tac-toe", Options { clock: Some(clock), ..Options::default() })
}

/// Something happens at a time.
fn happen(sitting: &mut Sitting, who: Who, at: u64, body: Body) {
    let version = sitting.state.version() + 1;
    sitting.state.fold(&Entry::new(version, at, who, body)).expect("it follows");
}

/// A seat makes a move at a time.
fn play_at(sitting: &mut Sitting, seat: game::Seat, chosen: &str, at: u64) {
    let (round, ply) = (sitting.state.round(), sitting.state.ply());
    let chosen = chosen.parse().expect("it is a text");
    happen(sitting, Who::Seat(seat), at, Body::Played { seat, round, ply, chosen });
}

/// What the table does by itself at a time.
fn at(sitting: &Sitting, now: u64) -> Vec<Body> {
    let entries = own_entries(&sitting.state, &Secret::new([1; 32]), now).expect("it goes on");
    entries.into_iter().map(|entry| entry.body).collect()
}

fn out_of_time(seat: game::Seat) -> Body {
    Body::Forfeited { seat, round: 1, why: Forfeit::OutOfTime }
}

#[test]
fn a_move_may_take_so_long_and_no_longer() {
    let mut sitting = table(Clock::PerMove(100));
    assert_eq!(sitting.state.deadline(), Some((ONE, 1_103)));
    assert_eq!(at(&sitting, 1_102), []);
    assert_eq!(at(&sitting, 1_103), [out_of_time(ONE)]);
    play_at(&mut sitting, ONE, "a1", 1_050);
    assert_eq!(sitting.state.deadline(), Some((TWO, 1_150)));
    assert_eq!(at(&sitting, 1_150), [out_of_time(TWO)]);
}

#[test]
fn all_moves_of_a_side_together_may_take_so_long() {
    let mut sitting = table(Clock::PerSide(100));
    play_at(&mut sitting, ONE, "a1", 1_063);
    play_at(&mut sitting, TWO, "b2", 1_073);
    assert_eq!(sitting.state.deadline(), Some((ONE, 1_113)), "sixty of a hundred are used");
    play_at(&mut sitting, ONE, "c3", 1_083);
    assert_eq!(sitting.state.deadline(), Some((TWO, 1_173)), "ten of a hundred are used");
}

#[test]
fn a_new_round_winds_the_clocks() {
    let mut sitting = table(Clock::PerSide(100));
    play_at(&mut sitting, ONE, "a1", 1_063);
    assert_eq!(at(&sitting, 1_163), [out_of_time(TWO)]);
    happen(&mut sitting, Who::Table, 1_163, out_of_time(TWO));
    assert_eq!(sitting.state.losers(), [Some(TWO)]);
    assert_eq!(sitting.state.deadline(), Some((ONE, 1_263)));
}

#[test]
fn clocks_run_only_while_somebody_must_choose() {
    let options = Options { clock: Some(Clock::PerMove(100)), ..Options::default() };
    let mut empty = Sitting::empty("tic-tac-toe", options);
    empty.join("one").expect("the first seat is free");
    assert_eq!(empty.state.deadline(), None, "the second player has not joined");
    assert_eq!(Sitting::tic_tac_toe().state.deadline(), None, "this table has no clock");
    let mut decided = table(Clock::PerMove(100_000));
    decided.play_all("a1 a2 b1 b2 c1");
    assert_eq!(decided.state.deadline(), None, "the round is decided");
}
