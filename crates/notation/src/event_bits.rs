//! Sets of events as bits.

/// One bit for each event of the alphabet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EventBits(Box<[u64]>);

impl EventBits {
    pub(crate) fn empty(events: u32) -> Self {
        Self(vec![0; Self::words_of(events)].into())
    }

    pub(crate) fn full(events: u32) -> Self {
        let mut bits = Self::empty(events);
        bits.0.fill(u64::MAX);
        let rest = events % 64;
        if let Some(last) = bits.0.last_mut()
            && rest > 0
        {
            *last = u64::MAX >> (64 - rest);
        }
        bits
    }

    /// One event of the same alphabet.
    pub(crate) fn only(&self, event: u32) -> Self {
        let mut bits = Self(vec![0; self.0.len()].into());
        bits.insert(event);
        bits
    }

    /// The number of words of a set of events, for an alphabet with this number of events.
    pub(crate) fn words_of(events: u32) -> usize {
        (events as usize).div_ceil(64)
    }

    /// The memory of the set, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }

    pub(crate) fn insert(&mut self, event: u32) {
        self.0[event as usize / 64] |= 1 << (event % 64);
    }

    pub(crate) fn remove(&mut self, event: u32) {
        self.0[event as usize / 64] &= !(1 << (event % 64));
    }

    pub(crate) fn contains(&self, event: u32) -> bool {
        self.0.get(event as usize / 64).is_some_and(|word| word >> (event % 64) & 1 == 1)
    }

    pub(crate) fn extend(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    pub(crate) fn retain(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    pub(crate) fn remove_all(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(word, other)| word & other != 0)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.0).flat_map(|(word, bits)| {
            let mut left = *bits;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros();
                (left != 0).then(|| {
                    left &= left - 1;
                    word * 64 + bit
                })
            })
        })
    }
}
