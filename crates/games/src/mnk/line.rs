//! The lines of a board.

use std::fmt;

use super::cell::Cell;
use super::size::Size;

/// Cells in a row, a column or a diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    first: Cell,
    direction: Direction,
    length: u8,
}

/// The direction of a line from its first cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Direction {
    Right,
    Down,
    DownRight,
    DownLeft,
}

impl Direction {
    const ALL: [Self; 4] = [Self::Right, Self::Down, Self::DownRight, Self::DownLeft];

    fn from(self, cell: Cell, steps: u8) -> Option<Cell> {
        let Cell { column, row } = cell;
        let (column, row) = match self {
            Self::Right => (column.checked_add(steps)?, row),
            Self::Down => (column, row.checked_add(steps)?),
            Self::DownRight => (column.checked_add(steps)?, row.checked_add(steps)?),
            Self::DownLeft => (column.checked_sub(steps)?, row.checked_add(steps)?),
        };
        Some(Cell { column, row })
    }
}

impl Line {
    /// All lines of a board: rows, columns, then the diagonals.
    pub fn all(size: Size) -> impl Iterator<Item = Self> {
        // A line of one cell is the same in all directions.
        let directions = if size.length() == 1 { &Direction::ALL[..1] } else { &Direction::ALL };
        directions.iter().flat_map(move |direction| {
            let line = move |first| Self { first, direction: *direction, length: size.length() };
            size.cells().map(line).filter(move |line| line.is_on(size))
        })
    }

    fn is_on(self, size: Size) -> bool {
        let last = self.direction.from(self.first, self.length - 1);
        last.is_some_and(|last| size.place(last).is_some())
    }

    /// Its cells, from the top or the left.
    pub fn cells(self) -> impl Iterator<Item = Cell> + Clone {
        (0..self.length).filter_map(move |steps| self.direction.from(self.first, steps))
    }
}

/// The first and the last cell.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cells().last() {
            Some(last) if last != self.first => write!(f, "{}-{last}", self.first),
            _ => self.first.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(columns: u8, rows: u8, length: u8) -> Vec<String> {
        let size = Size::new(columns, rows, length).unwrap();
        Line::all(size).map(|line| line.to_string()).collect()
    }

    #[test]
    fn tic_tac_toe_has_its_eight_lines() {
        assert_eq!(lines(3, 3, 3).join(" "), "a1-c1 a2-c2 a3-c3 a1-a3 b1-b3 c1-c3 a1-c3 c1-a3");
    }

    #[test]
    fn the_lines_of_other_boards_are_counted() {
        // Rows, columns, and twice the diagonals: for k in a row, (m-k+1)n + m(n-k+1) + 2(m-k+1)(n-k+1).
        for (columns, rows, length, count) in [
            (15, 15, 5, 572),
            (6, 5, 4, 39),
            (4, 4, 3, 24),
            (1, 5, 5, 1),
            (2, 2, 1, 4),
            (7, 6, 4, 69),
        ] {
            assert_eq!(lines(columns, rows, length).len(), count, "{columns},{rows},{length}");
        }
    }

    #[test]
    fn every_line_has_its_cells() {
        let size = Size::new(5, 4, 3).unwrap();
        for line in Line::all(size) {
            let cells: Vec<Cell> = line.cells().collect();
            assert_eq!(cells.len(), 3, "{line}");
            assert!(cells.iter().all(|cell| size.place(*cell).is_some()), "{line}");
        }
    }
}
