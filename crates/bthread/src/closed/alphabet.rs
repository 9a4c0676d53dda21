//! All the events that a closed program can have.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::number_set::{KnownSets, NumberSet};
use crate::error::OutsideAlphabet;
use crate::event::Event;
use crate::event_set::{EventSet, IndexKey, Precision};
use crate::name::Name;
use crate::sync_point::SyncPoint;

/// A finite list of events, each with a number.
pub(super) struct Alphabet<E: Event> {
    events: Vec<E>,
    numbers: FxHashMap<E, u32>,
    kinds: FxHashMap<E::Kind, Vec<u32>>,
    /// A sync point that more events leave is kept in one list, instead of one for each event.
    most_listed: usize,
}

/// The sets of a sync point, as event numbers.
#[derive(Debug)]
pub(super) struct Letters {
    pub(super) priority: Option<i32>,
    /// The requested events, the preferred ones first.
    pub(super) requests: Box<[u32]>,
    /// Whether the requests are in the order of their numbers.
    pub(super) is_ascending: bool,
    pub(super) requested: Arc<NumberSet>,
    /// The events that are waited for, or at which the b-thread starts over.
    pub(super) waits: Arc<NumberSet>,
    pub(super) interrupts: Arc<NumberSet>,
    pub(super) blocks: Arc<NumberSet>,
    /// Whether too many events move the b-thread to list it under each of them.
    pub(super) is_wide: bool,
}

impl Letters {
    /// Whether two b-threads that stand there differ in nothing but how they move.
    #[inline]
    pub(super) fn are_alike(&self, other: &Self) -> bool {
        self.stand() == other.stand()
    }

    /// What a b-thread that stands there requests, at which priority, and what it blocks and watches.
    /// Equal sets are one, unless they are those of a state.
    #[inline]
    pub(super) fn stand(&self) -> (*const NumberSet, Option<i32>, *const NumberSet, bool) {
        let [requested, blocks] = [&self.requested, &self.blocks].map(Arc::as_ptr);
        (requested, self.priority, blocks, self.is_wide)
    }

    /// Whether the b-thread requests something.
    #[inline]
    pub(super) fn asks(&self) -> bool {
        !self.requests.is_empty()
    }

    /// Whether the b-thread goes on at an event.
    #[inline]
    pub(super) fn goes_on_at(&self, event: u32) -> bool {
        self.waits.contains(event) || self.requested.contains(event)
    }

    /// The memory of these sets, in bytes, about. Sync points may share them.
    pub(super) fn bytes(&self) -> usize {
        let sets = [&self.requested, &self.waits, &self.interrupts, &self.blocks];
        let sets = sets.iter().map(|set| set.bytes() / Arc::strong_count(set).max(1));
        size_of::<Self>() + size_of_val(&*self.requests) + sets.sum::<usize>()
    }

    /// All events at which the b-thread goes on or ends.
    pub(super) fn concerns(&self) -> impl Iterator<Item = u32> + '_ {
        let moves = self.requested.numbers().iter().chain(self.waits.numbers());
        moves.chain(self.interrupts.numbers()).copied()
    }
}

impl<E: Event> Alphabet<E> {
    pub(super) fn new(events: impl IntoIterator<Item = E>) -> Self {
        let mut alphabet = Self {
            events: Vec::new(),
            numbers: FxHashMap::default(),
            kinds: FxHashMap::default(),
            most_listed: MOST_LISTED,
        };
        for event in events {
            let next = u32::try_from(alphabet.events.len()).expect("events fit into memory");
            if let Entry::Vacant(entry) = alphabet.numbers.entry(event) {
                let event = entry.key();
                alphabet.kinds.entry(event.kind()).or_default().push(next);
                alphabet.events.push(event.clone());
                entry.insert(next);
            }
        }
        alphabet
    }

    /// As it is, with another maximum for the events that list a sync point.
    pub(super) fn listing(self, most_listed: u32) -> Self {
        Self { most_listed: most_listed as usize, ..self }
    }

    /// The memory of the list and of the indexes, in bytes, about.
    pub(super) fn bytes(&self) -> usize {
        let listed = self.events.capacity() * (size_of::<E>() + size_of::<u32>());
        listed + self.numbers.capacity() * size_of::<(E, u32)>()
    }

    pub(super) fn events(&self) -> &[E] {
        &self.events
    }

    #[inline]
    pub(super) fn event(&self, number: u32) -> &E {
        &self.events[number as usize]
    }

    pub(super) fn number(&self, event: &E) -> Option<u32> {
        self.numbers.get(event).copied()
    }

    /// The number of events.
    pub(super) fn width(&self) -> u32 {
        u32::try_from(self.events.len()).expect("events are numbered with 32 bits")
    }

    /// The number of an event that a b-thread requests.
    fn number_for(&self, thread: &Name, event: &E) -> Result<u32, OutsideAlphabet<E>> {
        self.number(event).ok_or_else(|| OutsideAlphabet {
            event: event.clone(),
            requested_by: Some(thread.clone()),
        })
    }

    /// Checks that all events that a b-thread requests are in the alphabet.
    pub(super) fn check(
        &self,
        thread: &Name,
        point: &SyncPoint<E>,
    ) -> Result<(), OutsideAlphabet<E>> {
        point.requests().iter().try_for_each(|event| self.number_for(thread, event).map(drop))
    }

    /// The numbers of the events that any of the sets contains, in any order. The cost depends on
    /// the sets, unless they are predicates or complements.
    pub(super) fn numbers(&self, sets: &[EventSet<E>]) -> Vec<u32> {
        let mut numbers = Vec::new();
        for set in sets {
            set.keys(&mut |key, precision| {
                let is_in = |number: &u32| {
                    precision == Precision::Exact || set.contains(self.event(*number))
                };
                match key {
                    IndexKey::Event(event) => numbers.extend(self.number(event)),
                    IndexKey::Kind(kind) => {
                        let events = self.kinds.get(kind).map_or(&[][..], Vec::as_slice);
                        numbers.extend(events.iter().copied().filter(is_in));
                    }
                    IndexKey::Any => numbers.extend((0..self.width()).filter(is_in)),
                }
            });
        }
        numbers
    }

    /// The sets of a sync point, as event numbers.
    pub(super) fn letters(
        &self,
        thread: &Name,
        point: &SyncPoint<E>,
        known: &mut KnownSets<E>,
    ) -> Result<Letters, OutsideAlphabet<E>> {
        let requests = point.requests().iter().map(|event| self.number_for(thread, event));
        let requests: Box<[u32]> = requests.collect::<Result<_, _>>()?;
        let requested = known.share(self, requests.to_vec());
        let waits = match point.restarts() {
            [] => known.union(self, point.waits()),
            restarts => known.union(self, &[point.waits(), restarts].concat()),
        };
        let [interrupts, blocks] =
            [point.interrupts(), point.blocks()].map(|sets| known.union(self, sets));
        let concerned = [&requested, &waits, &interrupts].map(|set| set.numbers().len());
        Ok(Letters {
            priority: point.priority(),
            is_ascending: requests.is_sorted(),
            requested,
            requests,
            blocks,
            is_wide: concerned.into_iter().sum::<usize>() > self.most_listed(),
            waits,
            interrupts,
        })
    }

    /// A set of more events is not listed under each of them.
    pub(super) fn most_listed(&self) -> usize {
        self.most_listed
    }
}

/// The usual maximum for the events that list a sync point. Lists are faster, but ten thousand
/// b-threads that wait for any of ten thousand events would need a hundred million entries.
const MOST_LISTED: usize = 512;
