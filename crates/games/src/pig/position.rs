//! The scores and the turn.

use game::Seat;

use super::die::Die;

/// The scores, and the state of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    scores: [u32; 2],
    /// The points that the seat in turn has rolled and can still lose.
    total: u32,
    phase: TurnPhase,
}

/// Whose turn it is, and what is next in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TurnPhase {
    /// The seat chooses.
    Choosing(Seat),
    /// The seat has chosen to roll, and the die rolls.
    Rolling(Seat),
    /// The seat has reached the target.
    WonBy(Seat),
}

impl Position {
    pub(super) const START: Self =
        Self { scores: [0; 2], total: 0, phase: TurnPhase::Choosing(Seat::FIRST) };

    /// The points that a seat has kept; 0 if the game does not have the seat.
    #[must_use]
    pub fn score(&self, seat: Seat) -> u32 {
        self.scores.get(seat.index()).copied().unwrap_or(0)
    }

    /// The points that the seat in turn has rolled and can still lose.
    #[must_use]
    pub const fn total(&self) -> u32 {
        self.total
    }

    pub(super) const fn phase(&self) -> TurnPhase {
        self.phase
    }

    /// The score that a seat would have if it held now.
    pub(super) fn score_after_hold(&self, seat: Seat) -> u32 {
        self.score(seat) + self.total
    }

    pub(super) fn start_roll(&mut self, seat: Seat) {
        self.phase = TurnPhase::Rolling(seat);
    }

    pub(super) fn finish_roll(&mut self, seat: Seat, die: Die) {
        if die == Die::One {
            self.pass(seat);
        } else {
            self.total += die.points();
            self.phase = TurnPhase::Choosing(seat);
        }
    }

    pub(super) fn hold(&mut self, seat: Seat, target: u32) {
        let score = self.score_after_hold(seat);
        self.scores[seat.index()] = score;
        self.pass(seat);
        if score >= target {
            self.phase = TurnPhase::WonBy(seat);
        }
    }

    fn pass(&mut self, from: Seat) {
        self.total = 0;
        self.phase = TurnPhase::Choosing(from.opponent());
    }
}
