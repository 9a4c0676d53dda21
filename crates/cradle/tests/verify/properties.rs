//! Properties other than the requirements of the game.

use expect_test::{Expect, expect};

use crate::cradle::verified;

/// Compares the exit code and the verdicts.
fn check(arguments: &[&str], code: i32, expected: &Expect) {
    let (said, text) = verified(arguments);
    let verdicts = text.split("\n\n").nth(1).expect("verdicts are the second block");
    expected.assert_eq(verdicts);
    assert_eq!(said, code);
}

#[test]
fn all_properties_hold_with_all_strategies() {
    check(
        &[
            "--property=no-hot-system-cycle",
            "--property=no-hot-thread-cycle",
            "--property=no-hot-end",
            "--property=no-stuck-state",
            "--property=ExactlyOneResult",
            "--property=XNeverWins",
        ],
        0,
        &expect![[r#"
            No endless run has a hot b-thread all the time: holds
            No b-thread is hot for ever: holds
            No run ends while a b-thread is hot: holds
            No state is stuck: holds
            Every game ends with exactly one result: holds
            X never wins: holds"#]],
    );
}

#[test]
fn a_stuck_game_is_found() {
    check(
        &["--property", "no-stuck-state", "--without", "DefaultMoves"],
        1,
        &expect!["No state is stuck: violated: every requested event is blocked (in 9 states)"],
    );
}

#[test]
fn a_game_that_ends_too_early_is_found() {
    check(
        &["--property", "no-hot-end", "--without", "DefaultMoves"],
        1,
        &expect![[r#"
            No run ends while a b-thread is hot: violated:
              the program ends while ExactlyOneResult is hot (in 9 states)"#]],
    );
}

#[test]
fn a_requirement_that_is_not_asked_for_is_not_reported() {
    check(
        &["--property", "XNeverWins", "--without", "DefaultMoves"],
        0,
        &expect!["X never wins: holds"],
    );
}

#[test]
fn a_removed_requirement_is_not_reported() {
    check(
        &["--without", "XNeverWins"],
        0,
        &expect!["Every game ends with exactly one result: holds"],
    );
}

#[test]
fn a_property_that_is_asked_for_twice_is_reported_once() {
    let twice = verified(&["--property", "no-hot-end", "--property", "no-hot-end"]);
    assert_eq!(twice, verified(&["--property", "no-hot-end"]));
}

#[test]
fn verdicts_on_endless_runs_say_what_they_assume_about_fairness() {
    let without = ["SquareTaken", "DetectXWin", "DetectOWin", "DetectDraw"];
    let without = without.into_iter().flat_map(|family| ["--without", family]);
    let property = ["--property", "no-hot-thread-cycle"];
    let endless: Vec<&str> =
        property.into_iter().chain(["--seat", "O=any"]).chain(without).collect();
    check(
        &endless,
        1,
        &expect![[r#"
            No b-thread is hot for ever: violated:
              the program can run for ever while ExactlyOneResult is hot
              no fairness is assumed: `--fair` leaves out runs in which a hot request is
              possible again and again and never happens"#]],
    );
    check(
        &[&endless[..], &["--fair"]].concat(),
        1,
        &expect![[r#"
            No b-thread is hot for ever: violated:
              the program can run for ever while ExactlyOneResult is hot
              every hot request that is possible again and again happens in this run"#]],
    );
    check(
        &[&property[..], &["--fair"]].concat(),
        0,
        &expect![[r#"
            No b-thread is hot for ever: holds
              a hot request that is possible again and again is assumed to happen at last"#]],
    );
}
