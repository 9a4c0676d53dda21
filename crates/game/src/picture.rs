//! Positions as pictures, for the terminal and the page.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::seat::Seat;

/// A position as a picture: a board, if the game has one, and notes beside it.
///
/// The terminal and the page draw pictures without knowing the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Picture {
    /// The board, if the game has one.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub board: Option<Grid>,
    /// Lines beside the board: scores, cards, whose turn it is.
    pub notes: Vec<String>,
}

/// A board of cells in rows and columns.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Grid {
    /// The number of columns.
    pub columns: u8,
    /// The cells, row by row from the top left.
    pub cells: Vec<GridCell>,
    /// The number of rows and columns of a block of cells; 1 if there are no blocks.
    pub block: u8,
}

/// One cell of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GridCell {
    /// Its name: `b2`.
    pub name: String,
    /// The piece that stands on it.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub piece: Option<Piece>,
    /// The moves that a click on it can mean, legal or not.
    pub moves: Vec<String>,
    /// Whether it is part of the line that decided the game.
    pub decides: bool,
    /// The seat whose territory it is in, whatever stands on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub owner: Option<Seat>,
}

/// A piece on a cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Piece {
    /// How it is written, in one letter if possible: `X`.
    pub symbol: String,
    /// The seat that owns it, if any.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub seat: Option<Seat>,
}

impl Grid {
    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.cells.len() / usize::from(self.columns.max(1))
    }
}

impl Picture {
    /// A board without notes.
    #[must_use]
    pub fn of(board: Grid) -> Self {
        Self { board: Some(board), notes: Vec::new() }
    }

    /// Notes without a board.
    pub fn in_words(notes: impl IntoIterator<Item = String>) -> Self {
        Self { board: None, notes: notes.into_iter().collect() }
    }

    /// The same picture with one more note.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// Lines of symbols, with letters above the columns and numbers beside the rows.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows();
        let margin = rows.to_string().len();
        write!(f, "{:margin$}", "")?;
        for column in 0..self.columns {
            write!(f, "{} {}", self.gap(usize::from(column)), column_name(column))?;
        }
        for row in 0..rows {
            if row > 0 && row % usize::from(self.block.max(1)) == 0 && self.block > 1 {
                f.write_str("\n")?;
            }
            write!(f, "\n{:>margin$}", row + 1)?;
            for column in 0..usize::from(self.columns) {
                let cell = &self.cells[row * usize::from(self.columns) + column];
                let symbol = cell.piece.as_ref().map_or(".", |piece| &piece.symbol);
                write!(f, "{} {symbol}", self.gap(column))?;
            }
        }
        Ok(())
    }
}

impl Grid {
    /// The space before a column that begins a block.
    fn gap(&self, column: usize) -> &'static str {
        let block = usize::from(self.block);
        if block > 1 && column > 0 && column.is_multiple_of(block) { " " } else { "" }
    }
}

/// The letter of a column.
fn column_name(column: u8) -> char {
    char::from(b'a' + column % 26)
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.board.iter().map(ToString::to_string);
        let lines: Vec<String> = board.chain(self.notes.iter().cloned()).collect();
        f.write_str(&lines.join("\n"))
    }
}
