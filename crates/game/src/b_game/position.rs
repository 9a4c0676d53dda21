//! How a game of b-threads stands.

use std::fmt;
use std::hash::{Hash, Hasher};

use bthread::AutomatonState;

use super::SeatMoves;
use super::rulebook::Rulebook;
use crate::seat::{Seat, Seats};

/// How a game of b-threads stands: how far the b-threads have come, and what was drawn.
pub struct BPosition<R: Rulebook> {
    pub(super) instance: AutomatonState<R::Event>,
    pub(super) board: R::Board,
    /// Who can move, or how it ended: what the b-threads say, found out once.
    pub(super) state: State,
    /// Which of the first sixty-four events nobody blocks; small games have no others.
    pub(super) unblocked: u64,
}

/// Who can move in a position, or how the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum State {
    /// Just one seat.
    One(Seat),
    /// More than one.
    Several(Seats),
    /// None, and no result has happened.
    Nobody,
    /// This one of the results has happened.
    Result(u8),
}

impl<R: Rulebook> BPosition<R> {
    /// What was drawn so far.
    pub fn board(&self) -> &R::Board {
        &self.board
    }

    /// Finds out who can move, unless there is a result.
    #[inline]
    pub(super) fn arrive(&mut self, seats: &[SeatMoves], result: Option<u8>) {
        self.unblocked = self.instance.unblocked(0);
        self.state = match result {
            Some(result) => State::Result(result),
            None => self.movers(seats),
        };
    }

    /// Who can move. Turns are easy to foretell, so this branches where it could compute: the
    /// processor goes on with whose turn it will be before it knows.
    #[inline]
    fn movers(&self, seats: &[SeatMoves]) -> State {
        let mut first = None;
        for (number, moves) in (0..).zip(seats) {
            if self.has_any(moves) {
                if first.is_some() {
                    return State::Several(self.all_movers(seats));
                }
                first = Seat::new(number);
            }
        }
        first.map_or(State::Nobody, State::One)
    }

    #[cold]
    fn all_movers(&self, seats: &[SeatMoves]) -> Seats {
        let movers = (0..).zip(seats).filter(|(_, moves)| self.has_any(moves));
        movers.filter_map(|(number, _)| Seat::new(number)).collect()
    }

    #[inline]
    fn has_any(&self, moves: &SeatMoves) -> bool {
        match &*moves.events {
            [ours] => self.unblocked & ours != 0,
            many => self.has_any_of_many(many),
        }
    }

    #[inline(never)]
    fn has_any_of_many(&self, events: &[u64]) -> bool {
        (0..).zip(events).any(|(word, ours)| self.unblocked(word) & ours != 0)
    }

    /// Which of sixty-four events nobody blocks.
    #[inline]
    pub(super) fn unblocked(&self, word: u32) -> u64 {
        if word == 0 { self.unblocked } else { self.instance.unblocked(word) }
    }

    /// How far the b-threads have come.
    pub fn instance(&self) -> &AutomatonState<R::Event> {
        &self.instance
    }
}

impl<R: Rulebook> Clone for BPosition<R> {
    fn clone(&self) -> Self {
        let Self { instance, board, state, unblocked } = self;
        let (instance, board) = (instance.clone(), board.clone());
        Self { instance, board, state: *state, unblocked: *unblocked }
    }
}

impl<R: Rulebook> PartialEq for BPosition<R> {
    fn eq(&self, other: &Self) -> bool {
        // Boards differ sooner, and are quicker to compare off the table.
        self.board == other.board && self.state == other.state && self.instance == other.instance
    }
}

impl<R: Rulebook> Eq for BPosition<R> {}

impl<R: Rulebook> Hash for BPosition<R> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.board.hash(hasher);
        self.state.hash(hasher);
    }
}

impl<R: Rulebook> fmt::Debug for BPosition<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { instance, board, state, .. } = self;
        f.debug_struct("BPosition")
            .field("instance", instance)
            .field("board", board)
            .field("state", state)
            .finish_non_exhaustive()
    }
}
