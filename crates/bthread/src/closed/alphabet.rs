//! All the events that a closed program can have.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::builder::ALLOCATION;
use crate::error::OutsideAlphabet;
use crate::event::Event;
use crate::name::Name;
use crate::sync_point::SyncPoint;

/// A finite list of events, each with a number.
pub(super) struct Alphabet<E> {
    events: Vec<E>,
    numbers: FxHashMap<E, u32>,
}

/// The sets of a sync point, as event numbers.
pub(super) struct Letters {
    /// Whether it requests or blocks anything; most do neither.
    pub(super) is_active: bool,
    pub(super) priority: Option<i32>,
    pub(super) requests: Box<[u32]>,
    /// The events that are requested or waited for.
    pub(super) moves: Bits,
    pub(super) interrupts: Bits,
    pub(super) blocks: Bits,
}

impl Letters {
    /// The memory of these sets, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let sets = [&self.moves, &self.interrupts, &self.blocks];
        let words = sets.map(|set| size_of_val(set.words()) + ALLOCATION / 2);
        size_of::<Self>() + size_of_val(&*self.requests) + words.iter().sum::<usize>()
    }
}

impl<E: Event> Alphabet<E> {
    pub(super) fn new(events: impl IntoIterator<Item = E>) -> Self {
        let mut alphabet = Self { events: Vec::new(), numbers: FxHashMap::default() };
        for event in events {
            let next = u32::try_from(alphabet.events.len()).expect("events fit into memory");
            if let Entry::Vacant(entry) = alphabet.numbers.entry(event) {
                alphabet.events.push(entry.key().clone());
                entry.insert(next);
            }
        }
        alphabet
    }

    /// The memory of the list and of the index, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.events.capacity() * size_of::<E>() + self.numbers.capacity() * size_of::<(E, u32)>()
    }

    pub(super) fn events(&self) -> &[E] {
        &self.events
    }

    pub(super) fn event(&self, number: u32) -> &E {
        &self.events[number as usize]
    }

    pub(super) fn number(&self, event: &E) -> Option<u32> {
        self.numbers.get(event).copied()
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

    /// The sets of a sync point, as event numbers.
    pub(super) fn letters(
        &self,
        thread: &Name,
        point: &SyncPoint<E>,
    ) -> Result<Letters, OutsideAlphabet<E>> {
        let requests = point.requests().iter().map(|event| self.number_for(thread, event));
        let requests: Box<[u32]> = requests.collect::<Result<_, _>>()?;
        let mut moves = Bits::of(&self.events, point.waits());
        for number in &requests {
            moves.insert(*number);
        }
        let interrupts = Bits::of(&self.events, point.interrupts());
        let blocks = Bits::of(&self.events, point.blocks());
        let is_active = !requests.is_empty() || !point.blocks().is_empty();
        let priority = point.priority();
        Ok(Letters { is_active, priority, requests, moves, interrupts, blocks })
    }
}
