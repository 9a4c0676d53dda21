//! The meaning of an index entry.

use crate::event::Event;
use crate::event_set::{EventSet, Precision};
use crate::sync_point::SyncPoint;

/// Which set of a sync point an entry refers to, and whether all events under its key are in
/// that set. Packed into 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag(u32);

/// What a b-thread does with the events of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetRole {
    WaitsFor,
    InterruptedBy,
    Blocks,
    StartsOverAt,
}

impl Tag {
    const ROLE: u32 = 0b011;
    const APPROXIMATE: u32 = 0b100;
    const SHIFT: u32 = 3;

    /// A request. The b-thread reacts to its own request as if it waited for it.
    pub(crate) const REQUEST: Self = Self(0);

    pub(crate) fn new(role: SetRole, set: u32, precision: Precision) -> Self {
        let role = match role {
            SetRole::WaitsFor => 0,
            SetRole::InterruptedBy => 1,
            SetRole::Blocks => 2,
            SetRole::StartsOverAt => 3,
        };
        let precision = match precision {
            Precision::Exact => 0,
            Precision::Approximate => Self::APPROXIMATE,
        };
        debug_assert!(set < 1 << (32 - Self::SHIFT), "a sync point has few sets");
        Self(set << Self::SHIFT | precision | role)
    }

    #[inline]
    pub(crate) fn role(self) -> SetRole {
        match self.0 & Self::ROLE {
            0 => SetRole::WaitsFor,
            1 => SetRole::InterruptedBy,
            2 => SetRole::Blocks,
            _ => SetRole::StartsOverAt,
        }
    }

    #[inline]
    pub(crate) fn is_exact(self) -> bool {
        self.0 & Self::APPROXIMATE == 0
    }

    /// The number of the set among those with the same role.
    pub(crate) fn set_number(self) -> u32 {
        self.0 >> Self::SHIFT
    }

    /// The set that the entry refers to.
    pub(crate) fn set<E: Event>(self, point: &SyncPoint<E>) -> &EventSet<E> {
        let sets = match self.role() {
            SetRole::WaitsFor => point.waits(),
            SetRole::InterruptedBy => point.interrupts(),
            SetRole::Blocks => point.blocks(),
            SetRole::StartsOverAt => point.restarts(),
        };
        &sets[self.set_number() as usize]
    }
}
