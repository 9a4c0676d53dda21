//! The eight lines.

use std::fmt;

use super::square::Square;

/// Three squares in a row, a column or a diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line([Square; 3]);

impl Line {
    /// Rows from the top, columns from the left, then the diagonals.
    pub const ALL: [Self; 8] = [
        Self([Square::A1, Square::B1, Square::C1]),
        Self([Square::A2, Square::B2, Square::C2]),
        Self([Square::A3, Square::B3, Square::C3]),
        Self([Square::A1, Square::A2, Square::A3]),
        Self([Square::B1, Square::B2, Square::B3]),
        Self([Square::C1, Square::C2, Square::C3]),
        Self::FALLING,
        Self::RISING,
    ];

    /// The diagonal from the top left to the bottom right.
    pub const FALLING: Self = Self([Square::A1, Square::B2, Square::C3]);

    /// The diagonal from the top right to the bottom left.
    pub const RISING: Self = Self([Square::C1, Square::B2, Square::A3]);

    /// Its squares in the order of their numbers.
    #[must_use]
    pub const fn squares(self) -> [Square; 3] {
        self.0
    }

    /// Whether the square is one of the three.
    #[must_use]
    pub fn contains(self, square: Square) -> bool {
        self.0.contains(&square)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SquareList(&self.0).fmt(f)
    }
}

/// Squares as they are written in the names of b-threads.
pub(super) struct SquareList<'a>(pub(super) &'a [Square]);

impl fmt::Display for SquareList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, square) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            square.fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_three_rows_three_columns_and_two_diagonals() {
        let lines: Vec<String> = Line::ALL.iter().map(Line::to_string).collect();
        assert_eq!(
            lines.join(" "),
            "a1,b1,c1 a2,b2,c2 a3,b3,c3 a1,a2,a3 b1,b2,b3 c1,c2,c3 a1,b2,c3 c1,b2,a3"
        );
        let all_in = |line: Line, same: fn(Square) -> u8| {
            let [a, b, c] = line.squares().map(same);
            a == b && b == c
        };
        assert_eq!(Line::ALL.iter().filter(|line| all_in(**line, Square::row)).count(), 3);
        assert_eq!(Line::ALL.iter().filter(|line| all_in(**line, Square::column)).count(), 3);
        assert!(all_in(Line::FALLING, |square| 2 + square.row() - square.column()));
        assert!(all_in(Line::RISING, |square| square.row() + square.column()));
    }
}
