//! A round that is over, which the person still looks at.

use game::{MoveExplanation, Seat};
use table::{EntryBody, Forfeit, TableState};

/// The milliseconds for which a finished round stays once the next one has begun elsewhere.
pub const HOLD_TIME: u64 = 5_000;

/// A round that is over, which the person still looks at. The next one has begun.
#[derive(Clone, Debug)]
pub struct FinishedRound {
    /// The table before the entry that ended the round.
    pub(crate) state: TableState,
    /// How the round ended.
    pub(crate) ending: RoundEnding,
    /// The explanations of the round.
    pub(crate) explanations: Vec<(u32, MoveExplanation)>,
    /// When the next round is shown anyway, on the monotonic clock; `None` if nobody waits for it.
    pub(crate) until: Option<u64>,
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundEnding {
    /// A seat resigned.
    Resigned(Seat),
    /// A seat ran out of time.
    OutOfTime(Seat),
    /// A seat was absent when it had to move.
    Absent(Seat),
    /// The game had decided it, and this seat is ready for the next round.
    Ready(Option<Seat>),
}

impl RoundEnding {
    /// How an entry ends a round; `None` if it does not. `by` wrote the entry.
    #[must_use]
    pub fn of(body: &EntryBody, by: Option<Seat>) -> Option<Self> {
        match body {
            EntryBody::Forfeited { seat, why: Forfeit::Resigned, .. } => {
                Some(Self::Resigned(*seat))
            }
            EntryBody::Forfeited { seat, why: Forfeit::OutOfTime, .. } => {
                Some(Self::OutOfTime(*seat))
            }
            EntryBody::Forfeited { seat, why: Forfeit::Acknowledged, .. } => {
                Some(Self::Ready(Some(*seat)))
            }
            EntryBody::Claimed { seat, .. } => Some(Self::Absent(*seat)),
            EntryBody::Tied { .. } | EntryBody::NextRound { .. } => Some(Self::Ready(by)),
            _ => None,
        }
    }

    /// The seat that lost the round by giving up or by the clock.
    #[must_use]
    pub const fn loser(self) -> Option<Seat> {
        match self {
            Self::Resigned(seat) | Self::OutOfTime(seat) | Self::Absent(seat) => Some(seat),
            Self::Ready(_) => None,
        }
    }
}

/// Which finished round is shown, and which ones the person has left.
#[derive(Debug, Default)]
pub(super) struct RoundHold {
    finished: Option<FinishedRound>,
    /// The last round that the person has left.
    left: u32,
}

impl RoundHold {
    pub(super) fn finished(&self) -> Option<&FinishedRound> {
        self.finished.as_ref()
    }

    /// Shows a finished round, unless the person has left it already.
    pub(super) fn show(&mut self, finished: FinishedRound) {
        let round = finished.state.round();
        let is_shown = self.finished.as_ref().is_some_and(|shown| shown.state.round() == round);
        if round > self.left && !is_shown {
            self.finished = Some(finished);
        }
    }

    /// The person leaves a round that the game has decided.
    pub(super) fn leave(&mut self, round: u32) {
        self.left = self.left.max(round);
        self.finished = None;
    }

    /// The person leaves the finished round, if one is shown. Returns whether one was.
    pub(super) fn go_on(&mut self) -> bool {
        let round = self.finished.as_ref().map(|finished| finished.state.round());
        round.inspect(|round| self.leave(*round)).is_some()
    }

    /// Goes on if the time is up.
    pub(super) fn tick(&mut self, monotonic: u64) {
        if self.until().is_some_and(|until| until <= monotonic) {
            self.go_on();
        }
    }

    /// Drops a round that goes on after all, because its end was refused.
    pub(super) fn check(&mut self, current_round: u32) {
        self.finished.take_if(|finished| finished.state.round() >= current_round);
    }

    /// When the next round is shown anyway.
    pub(super) fn until(&self) -> Option<u64> {
        self.finished.as_ref()?.until
    }
}
