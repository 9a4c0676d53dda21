//! The positions that a search has already seen.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::score::SearchScore;

/// What a search knows of positions, by the positions themselves: two positions are never mistaken
/// for each other. A full table is emptied.
#[derive(Clone, Debug)]
pub(crate) struct TranspositionTable<P> {
    known: FxHashMap<P, TableEntry>,
    /// The memory of the positions.
    bytes: usize,
}

/// The most positions in a table.
const MOST_ENTRIES: usize = 1 << 18;

/// The most bytes of the positions in a table: those of a text may be large.
const MOST_BYTES: usize = 256 << 20;

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableEntry {
    depth: u32,
    /// Counted from this position.
    score: SearchScore,
    bound: ScoreBound,
    /// The place of the best move among the legal moves.
    pub(crate) best: u16,
    /// Whether the depth ended some game below.
    pub(crate) is_cut: bool,
}

/// What a score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScoreBound {
    Exact,
    AtLeast,
    AtMost,
}

impl ScoreBound {
    /// What a search with this window knows when it ends with this score.
    pub(crate) fn of(score: SearchScore, alpha: SearchScore, beta: SearchScore) -> Self {
        if score >= beta {
            Self::AtLeast
        } else if score <= alpha {
            Self::AtMost
        } else {
            Self::Exact
        }
    }
}

impl TableEntry {
    pub(crate) fn new(
        depth: u32,
        score: SearchScore,
        ply: u32,
        bound: ScoreBound,
        best: usize,
        is_cut: bool,
    ) -> Self {
        let best = u16::try_from(best).unwrap_or(0);
        Self { depth, score: score.counted_from_position(ply), bound, best, is_cut }
    }

    /// The score, if it is known well enough for this depth and window.
    pub(crate) fn score_in(
        &self,
        depth: u32,
        ply: u32,
        alpha: SearchScore,
        beta: SearchScore,
    ) -> Option<SearchScore> {
        // A search that saw every game to its end needs no depth.
        if self.depth < depth && self.is_cut {
            return None;
        }
        let score = self.score.counted_from_root(ply);
        let is_enough = match self.bound {
            ScoreBound::Exact => true,
            ScoreBound::AtLeast => score >= beta,
            ScoreBound::AtMost => score <= alpha,
        };
        is_enough.then_some(score)
    }
}

impl<P> Default for TranspositionTable<P> {
    fn default() -> Self {
        Self { known: FxHashMap::default(), bytes: 0 }
    }
}

impl<P: Clone + Eq + Hash> TranspositionTable<P> {
    pub(crate) fn get(&self, position: &P) -> Option<&TableEntry> {
        self.known.get(position)
    }

    /// Keeps what is known of a position of this size.
    pub(crate) fn put(&mut self, position: &P, bytes: usize, entry: TableEntry) {
        if self.known.len() >= MOST_ENTRIES || self.bytes >= MOST_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        if self.known.insert(position.clone(), entry).is_none() {
            self.bytes += bytes;
        }
    }
}
