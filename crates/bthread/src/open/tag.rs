//! What an entry of the index means.

use crate::event::Event;
use crate::event_set::{EventSet, Precision};
use crate::sync_point::SyncPoint;

/// Which set of a sync point an entry stands for, and whether the key alone decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag(u32);

/// What a b-thread does with the events of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    WaitsFor,
    InterruptedBy,
    Blocks,
}

impl Tag {
    const ROLE: u32 = 0b011;
    const APPROXIMATE: u32 = 0b100;
    const SHIFT: u32 = 3;

    /// A request; the key decides, and the set number means nothing.
    pub(crate) const REQUEST: Self = Self(0);

    pub(crate) fn new(role: Role, set: u32, precision: Precision) -> Self {
        let role = match role {
            Role::WaitsFor => 0,
            Role::InterruptedBy => 1,
            Role::Blocks => 2,
        };
        let precision = match precision {
            Precision::Exact => 0,
            Precision::Approximate => Self::APPROXIMATE,
        };
        debug_assert!(set < 1 << (32 - Self::SHIFT), "a sync point has few sets");
        Self(set << Self::SHIFT | precision | role)
    }

    #[inline]
    pub(crate) fn role(self) -> Role {
        match self.0 & Self::ROLE {
            0 => Role::WaitsFor,
            1 => Role::InterruptedBy,
            _ => Role::Blocks,
        }
    }

    #[inline]
    pub(crate) fn is_exact(self) -> bool {
        self.0 & Self::APPROXIMATE == 0
    }

    /// Which of the sets of its role the entry stands for.
    pub(crate) fn set_number(self) -> u32 {
        self.0 >> Self::SHIFT
    }

    /// The set of the sync point that the entry stands for.
    pub(crate) fn set<E: Event>(self, point: &SyncPoint<E>) -> &EventSet<E> {
        let sets = match self.role() {
            Role::WaitsFor => point.waits(),
            Role::InterruptedBy => point.interrupts(),
            Role::Blocks => point.blocks(),
        };
        &sets[self.set_number() as usize]
    }
}
