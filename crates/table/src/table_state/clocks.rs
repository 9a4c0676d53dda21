//! The clocks of a table.

use game::{Seat, Seats, all_seats};

use super::TableState;
use crate::table_options::Clock;

impl TableState {
    /// Ends a turn: these seats have used its time, if the clocks ran.
    pub(super) fn count_time(&mut self, turn: Seats, ran: bool, at: u64) {
        for seat in turn.iter().filter(|_| ran) {
            self.think(seat, at);
        }
        if self.ply == 0 {
            self.thought.fill(0);
        }
        self.since = at;
    }

    /// Adds the time since the turn began to a seat's time.
    pub(super) fn think(&mut self, seat: Seat, at: u64) {
        self.thought[seat.index()] += at - self.since;
    }

    /// Whether the clocks run. They start with the first move of a person in a round, so that an
    /// abandoned table adds no entries. At a prompt table the first round is an exception.
    pub(super) fn clocks_run(&self) -> bool {
        let is_prompt = self.options.prompt && self.round == 1;
        (self.has_begun || is_prompt) && self.is_full()
    }

    /// Whether the clock of the first round starts when the last seat is taken.
    #[must_use]
    pub const fn is_prompt(&self) -> bool {
        self.options.prompt
    }

    /// The time limit, if there is one.
    #[must_use]
    pub const fn clock(&self) -> Option<Clock> {
        self.options.clock
    }

    /// The seat in turn whose time ends first, and when, while the clocks run.
    #[must_use]
    pub fn deadline(&self) -> Option<(Seat, u64)> {
        let is_timed = self.clocks_run() && self.outcome().is_none() && !self.has_ended();
        let clock = self.options.clock.filter(|_| is_timed)?;
        let thinks = |seat: &Seat| self.level(*seat).is_none() && !self.has_sealed(*seat);
        let end = |seat: Seat| (seat, self.since.saturating_add(self.time_left(clock, seat)));
        self.turn().iter().filter(thinks).map(end).min_by_key(|(_, end)| *end)
    }

    /// A time before which no seat runs out of time if a move is recorded now, whatever the move is;
    /// none without a clock.
    #[must_use]
    pub fn earliest_deadline_after_a_move(&self, now: u64) -> Option<u64> {
        let clock = self.options.clock?;
        if !self.clocks_run() || self.outcome().is_some() {
            let (Clock::PerMove(most) | Clock::PerSide(most)) = clock;
            return Some(now.saturating_add(most));
        }
        let people = all_seats(&self.game).iter().filter(|seat| self.level(*seat).is_none());
        let left = people.map(|seat| self.time_left(clock, seat)).min()?;
        Some(self.since.saturating_add(left))
    }

    /// The time that a seat has left since its turn began.
    fn time_left(&self, clock: Clock, seat: Seat) -> u64 {
        match clock {
            Clock::PerMove(most) => most,
            Clock::PerSide(most) => most.saturating_sub(self.thought[seat.index()]),
        }
    }
}
