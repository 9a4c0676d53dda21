//! Entries that a table adds on its own.

use bthread::{AnyBThread, Name};
use game::{AnyGame, BGame, Outcome, Picture, Reason, Rulebook, Seat};
use games::tic_tac_toe::Rules;
use table::{Digest, EntryBody, Forfeit, Options, TableSecret, automatic_entries};

use crate::test_table::{ONE, TWO, TestTable, message};

fn secret(number: u8) -> TableSecret {
    TableSecret::new([number; 32])
}

/// Adds automatic entries until the table waits for a person.
fn settle(test_table: &mut TestTable, number: u8) -> usize {
    let mut steps = 0;
    loop {
        let entries = automatic_entries(&test_table.state, &secret(number), 0)
            .expect("the table can continue");
        if entries.is_empty() {
            return steps;
        }
        for entry in entries {
            test_table.state.fold(&entry).expect("the entry follows the log");
            test_table.log.push(entry);
            steps += 1;
        }
    }
}

fn against(game: &str, level: &str) -> TestTable {
    let computers = vec![None, Some(level.to_owned())];
    let mut test_table = TestTable::empty(game, Options { computers, ..Options::default() });
    test_table.join("one").expect("the first seat is free");
    test_table
}

#[test]
fn a_computer_player_answers_and_its_seat_cannot_be_taken() {
    let mut test_table = against("tic-tac-toe", "bthreads");
    assert_eq!(message(test_table.join("two")), "Player two has already joined");
    assert_eq!(settle(&mut test_table, 1), 0, "the table waits for a person");
    test_table.play(ONE, "a1").expect("the move is legal");
    assert_eq!(settle(&mut test_table, 1), 1);
    assert_eq!(test_table.text(), "X   O    ");
    test_table.play(ONE, "b1").expect("the move is legal");
    settle(&mut test_table, 1);
    assert_eq!(test_table.text(), "XXO O    ");
}

#[test]
fn a_computer_player_that_cannot_continue_loses_the_round() {
    let mut test_table = against("tic-tac-toe", "scripted:b2");
    test_table.play(ONE, "a1").expect("the move is legal");
    assert_eq!(settle(&mut test_table, 1), 1);
    test_table.play(ONE, "c3").expect("the move is legal");
    assert_eq!(settle(&mut test_table, 1), 1);
    let last = test_table.log.last().map(|entry| entry.body.clone());
    assert_eq!(last, Some(EntryBody::Forfeited { seat: TWO, round: 1, why: Forfeit::Resigned }));
    assert_eq!(test_table.state.round(), 2);
    assert!(test_table.state.turn().contains(ONE), "the person opens the next round");
}

#[test]
fn a_computer_player_that_cannot_open_a_round_does_not_forfeit_every_round() {
    let computers = vec![Some("scripted:".to_owned()), None];
    let mut test_table =
        TestTable::empty("tic-tac-toe", Options { computers, ..Options::default() });
    test_table.join("two").expect("the second seat is free");
    let error =
        automatic_entries(&test_table.state, &secret(1), 0).expect_err("the computer cannot move");
    assert!(error.to_string().contains("script"), "{error}");
}

#[test]
fn there_are_no_automatic_entries_before_all_have_joined() {
    let computers = vec![Some("random".to_owned()), None];
    let mut test_table =
        TestTable::empty("tic-tac-toe", Options { computers, ..Options::default() });
    assert_eq!(settle(&mut test_table, 1), 0);
    test_table.join("two").expect("the second seat is free");
    assert_eq!(settle(&mut test_table, 1), 1);
    assert!(test_table.state.turn().contains(TWO));
}

#[test]
fn the_secret_determines_the_automatic_entries() {
    let rolls = |number| {
        let mut test_table = TestTable::full("pig", Options::default());
        let mut drawn = Vec::new();
        for _ in 0..30 {
            let seat = test_table.state.turn().iter().next().expect("a seat is to move");
            test_table.play(seat, "roll").expect("rolling is always legal");
            settle(&mut test_table, number);
            let Some(EntryBody::Chance { drawn: die, .. }) =
                test_table.log.last().map(|last| last.body.clone())
            else {
                unreachable!("a die was rolled")
            };
            drawn.push(die.to_string());
        }
        drawn.join("")
    };
    assert_eq!(rolls(1), rolls(1));
    assert_ne!(rolls(1), rolls(2));
    assert!("123456".chars().all(|die| rolls(1).contains(die)), "{}", rolls(1));
}

#[test]
fn a_computer_player_does_not_know_the_sealed_move_of_its_opponent() {
    let mut early = against("odds-and-evens", "random");
    settle(&mut early, 1);
    assert!(early.state.has_sealed(TWO));
    early.play(ONE, "1").expect("both seats choose");
    let mut late = against("odds-and-evens", "random");
    late.play(ONE, "1").expect("both seats choose");
    settle(&mut late, 1);
    assert_eq!(early.text(), late.text());
}

#[test]
fn the_log_holds_a_commitment_and_debug_output_hides_the_secret() {
    assert_eq!(secret(7).commitment(), Digest::of(&[7; 32]));
    assert_eq!(format!("{:?}", secret(7)), "TableSecret");
}

#[test]
fn a_computer_player_that_cannot_play_the_game_is_an_error() {
    let test_table = against("pig:difference", "perfect");
    let mut test_table = test_table;
    test_table.play(ONE, "roll").expect("the move is legal");
    // Whatever the die shows, the computer is to move at some point.
    let error = loop {
        match automatic_entries(&test_table.state, &secret(3), 0) {
            Err(error) => break error,
            Ok(entries) if entries.is_empty() => {
                let held = test_table.play(ONE, "hold");
                held.or_else(|_| test_table.play(ONE, "roll")).expect("one of them is legal");
            }
            Ok(entries) => entries.iter().for_each(|entry| {
                test_table.state.fold(entry).expect("the entry follows the log");
            }),
        }
    };
    assert_eq!(error.to_string(), "perfect cannot play B in pig:difference: chance decides there");
}

/// Tic-tac-toe without strategies for X.
#[derive(Clone, Copy, Debug)]
struct OnlyOHasStrategies;

impl Rulebook for OnlyOHasStrategies {
    type Event = <Rules as Rulebook>::Event;
    type Move = <Rules as Rulebook>::Move;
    type Board = <Rules as Rulebook>::Board;

    fn name(&self) -> String {
        Rules.name()
    }

    fn seats(&self) -> Vec<&str> {
        vec!["X", "O"]
    }

    fn rules(&self) -> Vec<AnyBThread<Self::Event>> {
        Rules.rules()
    }

    fn moves(&self, seat: Seat) -> Vec<(Self::Move, Self::Event)> {
        Rules.moves(seat)
    }

    fn results(&self) -> Vec<(Self::Event, Outcome)> {
        Rules.results()
    }

    fn empty_board(&self) -> Self::Board {
        Rules.empty_board()
    }

    fn record(&self, board: &mut Self::Board, event: &Self::Event) {
        Rules.record(board, event);
    }

    fn text(&self, board: &Self::Board) -> String {
        Rules.text(board)
    }

    fn picture(&self, board: &Self::Board) -> Picture {
        Rules.picture(board)
    }

    fn reason(&self, thread: &Name) -> Reason {
        Rules.reason(thread)
    }

    fn strategies(&self, seat: Seat) -> Vec<AnyBThread<Self::Event>> {
        if seat == Seat::SECOND { Rules.strategies(seat) } else { Vec::new() }
    }
}

#[test]
fn a_computer_player_must_be_able_to_play_every_seat_it_can_get() {
    let game = AnyGame::new(BGame::new(OnlyOHasStrategies).expect("the rules are a program"));
    let check = |alternate: bool, computers: [Option<&str>; 2], expected: Result<(), &str>| {
        let computers = computers.map(|name| name.map(str::to_owned)).to_vec();
        let options = Options { alternate, computers, ..Options::default() };
        let answer = table::can_play(&game, &options).map_err(|error| error.to_string());
        assert_eq!(answer.as_ref().map_err(String::as_str).copied(), expected);
    };
    check(false, [None, None], Ok(()));
    check(false, [None, Some("bthreads")], Ok(()));
    check(true, [None, Some("random")], Ok(()));
    let cannot =
        "bthreads cannot play X in tic-tac-toe: no strategies are written as b-threads for it";
    check(false, [Some("bthreads"), None], Err(cannot));
    check(true, [None, Some("bthreads")], Err(cannot));
    let stops = "a scripted player stops when its script ends: it cannot sit at a table";
    check(false, [None, Some("scripted:b2/a1")], Err(stops));
    check(false, [Some("scripted:"), None], Err(stops));
}
