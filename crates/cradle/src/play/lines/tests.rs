//! What is said line by line.

use expect_test::{Expect, expect};
use game::Seat;

use super::*;
use crate::names;
use crate::play::sitter::Opponent;

fn check(game: &str, against: &str, input: &str, expected: &Expect) {
    let opponent = Opponent::named(against).unwrap();
    let mut session = Session::new(names::game(game).unwrap(), Seat::FIRST, &opponent, 3).unwrap();
    let mut output = Vec::new();
    play(&mut session, input.as_bytes(), &mut output, Echo::Repeated).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert!(output.lines().all(|line| line.chars().count() <= WIDTH), "{output}");
    expected.assert_eq(&output);
}

#[test]
fn a_round_is_played_line_by_line() {
    check(
        "tic-tac-toe",
        "scripted:b2/c1",
        "a1\nb1\nnew\nquit\nb2\n",
        &expect![[r#"
        tic-tac-toe: You (X) against scripted:b2/c1 (O).
        Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, quit.

          a b c
        1 . . .
        2 . . .
        3 . . .

        Your turn, X.
        X> a1
        X a1
        O b2

          a b c
        1 X . .
        2 . O .
        3 . . .

        Your turn, X.
        X> b1
        X b1
        O c1

          a b c
        1 X X O
        2 . O .
        3 . . .

        Your turn, X.
        X> new
        Round 2.

          a b c
        1 . . .
        2 . . .
        3 . . .

        Your turn, X.
        X> quit
    "#]],
    );
}

#[test]
fn what_is_refused_is_explained_and_asked_again() {
    check(
        "tic-tac-toe",
        "bthreads",
        "?\n5\n5\n? b2\n?a1\n? c3\n?\nz9\n",
        &expect![[r#"
            tic-tac-toe: You (X) against bthreads (O).
            Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, quit.

              a b c
            1 . . .
            2 . . .
            3 . . .

            Your turn, X.
            X> ?
            The computer has not moved yet.
            X> 5
            X c2
            O b2

              a b c
            1 . . .
            2 . O X
            3 . . .

            Your turn, X.
            X> 5
            That cell is already marked: SquareTaken(c2).
            X> ? b2
            Why not b2:
            That cell is already marked.
            SquareTaken(b2) blocks marks on b2
            X> ?a1
            a1 is allowed.
            X> ? c3
            c3 is allowed.
            X> ?
            Why O played b2:
            DefaultMoves wanted b2, and was heard
            X> z9
            "z9" is not a square: write 0 to 8 (row by row from the top left), a1 to c3
            (column and row) or 0,0 to 2,2 (row,column).
            X> 
            The input has ended.
        "#]],
    );
}

#[test]
fn moves_are_taken_back_and_rounds_given_up() {
    check(
        "tic-tac-toe",
        "human",
        "undo\na1\nundo\nresign\nresign\n\n",
        &expect![[r#"
        tic-tac-toe: X against O on one screen.
        Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, quit.

          a b c
        1 . . .
        2 . . .
        3 . . .

        X is to move.
        X> undo
        There is nothing to take back.
        X> a1
        X a1

          a b c
        1 X . .
        2 . . .
        3 . . .

        O is to move.
        O> undo
        Taken back.

          a b c
        1 . . .
        2 . . .
        3 . . .

        X is to move.
        X> resign
        X gives up

          a b c
        1 . . .
        2 . . .
        3 . . .

        O wins.
        Score after 1 round: X (a person) 0, O (a person) 1, draws 0.
        Write new for another round.
        X> resign
        The game is lost, you need to forfeit.
        X> 
        X> 
        The input has ended.
    "#]],
    );
}

#[test]
fn a_game_without_a_board_names_its_moves() {
    check(
        "pig",
        "random",
        "hold\nroll\n",
        &expect![[r#"
        pig: You (A) against random (B).
        Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, quit.

        100 points win
        A has 0
        B has 0
        A has rolled 0 in this turn

        Your turn, A.
        You may: roll.
        A> hold
        You have nothing to hold: roll first.
        A> roll
        A roll
        Drawn: 2

        100 points win
        A has 0
        B has 0
        A has rolled 2 in this turn

        Your turn, A.
        You may: roll, hold.
        A> 
        The input has ended.
    "#]],
    );
    check(
        "odds-and-evens",
        "random",
        "2\n",
        &expect![[r#"
        odds-and-evens: You (Odds) against random (Evens).
        Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, quit.

        Odds and Evens have shown nothing

        Your turn, Odds.
        You may: 1, 2.
        Odds> 2
        Odds 2, Evens 1

        Odds shows 2, Evens shows 1

        You win!
        Score after 1 round: Odds (you) 1, Evens (random) 0, draws 0.
        Write new for another round.
        Odds> 
        The input has ended.
    "#]],
    );
}
