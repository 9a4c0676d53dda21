//! `cradle draw`: states and runs as pictures.

use std::fs;
use std::path::Path;

use expect_test::expect_file;

use crate::{DINING, Texts, run};

const HOT_AND_COLD: &str = include_str!("../../../../games/hot-and-cold.cradle");
const VENDING: &str = include_str!("../../../../games/vending.cradle");

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The game of the tutorial that X wins.
const WON: &str = "mark(X, c2); mark(X, a1); mark(X, b3); mark(X, a3); mark(X, a2)";

#[test]
fn the_picture_of_the_readme_is_the_weave_of_the_tutorial() {
    let arguments = ["draw", "games/tutorial.cradle", "--weave", WON];
    let (code, out, err) = run(&root(), &arguments, "");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    expect_file!["../../../../docs/pictures/weave.svg"].assert_eq(&out);
}

#[test]
fn a_weave_tells_apart_who_requested_waited_blocked_and_was_ended() {
    let text = "program p\nevent a\nevent b\nevent c\n\
        thread Asks: request a\nthread Waits: wait for a\nthread Blocks\n  block b\n\
        thread WantsB: request b\nthread Ends: wait for c, interrupt a\n";
    let texts = Texts::with("p.cradle", text);
    let (code, out, _) = texts.run(&["draw", "p.cradle", "--weave", "a"], "");
    assert_eq!(code, Some(0));
    // Each sign stands once in the legend and once in the run.
    for sign in ["requested", "waited", "blocked", "interrupted"] {
        assert_eq!(out.matches(&format!("class=\"{sign}\"")).count(), 2, "{sign}");
    }
    assert!(!out.contains(">WantsB<"), "it takes no part: {out}");
}

#[test]
fn an_event_of_a_weave_that_cannot_happen_is_refused() {
    let texts = Texts::with("vending.cradle", VENDING);
    let (code, out, err) =
        texts.run(&["draw", "vending.cradle", "--weave", "coin; choose(tea)"], "");
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert_eq!(
        err,
        "error: the run stops before choose(tea): choose(tea) is blocked by Coins (choose)\n"
    );
}

#[test]
fn every_state_and_every_event_is_drawn() {
    let texts = Texts::with("hot-and-cold.cradle", HOT_AND_COLD);
    let (code, _, err) = texts.run(&["draw", "hot-and-cold.cradle", "-o", "states.svg"], "");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let picture = fs::read_to_string(texts.path("states.svg")).unwrap();
    for label in ["start", "1", "2", "3", "4", "5", "6"] {
        assert!(picture.contains(&format!(">{label}<")), "{label} in {picture}");
    }
    assert_eq!((picture.matches(">hot<").count(), picture.matches(">cold<").count()), (3, 3));
}

#[test]
fn a_stuck_state_is_marked_and_a_large_space_is_cut() {
    let texts = Texts::with("dining.cradle", DINING);
    let (code, out, _) = texts.run(&["draw", "dining.cradle", "n=2"], "");
    assert_eq!(code, Some(0));
    assert_eq!(out.matches(">stuck<").count(), 1);
    let (code, out, err) = texts.run(&["draw", "dining.cradle", "--max-states", "10"], "");
    assert_eq!(err, "Only 10 states are drawn: --max-states allows more.\n");
    assert_eq!(code, Some(3));
    assert!(out.contains(">9<") && !out.contains(">10<"));
}

#[test]
fn all_texts_of_the_repository_are_drawn() {
    let folder = root().join("games");
    for entry in fs::read_dir(&folder).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let (code, out, err) = run(&folder, &["draw", &file, "--max-states", "30"], "");
        assert!(matches!(code, Some(0 | 3)), "{file}: {err}");
        assert!(out.trim_end().ends_with("</svg>"), "{file}: {err}");
    }
}
