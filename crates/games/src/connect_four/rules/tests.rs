//! Tests of the rules.

use expect_test::{Expect, expect};
use game::{Generator, Outcome, Refusal, perft, playout};

use super::*;

/// The position after the columns, X first.
fn after(columns: &str) -> Position {
    let mut position = ConnectFour.start();
    for column in columns.chars() {
        let Turn::One(seat) = ConnectFour.turn(&position) else { panic!("{columns} is over") };
        let chosen = ConnectFour.read_move(&column.to_string()).unwrap();
        ConnectFour.advance(&mut position, seat, chosen).unwrap();
    }
    position
}

/// Checks a column after other moves.
fn check(columns: &str, seat: Seat, column: Column) -> Result<(), Refusal> {
    ConnectFour.check(&after(columns), seat, &column)
}

fn outcome(columns: &str) -> Option<Outcome> {
    ConnectFour.turn(&after(columns)).outcome()
}

fn check_drawing(columns: &str, expected: &Expect) {
    expected.assert_eq(&ConnectFour.picture(&after(columns), Viewer::Spectator).to_string());
}

/// Nobody has four in a line here.
const FULL: &str = "abababbababacdcdcddcdcdcefefeffefefegggggg";

#[test]
fn the_games_of_up_to_eight_moves_have_the_published_counts() {
    let counted = [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234];
    for (depth, count) in (0..).zip(counted) {
        assert_eq!(perft(&ConnectFour, &ConnectFour.start(), depth), count, "{depth}");
    }
}

#[test]
fn only_a_full_column_is_refused() {
    let refusal = check("aaaaaa", Seat::FIRST, Column::A).unwrap_err();
    assert_eq!(refusal.code(), &ConnectFour::COLUMN_FULL);
    assert_eq!(refusal.to_string(), "That column is full");
    for column in &Column::ALL[1..] {
        assert_eq!(check("aaaaaa", Seat::FIRST, *column), Ok(()));
    }
    assert_eq!(check("aaaaa", Seat::SECOND, Column::A), Ok(()));
    let legal = ConnectFour.legal_moves(&after("aaaaaa"), Seat::FIRST).collect::<Vec<_>>();
    assert_eq!(legal, Column::ALL[1..]);
}

#[test]
fn x_opens_and_o_answers() {
    let refused = |columns, seat| check(columns, seat, Column::D).unwrap_err().to_string();
    assert_eq!(check("", Seat::FIRST, Column::D), Ok(()));
    assert_eq!(refused("", Seat::SECOND), "It is not your turn");
    assert_eq!(check("d", Seat::SECOND, Column::D), Ok(()));
    assert_eq!(refused("d", Seat::FIRST), "It is not your turn");
    assert_eq!(ConnectFour.legal_moves(&after("d"), Seat::FIRST).len(), 0);
}

#[test]
fn a_refusal_has_all_reasons() {
    let refusal = check("aaaaaa", Seat::SECOND, Column::A).unwrap_err();
    assert_eq!(refusal.to_string(), "It is not your turn; That column is full");
}

#[test]
fn four_in_a_line_win_in_every_direction_and_three_do_not() {
    for (three, fourth, winner) in [
        ("ababab", "a", Seat::FIRST),
        ("aabbcc", "d", Seat::FIRST),
        ("abbcdccdde", "d", Seat::FIRST),
        ("gffedeeddc", "d", Seat::FIRST),
        ("gababac", "a", Seat::SECOND),
    ] {
        let four = format!("{three}{fourth}");
        assert_eq!(outcome(three), None, "{three}");
        assert_eq!(outcome(&four).and_then(|outcome| outcome.winner()), Some(winner), "{four}");
    }
}

#[test]
fn no_seat_can_move_after_the_end() {
    let won = "abababa";
    for seat in [Seat::FIRST, Seat::SECOND] {
        assert_eq!(ConnectFour.legal_moves(&after(won), seat).len(), 0);
        let refusal = check(won, seat, Column::G).unwrap_err();
        assert_eq!(refusal.to_string(), "The game is lost, you need to forfeit");
    }
    assert_eq!(check("ababab", Seat::FIRST, Column::G), Ok(()));
}

#[test]
fn full_columns_without_four_in_a_line_are_a_draw() {
    assert_eq!(outcome(FULL), Some(Outcome::draw()));
    assert_eq!(FULL.strip_suffix('g').map(outcome), Some(None));
    assert_eq!(
        check(FULL, Seat::FIRST, Column::A).unwrap_err().to_string(),
        "The game is over; That column is full"
    );
}

#[test]
fn full_columns_are_a_win_if_the_last_stone_completes_a_line() {
    let mut generator = Generator::seeded(3);
    let mut wins = 0;
    for _ in 0..20_000 {
        let mut position = ConnectFour.start();
        let outcome = playout(&ConnectFour, &mut position, &mut generator).unwrap();
        let is_full = Column::ALL.iter().all(|column| position.is_full(*column));
        assert!(is_full || !outcome.is_draw());
        wins += u32::from(is_full && !outcome.is_draw());
    }
    assert!(wins > 0);
}

#[test]
fn positions_reached_in_another_order_are_equal() {
    assert_eq!(after("abc"), after("cba"));
    assert_ne!(after("abc"), after("bac"));
}

#[test]
fn the_picture_shows_the_stones_with_the_first_row_on_top() {
    check_drawing(
        "ddc",
        &expect![[r#"
              a b c d e f g
            1 . . . . . . .
            2 . . . . . . .
            3 . . . . . . .
            4 . . . . . . .
            5 . . . O . . .
            6 . . X X . . ."#]],
    );
}

#[test]
fn a_click_anywhere_in_a_column_means_that_column() {
    let picture = ConnectFour.picture(&after("d"), Viewer::Seat(Seat::SECOND));
    let cells = picture.board.unwrap().cells;
    assert_eq!((cells[0].name.as_str(), cells[41].name.as_str()), ("a1", "g6"));
    for cell in cells {
        assert_eq!(cell.moves, [cell.name.trim_end_matches(|c: char| c.is_ascii_digit())]);
        assert_eq!(cell.piece.is_some(), cell.name == "d6");
    }
}

#[test]
fn only_the_stones_of_the_winning_line_are_marked() {
    let deciding = |columns| {
        let board = ConnectFour.picture(&after(columns), Viewer::Spectator).board.unwrap();
        let cells = board.cells.into_iter().filter(|cell| cell.decides);
        cells.map(|cell| cell.name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(deciding("abababa"), "a3 a4 a5 a6");
    assert_eq!(deciding("ababab"), "");
    assert_eq!(deciding("aabbccefegd"), "a6 b6 c6 d6 e6");
}
