//! The nine squares.

use std::fmt;
use std::str::FromStr;

/// One of the nine squares, numbered 0 to 8 row by row from the top left.
///
/// It is printed as the letter of its column and the number of its row, counted
/// from the top. Its number, its name and `row,column` are all read.
///
/// ```
/// use games::tic_tac_toe::Square;
///
/// for text in ["5", "c2", "1,2"] {
///     assert_eq!(text.parse(), Ok(Square::C2));
/// }
/// assert_eq!(Square::C2.to_string(), "c2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The text names no square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotASquare {
    /// The text.
    pub text: String,
}

impl Square {
    /// The top left corner.
    pub const A1: Self = Self(0);
    /// The top edge.
    pub const B1: Self = Self(1);
    /// The top right corner.
    pub const C1: Self = Self(2);
    /// The left edge.
    pub const A2: Self = Self(3);
    /// The centre.
    pub const B2: Self = Self(4);
    /// The right edge.
    pub const C2: Self = Self(5);
    /// The bottom left corner.
    pub const A3: Self = Self(6);
    /// The bottom edge.
    pub const B3: Self = Self(7);
    /// The bottom right corner.
    pub const C3: Self = Self(8);

    /// All squares in the order of their numbers.
    pub const ALL: [Self; 9] =
        [Self::A1, Self::B1, Self::C1, Self::A2, Self::B2, Self::C2, Self::A3, Self::B3, Self::C3];

    /// The square of this number, if it is at most 8.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < 9 { Some(Self(number)) } else { None }
    }

    /// The square in this row and this column, if both are at most 2.
    #[must_use]
    pub const fn at(row: u8, column: u8) -> Option<Self> {
        if row < 3 && column < 3 { Some(Self(3 * row + column)) } else { None }
    }

    /// The number, 0 to 8.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The row, 0 at the top to 2.
    #[must_use]
    pub const fn row(self) -> u8 {
        self.0 / 3
    }

    /// The column, 0 on the left to 2.
    #[must_use]
    pub const fn column(self) -> u8 {
        self.0 % 3
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a' + self.column());
        write!(f, "{column}{}", self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Self, NotASquare> {
        let square = match text.as_bytes() {
            [number @ b'0'..=b'8'] => Self::new(number - b'0'),
            [column @ b'a'..=b'c', row @ b'1'..=b'3'] => Self::at(row - b'1', column - b'a'),
            [row @ b'0'..=b'2', b',', column @ b'0'..=b'2'] => Self::at(row - b'0', column - b'0'),
            _ => None,
        };
        square.ok_or_else(|| NotASquare { text: text.to_owned() })
    }
}

impl fmt::Display for NotASquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is not a square: write 0 to 8 (row by row from the top left), \
             a1 to c3 (column and row) or 0,0 to 2,2 (row,column)",
            self.text
        )
    }
}

impl std::error::Error for NotASquare {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_numbered_and_named_row_by_row_from_the_top_left() {
        let names: Vec<String> = Square::ALL.iter().map(Square::to_string).collect();
        assert_eq!(names.join(" "), "a1 b1 c1 a2 b2 c2 a3 b3 c3");
        for (number, square) in (0..).zip(Square::ALL) {
            assert_eq!(square.number(), number);
            assert_eq!(Square::new(number), Some(square));
            assert_eq!(Square::at(square.row(), square.column()), Some(square));
        }
        assert_eq!([Square::new(9), Square::at(3, 0), Square::at(0, 3)], [None; 3]);
    }

    #[test]
    fn a_square_is_read_by_number_by_name_and_by_row_and_column() {
        for square in Square::ALL {
            let number = square.number().to_string();
            let coordinates = format!("{},{}", square.row(), square.column());
            for text in [number, square.to_string(), coordinates] {
                assert_eq!(text.parse(), Ok(square), "{text}");
            }
        }
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
        assert_eq!(read, 27);
    }

    #[test]
    fn a_text_that_is_not_a_square_is_refused_with_advice() {
        for text in
            ["", "9", "b4", "d1", "B2", " b2", "3,0", "1;1", "1,1,1", "b\u{b2}", "undefined"]
        {
            assert_eq!(text.parse::<Square>(), Err(NotASquare { text: text.to_owned() }));
        }
        assert_eq!(
            "d4".parse::<Square>().unwrap_err().to_string(),
            "\"d4\" is not a square: write 0 to 8 (row by row from the top left), \
             a1 to c3 (column and row) or 0,0 to 2,2 (row,column)"
        );
    }
}
