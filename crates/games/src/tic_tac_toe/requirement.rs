//! Requirements: what must hold whatever X does.

use std::fmt;

use bthread::{BThread, violation, wait_for};

use super::event::{Event, Mark};
use super::event_sets::results;

/// A requirement that holds when O follows its strategies, whatever X does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Requirement {
    /// X never wins.
    XNeverWins,
    /// Every game ends with exactly one result.
    ExactlyOneResult,
}

impl Requirement {
    /// All requirements.
    pub const ALL: [Self; 2] = [Self::XNeverWins, Self::ExactlyOneResult];

    /// The b-thread that notices a violation.
    #[must_use]
    pub fn b_thread(self) -> BThread<Event> {
        match self {
            Self::XNeverWins => x_never_wins(),
            Self::ExactlyOneResult => exactly_one_result(),
        }
    }

    /// Its name, in one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::XNeverWins => "XNeverWins",
            Self::ExactlyOneResult => "ExactlyOneResult",
        }
    }

    /// The requirement in one sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::XNeverWins => "X never wins",
            Self::ExactlyOneResult => "Every game ends with exactly one result",
        }
    }
}

/// X never wins.
fn x_never_wins() -> BThread<Event> {
    BThread::new(Requirement::XNeverWins.name())
        .then(wait_for(Event::Win(Mark::X)))
        .then(violation("X has won"))
}

/// Every game ends with exactly one result.
fn exactly_one_result() -> BThread<Event> {
    BThread::new(Requirement::ExactlyOneResult.name())
        .then(wait_for(results()).hot())
        .then(wait_for(results()))
        .then(violation("there is a second result"))
}

/// The sentence.
impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.sentence())
    }
}
