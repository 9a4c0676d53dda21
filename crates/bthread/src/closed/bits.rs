//! Sets of events of an alphabet, as bits.

use crate::event::Event;
use crate::event_set::EventSet;

/// A set of event numbers below a fixed bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bits(Box<[u64]>);

impl Bits {
    /// 64 events to a word, the lowest first.
    pub(super) fn words(&self) -> &[u64] {
        &self.0
    }

    /// The empty set with room for the events below a bound.
    pub(super) fn none(events: usize) -> Self {
        Self(vec![0; events.div_ceil(64)].into())
    }

    /// The events that any of the sets contains.
    pub(super) fn of<E: Event>(events: &[E], sets: &[EventSet<E>]) -> Self {
        let mut bits = Self::none(events.len());
        for (number, event) in (0..).zip(events) {
            if sets.iter().any(|set| set.contains(event)) {
                bits.insert(number);
            }
        }
        bits
    }

    /// Adds an event, and returns whether it was missing.
    pub(super) fn insert(&mut self, number: u32) -> bool {
        let was_missing = !self.contains(number);
        self.0[number as usize / 64] |= 1 << (number % 64);
        was_missing
    }

    pub(super) fn contains(&self, number: u32) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 == 1
    }

    /// The events of the set, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        let bits = (0..).take(self.0.len() * 64);
        bits.filter(|number| self.contains(*number))
    }

    /// Adds all events of another set.
    pub(super) fn add(&mut self, other: &Self) {
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }
}
