//! The scores that a search has already found.

/// A table of a bounded size, which grows with the search: a short search stays within the caches of
/// the processor, and a long one finds what it already knows.
///
/// Each place has room for two scores. The first is the one that took more work to find, the second
/// is the newest one.
#[derive(Debug)]
pub(super) struct ScoreTable {
    places: Vec<[PackedScore; 2]>,
    /// The bits of a hashed key that are not part of its place.
    shift: u32,
    least_shift: u32,
    /// The number of scores that were put since the table has grown.
    puts: usize,
}

/// The key of a position, the work that its score took, and what is known of it; 0 if nothing is.
type PackedScore = u64;

/// What is known of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScoreBounds {
    pub(super) least: i32,
    pub(super) most: i32,
}

/// The highest score, and the lowest below zero.
const HIGHEST: i32 = 21;

/// From here on a number says that a score is at least something, and below that it is at most.
const AT_LEAST: i32 = 64;

/// The bits of what is known, and those of the work.
const KNOWN_BITS: u32 = 7;
const WORK_BITS: u32 = 8;
const KEY_SHIFT: u32 = KNOWN_BITS + WORK_BITS;

/// The places of a new table: 128 KiB.
const FIRST_BITS: u32 = 13;

/// How much a full table grows: four times.
const GROWTH_BITS: u32 = 2;

impl ScoreTable {
    /// A table that grows to two to the power of `bits` places of 16 bytes.
    pub(super) fn new(bits: u32) -> Self {
        let first = FIRST_BITS.min(bits);
        Self {
            places: vec![[0; 2]; 1 << first],
            shift: u64::BITS - first,
            least_shift: u64::BITS - bits,
            puts: 0,
        }
    }

    fn place(&self, key: u64) -> usize {
        // The multiplier of Fibonacci hashing, which spreads keys over the upper bits.
        let place = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift;
        usize::try_from(place).expect("the table fits into memory")
    }

    pub(super) fn get(&self, key: u64) -> Option<ScoreBounds> {
        let place = &self.places[self.place(key)];
        let entry = place.iter().find(|entry| **entry >> KEY_SHIFT == key && **entry != 0)?;
        let known = i32::from(entry.to_le_bytes()[0] & ((1 << KNOWN_BITS) - 1));
        Some(if known >= AT_LEAST {
            ScoreBounds { least: known - AT_LEAST - HIGHEST, most: i32::MAX }
        } else {
            ScoreBounds { least: i32::MIN, most: known - 1 - HIGHEST }
        })
    }

    /// Notes that a score is at least this, which took this many steps to find.
    pub(super) fn put_least(&mut self, key: u64, score: i32, steps: u64) {
        self.put(key, AT_LEAST + HIGHEST + score, steps);
    }

    /// Notes that a score is at most this, which took this many steps to find.
    pub(super) fn put_most(&mut self, key: u64, score: i32, steps: u64) {
        self.put(key, 1 + HIGHEST + score, steps);
    }

    fn put(&mut self, key: u64, known: i32, steps: u64) {
        self.puts += 1;
        if self.puts >= 2 * self.places.len() && self.shift > self.least_shift {
            self.grow();
        }
        let known = u64::from(u8::try_from(known).expect("scores are small"));
        let work = u64::from(u64::BITS - steps.leading_zeros());
        let place = self.place(key);
        insert(&mut self.places[place], key << KEY_SHIFT | work << KNOWN_BITS | known);
    }

    #[cold]
    fn grow(&mut self) {
        let growth = GROWTH_BITS.min(self.shift - self.least_shift);
        self.shift -= growth;
        self.puts = 0;
        let larger = vec![[0; 2]; self.places.len() << growth];
        for old in std::mem::replace(&mut self.places, larger).into_iter().flatten() {
            if old != 0 {
                let place = self.place(old >> KEY_SHIFT);
                insert(&mut self.places[place], old);
            }
        }
    }
}

fn insert(place: &mut [PackedScore; 2], entry: PackedScore) {
    let work = |entry: PackedScore| entry >> KNOWN_BITS & ((1 << WORK_BITS) - 1);
    let [first, second] = place;
    if *first >> KEY_SHIFT == entry >> KEY_SHIFT {
        *first = entry;
    } else if work(*first) <= work(entry) {
        *second = *first;
        *first = entry;
    } else {
        *second = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_found_and_nothing_else() {
        let mut table = ScoreTable::new(4);
        for score in -21..=21 {
            table.put_least(77, score, 1);
            assert_eq!(table.get(77), Some(ScoreBounds { least: score, most: i32::MAX }));
            table.put_most(77, score, 1);
            assert_eq!(table.get(77), Some(ScoreBounds { least: i32::MIN, most: score }));
        }
        assert!((0..77).all(|key| table.get(key).is_none()));
    }

    #[test]
    fn what_took_most_work_stays_and_the_newest_beside_it() {
        let mut table = ScoreTable::new(0);
        table.shift = u64::BITS - 1;
        table.places = vec![[0; 2]; 2];
        let same_place: Vec<u64> = (1..).filter(|key| table.place(*key) == 0).take(4).collect();
        for (key, steps) in same_place.iter().zip([10, 1_000, 5, 7]) {
            table.put_most(*key, 3, steps);
        }
        let found: Vec<bool> = same_place.iter().map(|key| table.get(*key).is_some()).collect();
        assert_eq!(found, [false, true, false, true]);
    }

    #[test]
    fn a_table_that_grows_keeps_what_it_knows() {
        let mut table = ScoreTable::new(FIRST_BITS + 3);
        let before = table.places.len();
        // Keys of the same place are few: they are spread.
        for key in 1..200_000 {
            table.put_most(key, 0, 2);
        }
        assert_eq!(table.places.len(), before << 3);
        let kept = (1..200_000).filter(|key| table.get(*key).is_some()).count();
        assert!(kept > 100_000, "{kept}");
    }
}
