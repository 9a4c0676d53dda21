//! Transcripts of games whose rules are in files.

use std::fs;

use crate::{NIM, Texts};

const PIG: &str = include_str!("../../../../games/pig.cradle");

/// A folder with a text and the transcript of a match by it.
fn played(name: &str, text: &str, words: &str) -> Texts {
    let texts = Texts::with(name, text);
    let arguments = ["match", words, "random", "random", "--seed", "5", "--json"];
    let (code, out, err) = texts.run(&arguments, "");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    fs::write(texts.path("match.ndjson"), out).expect("the folder can be written");
    texts
}

#[track_caller]
fn check_refused(texts: &Texts, more: &[&str], expected: &str) {
    let (code, out, err) = texts.run(&[&["replay", "match.ndjson"], more].concat(), "");
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert_eq!(err, format!("error: match.ndjson cannot be replayed: {expected}\n"));
}

#[test]
fn a_match_by_a_file_is_replayed_with_the_file() {
    let texts = played("nim.cradle", NIM, "nim.cradle:most=4");
    let arguments = ["replay", "match.ndjson", "--game", "nim.cradle:most=4"];
    let (code, out, err) = texts.run(&arguments, "");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.lines().last().is_some_and(|last| last.contains(" wins: ")), "{out}");
}

#[test]
fn a_match_by_a_file_is_never_checked_by_the_game_of_the_same_name() {
    let needed = "the rules of this match are in a file: name it with --game, as in --game ";
    let texts = played("nim.cradle", NIM, "nim.cradle:most=4");
    check_refused(&texts, &[], &format!("{needed}nim.cradle:most=4"));
    let texts = played("pig.cradle", PIG, "pig.cradle:target=20");
    check_refused(&texts, &[], &format!("{needed}pig.cradle:target=20"));
    check_refused(&texts, &["--game", "pig:20"], &format!("{needed}pig.cradle:target=20"));
}

#[test]
fn a_match_by_a_file_is_not_checked_by_another_text_or_other_parameters() {
    let texts = played("nim.cradle", NIM, "nim.cradle:most=4");
    let other = "the transcript is of nim:most=4, not of nim:most=2";
    check_refused(&texts, &["--game", "nim.cradle:most=2"], other);
    fs::write(texts.path("nim.cradle"), format!("# changed\n{NIM}")).unwrap();
    let arguments = ["replay", "match.ndjson", "--game", "nim.cradle:most=4"];
    let (code, _, err) = texts.run(&arguments, "");
    let expected = "error: match.ndjson cannot be replayed: nim.cradle:most=4 has other rules than \
                    this match: its digest is ";
    assert_eq!(code, Some(2));
    assert!(err.starts_with(expected), "{err}");
}
