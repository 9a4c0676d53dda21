//! The properties that can be checked.

use checker::{Model, Property};

/// A requirement of a game, which is one of its b-threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RequirementName {
    /// The name of the b-thread.
    pub(super) thread: &'static str,
    /// The requirement in words.
    pub(super) sentence: &'static str,
}

/// A property that can be checked in any game: nothing of this kind exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GeneralProperty {
    StuckState,
    HotEnd,
    HotThreadCycle,
    HotSystemCycle,
}

/// A property to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckedProperty {
    Requirement(RequirementName),
    GeneralProperty(GeneralProperty),
}

impl GeneralProperty {
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
            Self::HotEnd => "No run ends while a b-thread is hot",
            Self::HotThreadCycle => "No b-thread is hot for ever",
            Self::HotSystemCycle => "No endless run has a hot b-thread all the time",
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

impl CheckedProperty {
    /// Its name on the command line.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Requirement(requirement) => requirement.thread,
            Self::GeneralProperty(absence) => absence.name(),
        }
    }

    /// The property in words.
    pub(super) const fn sentence(self) -> &'static str {
        match self {
            Self::Requirement(requirement) => requirement.sentence,
            Self::GeneralProperty(absence) => absence.sentence(),
        }
    }

    /// The property for the checker.
    pub(super) fn property<M: Model>(self) -> Property<M> {
        match self {
            Self::Requirement(requirement) => Property::requirement(requirement.thread),
            Self::GeneralProperty(absence) => absence.property(),
        }
    }
}
