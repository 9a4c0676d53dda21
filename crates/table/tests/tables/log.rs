//! Logs: old formats stay readable, and only legal entries are folded.

use expect_test::expect;
use game::Game;
use table::{Author, Entry, EntryBody, FoldError, TableState};

use crate::test_table::{ONE, TWO, TestTable, entry};

/// A log with most kinds of entries.
fn played() -> TestTable {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all("a1 a2 b1 b2 c1");
    test_table.forfeit(TWO).expect("the seat has lost the round");
    test_table.play_all("b2");
    test_table.forfeit(TWO).expect("the seat is to move");
    test_table.play_all("a1 b2 c3 a2 c2 c1 a3 b3 b1");
    test_table.tie(TWO).expect("the board is filled");
    test_table.play_all("a1 a2 b1 b2 c1");
    test_table.next_round(ONE).expect("the round is decided");
    test_table.leave(ONE).expect("a player may leave at any time");
    test_table
}

#[test]
fn every_entry_survives_a_round_trip() {
    for entry in &played().log {
        assert_eq!(Entry::read(&entry.write(), entry.version).as_ref(), Ok(entry));
    }
}

#[test]
fn every_prefix_of_a_log_folds_and_the_whole_log_restores_the_state() {
    let test_table = played();
    let (first, rest) = test_table.log.split_first().expect("the first entry creates a table");
    let mut state =
        TableState::begin(test_table.game(), first).expect("the first entry creates a table");
    for entry in rest {
        state.fold(entry).expect("the entry follows the log");
        assert_eq!(state.version(), entry.version);
    }
    assert_eq!(state.losers(), test_table.state.losers());
    assert_eq!(state.losers(), [Some(TWO), Some(TWO), None, Some(TWO)]);
    assert_eq!(state.position(), test_table.state.position());
}

/// The first format, which must stay readable for ever.
const GOLDEN: &str = r#"{"format":1,"version":1,"at":1001,"who":"table","kind":"created","game":"tic-tac-toe","rules":1,"options":{},"commitment":"19b25856e1c150ca834cffc8b59b23adbd0ec0389e58eb22b3b64768098d002b"}
{"format":1,"version":2,"at":1002,"who":"table","action":"test:1","kind":"joined","seat":0,"name":"one","token":"7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"}
{"format":1,"version":3,"at":1003,"who":"table","action":"test:2","kind":"joined","seat":1,"name":"two","token":"3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3"}
{"format":1,"version":4,"at":1004,"who":{"seat":0},"action":"test:3","kind":"played","seat":0,"round":1,"ply":0,"move":"b2"}
{"format":1,"version":5,"at":1005,"who":{"seat":1},"action":"test:4","kind":"forfeited","seat":1,"round":1,"why":"resigned"}
"#;

#[test]
fn the_golden_log_survives_a_round_trip() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all("b2");
    test_table.forfeit(TWO).expect("the seat is to move");
    let written: String = test_table.log.iter().map(|entry| entry.write() + "\n").collect();
    assert_eq!(written, GOLDEN);
    let entries = (1..).zip(GOLDEN.lines()).map(|(version, line)| Entry::read(line, version));
    let entries: Result<Vec<Entry>, _> = entries.collect();
    assert_eq!(entries, Ok(test_table.log));
}

/// A player resigns while the other one is to move.
const GOLDEN_OUT_OF_TURN: &str = r#"{"format":1,"version":5,"at":1005,"who":{"seat":0},"action":"test:4","kind":"forfeited","seat":0,"round":1,"why":"resigned"}"#;

#[test]
fn the_golden_log_of_a_player_who_resigns_out_of_turn_survives_a_round_trip() {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all("b2");
    test_table.forfeit(ONE).expect("the round is open");
    let last = test_table.log.last().expect("the log has entries");
    assert_eq!(last.write(), GOLDEN_OUT_OF_TURN);
    assert_eq!(Entry::read(GOLDEN_OUT_OF_TURN, 5).as_ref(), Ok(last));
    assert_eq!(test_table.state.losers(), [Some(ONE)]);
}

/// The first format with the explanation of a computer's move, which older logs do not have.
const GOLDEN_WITH_EXPLANATION: &str = r#"{"format":1,"version":1,"at":1001,"who":"table","kind":"created","game":"tic-tac-toe","rules":1,"options":{"computers":[null,"bthreads"]},"commitment":"19b25856e1c150ca834cffc8b59b23adbd0ec0389e58eb22b3b64768098d002b"}
{"format":1,"version":2,"at":1002,"who":"table","action":"test:1","kind":"joined","seat":0,"name":"one","token":"7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"}
{"format":1,"version":3,"at":1003,"who":{"seat":0},"action":"test:2","kind":"played","seat":0,"round":1,"ply":0,"move":"a1"}
{"format":1,"version":4,"at":1004,"who":"table","kind":"played","seat":1,"round":1,"ply":1,"move":"b2","explanation":{"sentence":"DefaultMoves wanted O b2","wanted_by":["DefaultMoves"]}}
"#;

#[test]
fn the_golden_log_with_an_explanation_survives_a_round_trip() {
    let computers = vec![None, Some("bthreads".to_owned())];
    let mut test_table =
        TestTable::empty("tic-tac-toe", table::Options { computers, ..table::Options::default() });
    test_table.join("one").expect("the first seat is free");
    test_table.play_all("a1");
    let secret = table::TableSecret::new([1; 32]);
    let answer =
        table::automatic_entries(&test_table.state, &secret, 1_004).expect("the computer moves");
    test_table.log.extend(answer);
    let written: String = test_table.log.iter().map(|entry| entry.write() + "\n").collect();
    assert_eq!(written, GOLDEN_WITH_EXPLANATION);
    let lines = (1..).zip(GOLDEN_WITH_EXPLANATION.lines());
    let entries: Result<Vec<Entry>, _> =
        lines.map(|(version, line)| Entry::read(line, version)).collect();
    assert_eq!(entries.as_ref(), Ok(&test_table.log));
    TableState::after(test_table.game(), &test_table.log).expect("the log can be folded");
}

#[track_caller]
fn check_unreadable(text: &str, expected: &expect_test::Expect) {
    expected.assert_eq(&Entry::read(text, 7).expect_err("the text is not an entry").to_string());
}

#[test]
fn unknown_formats_and_kinds_are_refused_by_name_and_version() {
    check_unreadable(
        r#"{"format":2,"version":7,"kind":"played"}"#,
        &expect!["entry 7 is in format 2, which is not known here"],
    );
    check_unreadable(
        r#"{"format":1,"version":7,"at":1,"who":"table","kind":"exploded"}"#,
        &expect![[r#"entry 7 is of the kind "exploded", which is not known here"#]],
    );
    check_unreadable(
        r#"{"format":1,"version":7,"at":1,"who":"table","kind":"tied"}"#,
        &expect!["entry 7 cannot be read: missing field `round`"],
    );
    check_unreadable(
        "nonsense",
        &expect!["entry 7 cannot be read: expected ident at line 1 column 2"],
    );
    check_unreadable(&"x".repeat(5_000), &expect!["entry 7 is longer than 4096 bytes"]);
}

#[test]
fn unknown_fields_are_ignored() {
    let text =
        r#"{"format":1,"version":7,"at":1,"who":"table","kind":"tied","round":2,"mood":"good"}"#;
    assert_eq!(Entry::read(text, 7).map(|entry| entry.body), Ok(EntryBody::Tied { round: 2 }));
}

/// The error when an entry is folded after these moves.
fn wrong(moves: &str, change: impl FnOnce(u64) -> Entry) -> FoldError {
    let mut test_table = TestTable::tic_tac_toe();
    test_table.play_all(moves);
    let (before, version) = (test_table.text(), test_table.state.version());
    let error =
        test_table.state.fold(&change(version + 1)).expect_err("the entry does not follow the log");
    assert_eq!((test_table.text(), test_table.state.version()), (before, version));
    error
}

fn played_entry(version: u64, seat: game::Seat, ply: u32, chosen: &str) -> Entry {
    let chosen = chosen.parse().expect("the move text is valid");
    entry(
        version,
        Author::Seat(seat),
        None,
        EntryBody::Played { seat, round: 1, ply, chosen, explanation: None },
    )
}

fn explained(mut entry: Entry) -> Entry {
    let EntryBody::Played { explanation, .. } = &mut entry.body else {
        unreachable!("the entry is a move")
    };
    *explanation =
        serde_json::from_str(r#"{"sentence":"I like it"}"#).expect("the explanation is valid");
    entry
}

#[test]
fn an_explanation_of_a_persons_move_is_not_folded() {
    let error = wrong("", |version| explained(played_entry(version, ONE, 0, "a1")));
    let expected = "entry 4 cannot have happened: only a computer explains its move, and only \
                    where nothing is hidden";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn an_illegal_entry_is_not_folded() {
    for (error, expected) in [
        (
            wrong("", |version| played_entry(version + 1, ONE, 0, "a1")),
            "entry 5 was given where entry 4 was expected",
        ),
        (
            wrong("a1", |version| played_entry(version, TWO, 1, "a1")),
            "entry 5 cannot have happened: That cell is already marked: SquareTaken(a1)",
        ),
        (
            wrong("", |version| played_entry(version, TWO, 0, "a1")),
            "entry 4 cannot have happened: It is not your turn: EnforceTurns",
        ),
        (
            wrong("", |version| played_entry(version, ONE, 3, "a1")),
            "entry 4 cannot have happened: it is round 1 and ply 0, and not 1 and 3",
        ),
        (
            wrong("", |version| {
                entry(version, Author::Table, None, EntryBody::NextRound { round: 1 })
            }),
            "entry 4 cannot have happened: the round is not over",
        ),
        (
            wrong("", |version| entry(version, Author::Table, None, EntryBody::Tied { round: 1 })),
            "entry 4 cannot have happened: the round is not a draw",
        ),
        (
            wrong("", |version| {
                let (seat, why) =
                    (game::Seat::new(5).expect("the number is a seat"), table::Forfeit::Resigned);
                entry(version, Author::Table, None, EntryBody::Forfeited { seat, round: 1, why })
            }),
            "entry 4 cannot have happened: there is no such seat",
        ),
        (
            wrong("", |version| {
                let name = table::PlayerName::new("other").expect("the name is valid");
                let token = Some(table::Digest::of(b"other"));
                entry(version, Author::Table, None, EntryBody::Joined { seat: ONE, name, token })
            }),
            "entry 4 cannot have happened: somebody else holds the seat",
        ),
        (
            wrong("", |version| Entry {
                who: Author::Seat(TWO),
                ..played_entry(version, ONE, 0, "a1")
            }),
            "entry 4 cannot have happened: a seat acts only for itself",
        ),
        (
            wrong("a1 a2 b1 b2 c1", |version| {
                let why = table::Forfeit::Acknowledged;
                entry(
                    version,
                    Author::Seat(ONE),
                    None,
                    EntryBody::Forfeited { seat: ONE, round: 1, why },
                )
            }),
            "entry 9 cannot have happened: it is not the turn of the seat",
        ),
        (
            wrong("", |version| Entry { at: 0, ..played_entry(version, ONE, 0, "a1") }),
            "entry 4 was written before entry 3",
        ),
    ] {
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn an_illegal_entry_is_not_folded_before_all_have_joined() {
    let joined = |seat, token: &[u8]| {
        let name = table::PlayerName::new("other").expect("the name is valid");
        let token = Some(table::Digest::of(token));
        entry(3, Author::Table, None, EntryBody::Joined { seat, name, token })
    };
    let chosen = "a1".parse().expect("the move text is valid");
    let early = EntryBody::Played { seat: ONE, round: 0, ply: 0, chosen, explanation: None };
    for (computer, next, expected) in [
        (None, entry(3, Author::Seat(ONE), None, early), "somebody is missing"),
        (None, joined(TWO, b"one"), "the player with this token sits elsewhere"),
        (Some("random"), joined(TWO, b"other"), "a computer player sits there"),
    ] {
        let computers = vec![None, computer.map(str::to_owned)];
        let options = table::Options { computers, ..table::Options::default() };
        let mut test_table = TestTable::empty("tic-tac-toe", options);
        test_table.join("one").expect("the first seat is free");
        let error = test_table.state.fold(&next).expect_err("the entry does not follow the log");
        assert_eq!(error.to_string(), format!("entry 3 cannot have happened: {expected}"));
    }
}

#[test]
fn a_log_begins_with_one_created_table_of_the_same_game() {
    let log = played().log;
    let game = || games::catalog::game("tic-tac-toe").expect("the game is in the catalog");
    let error = TableState::begin(game(), &log[1]).expect_err("the entry does not create a table");
    assert_eq!(error, FoldError::Beginning { version: 2 });
    let another = games::catalog::game("wild").expect("the game is in the catalog");
    let error = TableState::begin(another, &log[0]).expect_err("the entry is of another game");
    assert_eq!(error.to_string(), "entry 1 is of tic-tac-toe, and not of wild");
    let mut state = TableState::begin(game(), &log[0]).expect("the first entry creates a table");
    let second = Entry { version: 2, ..log[0].clone() };
    assert_eq!(state.fold(&second), Err(FoldError::Beginning { version: 2 }));
    assert_eq!(state.game().name(), "tic-tac-toe");
}

#[test]
fn only_the_sealed_moves_can_be_revealed() {
    let mut test_table = TestTable::full("odds-and-evens", table::Options::default());
    test_table.play(ONE, "1").expect("both seats choose");
    let mut honest = test_table.clone();
    honest.play(TWO, "2").expect("both seats choose");
    let sealed = honest.log[honest.log.len() - 2].clone();
    let mut revealed = honest.log[honest.log.len() - 1].clone();
    let EntryBody::Revealed { moves, .. } = &mut revealed.body else {
        unreachable!("the entry reveals moves")
    };
    moves[0].1 = "2".parse().expect("the move text is valid");
    test_table.state.fold(&sealed).expect("the entry follows the log");
    let error = test_table.state.fold(&revealed).expect_err("another move was sealed");
    assert_eq!(error.to_string(), "entry 6 cannot have happened: something else was sealed");
}
