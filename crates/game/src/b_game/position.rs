//! A position of a game whose rules are b-threads.

use std::fmt;
use std::hash::{Hash, Hasher};

use bthread::AutomatonState;

use super::compiled_rules::SeatMoves;
use super::rulebook::Rulebook;
use super::seat_events::SeatEvents;
use crate::seat::{Seat, Seats};

/// A position of a game whose rules are b-threads: the states of the b-threads, and the board.
pub struct BPosition<R: Rulebook> {
    pub(super) threads: AutomatonState<R::Event>,
    pub(super) board: R::Board,
    /// Whose turn it is, or how the game ended. It follows from `threads`, and is computed once.
    pub(super) state: TurnState,
    /// One bit for each of the first 64 events that no b-thread blocks. Small games have no others,
    /// and bits past the last event mean nothing.
    pub(super) unblocked: u64,
}

/// Whose turn it is, or how the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TurnState {
    /// One seat has a legal move.
    One(Seat),
    /// Several seats have legal moves.
    Several(Seats),
    /// Chance draws.
    Chance,
    /// No seat has a legal move, and there is no result.
    Nobody,
    /// The rules did not come to rest after the last move.
    Broken,
    /// The result at this place in the rulebook's list ended the game.
    Result(u8),
}

impl TurnState {
    /// Whether no seat has a legal move, whatever b-threads leave open.
    pub(super) const fn is_for_no_seat(self) -> bool {
        matches!(self, Self::Result(_) | Self::Chance | Self::Broken)
    }
}

impl<R: Rulebook> BPosition<R> {
    /// The board.
    pub fn board(&self) -> &R::Board {
        &self.board
    }

    /// Computes whose turn it is after a superstep, unless there is a result.
    #[inline]
    pub(super) fn arrive(&mut self, seats: &[SeatMoves<R::Move>], result: Option<u8>) {
        let unblocked = self.threads.first_unblocked();
        self.arrive_with(seats, result, unblocked);
    }

    /// As [`BPosition::arrive`], if it is known which of the first 64 events no b-thread blocks.
    #[inline]
    pub(super) fn arrive_with(
        &mut self,
        seats: &[SeatMoves<R::Move>],
        result: Option<u8>,
        unblocked: u64,
    ) {
        self.unblocked = unblocked;
        self.state = match result {
            Some(result) => TurnState::Result(result),
            None => self.movers(seats),
        };
    }

    /// The seats that have a legal move.
    ///
    /// This branches where it could compute, because the processor predicts turns well and
    /// continues before the answer is known.
    #[inline]
    fn movers(&self, seats: &[SeatMoves<R::Move>]) -> TurnState {
        let mut first = None;
        for (number, moves) in (0..).zip(seats) {
            if self.has_any(moves) {
                if first.is_some() {
                    return TurnState::Several(self.all_movers(seats));
                }
                first = Seat::new(number);
            }
        }
        first.map_or(TurnState::Nobody, TurnState::One)
    }

    #[cold]
    fn all_movers(&self, seats: &[SeatMoves<R::Move>]) -> Seats {
        let movers = (0..).zip(seats).filter(|(_, moves)| self.has_any(moves));
        movers.filter_map(|(number, _)| Seat::new(number)).collect()
    }

    #[inline]
    fn has_any(&self, moves: &SeatMoves<R::Move>) -> bool {
        match moves.events.only_word() {
            Some(ours) => self.unblocked & ours != 0,
            None => moves.events.has_any(self.threads.unblocked_words()),
        }
    }

    /// Those of these events that no b-thread blocks as bits, if all of them are near each other.
    #[inline]
    pub(super) fn unblocked_bits(&self, ours: &SeatEvents) -> Option<u64> {
        match ours.only_word() {
            Some(word) => Some(self.unblocked & word),
            None => ours.near_bits(self.threads.unblocked_words()),
        }
    }

    /// The states of the b-threads.
    pub fn threads(&self) -> &AutomatonState<R::Event> {
        &self.threads
    }
}

impl<R: Rulebook> Clone for BPosition<R> {
    fn clone(&self) -> Self {
        let Self { threads, board, state, unblocked } = self;
        let (threads, board) = (threads.clone(), board.clone());
        Self { threads, board, state: *state, unblocked: *unblocked }
    }

    /// Uses the memory of the old position again: searches play many games from one position.
    fn clone_from(&mut self, source: &Self) {
        let Self { threads, board, state, unblocked } = source;
        self.threads.clone_from(threads);
        self.board.clone_from(board);
        (self.state, self.unblocked) = (*state, *unblocked);
    }
}

impl<R: Rulebook> PartialEq for BPosition<R> {
    fn eq(&self, other: &Self) -> bool {
        // Boards differ more often, and are faster to compare.
        self.board == other.board && self.state == other.state && self.threads == other.threads
    }
}

impl<R: Rulebook> Eq for BPosition<R> {}

impl<R: Rulebook> Hash for BPosition<R> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.board.hash(hasher);
        self.state.hash(hasher);
        // A board may show less than the b-threads remember.
        self.threads.unblocked(0).hash(hasher);
    }
}

impl<R: Rulebook> fmt::Debug for BPosition<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { threads, board, state, .. } = self;
        f.debug_struct("BPosition")
            .field("threads", threads)
            .field("board", board)
            .field("state", state)
            .finish_non_exhaustive()
    }
}
