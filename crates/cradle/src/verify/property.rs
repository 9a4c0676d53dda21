//! The properties that can be checked in any game of b-threads.

use checker::{Model, Property};

use super::subject::KnownProperty;

/// A property that can be checked in any game: nothing of this kind exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GeneralProperty {
    StuckState,
    HotEnd,
    HotThreadCycle,
    HotSystemCycle,
}

impl GeneralProperty {
    pub(super) const ALL: [Self; 4] =
        [Self::StuckState, Self::HotEnd, Self::HotThreadCycle, Self::HotSystemCycle];

    /// Its name on the command line.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::StuckState => "no-stuck-state",
            Self::HotEnd => "no-hot-end",
            Self::HotThreadCycle => "no-hot-thread-cycle",
            Self::HotSystemCycle => "no-hot-system-cycle",
        }
    }

    /// The property in words.
    const fn sentence(self) -> &'static str {
        match self {
            Self::StuckState => "No state is stuck",
            Self::HotEnd => "No run ends while a b-thread is hot",
            Self::HotThreadCycle => "No b-thread is hot for ever",
            Self::HotSystemCycle => "No endless run has a hot b-thread all the time",
        }
    }

    pub(super) fn known(self) -> KnownProperty {
        let (name, sentence) = (self.name().to_owned(), self.sentence().to_owned());
        KnownProperty { name, sentence, is_usual: false, is_thread: false }
    }

    /// The property for the checker.
    pub(super) fn property<M: Model>(self) -> Property<M> {
        match self {
            Self::StuckState => Property::no_stuck_state(),
            Self::HotEnd => Property::no_hot_end(),
            Self::HotThreadCycle => Property::no_hot_thread_cycle(),
            Self::HotSystemCycle => Property::no_hot_system_cycle(),
        }
    }
}
