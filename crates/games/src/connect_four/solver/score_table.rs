//! The scores that a search has already found.

/// A table of a fixed size. A new score takes the place of an older one.
#[derive(Debug)]
pub(super) struct ScoreTable {
    /// The key of a position above a byte that says what is known; 0 if nothing is.
    entries: Vec<u64>,
    shift: u32,
}

/// What is known of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScoreBounds {
    pub(super) least: i32,
    pub(super) most: i32,
}

/// The highest score, and the lowest below zero.
const HIGHEST: i32 = 21;

/// A byte from here on says that a score is at least something.
const AT_LEAST: i32 = 64;

impl ScoreTable {
    /// A table of two to the power of `bits` scores.
    pub(super) fn new(bits: u32) -> Self {
        Self { entries: vec![0; 1 << bits], shift: u64::BITS - bits }
    }

    fn place(&self, key: u64) -> usize {
        // The multiplier of Fibonacci hashing, which spreads keys over the upper bits.
        let place = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift;
        usize::try_from(place).expect("the table fits into memory")
    }

    pub(super) fn get(&self, key: u64) -> Option<ScoreBounds> {
        let entry = self.entries[self.place(key)];
        if entry >> 8 != key || entry == 0 {
            return None;
        }
        let known = i32::from(entry.to_le_bytes()[0]);
        Some(if known >= AT_LEAST {
            ScoreBounds { least: known - AT_LEAST - HIGHEST, most: i32::MAX }
        } else {
            ScoreBounds { least: i32::MIN, most: known - 1 - HIGHEST }
        })
    }

    pub(super) fn put_least(&mut self, key: u64, score: i32) {
        self.put(key, AT_LEAST + HIGHEST + score);
    }

    pub(super) fn put_most(&mut self, key: u64, score: i32) {
        self.put(key, 1 + HIGHEST + score);
    }

    fn put(&mut self, key: u64, known: i32) {
        let place = self.place(key);
        let known = u8::try_from(known).expect("scores are small");
        self.entries[place] = key << 8 | u64::from(known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_found_and_nothing_else() {
        let mut table = ScoreTable::new(4);
        for score in -21..=21 {
            table.put_least(77, score);
            assert_eq!(table.get(77), Some(ScoreBounds { least: score, most: i32::MAX }));
            table.put_most(77, score);
            assert_eq!(table.get(77), Some(ScoreBounds { least: i32::MIN, most: score }));
        }
        assert!((0..77).all(|key| table.get(key).is_none()));
    }
}
