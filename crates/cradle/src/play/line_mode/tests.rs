//! What line mode prints.

use expect_test::{Expect, expect};
use game::Seat;

use super::*;
use crate::names;
use crate::play::participant::Opponent;
use crate::play::session::Rotation;

fn check(game: &str, against: &str, input: &str, expected: &Expect) {
    let opponent = Opponent::named(against).unwrap();
    let game = names::game(game).unwrap();
    let mut session =
        PlaySession::new(game, Seat::FIRST, opponent, Rotation::EachRound, 3).unwrap();
    let mut output = Vec::new();
    play(&mut session, input.as_bytes(), &mut output, InputEcho::Repeated, |_| ()).unwrap();
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
            Three in a row on three by three.
            A digit is a square: 0 to 8, row by row from the top left.
            Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, help, quit.

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
            Round 2: seats are swapped, you play O now.
            X b2

              a b c
            1 . . .
            2 . X .
            3 . . .

            Your turn, O.
            O> quit
        "#]],
    );
}

#[test]
fn a_refused_move_is_explained_and_asked_for_again() {
    check(
        "tic-tac-toe",
        "bthreads",
        "?\n5\n5\n? b2\n?a1\n? c3\n?\nz9\n",
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
            DefaultMoves wanted b2 and had its way
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
            tic-tac-toe: Player 1 (X) against player 2 (O).
            Three in a row on three by three.
            A digit is a square: 0 to 8, row by row from the top left.
            Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, help, quit.

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

            O has won.
            Score after 1 round: X (player 1) 0, O (player 2) 1.
            Write new for another round.
            X> resign
            The round is over: O has won. Write new for another round.
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
            Roll a die as often as you dare; a 1 loses what the turn has brought.
            Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, help, quit.

            100 points win
            A has 0
            B has 0
            A has rolled 0 in this turn

            Your turn, A.
            You may: roll.
            A> hold
            You have nothing to hold: roll first.
            A> roll
            You roll
            Chance drew 2

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
            Both show one finger or two at once; the sum decides.
            Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, help, quit.

            Odds and Evens have shown nothing

            Your turn, Odds.
            You may: 1, 2.
            Odds> 2
            You 2, Evens 1

            Odds shows 2, Evens shows 1

            You win!
            Score after 1 round: Odds (you) 1, Evens (random) 0.
            Write new for another round.
            Odds> 
            The input has ended.
        "#]],
    );
}

#[test]
fn help_says_what_the_game_is_and_lists_the_commands() {
    check(
        "wild",
        "human",
        "help\nquit\n",
        &expect![[r#"
            wild: Player 1 (First) against player 2 (Second).
            Tic-tac-toe in which both players write X or O as they like.
            Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, help, quit.

              a b c
            1 . . .
            2 . . .
            3 . . .

            First is to move.
            First> help
            Tic-tac-toe in which both players write X or O as they like.
            a move: makes it; capitals and spaces do not matter
            ?: why the computer made its last move
            ? and a move: why it is refused, or that it is allowed
            undo: takes back your last move and everything after it
            new: begins another round; an unfinished one does not count
            resign: gives up this round
            help: what the game is, and this list
            quit, exit or q: ends
            First> quit
        "#]],
    );
}

#[test]
fn after_the_end_moves_and_questions_are_answered_with_the_end() {
    check(
        "tic-tac-toe",
        "scripted:b1/b2/b3",
        "a1\na2\nc3\nc2\n? c2\n?\nquit\n",
        &expect![[r#"
            tic-tac-toe: You (X) against scripted:b1/b2/b3 (O).
            Three in a row on three by three.
            A digit is a square: 0 to 8, row by row from the top left.
            Write a move, or: ? (why), ? MOVE (why not), undo, new, resign, help, quit.

              a b c
            1 . . .
            2 . . .
            3 . . .

            Your turn, X.
            X> a1
            X a1
            O b1

              a b c
            1 X O .
            2 . . .
            3 . . .

            Your turn, X.
            X> a2
            X a2
            O b2

              a b c
            1 X O .
            2 X O .
            3 . . .

            Your turn, X.
            X> c3
            X c3
            O b3

              a b c
            1 X O .
            2 X O .
            3 . O X

            You lose: O has won.
            Score after 1 round: X (you) 0, O (scripted:b1/b2/b3) 1.
            Write new for another round.
            X> c2
            The round is over: O has won. Write new for another round.
            X> ? c2
            The round is over:
            You lose: O has won.
            X> ?
            The round is over:
            You lose: O has won.
            Why O played b3:
            scripted:b1/b2/b3 gives no reasons.
            X> quit
        "#]],
    );
}

/// Everything that is printed for this input.
fn printed_for(input: &str) -> String {
    let opponent = Opponent::named("human").unwrap();
    let game = names::game("tic-tac-toe").unwrap();
    let mut session =
        PlaySession::new(game, Seat::FIRST, opponent, Rotation::EachRound, 3).unwrap();
    let mut output = Vec::new();
    play(&mut session, input.as_bytes(), &mut output, InputEcho::Repeated, |_| ()).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn quit_exit_and_q_end_the_session() {
    for word in ["quit", "exit", "q", " Q ", "EXIT"] {
        let printed = printed_for(&format!("{word}\na1\n"));
        assert!(!printed.contains("X a1") && !printed.contains("input has ended"), "{printed}");
    }
    assert!(printed_for("leave\na1\n").contains("X a1"));
}

#[test]
fn capitals_and_digits_name_squares() {
    let printed = printed_for("B2\n0\n");
    assert!(printed.contains("\nX b2\n") && printed.contains("\nO a1\n"), "{printed}");
}

#[test]
fn a_line_that_is_no_text_is_refused_and_the_game_goes_on() {
    let opponent = Opponent::named("human").unwrap();
    let game = names::game("tic-tac-toe").unwrap();
    let mut session =
        PlaySession::new(game, Seat::FIRST, opponent, Rotation::EachRound, 3).unwrap();
    let long = vec![b'x'; 1 << 17];
    let input = [b"\xff\xfe\n", &long[..], b"\n\x1b[31mb2\nb2\n"].concat();
    let mut output = Vec::new();
    play(&mut session, &input[..], &mut output, InputEcho::Repeated, |_| ()).unwrap();
    let output = String::from_utf8(output).unwrap();
    let refusal = "That line is not UTF-8 text of at most 65536 bytes. Nothing changed.";
    assert_eq!(output.matches(refusal).count(), 2, "{output}");
    assert!(!output.contains('\u{1b}'), "{output:?}");
    assert!(output.contains("X b2"), "{output}");
}

#[test]
fn the_session_is_noted_after_every_line() {
    let opponent = Opponent::named("human").unwrap();
    let game = names::game("tic-tac-toe").unwrap();
    let mut session =
        PlaySession::new(game, Seat::FIRST, opponent, Rotation::EachRound, 3).unwrap();
    let noted = std::cell::RefCell::new(Vec::new());
    let note = |session: &PlaySession| noted.borrow_mut().push(text::log(session).len());
    play(&mut session, &b"a1\nb2\n"[..], &mut Vec::new(), InputEcho::Repeated, note).unwrap();
    assert_eq!(noted.into_inner(), [0, 1, 2]);
}
