//! What `cradle replay` makes of transcripts.

use expect_test::expect;

use crate::command::{Answer, cradle_reading, printed};

/// A match as it was printed.
fn transcript(arguments: &[&str]) -> String {
    printed(&[&["match"], arguments, &["--seed", "5"]].concat())
}

/// What is said of a transcript.
fn replay(transcript: &str, arguments: &[&str]) -> Answer {
    cradle_reading(&[&["replay", "-"], arguments].concat(), transcript)
}

#[track_caller]
fn check_end(answer: &Answer, code: i32, last: &str) {
    assert_eq!((answer.code, answer.err.as_str()), (code, ""));
    assert_eq!(answer.out.lines().last(), Some(last));
}

#[test]
fn a_match_is_shown_again() {
    let script = ["tic-tac-toe", "scripted:a1/b1/c1", "scripted:a2/b2", "--json"];
    let answer = replay(&transcript(&script), &[]);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    expect![[r#"
        tic-tac-toe
          a b c
        1 . . .
        2 . . .
        3 . . .

        1. X a1
          a b c
        1 X . .
        2 . . .
        3 . . .

        2. O a2
          a b c
        1 X . .
        2 O . .
        3 . . .

        3. X b1
          a b c
        1 X X .
        2 O . .
        3 . . .

        4. O b2
          a b c
        1 X X .
        2 O O .
        3 . . .

        5. X c1
          a b c
        1 X X X
        2 O O .
        3 . . .

        X wins: X 1, O -1
    "#]]
    .assert_eq(&answer.out);
}

#[test]
fn matches_of_every_kind_are_replayed_in_both_forms() {
    for game in ["tic-tac-toe", "wild", "connect-four", "pig:20", "odds-and-evens", "kuhn-poker"] {
        let long = replay(&transcript(&[game, "random", "random", "--json"]), &[]);
        assert_eq!((long.code, long.err.as_str()), (0, ""), "{game}");
        let short = replay(&transcript(&[game, "random", "random"]), &["--game", game]);
        assert_eq!(short, long, "{game}");
    }
}

#[test]
fn what_was_refused_and_who_lost_by_it_is_shown() {
    let script = ["tic-tac-toe", "scripted:b2/b2", "scripted:a1", "--json"];
    let answer = replay(&transcript(&script), &[]);
    check_end(&answer, 0, "O wins: X -1, O 1");
    let words = "2. X b2 was refused: That cell is already marked: SquareTaken(b2)";
    assert!(answer.out.contains(words), "{}", answer.out);
}

#[test]
fn what_was_refused_is_shown_in_the_short_form_too() {
    let script = ["tic-tac-toe", "scripted:b2/b2", "scripted:a1"];
    let answer = replay(&transcript(&script), &["--game", "tic-tac-toe"]);
    check_end(&answer, 0, "O wins: X -1, O 1");
}

#[test]
fn other_reasons_than_the_true_ones_are_found() {
    let script = ["tic-tac-toe", "scripted:b2/b2", "scripted:a1", "--json"];
    let changed = transcript(&script).replace("SquareTaken(b2)", "SquareTaken(c3)");
    check_end(&replay(&changed, &[]), 1, "line 4 cannot be true: b2 is refused for other reasons");
}

#[test]
fn a_win_names_its_line_and_another_line_is_found() {
    let script = ["tic-tac-toe", "scripted:a1/a2/a3", "scripted:b1/b2"];
    for form in [&script[..], &[&script[..], &["--json"]].concat()] {
        let whole = transcript(form);
        assert!(whole.contains("XWin[0,3,6]"), "{whole}");
        let changed = whole.replace("XWin[0,3,6]", "XWin[0,4,8]");
        let game = ["--game", "tic-tac-toe"];
        let game = if form.len() == script.len() { &game[..] } else { &[] };
        check_end(&replay(&whole, game), 0, "X wins: X 1, O -1");
        let wrong = "the win is [\"XWin[0,3,6]\"], and not [\"XWin[0,4,8]\"]";
        let answer = replay(&changed, game);
        assert_eq!(answer.code, 1);
        assert!(answer.out.contains(wrong) || answer.err.contains(wrong), "{answer:?}");
    }
}

#[test]
fn another_order_of_keys_and_a_mark_of_byte_order_do_not_matter() {
    let whole = transcript(&["tic-tac-toe", "scripted:a1/b1/c1", "scripted:a2/b2", "--json"]);
    let turned = whole.replace("{\"X\":1,\"O\":-1}", "{\"O\":-1,\"X\":1}");
    assert_ne!(turned, whole);
    check_end(&replay(&format!("\u{feff}{turned}"), &[]), 0, "X wins: X 1, O -1");
}

#[test]
fn nothing_in_a_transcript_reaches_the_terminal_as_it_is() {
    let changed = transcript(&["tic-tac-toe", "random", "random"]).replacen(
        "[         ]",
        "[\u{1b}[31mHI]",
        1,
    );
    let answer = replay(&changed, &["--game", "tic-tac-toe"]);
    assert_eq!(answer.code, 1);
    assert!(!answer.out.contains('\u{1b}') && !answer.err.contains('\u{1b}'), "{answer:?}");
}

#[test]
fn a_transcript_that_stops_is_cut_short() {
    let whole = transcript(&["tic-tac-toe", "random", "random", "--json"]);
    let part: Vec<&str> = whole.lines().take(4).collect();
    check_end(&replay(&part.join("\n"), &[]), 3, "the transcript stops before the end");
}

#[test]
fn a_move_that_was_changed_is_found() {
    let changed = transcript(&["tic-tac-toe", "scripted:a1/b1/c1", "scripted:a2/b2"])
        .replace("moves: {\"O\":3}", "moves: {\"O\":0}");
    let answer = replay(&changed, &["--game", "tic-tac-toe"]);
    check_end(
        &answer,
        1,
        "line 2 cannot be true: O cannot choose it: That cell is already marked: SquareTaken(a1)",
    );
}

#[test]
fn a_position_that_was_changed_is_found() {
    let changed = transcript(&["tic-tac-toe", "scripted:a1/b1/c1", "scripted:a2/b2"])
        .replace("[X  O     ]", "[X  O    X]");
    let answer = replay(&changed, &["--game", "tic-tac-toe"]);
    check_end(
        &answer,
        1,
        "line 3 cannot be true: the position is \"X  O     \" there, and not \"X  O    X\"",
    );
}

#[test]
fn a_result_that_was_changed_is_found() {
    let changed = transcript(&["tic-tac-toe", "scripted:a1/b1/c1", "scripted:a2/b2"])
        .replace("{\"X\":1,\"O\":-1}", "{\"X\":-1,\"O\":1}");
    let answer = replay(&changed, &["--game", "tic-tac-toe"]);
    check_end(
        &answer,
        1,
        "line 6 cannot be true: the result is {\"X\":1,\"O\":-1}, and not {\"X\":-1,\"O\":1}",
    );
}

#[test]
fn programs_are_told_what_is_wrong_and_where() {
    let changed = transcript(&["tic-tac-toe", "scripted:a1/b1/c1", "scripted:a2/b2"])
        .replace("moves: {\"O\":3}", "moves: {\"O\":0}");
    let answer = replay(&changed, &["--game", "tic-tac-toe", "--json"]);
    assert_eq!(answer.code, 1);
    let report: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!((&report["wrong"]["line"], &report["result"]), (&2.into(), &().into()));
}

#[track_caller]
fn refused(transcript: &str, arguments: &[&str], expected: &str) {
    let Answer { code, out, err } = replay(transcript, arguments);
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(err.starts_with(&format!("error: {expected}")), "{err}");
}

#[test]
fn what_is_no_transcript_is_refused_in_one_sentence() {
    refused("", &[], "- is empty");
    refused("nonsense\n", &[], "- cannot be replayed: line 1 cannot be read");
    refused("{\"event\":\"bluff\"}\n", &[], "- cannot be replayed: line 1 cannot be read");
    let short = transcript(&["pig:10", "random", "random"]);
    refused(&short, &[], "the transcript does not name its game; say it with --game");
    let named = transcript(&["pig:10", "random", "random", "--json"]);
    refused(&named, &["--game", "wild"], "the transcript is of pig:10, and not of wild");
    let long = format!("{{\"event\":\"{}\"}}", "x".repeat(1 << 17));
    refused(&long, &[], "- cannot be replayed: line 1 is too long");
}
