//! The effort of a check, and the counts of what was checked.

/// The number of games to play, and the limits of what is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The number of games to play.
    pub games: u32,
    /// The most plies of a game.
    pub plies: u32,
    /// The most moves to remember, to try them where they are illegal.
    pub texts: usize,
    /// The most positions to remember, and the most sequences of observations.
    pub positions: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self { games: 100, plies: 10_000, texts: 128, positions: 50_000 }
    }
}

/// The number of times that each thing was checked. A test can assert that it is not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConformanceCounts {
    /// Games played to the end.
    pub games: u64,
    /// Positions inspected.
    pub positions: u64,
    /// Legal moves listed.
    pub legal_moves: u64,
    /// Illegal moves tried.
    pub illegal_moves: u64,
    /// Attempts to play without exactly one move for each seat whose turn it was.
    pub incomplete_moves: u64,
    /// Impossible draws tried.
    pub impossible_draws: u64,
    /// Texts refused because they are not moves or draws.
    pub unreadable_texts: u64,
    /// Positions in which several seats chose at once.
    pub at_once: u64,
    /// Positions in which chance drew.
    pub chances: u64,
    /// Positions that had occurred before.
    pub transpositions: u64,
    /// Pairs of positions that a viewer could not tell apart.
    pub hidden: u64,
    /// Pictures with a board.
    pub boards: u64,
}
