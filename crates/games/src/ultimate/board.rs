//! The nine small boards.

use std::fmt;

use super::square::Square;

/// One of the nine small boards, numbered 0 to 8 row by row from the top left.
///
/// It is called by its corners: `d4 to f6`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board(u8);

impl Board {
    /// The board of this number, if it is at most 8.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < 9 { Some(Self(number)) } else { None }
    }

    /// The number, 0 to 8.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The number as an index.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The board in a set of boards.
    pub(super) const fn bit(self) -> u16 {
        1 << self.0
    }

    /// All boards in the order of their numbers.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..9).map(Self)
    }

    fn square(self, place: u8) -> Square {
        Square::new(self, place).expect("a board has nine squares")
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.square(0), self.square(8))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_called_by_their_corners() {
        let names: Vec<String> = Board::all().map(|board| board.to_string()).collect();
        assert_eq!(
            names.join(", "),
            "a1 to c3, d1 to f3, g1 to i3, a4 to c6, d4 to f6, g4 to i6, a7 to c9, d7 to f9, \
             g7 to i9"
        );
        assert_eq!(Board::new(8).map(Board::number), Some(8));
        assert_eq!(Board::new(9), None);
    }
}
