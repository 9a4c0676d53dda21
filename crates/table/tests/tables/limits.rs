//! A table does not grow without bound.

use game::Game;
use table::{Clock, EntryBody, FoldEntries, Forfeit, Options, TableSecret, automatic_entries};

use crate::counting::Counting;
use crate::test_table::{ONE, TWO, TestTable, come_and_go, entry, message};

/// A table in its last round.
fn last_round(options: Options) -> TestTable {
    let mut test_table = TestTable::full("tic-tac-toe", options);
    while test_table.state.round() < 1_000 {
        let seat = test_table.state.turn().iter().next().expect("somebody opens");
        let (round, why) = (test_table.state.round(), Forfeit::Resigned);
        let body = EntryBody::Forfeited { seat, round, why };
        let next = entry(test_table.state.version() + 1, table::Author::Seat(seat), None, body);
        test_table.state.fold(&next).expect("it follows");
    }
    test_table
}

#[test]
fn the_last_round_counts_and_nothing_is_done_in_another() {
    let mut test_table = last_round(Options { alternate: true, ..Options::default() });
    let opener = test_table.state.turn().iter().next().expect("somebody opens");
    test_table.forfeit(opener).expect("the last round counts");
    assert_eq!(test_table.state.losers().len(), 1_000);
    let worn_out = "A table has at most 1000 rounds: open a new one";
    for refused in [
        test_table.play(ONE, "a1"),
        test_table.forfeit(ONE),
        test_table.tie(ONE),
        test_table.next_round(ONE),
    ] {
        assert_eq!(message(refused), worn_out);
    }
    let snapshot = test_table.state.snapshot().expect("a round begins");
    assert!(table::TableState::restore(test_table.game(), &snapshot).is_ok());
    assert_eq!(test_table.state.view(game::Viewer::Spectator).losers.len(), 1_000);
}

#[test]
fn the_clock_ends_the_last_round_and_no_computer_opens_another() {
    let computers = vec![Some("random".to_owned()), None];
    let mut test_table =
        last_round(Options { clock: Some(Clock::PerMove(1)), ..Options::default() });
    test_table.play_all("a1");
    let end = automatic_entries(&test_table.state, &TableSecret::new([1; 32]), u64::MAX)
        .expect("it goes on");
    test_table.state.fold_all(&end).expect("it follows");
    assert_eq!(test_table.state.losers().len(), 1_000);
    let snapshot = test_table.state.snapshot().expect("a round begins");
    let options = Options { computers, ..Options::default() };
    let mut by_computer = table::TableSnapshot { options, ..snapshot };
    by_computer.occupants[0] = None;
    let state = table::TableState::restore(test_table.game(), &by_computer).expect("it is a state");
    assert_eq!(automatic_entries(&state, &TableSecret::new([1; 32]), u64::MAX), Ok(Vec::new()));
}

#[test]
fn players_who_come_and_go_do_not_fill_the_log_for_ever() {
    let mut test_table = TestTable::tic_tac_toe();
    let mut refused = None;
    for number in 0..20_000 {
        let action = come_and_go(number, "two", test_table.state.version());
        if let Err(refusal) = test_table.submit(&action, table::Actor::Seat(TWO)) {
            refused = Some(refusal.message().to_owned());
            break;
        }
    }
    assert_eq!(
        refused.as_deref(),
        Some("This log is too long to record that you leave: close the page instead")
    );
    assert!(test_table.state.version() <= 10_001);
    test_table.play_all("a1");
}

/// A round of pig that has had all its moves. Who only rolls gets nothing, for ever; each hold moves
/// what follows by one place.
fn worn_out(holds: u32) -> TestTable {
    let mut test_table = TestTable::full("pig:1000", Options::default());
    let (secret, mut left) = (TableSecret::new([1; 32]), holds);
    while test_table.state.ply() < 4_096 {
        let own = automatic_entries(&test_table.state, &secret, 0).expect("it goes on");
        test_table.state.fold_all(&own).expect("it follows");
        if own.is_empty() {
            let seat = test_table.state.turn().iter().next().expect("somebody chooses");
            if left > 0 && test_table.play(seat, "hold").is_ok() {
                left -= 1;
            } else {
                test_table.play(seat, "roll").expect("rolling is always legal");
            }
        }
    }
    assert_eq!(automatic_entries(&test_table.state, &secret, u64::MAX), Ok(Vec::new()));
    test_table
}

#[test]
fn a_round_that_does_not_end_is_a_tie_also_while_a_die_rolls() {
    for (holds, is_chance) in [(0, false), (1, true)] {
        let test_table = worn_out(holds);
        let turn = test_table.state.game().turn(test_table.state.position());
        assert_eq!(turn == game::Turn::Chance, is_chance);
        for seat in [ONE, TWO] {
            let refused = test_table.clone().play(seat, "roll").expect_err("it is refused");
            let last = refused.reasons().last().expect("there is one");
            assert_eq!(last.message, "A round has at most 4096 moves and draws: it is a tie");
            let mut next = test_table.clone();
            next.next_round(seat).expect("anybody goes on");
            assert_eq!((next.state.losers(), next.state.round()), (&[None][..], 2));
        }
        test_table.clone().tie(ONE).expect("it is a tie");
        assert_eq!(message(test_table.clone().tie(TWO)), "It is not your turn");
    }
}

#[test]
fn a_round_that_does_not_end_is_a_tie_also_when_a_computer_player_is_in_turn() {
    let game = game::AnyGame::new(Counting { seats: &["A", "B"], last: 10_000 });
    let computers = vec![Some("random".to_owned()), None];
    let options = Options { computers, ..Options::default() };
    let mut test_table = TestTable::of(game, options);
    test_table.join("two").expect("it is free");
    for ply in 0..4_096 {
        let seat = test_table.state.turn().iter().next().expect("somebody says a number");
        let chosen = (ply + 1).to_string().parse().expect("it is a text");
        let body = EntryBody::Played { seat, round: 1, ply, chosen, explanation: None };
        let next = entry(test_table.state.version() + 1, table::Author::Table, None, body);
        test_table.state.fold(&next).expect("it follows");
    }
    let own = automatic_entries(&test_table.state, &TableSecret::new([1; 32]), u64::MAX);
    assert_eq!(own, Ok(Vec::new()), "the computer waits");
    test_table.next_round(TWO).expect("a person goes on");
    assert_eq!(test_table.state.losers(), [None]);
}
