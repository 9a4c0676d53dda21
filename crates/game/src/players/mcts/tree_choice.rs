//! What a search says of a move.

/// A move of a seat at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TreeChoice {
    /// Its place among the legal moves.
    pub(crate) place: usize,
    pub(crate) visits: u32,
    /// The score that the seat can expect.
    pub(crate) value: f64,
    /// Whether the value is certain.
    pub(crate) is_proved: bool,
    /// How often the seat should make it, where several choose at once.
    pub(crate) probability: Option<f64>,
}

impl TreeChoice {
    /// A move of which nothing is known.
    pub(crate) const fn untried(place: usize) -> Self {
        Self { place, visits: 0, value: 0.0, is_proved: false, probability: None }
    }
}
