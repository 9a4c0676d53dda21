//! What `cradle replay` answers to transcripts.

use expect_test::expect;

use crate::command::{Answer, complaint, cradle_reading, printed};

/// A match as it was printed.
fn transcript(arguments: &[&str]) -> String {
    printed(&[&["match"], arguments, &["--seed", "5"]].concat())
}

/// The answer to a transcript.
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
fn matches_of_all_games_are_replayed_in_both_forms() {
    for game in ["tic-tac-toe", "wild", "connect-four", "pig:20", "odds-and-evens", "kuhn-poker"] {
        let long = replay(&transcript(&[game, "random", "random", "--json"]), &[]);
        assert_eq!((long.code, long.err.as_str()), (0, ""), "{game}");
        let short = replay(&transcript(&[game, "random", "random"]), &["--game", game]);
        assert_eq!(short, long, "{game}");
    }
}

#[test]
fn a_refused_move_and_the_loss_are_shown() {
    let script = ["tic-tac-toe", "scripted:b2/b2", "scripted:a1", "--json"];
    let answer = replay(&transcript(&script), &[]);
    check_end(&answer, 0, "O wins: X -1, O 1");
    let words = "2. X b2 was refused: That cell is already marked: SquareTaken(b2)";
    assert!(answer.out.contains(words), "{}", answer.out);
}

#[test]
fn a_refused_move_is_replayed_in_the_short_form() {
    let script = ["tic-tac-toe", "scripted:b2/b2", "scripted:a1"];
    let answer = replay(&transcript(&script), &["--game", "tic-tac-toe"]);
    check_end(&answer, 0, "O wins: X -1, O 1");
}

#[test]
fn changed_reasons_are_found() {
    let script = ["tic-tac-toe", "scripted:b2/b2", "scripted:a1", "--json"];
    let changed = transcript(&script).replace("SquareTaken(b2)", "SquareTaken(c3)");
    let expected = "line 4 cannot be true: refusal.reasons[0].because[0].thread is \
                    \"SquareTaken(b2)\" there, not \"SquareTaken(c3)\"";
    check_end(&replay(&changed, &[]), 1, expected);
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
        let wrong = "the win is [\"XWin[0,3,6]\"], not [\"XWin[0,4,8]\"]";
        let answer = replay(&changed, game);
        assert_eq!(answer.code, 1);
        assert!(answer.out.contains(wrong) || answer.err.contains(wrong), "{answer:?}");
    }
}

#[test]
fn the_order_of_keys_and_a_byte_order_mark_do_not_matter() {
    let whole = transcript(&["tic-tac-toe", "scripted:a1/b1/c1", "scripted:a2/b2", "--json"]);
    let turned = whole.replace("{\"X\":1,\"O\":-1}", "{\"O\":-1,\"X\":1}");
    assert_ne!(turned, whole);
    check_end(&replay(&format!("\u{feff}{turned}"), &[]), 0, "X wins: X 1, O -1");
}

#[test]
fn escape_codes_in_a_transcript_do_not_reach_the_terminal() {
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
    let (in_line, _) = whole.split_at(whole.len() - 2);
    let last = format!("the transcript stops in the middle of line {}", whole.lines().count());
    check_end(&replay(in_line, &[]), 3, &last);
    let without_end = whole.lines().count() - 1;
    let part: String = whole.split_inclusive('\n').take(without_end).collect();
    check_end(&replay(&part, &[]), 3, "the transcript stops before the end");
    check_end(&replay("", &[]), 3, "the transcript stops before the end");
}

#[test]
fn a_file_that_cannot_be_opened_is_wrong_usage() {
    let (code, words) = complaint(&["replay", "no/such\u{1b}[31m/file"]);
    assert_eq!(code, 2);
    assert!(words.starts_with("no/such\\u{1b}[31m/file cannot be opened: "), "{words}");
}

#[test]
fn an_escape_code_in_an_unknown_field_is_written_out() {
    let whole = transcript(&["tic-tac-toe", "random", "random", "--json"]);
    let changed = whole.replacen("\"position\"", "\"\\u001b[31m\":1,\"position\"", 1);
    let Answer { code, out, err } = replay(&changed, &[]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("has no \"\\u{1b}[31m\""), "{err}");
    assert!(!err.contains('\u{1b}'), "{err:?}");
}

#[test]
fn a_changed_move_is_found() {
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
fn a_changed_position_is_found() {
    let changed = transcript(&["tic-tac-toe", "scripted:a1/b1/c1", "scripted:a2/b2"])
        .replace("[X  O     ]", "[X  O    X]");
    let answer = replay(&changed, &["--game", "tic-tac-toe"]);
    check_end(
        &answer,
        1,
        "line 3 cannot be true: the position is \"X  O     \" there, not \"X  O    X\"",
    );
}

#[test]
fn a_changed_result_is_found() {
    let changed = transcript(&["tic-tac-toe", "scripted:a1/b1/c1", "scripted:a2/b2"])
        .replace("{\"X\":1,\"O\":-1}", "{\"X\":-1,\"O\":1}");
    let answer = replay(&changed, &["--game", "tic-tac-toe"]);
    check_end(&answer, 1, "line 6 cannot be true: result.O is -1 there, not 1");
}

#[test]
fn json_says_which_line_is_wrong() {
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
fn other_input_is_refused_in_one_sentence() {
    let line_1 = "- cannot be replayed: line 1 cannot be read: ";
    refused("nonsense\n", &[], &format!("{line_1}write what `cradle match` prints"));
    refused("{\"event\":\"bluff\"}\n", &[], &format!("{line_1}no event is called \"bluff\""));
    let short = transcript(&["pig:10", "random", "random"]);
    let unnamed =
        "- cannot be replayed: the transcript does not name its game; name it with --game";
    refused(&short, &[], unnamed);
    let named = transcript(&["pig:10", "random", "random", "--json"]);
    let other = "- cannot be replayed: the transcript is of pig:10, not of wild";
    refused(&named, &["--game", "wild"], other);
    let long = format!("{{\"event\":\"{}\"}}", "x".repeat(1 << 17));
    refused(&long, &[], "- cannot be replayed: line 1 is too long");
}

/// A match of two random players, in which the seed matters.
fn random_match() -> String {
    transcript(&["tic-tac-toe", "random", "random", "--json"])
}

/// Changes the first line of a transcript, and expects that a line is found wrong for this reason.
#[track_caller]
fn check_beginning(whole: &str, from: &str, to: &str, expected: &str) {
    let changed = whole.replacen(from, to, 1);
    assert_ne!(changed, whole);
    assert_eq!(replay(whole, &[]).code, 0);
    let answer = replay(&changed, &[]);
    assert_eq!((answer.code, answer.err.as_str()), (1, ""));
    let last = answer.out.lines().last().expect("it answers");
    assert!(last.starts_with(expected), "{last}");
    let json = replay(&changed, &["--json"]);
    let report: serde_json::Value = serde_json::from_str(&json.out).expect("it is JSON");
    assert!(report["wrong"]["line"].is_number(), "{report}");
}

#[test]
fn a_changed_seed_is_found() {
    let words = "line 3 cannot be true: with seed 6 the player random of O chooses ";
    check_beginning(&random_match(), "\"seed\":5", "\"seed\":6", words);
}

#[test]
fn a_changed_seed_is_found_by_what_chance_draws() {
    let whole = transcript(&["kuhn-poker", "scripted:bet", "scripted:pass", "--json"]);
    let changed = whole.replacen("\"seed\":5", "\"seed\":6", 1);
    let answer = replay(&changed, &[]);
    assert_eq!(answer.code, 1);
    assert!(answer.out.contains("with seed 6 chance draws "), "{}", answer.out);
}

#[test]
fn a_changed_player_is_found() {
    let players = "\"X\":\"random\"";
    let words = "line 1 cannot be true: no player is called \"rndom\"";
    check_beginning(&random_match(), players, "\"X\":\"rndom\"", words);
    let words = "line 2 cannot be true: with seed 5 the player scripted:c3 of X chooses c3 there";
    check_beginning(&random_match(), players, "\"X\":\"scripted:c3\"", words);
    let explained = transcript(&["tic-tac-toe", "scripted:b2/c3/b1/a2/c1", "bthreads", "--json"]);
    check_beginning(&explained, "\"O\":\"bthreads\"", "\"O\":\"perfect\"", "line ");
}

#[test]
fn a_transcript_of_a_game_in_a_file_is_replayed_by_that_file() {
    for name in ["nim", "tic-tac-toe"] {
        let file = format!("{}/../../games/{name}.cradle", env!("CARGO_MANIFEST_DIR"));
        let played = transcript(&[&file, "random", "random", "--json"]);
        let replayed = replay(&played, &["--game", &file]);
        assert_eq!(replayed.code, 0, "{played}");
    }
}

#[test]
fn a_changed_game_is_found_on_its_line() {
    let words = "line 1 cannot be true: no game is called \"tictactoe\"";
    check_beginning(&random_match(), "tic-tac-toe", "tictactoe", words);
    let words = "line 1 cannot be true: the position is ";
    check_beginning(&random_match(), "tic-tac-toe", "connect-four", words);
    let words = "line 1 cannot be true: the seats are First and Second";
    check_beginning(&random_match(), "tic-tac-toe", "kuhn-poker", words);
}

#[test]
fn refusals_of_a_player_that_is_asked_again_are_replayed() {
    let script = ["tic-tac-toe", "scripted:b2/a1/b1/b3", "scripted:a1/b2/a2", "--json"];
    let whole = printed(&[&["match"], &script[..], &["--illegal=ask-again", "--seed=5"]].concat());
    assert_eq!(replay(&whole, &[]).code, 0, "{whole}");
}
