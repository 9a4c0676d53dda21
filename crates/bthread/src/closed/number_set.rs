//! Sets of events of an alphabet, as numbers.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::alphabet::Alphabet;
use crate::event::Event;
use crate::event_set::EventSet;
use crate::sorting::sort;

/// A set of event numbers.
#[derive(Debug)]
pub(super) struct NumberSet {
    /// The numbers, in order.
    numbers: Box<[u32]>,
    /// The words of 64 events that are not empty, with their places.
    words: Box<[(u32, u64)]>,
    /// All words, if the set is large enough to be worth them.
    dense: Option<Box<[u64]>>,
    /// Where the holders of the set are counted, if they are.
    holders: Option<u32>,
}

/// A set of more words is counted once, however many b-threads hold it.
const MOST_WORDS: usize = 8;

impl NumberSet {
    /// The set of these numbers, of an alphabet with this many events.
    pub(super) fn new(mut numbers: Vec<u32>, events: usize) -> Self {
        sort(&mut numbers);
        numbers.dedup();
        let mut words: Vec<(u32, u64)> = Vec::new();
        for number in &numbers {
            let (place, bit) = (number / u64::BITS, 1 << (number % u64::BITS));
            match words.last_mut() {
                Some((last, word)) if *last == place => *word |= bit,
                _ => words.push((place, bit)),
            }
        }
        let dense = (numbers.len() >= events / 32).then(|| {
            let mut dense = vec![0; events.div_ceil(64)];
            for (place, word) in &words {
                dense[*place as usize] = *word;
            }
            dense.into()
        });
        Self { numbers: numbers.into(), words: words.into(), dense, holders: None }
    }

    /// The memory of the set, in bytes, about.
    pub(super) fn bytes(&self) -> usize {
        let dense = self.dense.as_ref().map_or(0, |words| size_of_val(&**words));
        size_of::<Self>() + size_of_val(&*self.numbers) + size_of_val(&*self.words) + dense
    }

    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    pub(super) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// 64 events to a word; words without an event are left out.
    #[inline]
    pub(super) fn words(&self) -> &[(u32, u64)] {
        &self.words
    }

    /// The members among the first 64 events.
    #[inline]
    pub(super) fn first_word(&self) -> u64 {
        self.words.first().filter(|(place, _)| *place == 0).map_or(0, |(_, bits)| *bits)
    }

    #[inline]
    pub(super) fn holders(&self) -> Option<u32> {
        self.holders
    }

    #[inline]
    pub(super) fn contains(&self, number: u32) -> bool {
        match &self.dense {
            Some(words) => words[number as usize / 64] >> (number % 64) & 1 == 1,
            None => self.numbers.binary_search(&number).is_ok(),
        }
    }
}

/// Sets that were translated before, so that equal ones become one.
pub(super) struct KnownSets<E: Event> {
    sets: FxHashMap<Box<[u32]>, Arc<NumberSet>>,
    translated: FxHashMap<EventSet<E>, Arc<NumberSet>>,
    memory: SetMemory,
    /// The number of sets whose holders are counted.
    pub(super) counted: u32,
}

/// Whether sets are remembered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SetMemory {
    Kept,
    /// For sets that come and go.
    Forgotten,
}

impl<E: Event> KnownSets<E> {
    pub(super) fn new() -> Self {
        let (sets, translated) = (FxHashMap::default(), FxHashMap::default());
        Self { sets, translated, memory: SetMemory::Kept, counted: 0 }
    }

    /// Remembers nothing.
    pub(super) fn forgetting() -> Self {
        Self { memory: SetMemory::Forgotten, ..Self::new() }
    }

    /// The set of these numbers.
    pub(super) fn share(&mut self, alphabet: &Alphabet<E>, numbers: Vec<u32>) -> Arc<NumberSet> {
        let mut set = NumberSet::new(numbers, alphabet.events().len());
        if self.memory == SetMemory::Forgotten {
            return Arc::new(set);
        }
        if let Some(known) = self.sets.get(&set.numbers) {
            return Arc::clone(known);
        }
        if set.words.len() > MOST_WORDS {
            set.holders = Some(self.counted);
            self.counted += 1;
        }
        let set = Arc::new(set);
        self.sets.insert(set.numbers.clone(), Arc::clone(&set));
        set
    }

    /// The events of any of the sets. A single set is translated once, however many sync points
    /// have it.
    pub(super) fn union(&mut self, alphabet: &Alphabet<E>, sets: &[EventSet<E>]) -> Arc<NumberSet> {
        let single = match sets {
            // Predicates are compared by their names only.
            [set] if self.memory == SetMemory::Kept && !set.has_predicate() => Some(set),
            _ => None,
        };
        if let Some(known) = single.and_then(|set| self.translated.get(set)) {
            return Arc::clone(known);
        }
        let union = self.share(alphabet, alphabet.numbers(sets));
        if let Some(set) = single {
            self.translated.insert(set.clone(), Arc::clone(&union));
        }
        union
    }
}
