//! The size of a board.

use std::fmt;
use std::str::FromStr;

use super::cell::Cell;

/// The columns and rows of a board, and the length of a line.
///
/// ```
/// use games::mnk::Size;
///
/// let size: Size = "6,5,4".parse()?;
/// assert_eq!((size.columns(), size.rows(), size.length()), (6, 5, 4));
/// assert_eq!(size.to_string(), "6,5,4");
/// # Ok::<(), games::mnk::BadSize>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    columns: u8,
    rows: u8,
    length: u8,
}

/// Why there is no such board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadSize {
    /// The text does not have three numbers.
    #[error("write columns,rows,length, as in 6,5,4")]
    NotThreeNumbers,
    /// There are no cells, or columns for which there is no letter.
    #[error("a board has 1 to {most} columns and 1 to {most} rows", most = Size::MOST)]
    Sides,
    /// Nobody could make a line.
    #[error("a line is 1 to {longest} long on this board")]
    Length {
        /// The longer one of the sides.
        longest: u8,
    },
}

impl Size {
    /// The most columns, and the most rows.
    pub const MOST: u8 = 19;

    /// Three in a row on three by three: tic-tac-toe.
    pub const THREE: Self = Self { columns: 3, rows: 3, length: 3 };

    /// A board of this size, with lines of this length.
    ///
    /// # Errors
    /// If there is no such board.
    pub fn new(columns: u8, rows: u8, length: u8) -> Result<Self, BadSize> {
        let sides = 1..=Self::MOST;
        if !sides.contains(&columns) || !sides.contains(&rows) {
            return Err(BadSize::Sides);
        }
        let longest = columns.max(rows);
        if !(1..=longest).contains(&length) {
            return Err(BadSize::Length { longest });
        }
        Ok(Self { columns, rows, length })
    }

    /// The number of columns.
    #[must_use]
    pub const fn columns(self) -> u8 {
        self.columns
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// The length of a line.
    #[must_use]
    pub const fn length(self) -> u8 {
        self.length
    }

    /// All cells, row by row from the top left.
    pub fn cells(self) -> impl Iterator<Item = Cell> + Clone {
        (0..self.area()).filter_map(move |place| self.cell(place))
    }

    /// The number of cells.
    #[must_use]
    pub const fn area(self) -> u16 {
        self.columns as u16 * self.rows as u16
    }

    /// The place of a cell, counted row by row from the top left; `None` if it is not on the board.
    #[must_use]
    pub const fn place(self, cell: Cell) -> Option<u16> {
        if cell.column < self.columns && cell.row < self.rows {
            Some(cell.row as u16 * self.columns as u16 + cell.column as u16)
        } else {
            None
        }
    }

    /// The cell at a place.
    #[must_use]
    pub fn cell(self, place: u16) -> Option<Cell> {
        let row = u8::try_from(place / u16::from(self.columns)).ok()?;
        let column = u8::try_from(place % u16::from(self.columns)).ok()?;
        (row < self.rows).then_some(Cell { column, row })
    }
}

impl FromStr for Size {
    type Err = BadSize;

    fn from_str(text: &str) -> Result<Self, BadSize> {
        let numbers: Vec<u8> = text
            .split(',')
            .map(str::parse)
            .collect::<Result<_, std::num::ParseIntError>>()
            .or(Err(BadSize::NotThreeNumbers))?;
        match numbers[..] {
            [columns, rows, length] => Self::new(columns, rows, length),
            _ => Err(BadSize::NotThreeNumbers),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { columns, rows, length } = self;
        write!(f, "{columns},{rows},{length}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_they_are_written() {
        for text in ["3,3,3", "6,5,4", "19,19,5", "1,1,1", "1,7,7"] {
            assert_eq!(text.parse::<Size>().unwrap().to_string(), text);
        }
    }

    #[track_caller]
    fn refused(text: &str, expected: &str) {
        assert_eq!(text.parse::<Size>().unwrap_err().to_string(), expected, "{text}");
    }

    #[test]
    fn impossible_sizes_are_refused_with_advice() {
        for text in ["", "3", "3,3", "3,3,3,3", "3,3,x", "300,3,3", "3,3,-1", "3;3;3"] {
            refused(text, "write columns,rows,length, as in 6,5,4");
        }
        for text in ["0,3,1", "3,0,3", "20,3,3", "3,20,3"] {
            refused(text, "a board has 1 to 19 columns and 1 to 19 rows");
        }
        for text in ["5,4,0", "4,5,6"] {
            refused(text, "a line is 1 to 5 long on this board");
        }
    }

    #[test]
    fn every_cell_has_a_place_and_every_place_a_cell() {
        let size = Size::new(4, 3, 3).unwrap();
        for (place, cell) in (0..).zip(size.cells()) {
            assert_eq!(size.place(cell), Some(place));
            assert_eq!(size.cell(place), Some(cell));
        }
        assert_eq!(size.cells().count(), usize::from(size.area()));
        assert_eq!(size.cell(12), None);
        assert_eq!(size.place(Cell { column: 4, row: 0 }), None);
        assert_eq!(size.place(Cell { column: 0, row: 3 }), None);
    }
}
