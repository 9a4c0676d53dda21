//! What can be asked of a game.

use checker::{Model, Property};

/// What must hold in a game, as one of its b-threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RequirementName {
    /// The b-thread that watches over it.
    pub(super) thread: &'static str,
    /// What it says.
    pub(super) sentence: &'static str,
}

/// What can be asked of any game: that there is none of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absence {
    StuckState,
    HotEnd,
    HotThreadCycle,
    HotSystemCycle,
}

/// What somebody asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Requirement(RequirementName),
    Absence(Absence),
}

impl Absence {
    pub(super) const ALL: [Self; 4] =
        [Self::StuckState, Self::HotEnd, Self::HotThreadCycle, Self::HotSystemCycle];

    const fn name(self) -> &'static str {
        match self {
            Self::StuckState => "no-stuck-state",
            Self::HotEnd => "no-hot-end",
            Self::HotThreadCycle => "no-hot-thread-cycle",
            Self::HotSystemCycle => "no-hot-system-cycle",
        }
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::StuckState => "No state is stuck",
            Self::HotEnd => "Nothing ends while a b-thread is hot",
            Self::HotThreadCycle => "No b-thread is hot for ever",
            Self::HotSystemCycle => "In no endless run there is always a hot b-thread",
        }
    }

    fn property<M: Model>(self) -> Property<M> {
        match self {
            Self::StuckState => Property::no_stuck_state(),
            Self::HotEnd => Property::no_hot_end(),
            Self::HotThreadCycle => Property::no_hot_thread_cycle(),
            Self::HotSystemCycle => Property::no_hot_system_cycle(),
        }
    }
}

impl Asked {
    /// What it is called on the command line.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Requirement(requirement) => requirement.thread,
            Self::Absence(absence) => absence.name(),
        }
    }

    /// What it says.
    pub(super) const fn sentence(self) -> &'static str {
        match self {
            Self::Requirement(requirement) => requirement.sentence,
            Self::Absence(absence) => absence.sentence(),
        }
    }

    /// The same for the checker.
    pub(super) fn property<M: Model>(self) -> Property<M> {
        match self {
            Self::Requirement(requirement) => Property::requirement(requirement.thread),
            Self::Absence(absence) => absence.property(),
        }
    }
}
