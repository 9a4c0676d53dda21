//! Sets of events of an alphabet, as numbers.

use std::sync::Arc;

use rustc_hash::FxHashMap;

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
        numbers.sort_unstable();
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
            words.iter().for_each(|(place, word)| dense[*place as usize] = *word);
            dense.into()
        });
        Self { numbers: numbers.into(), words: words.into(), dense, holders: None }
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

/// Equal sets become one.
#[derive(Default)]
pub(super) struct KnownSets {
    sets: FxHashMap<Box<[u32]>, Arc<NumberSet>>,
    /// The number of sets whose holders are counted.
    pub(super) counted: u32,
}

impl KnownSets {
    pub(super) fn share(&mut self, numbers: Vec<u32>, events: usize) -> Arc<NumberSet> {
        let mut set = NumberSet::new(numbers, events);
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
}
