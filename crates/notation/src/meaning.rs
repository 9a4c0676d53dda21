//! What events mean in a game, and how they are drawn.

mod read;

pub(crate) use read::MeaningReader;

use crate::values::TextValue;

/// The meanings of all events.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meanings {
    /// For each family, the parameter that is the seat that moves.
    pub(crate) movers: Vec<Option<usize>>,
    /// For each event, by its number.
    pub(crate) events: Vec<EventMeaning>,
    /// The number of the list of squares on which is drawn.
    pub(crate) grid: Option<u32>,
    /// The number of the list of boards, if there is a grid on each square of another one.
    pub(crate) boards: Option<u32>,
    /// The squares as they are drawn.
    pub(crate) drawn: DrawnGrid,
    /// What is drawn: pieces have the number of their place here plus one.
    pub(crate) pieces: Vec<TextValue>,
    /// What stands on the squares at the beginning.
    pub(crate) placed: Vec<DrawnPiece>,
    /// The variables of rules that are shown.
    pub(crate) shows: Vec<ShownVariable>,
}

/// The squares of a picture, row by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct DrawnGrid {
    pub(crate) columns: u32,
    pub(crate) names: Vec<String>,
    /// The columns and rows of each board, if there are boards; otherwise 1.
    pub(crate) block: u32,
}

/// What one event means.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventMeaning {
    /// The seat whose move it is.
    pub(crate) mover: Option<u8>,
    pub(crate) result: Option<ResultMeaning>,
    pub(crate) scores: Vec<(u8, i32)>,
    pub(crate) drawn: Vec<DrawnPiece>,
}

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultMeaning {
    Win(u8),
    Loss(u8),
    Draw,
    MostWins,
}

/// A piece that is put on a square, or 0 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DrawnPiece {
    pub(crate) square: u32,
    pub(crate) piece: u8,
}

/// A variable that rules keep: `left` of `heap`, or `mover`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownVariable {
    pub(crate) variable: String,
    /// The set of the values for which it is shown; all rules that keep it if there is none.
    pub(crate) set: Option<u32>,
}
