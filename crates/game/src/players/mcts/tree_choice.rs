//! What a search says of a move.

/// The best move of a seat at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TreeChoice {
    /// Its place among the legal moves.
    pub(crate) place: usize,
    pub(crate) visits: u32,
    /// The score that the seat can expect.
    pub(crate) value: f64,
    /// Whether the value is certain.
    pub(crate) is_proved: bool,
}
