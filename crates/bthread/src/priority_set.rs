//! A set of b-threads, ordered by priority.

/// A set of small numbers as a tree of bits, 64 to a word. Every operation
/// touches one word per level, and a million numbers need four levels.
#[derive(Debug)]
pub(crate) struct PrioritySet {
    /// The levels one after the other. A bit is set if the word below it is not empty.
    words: Vec<u64>,
    /// Where each level starts, from the members to the root.
    starts: [u32; LEVELS],
    depth: usize,
}

/// 64 to the sixth power is more than 2^32.
const LEVELS: usize = 6;

impl Clone for PrioritySet {
    fn clone(&self) -> Self {
        Self { words: self.words.clone(), starts: self.starts, depth: self.depth }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { words, starts, depth } = source;
        self.words.clone_from(words);
        (self.starts, self.depth) = (*starts, *depth);
    }
}

impl PrioritySet {
    /// An empty set with room for the numbers below the capacity.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        let mut starts = [0; LEVELS];
        let mut total = 0;
        let mut words = capacity.div_ceil(64).max(1);
        let mut depth = 0;
        loop {
            starts[depth] = u32::try_from(total).expect("b-threads are numbered with 32 bits");
            total += words;
            depth += 1;
            if words == 1 {
                break;
            }
            words = words.div_ceil(64);
        }
        Self { words: vec![0; total], starts, depth }
    }

    /// An empty set that takes no memory until [`PrioritySet::insert_growing`] is called.
    pub(crate) fn empty() -> Self {
        Self { words: Vec::new(), starts: [0; LEVELS], depth: 0 }
    }

    fn capacity(&self) -> usize {
        let leaves = if self.depth > 1 { self.starts[1] as usize } else { self.words.len() };
        leaves * 64
    }

    /// Makes room for the numbers below the capacity.
    pub(crate) fn reserve(&mut self, capacity: usize) {
        if capacity > self.capacity() {
            let mut larger = Self::with_capacity(capacity.max(self.capacity() * 2));
            self.iter().for_each(|number| larger.insert(number));
            *self = larger;
        }
    }

    /// Inserts a number, and makes room for it first.
    pub(crate) fn insert_growing(&mut self, number: u32) {
        self.reserve(number as usize + 1);
        self.insert(number);
    }

    #[inline]
    pub(crate) fn insert(&mut self, number: u32) {
        let mut at = number as usize;
        for level in 0..self.depth {
            let word = &mut self.words[self.starts[level] as usize + at / 64];
            let was_empty = *word == 0;
            *word |= 1 << (at % 64);
            if !was_empty {
                return;
            }
            at /= 64;
        }
    }

    #[inline]
    pub(crate) fn remove(&mut self, number: u32) {
        let mut at = number as usize;
        if at >= self.capacity() {
            return;
        }
        for level in 0..self.depth {
            let word = &mut self.words[self.starts[level] as usize + at / 64];
            *word &= !(1 << (at % 64));
            if *word != 0 {
                return;
            }
            at /= 64;
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.words.last().is_none_or(|root| *root == 0)
    }

    #[inline]
    pub(crate) fn contains(&self, number: u32) -> bool {
        let at = number as usize;
        at < self.capacity() && self.words[at / 64] >> (at % 64) & 1 == 1
    }

    /// The smallest member.
    #[inline]
    pub(crate) fn first(&self) -> Option<u32> {
        let root = *self.words.last()?;
        (root != 0).then(|| self.descend(self.depth - 1, root.trailing_zeros() as usize))
    }

    /// The members, in ascending order.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        // The members left of a word of 64, and the place of that word.
        let (mut left, mut place) = (self.words.first().copied().unwrap_or(0), 0_u32);
        std::iter::from_fn(move || {
            if left == 0 {
                place = self.at_or_after((place + 1).checked_mul(64)?)? / 64;
                left = self.words[place as usize];
            }
            let member = place * 64 + left.trailing_zeros();
            left &= left - 1;
            Some(member)
        })
    }

    /// The smallest member that is at least the number.
    pub(crate) fn at_or_after(&self, number: u32) -> Option<u32> {
        let mut at = number as usize;
        for level in 0..self.depth {
            let level_end = self.starts.get(level + 1).copied().filter(|_| level + 1 < self.depth);
            let words = &self.words[self.starts[level] as usize..];
            let words = &words[..level_end.map_or(1, |end| (end - self.starts[level]) as usize)];
            let left = words.get(at / 64).map_or(0, |word| word & (!0 << (at % 64)));
            if left != 0 {
                return Some(self.descend(level, at / 64 * 64 + left.trailing_zeros() as usize));
            }
            at = at / 64 + 1;
        }
        None
    }

    /// The smallest member under a bit of a level.
    #[inline]
    fn descend(&self, level: usize, mut at: usize) -> u32 {
        for below in (0..level).rev() {
            let word = self.words[self.starts[below] as usize + at];
            at = at * 64 + word.trailing_zeros() as usize;
        }
        u32::try_from(at).expect("members are numbered with 32 bits")
    }

    /// The size in bytes.
    pub(crate) fn size(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::PrioritySet;
    use crate::Generator;

    #[test]
    fn it_agrees_with_an_ordered_set_at_every_size() {
        for capacity in [1_u32, 63, 64, 65, 4_096, 4_097, 300_000] {
            let mut generator = Generator::seeded(u64::from(capacity));
            let mut set = PrioritySet::with_capacity(capacity as usize);
            let mut model = BTreeSet::new();
            for _ in 0..500 {
                let number = u32::try_from(generator.below(u64::from(capacity))).unwrap();
                if generator.below(3) == 0 {
                    set.remove(number);
                    model.remove(&number);
                } else {
                    set.insert(number);
                    model.insert(number);
                }
                assert_eq!(set.first(), model.first().copied());
            }
            assert!(set.iter().eq(model.iter().copied()));
            set.reserve(capacity as usize * 70);
            assert!(
                set.iter().eq(model.iter().copied()),
                "members are lost when the capacity grows"
            );
        }
    }
}
