//! The lines that decide a game, as transcripts name them.

use game::{Game, Match, OnIllegalMove, ToAct};
use games::catalog;

/// Checks the lines after these moves, which the seats make in turn.
#[track_caller]
fn check(name: &str, moves: &str, expected: &[&str]) {
    let game = catalog::game(name).expect("tests name known games");
    let mut played = Match::new(game.clone(), OnIllegalMove::AskAgain);
    for text in moves.split(' ') {
        let ToAct::Seats(seats) = played.to_act() else {
            unreachable!("{moves} goes on after the end")
        };
        let seat = seats.iter().next().expect("a seat is to act");
        let chosen = game.read_move(text).expect("the text is a move");
        played.choose(seat, chosen).expect("the move is legal");
    }
    assert_eq!(game.winning_lines(played.history()), expected, "{name}: {moves}");
}

#[test]
fn a_line_is_named_after_the_seat_that_wins_by_it() {
    check("tic-tac-toe", "a1 b1 a2 b2 a3", &["XWin[0,3,6]"]);
    check("mnk:4,4,3", "a1 b1 a2 b2 a4 b3", &["OWin[b1-b3]"]);
    check("connect-four", "a b a b a b a", &["XWin[a3-a6]"]);
    check("connect-four", "a b b c g c c d d d d", &["XWin[a6-d3]"]);
}

#[test]
fn several_lines_are_all_named() {
    check("mnk:5,1,3", "a1 c1 b1 d1", &[]);
    check("connect-four", "a a b b d d e e c", &["XWin[a6-d6]", "XWin[b6-e6]"]);
}

#[test]
fn a_line_that_loses_is_named_with_its_mark() {
    check("misere", "a1 a3 b2 b3 c2 c3", &["XWin[O a3-c3]"]);
    check("misere", "a1 a3 a2 b3 b2 c2 c3", &["OWin[X a1-c3]"]);
}

#[test]
fn a_line_of_either_mark_is_named_with_it() {
    check("wild", "Oa1 Ob1 Oc1", &["FirstWin[O a1-c1]"]);
    check("wild", "Xa1 Oc3 Xb1 Xc1", &["SecondWin[X a1-c1]"]);
}

#[test]
fn where_all_marks_are_alike_the_line_alone_is_named() {
    check("notakto", "a1 b1 c1", &["SecondWin[a1-c1]"]);
}

#[test]
fn games_without_lines_name_none() {
    check("odds-and-evens", "1 2", &[]);
    check("tic-tac-toe", "a1 b1 a2", &[]);
}
