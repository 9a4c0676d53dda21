//! Arguments that make no sense.

use expect_test::{Expect, expect};

use crate::cradle::{answer, cradle, verify};

/// The arguments after `cradle verify tic-tac-toe` are refused in one sentence.
fn check(arguments: &[&str], expected: &Expect) {
    let answer = verify(arguments);
    expected.assert_eq(&answer.err);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
}

#[test]
fn an_unknown_game_is_answered_with_the_known_ones() {
    let answer = answer(&mut cradle(&["verify", "tictactoe"]));
    expect![[r#"
        error: no game is called "tictactoe"; known, nearest first: tic-tac-toe, ultimate, hot-and-cold, connect-four, notakto, tutorial, misere, dots-and-boxes, pig-hold, pig, nim, kuhn-poker, monty-hall, odds-and-evens, wild, maze, ruin, dining, vending, crossing, hanoi, fox-and-hounds, mnk
    "#]]
    .assert_eq(&answer.err);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
}

#[test]
fn an_unknown_family_is_answered_with_the_known_ones_nearest_first() {
    check(
        &["--without", "PreventFork"],
        &expect![[r#"
            error: no b-thread or family is called "PreventFork"; known, nearest first: PreventXFork, PreventAnotherXFork, PreventThirdX, PreventYetAnotherXFork, EnforceTurns, XNeverWins, SquareTaken, ExactlyOneResult, EndOfGame, DetectOWin, DetectXWin, DetectDraw, DefaultMoves, AnyX, AddThirdO
        "#]],
    );
}

#[test]
fn an_unknown_member_of_a_family_is_answered_with_the_known_ones_nearest_first() {
    check(
        &["--without", "PreventThirdX(a1,c1,b1)"],
        &expect![[r#"
            error: no b-thread or family is called "PreventThirdX(a1,c1,b1)"; known, nearest first: PreventThirdX(a1,b1,c1), PreventThirdX(a1,b2,c3), PreventThirdX(c1,b2,a3), PreventThirdX(a2,b2,c2), PreventThirdX(a3,b3,c3), PreventThirdX(a1,a2,a3), PreventThirdX(b1,b2,b3), PreventThirdX(c1,c2,c3)
        "#]],
    );
}

#[test]
fn an_unknown_property_is_answered_with_the_known_ones_nearest_first() {
    check(
        &["--property", "XNeverLoses"],
        &expect![[r#"
            error: no property is called "XNeverLoses"; known, nearest first: XNeverWins, ExactlyOneResult, no-stuck-state, no-hot-system-cycle, no-hot-thread-cycle, no-hot-end
        "#]],
    );
}

#[test]
fn a_requirement_cannot_be_checked_without_its_b_thread() {
    let arguments = ["--property", "XNeverWins", "--without", "XNeverWins"];
    check(
        &arguments,
        &expect![[r#"
        error: XNeverWins cannot be checked without its own b-thread
    "#]],
    );
}

#[test]
fn without_all_requirements_there_is_nothing_to_check() {
    let arguments = ["--without", "XNeverWins", "--without", "ExactlyOneResult"];
    check(
        &arguments,
        &expect![[r#"
            error: all requirements are removed, so there is nothing to check
        "#]],
    );
}

#[test]
fn names_with_odd_characters_are_refused() {
    for words in ["", " ", "(", ")", "()", "PreventThirdX(", "\u{a0}", "\u{1f431}", "a\nb"] {
        let answer = verify(&["--without", words]);
        assert_eq!(answer.code, 2, "{words:?}");
        assert!(answer.err.starts_with("error: no b-thread or family is called"), "{words:?}");
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    for arguments in [
        ["--threads", "0"],
        ["--threads", "1025"],
        ["--threads", "18446744073709551616"],
        ["--threads", "two"],
        ["--max-states", "0"],
        ["--max-states", "-1"],
        ["--graph-states", "0"],
        ["--graph-states", "4294967296"],
    ] {
        let answer = verify(&arguments);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{arguments:?}");
        assert!(answer.err.starts_with("error: "), "{}", answer.err);
        assert!(answer.err.contains(arguments[0]) || answer.err.contains("'-1'"), "{}", answer.err);
    }
}

#[test]
fn a_game_must_be_named() {
    let answer = answer(&mut cradle(&["verify"]));
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(answer.err.contains("<GAME>"), "{}", answer.err);
}
