//! How a game of b-threads stands.

use std::fmt;
use std::hash::{Hash, Hasher};

use bthread::Instance;

use super::rulebook::Rulebook;

/// How a game of b-threads stands: how far the b-threads have come, and what was drawn.
pub struct BPosition<R: Rulebook> {
    pub(super) instance: Instance<R::Event>,
    pub(super) board: R::Board,
    /// Which of the results has happened.
    pub(super) result: Option<u8>,
}

impl<R: Rulebook> BPosition<R> {
    /// What was drawn so far.
    pub fn board(&self) -> &R::Board {
        &self.board
    }

    /// How far the b-threads have come.
    pub fn instance(&self) -> &Instance<R::Event> {
        &self.instance
    }
}

impl<R: Rulebook> Clone for BPosition<R> {
    fn clone(&self) -> Self {
        let Self { instance, board, result } = self;
        Self { instance: instance.clone(), board: board.clone(), result: *result }
    }
}

impl<R: Rulebook> PartialEq for BPosition<R> {
    fn eq(&self, other: &Self) -> bool {
        // Boards differ sooner, and are quicker to compare off the table.
        self.board == other.board && self.result == other.result && self.instance == other.instance
    }
}

impl<R: Rulebook> Eq for BPosition<R> {}

impl<R: Rulebook> Hash for BPosition<R> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.board.hash(hasher);
        self.result.hash(hasher);
    }
}

impl<R: Rulebook> fmt::Debug for BPosition<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { instance, board, result } = self;
        f.debug_struct("BPosition")
            .field("instance", instance)
            .field("board", board)
            .field("result", result)
            .finish()
    }
}
