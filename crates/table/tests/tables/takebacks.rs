//! Takebacks: a move is taken back if the other player agrees, and its ply never comes again.

use game::{Game, Seat};
use table::{
    ActionBody, Actor, Author, Clock, Entry, EntryBody, MOST_MOVES_TO_REPLAY, Options, TableSecret,
    TableState, automatic_entries,
};

use crate::counting::Counting;
use crate::test_table::{ONE, TWO, TestTable, message};

/// One of the actions about takebacks, in the current position.
fn act(
    test_table: &mut TestTable,
    seat: Seat,
    body: impl FnOnce(u32, u32) -> ActionBody,
) -> Result<table::Decision, game::Refusal> {
    let body = body(test_table.state.round(), test_table.state.ply());
    test_table.act(Actor::Seat(seat), body)
}

fn ask(test_table: &mut TestTable, seat: Seat) -> Result<table::Decision, game::Refusal> {
    act(test_table, seat, |round, ply| ActionBody::AskTakeback { round, ply })
}

fn grant(test_table: &mut TestTable, seat: Seat) -> Result<table::Decision, game::Refusal> {
    act(test_table, seat, |round, ply| ActionBody::GrantTakeback { round, ply })
}

fn decline(test_table: &mut TestTable, seat: Seat) -> Result<table::Decision, game::Refusal> {
    act(test_table, seat, |round, ply| ActionBody::DeclineTakeback { round, ply })
}

/// A table after these moves, where a seat has asked.
fn asked(moves: &str, seat: Seat) -> TestTable {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all(moves);
    ask(&mut test_table, seat).expect("the seat has a move");
    test_table
}

#[test]
fn the_player_who_moved_last_takes_one_move_back() {
    let mut test_table = asked("a1 b2", TWO);
    assert_eq!(test_table.state.takeback(), Some(TWO));
    grant(&mut test_table, ONE).expect("the other player has asked");
    assert_eq!(test_table.text(), "X        ");
    assert_eq!(
        (test_table.state.turn().contains(TWO), test_table.state.history().len()),
        (true, 1)
    );
    assert_eq!(test_table.state.takeback(), None);
    test_table.play_all("c3");
    assert_eq!(test_table.text(), "X       O");
}

#[test]
fn the_player_in_turn_takes_the_answer_back_too() {
    let mut test_table = asked("a1 b2 c3 a2", ONE);
    grant(&mut test_table, TWO).expect("the other player has asked");
    assert_eq!(test_table.text(), "X   O    ");
    assert!(test_table.state.turn().contains(ONE));
}

#[test]
fn a_late_duplicate_of_a_move_that_was_taken_back_stays_refused() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all("a1");
    let late = ActionBody::Play { round: 1, ply: 1, chosen: "b2".parse().unwrap() };
    test_table.act(Actor::Seat(TWO), late.clone()).expect("the move is legal");
    ask(&mut test_table, TWO).expect("the seat has a move");
    grant(&mut test_table, ONE).expect("the other player has asked");
    assert_eq!(test_table.state.ply(), 3, "a takeback counts as one more");
    let again = message(test_table.act(Actor::Seat(TWO), late));
    assert_eq!(again, "This move was meant for an earlier position");
    test_table.play(TWO, "b2").expect("the same move is legal at the new ply");
}

#[test]
fn nothing_is_taken_back_without_an_answer() {
    let mut test_table = asked("a1 b2", TWO);
    assert_eq!(message(grant(&mut test_table, TWO)), "Nobody has asked you to take a move back");
    assert_eq!(message(decline(&mut test_table, TWO)), "Nobody has asked you to take a move back");
    assert_eq!(message(ask(&mut test_table, TWO)), "You have asked already");
    assert_eq!(
        message(ask(&mut test_table, ONE)),
        "The other player has asked already: answer first"
    );
    assert_eq!(test_table.text(), "X   O    ");
}

#[test]
fn a_wish_that_is_declined_may_come_again_after_the_next_move() {
    let mut test_table = asked("a1 b2", TWO);
    decline(&mut test_table, ONE).expect("the other player has asked");
    assert_eq!(test_table.state.takeback(), None);
    assert_eq!(
        message(ask(&mut test_table, TWO)),
        "This was declined already: you may ask again after the next move"
    );
    assert_eq!(message(grant(&mut test_table, ONE)), "Nobody has asked you to take a move back");
    test_table.play_all("c3");
    ask(&mut test_table, TWO).expect("a move was made");
}

#[test]
fn a_move_answers_the_wish_as_well() {
    let mut test_table = asked("a1 b2", TWO);
    test_table.play_all("c3");
    assert_eq!(test_table.state.takeback(), None);
    let old = ActionBody::GrantTakeback { round: 1, ply: 2 };
    let late = message(test_table.act(Actor::Seat(ONE), old));
    assert_eq!(late, "This takeback was meant for an earlier position");
}

#[test]
fn a_player_without_a_move_and_a_player_of_a_decided_round_take_nothing_back() {
    let mut test_table = TestTable::tic_tac_toe();
    assert_eq!(message(ask(&mut test_table, ONE)), "You have no move to take back");
    test_table.play_all("a1");
    assert_eq!(message(ask(&mut test_table, TWO)), "You have no move to take back");
    test_table.play_all("a2 b1 b2 c1");
    assert_eq!(
        message(ask(&mut test_table, TWO)),
        "The game is lost, you need to forfeit",
        "the round is decided"
    );
}

#[test]
fn nothing_is_taken_back_where_chance_draws_or_something_is_hidden() {
    let secret = TableSecret::new([1; 32]);
    let mut pig = TestTable::full("pig", Options::default());
    pig.play_all("roll");
    let expected = "Moves are not taken back in games of chance, or where players choose at the same \
                    time";
    assert_eq!(message(ask(&mut pig, ONE)), expected, "the die falls");
    for entry in automatic_entries(&pig.state, &secret, 0).expect("chance draws") {
        pig.state.fold(&entry).expect("the entry follows the log");
    }
    assert_eq!(message(ask(&mut pig, ONE)), expected);
    let mut odds = TestTable::full("odds-and-evens", Options::default());
    odds.play(ONE, "1").expect("both choose");
    assert_eq!(message(ask(&mut odds, ONE)), expected);
    let mut poker = TestTable::full("kuhn-poker", Options::default());
    assert_eq!(
        message(ask(&mut poker, ONE)),
        "Moves are not taken back in games that hide something"
    );
}

#[test]
fn a_computer_player_agrees_at_once() {
    let computers = vec![None, Some("bthreads".to_owned())];
    let options = Options { computers, ..Options::default() };
    let mut test_table = TestTable::empty("tic-tac-toe", options);
    test_table.join("one").expect("the first seat is free");
    let secret = TableSecret::new([1; 32]);
    let settle = |test_table: &mut TestTable| {
        let entries = automatic_entries(&test_table.state, &secret, 0).expect("it continues");
        for entry in &entries {
            test_table.state.fold(entry).expect("it follows");
        }
        entries.into_iter().map(|entry| entry.body.kind()).collect::<Vec<_>>()
    };
    test_table.play_all("a1");
    assert_eq!(settle(&mut test_table), ["played"]);
    ask(&mut test_table, ONE).expect("the seat has a move");
    assert_eq!(settle(&mut test_table), ["takeback_granted"]);
    assert_eq!(test_table.text(), "         ");
    assert_eq!(settle(&mut test_table), [""; 0], "the person is to move again");
    test_table.play_all("c3");
    ask(&mut test_table, ONE).expect("the computer has not answered yet");
    assert_eq!(settle(&mut test_table), ["takeback_granted"], "it agrees before it moves");
    assert_eq!(test_table.text(), "         ");
}

#[test]
fn the_time_of_a_move_that_was_taken_back_is_not_refunded() {
    let clock = Some(Clock::PerSide(1_000));
    let mut test_table = TestTable::full("tic-tac-toe", Options { clock, ..Options::default() });
    let mut fold = |at, seat, body| {
        let version = test_table.state.version() + 1;
        let entry = Entry::new(version, at, Author::Seat(seat), body);
        test_table.state.fold(&entry).expect("the entry follows the log");
        test_table.state.deadline()
    };
    let played = |seat, ply, chosen: &str| EntryBody::Played {
        seat,
        round: 1,
        ply,
        chosen: chosen.parse().unwrap(),
        explanation: None,
    };
    assert_eq!(fold(2_000, ONE, played(ONE, 0, "a1")), Some((TWO, 3_000)));
    assert_eq!(fold(2_400, TWO, played(TWO, 1, "b2")), Some((ONE, 3_400)));
    let asked = EntryBody::TakebackAsked { seat: TWO, round: 1, ply: 2 };
    assert_eq!(fold(2_500, TWO, asked), Some((ONE, 3_400)), "the clock of the other runs on");
    let granted = EntryBody::TakebackGranted { seat: ONE, round: 1, ply: 2, back_to: 1 };
    assert_eq!(fold(2_600, ONE, granted), Some((TWO, 3_200)), "400 of 1,000 ms are used");
}

/// The log of a takeback, which must stay readable for ever.
const GOLDEN: &str = r#"{"format":1,"version":6,"at":1006,"who":{"seat":1},"action":"test:5","kind":"takeback_asked","seat":1,"round":1,"ply":2}
{"format":1,"version":7,"at":1007,"who":{"seat":0},"action":"test:6","kind":"takeback_declined","seat":0,"round":1,"ply":2}
{"format":1,"version":8,"at":1008,"who":{"seat":0},"action":"test:7","kind":"takeback_asked","seat":0,"round":1,"ply":2}
{"format":1,"version":9,"at":1009,"who":{"seat":1},"action":"test:8","kind":"takeback_granted","seat":1,"round":1,"ply":2,"back_to":0}
{"format":1,"version":10,"at":1010,"who":{"seat":0},"action":"test:9","kind":"played","seat":0,"round":1,"ply":3,"move":"b2"}
"#;

#[test]
fn the_golden_log_of_a_takeback_survives_a_round_trip() {
    let mut test_table = asked("a1 b2", TWO);
    decline(&mut test_table, ONE).expect("the other player has asked");
    ask(&mut test_table, ONE).expect("the seat has a move");
    grant(&mut test_table, TWO).expect("the other player has asked");
    test_table.play_all("b2");
    let written: String = test_table.log[5..].iter().map(|entry| entry.write() + "\n").collect();
    assert_eq!(written, GOLDEN);
    let entries = (6..).zip(GOLDEN.lines()).map(|(version, line)| Entry::read(line, version));
    let entries: Vec<Entry> = entries.collect::<Result<_, _>>().expect("every line is an entry");
    assert_eq!(entries, test_table.log[5..]);
    let state = TableState::after(test_table.game(), &test_table.log).expect("the log folds");
    assert_eq!(state.game().text(state.position()), "    X    ");
}

#[test]
fn an_entry_that_takes_back_something_else_is_refused() {
    let test_table = asked("a1 b2", TWO);
    let error = |seat, back_to| {
        let body = EntryBody::TakebackGranted { seat, round: 1, ply: 2, back_to };
        let entry = Entry::new(7, 2_000, Author::Seat(seat), body);
        test_table.state.clone().fold(&entry).err().map(|error| error.to_string())
    };
    assert_eq!(error(ONE, 1), None);
    let other = "entry 7 cannot have happened: another number of moves stays";
    assert_eq!(error(ONE, 0).as_deref(), Some(other));
    assert_eq!(error(ONE, 2).as_deref(), Some(other));
    let nobody = "entry 7 cannot have happened: Nobody has asked you to take a move back";
    assert_eq!(error(TWO, 1).as_deref(), Some(nobody));
}

#[test]
fn nothing_is_taken_back_in_a_round_that_takes_long_to_play_again() {
    let game = game::AnyGame::new(Counting { seats: &["A", "B"], last: 1_000 });
    let mut test_table = TestTable::of(game, Options::default());
    test_table.join("one").expect("the first seat is free");
    test_table.join("two").expect("the second seat is free");
    for number in 1..=MOST_MOVES_TO_REPLAY {
        test_table.play_all(&number.to_string());
    }
    let mut longer = test_table.clone();
    ask(&mut test_table, TWO).expect("the round is short enough");
    grant(&mut test_table, ONE).expect("the other player has asked");
    assert_eq!(test_table.text(), "127");
    longer.play_all("129");
    let long = "Moves are not taken back in a round as long as this one";
    assert_eq!(message(ask(&mut longer, ONE)), long);
}
