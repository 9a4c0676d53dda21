//! The cells of a board.

use std::fmt;

/// A cell of some board; it is printed as the letter of its column and the number of its row,
/// counted from the top.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The column, 0 on the left.
    pub column: u8,
    /// The row, 0 at the top.
    pub row: u8,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = char::from(b'a' + self.column % 26);
        write!(f, "{letter}{}", u16::from(self.row) + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
