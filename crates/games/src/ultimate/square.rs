//! The 81 squares.

use std::fmt;
use std::str::FromStr;

use super::board::Board;
use crate::unreadable::Unreadable;

/// One of the 81 squares: a small board and one of its nine places.
///
/// It is printed as the letter of its column and the number of its row, counted from the top. The
/// number of its board, a dot and the number of its place are read as well; both count from 0, row
/// by row from the top left.
///
/// ```
/// use games::ultimate::Square;
///
/// let square: Square = "e4".parse()?;
/// assert_eq!("4.1".parse(), Ok(square));
/// assert_eq!((square.board().number(), square.place()), (4, 1));
/// assert_eq!(square.to_string(), "e4");
/// # Ok::<(), games::Unreadable>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    board: Board,
    place: u8,
}

impl Square {
    /// The square in this place of a board, if there is such a place: 0 to 8.
    #[must_use]
    pub const fn new(board: Board, place: u8) -> Option<Self> {
        if place < 9 { Some(Self { board, place }) } else { None }
    }

    /// The square in this row and this column, if both are at most 8.
    #[must_use]
    pub fn at(row: u8, column: u8) -> Option<Self> {
        let row_and_column = row < 9 && column < 9;
        let board = Board::new(row / 3 * 3 + column / 3).filter(|_| row_and_column)?;
        Self::new(board, row % 3 * 3 + column % 3)
    }

    /// The board that it is part of.
    #[must_use]
    pub const fn board(self) -> Board {
        self.board
    }

    /// The place on its board, 0 to 8, which is also the number of the board for the next move.
    #[must_use]
    pub const fn place(self) -> u8 {
        self.place
    }

    /// The row, 0 at the top to 8.
    #[must_use]
    pub const fn row(self) -> u8 {
        self.board.number() / 3 * 3 + self.place / 3
    }

    /// The column, 0 on the left to 8.
    #[must_use]
    pub const fn column(self) -> u8 {
        self.board.number() % 3 * 3 + self.place % 3
    }

    /// The square in a set of squares of its board.
    pub(super) const fn bit(self) -> u16 {
        1 << self.place
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let square = match text.as_bytes() {
            [column @ b'a'..=b'i', row @ b'1'..=b'9'] => Self::at(row - b'1', column - b'a'),
            [board @ b'0'..=b'8', b'.', place @ b'0'..=b'8'] => {
                Board::new(board - b'0').and_then(|board| Self::new(board, place - b'0'))
            }
            _ => None,
        };
        square.ok_or_else(|| {
            Unreadable::new(
                text,
                "a square: write a1 to i9 (column and row) or 0.0 to 8.8 (board and square, both \
                 row by row from the top left)",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_read_by_column_and_row_and_by_board_and_place() {
        for board in Board::all() {
            for place in 0..9 {
                let square = Square::new(board, place).unwrap();
                assert_eq!(Square::at(square.row(), square.column()), Some(square));
                assert_eq!(square.to_string().parse(), Ok(square));
                assert_eq!(format!("{}.{place}", board.number()).parse(), Ok(square));
            }
        }
        let middle = Board::new(4).unwrap();
        assert_eq!([Square::new(middle, 9), Square::at(9, 0), Square::at(0, 9)], [None; 3]);
    }

    #[test]
    fn no_other_text_of_up_to_three_ascii_characters_is_read() {
        let characters = || (0..128_u8).map(char::from);
        let mut texts = vec![String::new()];
        let mut read = 0;
        for _ in 0..3 {
            let longer =
                texts.iter().flat_map(|text| characters().map(move |c| format!("{text}{c}")));
            texts = longer.collect();
            read += texts.iter().filter(|text| text.parse::<Square>().is_ok()).count();
        }
        assert_eq!(read, 2 * 81);
    }

    #[test]
    fn a_text_that_is_not_a_square_is_refused_with_advice() {
        for text in ["", "e", "e0", "j1", "E5", "4.9", "9.4", "4,4", "44", "e5 ", "4.4.4"] {
            assert_eq!(
                text.parse::<Square>().unwrap_err().to_string(),
                format!(
                    "{text:?} is not a square: write a1 to i9 (column and row) or 0.0 to 8.8 \
                     (board and square, both row by row from the top left)"
                )
            );
        }
    }
}
