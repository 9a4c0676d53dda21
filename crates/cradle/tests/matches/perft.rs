//! What `cradle perft` counts.

use crate::command::{complaint, printed};

#[track_caller]
fn check(game: &str, expected: &[u64]) {
    let depth = expected.len().to_string();
    let out = printed(&["perft", game, &depth, "--json"]);
    let counts: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    let counts = counts["counts"].as_array().expect("it is a list").iter();
    let counts = counts.map(|count| count["sequences"].as_u64().expect("it is a number"));
    let counts: Vec<u64> = counts.collect();
    assert_eq!(counts[0], 1);
    assert_eq!(counts[1..], *expected);
}

#[test]
fn published_counts_are_met() {
    check("tic-tac-toe", &[9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872, 0]);
    check("connect-four", &[7, 49, 343, 2_401, 16_807, 117_649, 823_536]);
    check("ultimate", &[81, 720, 6_336, 55_080, 473_256]);
    check("kuhn-poker", &[6, 12, 24, 12, 0]);
    check("odds-and-evens", &[4, 0]);
}

#[test]
fn people_get_a_line_for_each_depth() {
    let out = printed(&["perft", "tic-tac-toe", "4"]);
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["depth", "sequences", "time"]);
    assert_eq!(lines[5][..2], ["4", "3,024"]);
}

#[test]
fn a_negative_depth_is_refused() {
    let answer = crate::command::cradle(&["perft", "pig", "-1"]);
    assert_eq!(answer.code, 2);
    let (code, words) = complaint(&["perft", "pgi", "1"]);
    assert_eq!(code, 2);
    assert!(words.starts_with("no game is called \"pgi\"; known, nearest first: pig, "), "{words}");
}

#[test]
fn broken_rules_are_told_as_in_a_match() {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("endless.cradle");
    let file = file.to_str().expect("the path is text");
    let text = |clock: &str| {
        format!(
            "game endless \"A clock that never stops\"\nseats X, O\nevent go(seat)  move of seat\n\
             event tick\nevent over  draw\nrule Over \"over\" over\n  wait for over\n  block any\n\
             rule Clock \"turn\"\n  wait for go(X), block go(O)\n  {clock}\n"
        )
    };
    std::fs::write(file, text("forever: request tick")).expect("the folder is new");
    let (code, told) = complaint(&["perft", file, "2"]);
    assert_eq!(code, 3);
    let expected = "endless was cut short: The rules of this game are broken: ";
    assert!(told.starts_with(expected), "{told}");
    let played = crate::command::cradle(&["match", file, "random", "random"]);
    assert_eq!(played.code, 3);
    assert!(played.err.contains(&told), "{}", played.err);
    std::fs::write(file, text("2 times: request tick\n  request over")).expect("it is there");
    check(file, &[1, 0]);
}
