//! `TurnByTurn` passes the tests of the engine after which it is modelled, with the turns of the
//! other player in between.

use games::tic_tac_toe::{GameStatus, Mark, TurnByTurn, TurnError};

type Cell = (i32, i32);

fn take_turns(turns: &[(&str, Cell)]) -> (TurnByTurn, GameStatus) {
    let mut game = (TurnByTurn::new(), GameStatus::Playing);
    for (symbol, cell) in turns {
        game = game.0.take_turn(symbol, *cell).expect("every turn is allowed");
    }
    game
}

#[track_caller]
fn check_refused(turns: &[(&str, Cell)], symbol: &str, cell: Cell, expected: TurnError) {
    let (game, status) = take_turns(turns);
    let error = game.take_turn(symbol, cell).expect_err("the turn is refused");
    assert_eq!(error, expected);
    assert_eq!(game.status(), status);
}

#[test]
fn a_player_can_take_a_turn() {
    assert!(TurnByTurn::new().take_turn("x", (0, 0)).is_ok());
}

#[test]
fn a_player_cannot_take_a_turn_on_a_cell_that_is_not_free() {
    let turns = [("x", (0, 0))];
    check_refused(&turns, "x", (0, 0), TurnError::AlreadyTaken);
    check_refused(&turns, "o", (0, 0), TurnError::AlreadyTaken);
}

#[test]
fn a_player_cannot_take_a_turn_outside_the_grid() {
    for cell in [(5, 8), (-1, 2), (0, 4), (3, 0), (i32::MIN, i32::MAX), (256, 0)] {
        check_refused(&[], "o", cell, TurnError::OutOfBounds);
        check_refused(&[], "x", cell, TurnError::OutOfBounds);
    }
}

#[test]
fn a_player_cannot_take_a_turn_with_a_wrong_symbol() {
    for symbol in ["y", "wrongsymb", "", "xx"] {
        check_refused(&[], symbol, (0, 0), TurnError::IncorrectPlayerSymbol);
        check_refused(&[], symbol, (9, 9), TurnError::IncorrectPlayerSymbol);
    }
}

#[test]
fn players_take_turns() {
    check_refused(&[], "o", (0, 0), TurnError::NotYourTurn);
    check_refused(&[("x", (0, 0))], "x", (1, 1), TurnError::NotYourTurn);
    assert_eq!(take_turns(&[]).0.to_move(), Some(Mark::X));
    assert_eq!(take_turns(&[("x", (0, 0))]).0.to_move(), Some(Mark::O));
}

/// X takes these cells while O takes others.
fn x_wins(cells: [Cell; 3], others: [Cell; 2]) {
    let [a, b, c] = cells;
    let turns = [("x", a), ("o", others[0]), ("x", b), ("o", others[1]), ("x", c)];
    let (game, status) = take_turns(&turns);
    assert_eq!(status, GameStatus::Won(Mark::X));
    assert_eq!((game.status(), game.to_move()), (status, None));
    check_refused(&turns, "o", (2, 1), TurnError::GameOver);
    check_refused(&turns, "o", a, TurnError::AlreadyTaken);
}

#[test]
fn x_wins_with_a_horizontal_line() {
    x_wins([(0, 0), (1, 0), (2, 0)], [(0, 1), (1, 1)]);
}

#[test]
fn x_wins_with_a_vertical_line() {
    x_wins([(0, 0), (0, 1), (0, 2)], [(1, 0), (1, 1)]);
}

#[test]
fn x_wins_with_a_diagonal_line() {
    x_wins([(0, 0), (1, 1), (2, 2)], [(1, 0), (2, 0)]);
}

#[test]
fn o_wins_too() {
    let turns =
        [("x", (0, 0)), ("o", (2, 0)), ("x", (1, 0)), ("o", (1, 1)), ("x", (2, 2)), ("o", (0, 2))];
    assert_eq!(take_turns(&turns).1, GameStatus::Won(Mark::O));
}

const DRAWN: [(&str, Cell); 9] = [
    ("x", (0, 0)),
    ("o", (2, 1)),
    ("x", (2, 2)),
    ("o", (1, 1)),
    ("x", (0, 1)),
    ("o", (0, 2)),
    ("x", (2, 0)),
    ("o", (1, 0)),
    ("x", (1, 2)),
];

#[test]
fn a_draw_is_called_only_after_the_last_turn() {
    for turns in 0..9 {
        assert_eq!(take_turns(&DRAWN[..turns]).1, GameStatus::Playing);
    }
    assert_eq!(take_turns(&DRAWN).1, GameStatus::Draw);
}
