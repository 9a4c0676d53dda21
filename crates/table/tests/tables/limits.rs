//! A table does not grow without bound.

use game::Game;
use table::{Clock, EntryBody, FoldEntries, Forfeit, Options, TableSecret, automatic_entries};

use crate::counting::Counting;
use crate::test_table::{ONE, TWO, TestTable, entry, leave_or_rejoin, message};

/// A table in its last round.
fn last_round(options: Options) -> TestTable {
    let mut test_table = TestTable::full("tic-tac-toe", options);
    while test_table.state.round() < 1_000 {
        let seat = test_table.state.turn().iter().next().expect("a seat is to move");
        let (round, why) = (test_table.state.round(), Forfeit::Resigned);
        let body = EntryBody::Forfeited { seat, round, why };
        let next = entry(test_table.state.version() + 1, table::Author::Seat(seat), None, body);
        test_table.state.fold(&next).expect("the entry follows the log");
    }
    test_table
}

#[test]
fn the_last_round_counts_and_no_round_follows() {
    let mut test_table = last_round(Options { alternate: true, ..Options::default() });
    let opener = test_table.state.turn().iter().next().expect("a seat is to move");
    test_table.forfeit(opener).expect("the last round can be forfeited");
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
        .expect("the table can continue");
    test_table.state.fold_all(&end).expect("the entry follows the log");
    assert_eq!(test_table.state.losers().len(), 1_000);
    let snapshot = test_table.state.snapshot().expect("a round begins");
    let options = Options { computers, ..Options::default() };
    let mut by_computer = table::TableSnapshot { options, ..snapshot };
    by_computer.occupants[0] = None;
    let state =
        table::TableState::restore(test_table.game(), &by_computer).expect("the snapshot is valid");
    assert_eq!(automatic_entries(&state, &TableSecret::new([1; 32]), u64::MAX), Ok(Vec::new()));
}

#[test]
fn players_who_leave_and_rejoin_cannot_fill_the_log_without_bound() {
    let mut test_table = TestTable::tic_tac_toe();
    let mut refused = None;
    for number in 0..20_000 {
        let action = leave_or_rejoin(number, "two", test_table.state.version());
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
    let ask = table::ActionBody::AskTakeback { round: 1, ply: 1 };
    assert_eq!(
        message(test_table.act(table::Actor::Seat(ONE), ask)),
        "This log is too long to take moves back: open a new table"
    );
}

/// A round of pig that has used all its moves. Players who only roll never score. Each hold shifts
/// the rest of the round by one ply.
fn worn_out(holds: u32) -> TestTable {
    let mut test_table = TestTable::full("pig:1000", Options::default());
    let (secret, mut left) = (TableSecret::new([1; 32]), holds);
    while test_table.state.ply() < 4_096 {
        let own = automatic_entries(&test_table.state, &secret, 0).expect("the table can continue");
        test_table.state.fold_all(&own).expect("the entry follows the log");
        if own.is_empty() {
            let seat = test_table.state.turn().iter().next().expect("a seat is to move");
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
fn an_endless_round_is_a_tie_also_before_a_roll() {
    for (holds, is_chance) in [(0, false), (1, true)] {
        let test_table = worn_out(holds);
        let turn = test_table.state.game().turn(test_table.state.position());
        assert_eq!(turn == game::Turn::Chance, is_chance);
        for seat in [ONE, TWO] {
            let refused = test_table.clone().play(seat, "roll").expect_err("the action is refused");
            let last = refused.reasons().last().expect("the list is not empty");
            assert_eq!(last.message, "A round has at most 4096 moves and draws: it is a tie");
            let mut next = test_table.clone();
            next.next_round(seat).expect("any seat may start the next round");
            assert_eq!((next.state.losers(), next.state.round()), (&[None][..], 2));
        }
        test_table.clone().tie(ONE).expect("the round is a tie");
        assert_eq!(message(test_table.clone().tie(TWO)), "It is not your turn");
    }
}

#[test]
fn an_endless_round_is_a_tie_also_when_a_computer_player_is_to_move() {
    let game = game::AnyGame::new(Counting { seats: &["A", "B"], last: 10_000 });
    let computers = vec![Some("random".to_owned()), None];
    let options = Options { computers, ..Options::default() };
    let mut test_table = TestTable::of(game, options);
    test_table.join("two").expect("a seat is free");
    for ply in 0..4_096 {
        let seat = test_table.state.turn().iter().next().expect("a seat is to move");
        let chosen = (ply + 1).to_string().parse().expect("the move text is valid");
        let body = EntryBody::Played { seat, round: 1, ply, chosen, explanation: None };
        let next = entry(test_table.state.version() + 1, table::Author::Table, None, body);
        test_table.state.fold(&next).expect("the entry follows the log");
    }
    let own = automatic_entries(&test_table.state, &TableSecret::new([1; 32]), u64::MAX);
    assert_eq!(own, Ok(Vec::new()), "the computer waits");
    test_table.next_round(TWO).expect("a person may start the next round");
    assert_eq!(test_table.state.losers(), [None]);
}
