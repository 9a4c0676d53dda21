//! What is true of the rules, and not only of players that behave well.

use expect_test::{Expect, expect};

use crate::cradle::verified;

/// Compares the verdicts, and the numbered moves if there are some.
fn check(arguments: &[&str], code: i32, expected: &Expect) {
    let (said, text) = verified(arguments);
    let verdicts = text.split("\n\n").nth(1).expect("verdicts are the second block");
    let is_move =
        |line: &&str| line.trim_start().split("  ").nth(1).is_some() && line.contains(['\'', 'w']);
    let moves: Vec<&str> =
        text.lines().filter(|line| line.starts_with("  ")).filter(is_move).collect();
    expected.assert_eq(&format!("{verdicts}\n{}", moves.join("\n")));
    assert_eq!(said, code);
}

#[test]
fn without_the_end_of_the_game_it_goes_on_after_its_result() {
    check(
        &["--without", "EndOfGame"],
        1,
        &expect![[r#"
        X never wins: not settled
        Every game ends with exactly one result: violated:
          the game goes on after its result
          1  X a1  X's choice
          2  O b2  wanted by DefaultMoves
          3  X b1  X's choice
          4  O c1  wanted by PreventThirdX(a1,b1,c1)
          5  X a2  X's choice
          6  O a3  wanted by AddThirdO(c1,b2,a3)
          7  OWin  wanted by DetectOWin(c1,b2,a3)
          8  X c2  X's choice"#]],
    );
}

#[test]
fn without_the_end_of_the_game_people_move_after_x_has_won() {
    let arguments = ["--without=EndOfGame", "--seat=O=any", "--property=ExactlyOneResult"];
    check(
        &arguments,
        1,
        &expect![[r#"
        Every game ends with exactly one result: violated:
          the game goes on after its result
          1  X a1  X's choice
          2  O b1  O's choice
          3  X a2  X's choice
          4  O c1  O's choice
          5  X a3  X's choice
          6  XWin  wanted by DetectXWin(a1,a2,a3)
          7  O b2  O's choice"#]],
    );
}

#[test]
fn what_holds_because_nothing_could_break_it_says_so() {
    check(
        &["--without", "DetectXWin"],
        0,
        &expect![[r#"
        X never wins: holds, but only because nothing here can request XWin
        Every game ends with exactly one result: holds
    "#]],
    );
    let (_, whole) = verified(&[]);
    assert!(!whole.contains("only because"), "{whole}");
}

#[test]
fn all_cases_are_counted_as_states_and_as_games() {
    for (strategy, expected) in [
        ("PreventXFork", "X has won (in 3 states, by 6 games)"),
        ("PreventAnotherXFork", "X has won (in 2 states, by 4 games)"),
        ("PreventYetAnotherXFork", "X has won (in 1 state, by 2 games)"),
    ] {
        let (_, text) = verified(&["--all", "--without", strategy]);
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_seat_plays_as_the_command_line_says() {
    let (code, text) = verified(&["--seat", "O=any"]);
    assert!(text.starts_with("tic-tac-toe: everybody may do anything\n"), "{text}");
    assert!(text.contains("X never wins: violated: X has won\n"), "{text}");
    assert_eq!(code, 1);
    let (code, text) = verified(&["--seat", "x=bthreads", "--seat", "2=any"]);
    assert!(text.starts_with("tic-tac-toe: X by its strategies against every O\n"), "{text}");
    assert!(text.contains("X never wins: violated"), "{text}");
    assert_eq!(code, 1);
    let (code, text) = verified(&["--seat", "X=bthreads"]);
    assert!(text.starts_with("tic-tac-toe: X and O by their strategies\n"), "{text}");
    assert_eq!(code, 0, "{text}");
}
