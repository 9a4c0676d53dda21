//! What `cradle play` answers.

mod pseudo_terminal;
mod terminal;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use expect_test::{Expect, expect};

/// The answer of the command to these arguments and lines.
fn play(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
    command.arg("play").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command can be run");
    let written = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    // A command that refuses its arguments reads nothing.
    drop(written);
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the command ends");
    let text = |bytes| String::from_utf8(bytes).expect("the command speaks text");
    (status.code(), text(stdout), text(stderr))
}

fn check(arguments: &[&str], input: &str, expected: &Expect) {
    let (code, out, err) = play(arguments, input);
    expected.assert_eq(&out);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(!out.contains('\x1b'), "{out:?}");
}

#[track_caller]
fn refused(arguments: &[&str], expected: &Expect) {
    let (code, out, err) = play(arguments, "");
    expected.assert_eq(&err);
    assert_eq!((code, out.as_str()), (Some(2), ""));
}

#[test]
fn a_game_is_played_through_a_pipe() {
    check(
        &["--seed", "5"],
        "b2\nb2\nc1\n",
        &expect![[r#"
            tic-tac-toe: You (X) against bthreads (O).
            Three in a row on three by three.
            A digit is a square: 0 to 8, row by row from the top left.
            Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, help, quit.

              a b c
            1 . . .
            2 . . .
            3 . . .

            Your turn, X.
            X> b2
            X b2
            O a1

              a b c
            1 O . .
            2 . X .
            3 . . .

            Your turn, X.
            X> b2
            That cell is already marked: SquareTaken(b2).
            X> c1
            X c1
            O a3

              a b c
            1 O . X
            2 . X .
            3 O . .

            Your turn, X.
            X> 
            The input has ended.
            No round was finished.
            To repeat it: cradle play tic-tac-toe --seat X --against bthreads --seed 5
        "#]],
    );
}

#[test]
fn the_seat_and_the_opponent_can_be_chosen() {
    check(
        &["misere", "--seat", "o", "--against", "scripted:b2", "--seed", "1"],
        "a1\n",
        &expect![[r#"
            misere: You (O) against scripted:b2 (X).
            Tic-tac-toe in which three in a row lose.
            A digit is a square: 0 to 8, row by row from the top left.
            Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, help, quit.
            X b2

              a b c
            1 . . .
            2 . X .
            3 . . .

            Your turn, O.
            O> a1
            O a1
            X gives up

              a b c
            1 O . .
            2 . X .
            3 . . .

            X gives up: the script has no more moves after 1. You win!
            Score after 1 round: X (scripted:b2) 0, O (you) 1.
            Write new for another round.
            O> 
            The input has ended.
            Score after 1 round: X (scripted:b2) 0, O (you) 1.
            To repeat it: cradle play misere --seat O --against scripted:b2 --seed 1
        "#]],
    );
}

#[test]
fn the_same_seed_makes_the_same_game_and_another_one_does_not() {
    let played = |seed| play(&["pig", "--seed", seed], "roll\nroll\nroll\nroll\nroll\nroll\n").1;
    assert_eq!(played("1"), played("1"));
    assert_ne!(played("1"), played("2"));
}

#[test]
fn without_a_seed_the_chosen_one_is_printed() {
    let (code, out, _) = play(&[], "b2\nquit\n");
    assert_eq!(code, Some(0));
    assert!(
        out.contains("To repeat it: cradle play tic-tac-toe --seat X --against bthreads --seed ")
    );
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let (reader, writer) = std::io::pipe().expect("there are pipes");
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_cradle"));
    let status = command.arg("play").stdin(Stdio::null()).stdout(writer).status();
    assert_eq!(status.expect("the command can be run").code(), Some(0));
}

#[test]
fn unknown_names_are_answered_with_the_known_ones_nearest_first() {
    refused(
        &["tictactoe"],
        &expect![[r#"
        error: no game is called "tictactoe"; known, nearest first: tic-tac-toe, ultimate, connect-four, notakto, misere, pig, kuhn-poker, odds-and-evens, wild, mnk
    "#]],
    );
    refused(
        &["mnk:3"],
        &expect![[r#"
        error: "3" does not fit mnk: write columns,rows,length, as in 6,5,4
    "#]],
    );
    refused(
        &["--seat", "Z"],
        &expect![[r#"
        error: no seat is called "Z"; known, nearest first: X, O
    "#]],
    );
    refused(
        &["--against", "humans"],
        &expect![[r#"
            error: no player is called "humans"; known, nearest first: human, bthreads, heuristic, hard, random, mcts:SIMULATIONS, easy, fair, expectiminimax:DEPTH, cfr:ITERATIONS, alphabeta:DEPTH, scripted:MOVE/MOVE, perfect
        "#]],
    );
}

#[test]
fn players_that_cannot_play_say_why() {
    refused(
        &["misere", "--seat", "2", "--against", "bthreads"],
        &expect![[r#"
        error: bthreads cannot play X in misere: no strategies are written as b-threads for it
    "#]],
    );
    refused(
        &["kuhn-poker", "--against", "perfect"],
        &expect![[r#"
        error: perfect cannot play Second in kuhn-poker: something is hidden there
    "#]],
    );
    refused(
        &["kuhn-poker", "--against", "human"],
        &expect![[r#"
            error: kuhn-poker hides cards or moves, and two people at one screen would see all of them: play it against hard
        "#]],
    );
}

#[test]
fn the_help_fits_on_a_terminal() {
    for flag in ["-h", "--help"] {
        let (code, out, _) = play(&[flag], "");
        assert_eq!(code, Some(0));
        assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
        assert!(out.contains("--against <PLAYER>"), "{out}");
    }
}
