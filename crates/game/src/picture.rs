//! What a position looks like, for whoever draws it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::seat::Seat;

/// What a position looks like: a board, if the game has one, and what there is to say beside it.
///
/// A picture knows no rules. Terminal and page draw it without knowing the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Picture {
    /// The board.
    pub board: Option<Grid>,
    /// Lines beside it: scores, cards, what is still hidden.
    pub notes: Vec<String>,
}

/// A board of cells in rows and columns.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Grid {
    /// How many cells stand side by side.
    pub columns: u8,
    /// Row by row from the top left.
    pub cells: Vec<Cell>,
    /// Cells belong together in blocks of so many rows and columns; 1 if in no blocks.
    pub block: u8,
}

/// One cell of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// What it is called: `b2`.
    pub name: String,
    /// What stands there.
    pub piece: Option<Piece>,
    /// The moves that pointing at it may mean, legal or not.
    pub moves: Vec<String>,
    /// Whether it is part of what decided the game.
    pub decides: bool,
    /// Whose territory it is in, whatever stands there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Seat>,
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Piece {
    /// What it is called, in one letter where that is possible: `X`.
    pub symbol: String,
    /// Whose it is, if it is anybody's.
    pub seat: Option<Seat>,
}

impl Grid {
    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.cells.len() / usize::from(self.columns.max(1))
    }
}

impl Picture {
    /// Just a board.
    #[must_use]
    pub fn of(board: Grid) -> Self {
        Self { board: Some(board), notes: Vec::new() }
    }

    /// Just words.
    pub fn in_words(notes: impl IntoIterator<Item = String>) -> Self {
        Self { board: None, notes: notes.into_iter().collect() }
    }

    /// The same with one more line beside it.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// Lines of symbols with the names of columns above and of rows on the left.
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
    /// What stands before a column so that blocks are seen.
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
