//! How many of the held sets contain each event.

use super::block_changes::ChangedWord;
use super::number_set::NumberSet;

/// For each event, the number of sets that contain it, in binary and 64 events at a time: the
/// lowest digits of 64 numbers are one word, the next digits another one. Adding or removing a set
/// costs a few instructions for every 64 events.
#[derive(Debug)]
pub(super) struct EventTally {
    /// One for every 64 events. The list is empty until the first set is added.
    rows: Vec<TallyRow>,
    /// The digits above the second, the lower ones first, with a word for every 64 events. Few sets
    /// contain the same event at the same time, so there are usually none.
    higher: Vec<Vec<u64>>,
    /// The number of events.
    events: u32,
}

/// The numbers of 64 events.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TallyRow {
    /// The events whose number is not zero.
    any: u64,
    ones: u64,
    twos: u64,
}

impl TallyRow {
    /// The events that any set contains.
    #[inline]
    pub(super) fn any(self) -> u64 {
        self.any
    }
}

impl Clone for EventTally {
    fn clone(&self) -> Self {
        Self { rows: self.rows.clone(), higher: self.higher.clone(), events: self.events }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { rows, higher, events } = source;
        self.rows.clone_from(rows);
        self.higher.clone_from(higher);
        self.events = *events;
    }
}

impl EventTally {
    pub(super) fn new(events: u32) -> Self {
        Self { rows: Vec::new(), higher: Vec::new(), events }
    }

    /// All rows, or none if no set was added.
    #[inline]
    pub(super) fn rows(&self) -> &[TallyRow] {
        &self.rows
    }

    /// The events of a word of 64 that any set contains.
    #[inline]
    pub(super) fn word(&self, place: u32) -> u64 {
        self.rows.get(place as usize).map_or(0, |row| row.any)
    }

    #[inline]
    pub(super) fn contains(&self, number: u32) -> bool {
        self.word(number / u64::BITS) >> (number % u64::BITS) & 1 == 1
    }

    #[cold]
    fn make_rows(&mut self) {
        self.rows = vec![TallyRow::default(); self.events.div_ceil(u64::BITS) as usize];
    }

    #[inline]
    pub(super) fn add(&mut self, set: &NumberSet) {
        if self.rows.is_empty() {
            self.make_rows();
        }
        for &(place, bits) in set.words() {
            let row = &mut self.rows[place as usize];
            let to_twos = row.ones & bits;
            let to_fours = row.twos & to_twos;
            row.any |= bits;
            row.ones ^= bits;
            row.twos ^= to_twos;
            if to_fours != 0 {
                self.carry(place, to_fours);
            }
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, set: &NumberSet) {
        for &(place, bits) in set.words() {
            let row = &mut self.rows[place as usize];
            let from_twos = bits & !row.ones;
            let from_fours = from_twos & !row.twos;
            row.ones ^= bits;
            row.twos ^= from_twos;
            row.any = row.ones | row.twos;
            if !self.higher.is_empty() {
                self.borrow(place, from_fours);
            }
        }
    }

    /// Adds events of a word to a set and removes others.
    #[inline]
    pub(super) fn change(&mut self, ChangedWord { place, added, removed }: ChangedWord) {
        if self.rows.is_empty() {
            self.make_rows();
        }
        let row = &mut self.rows[place as usize];
        let to_twos = row.ones & added;
        let to_fours = row.twos & to_twos;
        let (ones, twos) = (row.ones ^ added, row.twos ^ to_twos);
        let from_twos = removed & !ones;
        let from_fours = from_twos & !twos;
        (row.ones, row.twos) = (ones ^ removed, twos ^ from_twos);
        row.any = row.ones | row.twos;
        if to_fours != 0 {
            self.carry(place, to_fours);
        }
        if !self.higher.is_empty() {
            self.borrow(place, from_fours);
        }
    }

    /// Adds to the higher digits.
    #[cold]
    fn carry(&mut self, place: u32, mut carry: u64) {
        for digit in &mut self.higher {
            let word = &mut digit[place as usize];
            (*word, carry) = (*word ^ carry, *word & carry);
        }
        if carry != 0 {
            let mut digit = vec![0; self.rows.len()];
            digit[place as usize] = carry;
            self.higher.push(digit);
        }
    }

    /// Takes from the higher digits.
    #[cold]
    fn borrow(&mut self, place: u32, mut borrow: u64) {
        let row = &mut self.rows[place as usize];
        for digit in &mut self.higher {
            let word = &mut digit[place as usize];
            (*word, borrow) = (*word ^ borrow, borrow & !*word);
            row.any |= *word;
        }
    }

    /// The size in bytes on the heap.
    pub(super) fn size(&self) -> usize {
        let higher = self.higher.capacity() * size_of::<Vec<u64>>();
        let digits = self.higher.iter().map(|digit| digit.capacity() * size_of::<u64>());
        self.rows.capacity() * size_of::<TallyRow>() + higher + digits.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::{ChangedWord, EventTally, NumberSet};
    use crate::Generator;

    #[test]
    fn it_counts_as_a_list_of_numbers_does() {
        const EVENTS: usize = 150;
        let mut generator = Generator::seeded(3);
        let mut tally = EventTally::new(150);
        let mut counts = [0_u32; EVENTS];
        let mut held: Vec<Vec<u32>> = Vec::new();
        for _ in 0..3_000 {
            // Sets come and go in long waves, so that counts need many digits.
            let grows = generator.below(100) < if held.len() < 40 { 60 } else { 45 };
            if grows || held.is_empty() {
                let numbers: Vec<u32> = (0..150).filter(|_| generator.below(3) > 0).collect();
                for number in &numbers {
                    counts[*number as usize] += 1;
                }
                tally.add(&NumberSet::new(numbers.clone(), EVENTS));
                held.push(numbers);
            } else {
                let place = usize::try_from(generator.below(held.len() as u64)).unwrap();
                let numbers = held.swap_remove(place);
                for number in &numbers {
                    counts[*number as usize] -= 1;
                }
                tally.remove(&NumberSet::new(numbers, EVENTS));
            }
            for (number, count) in (0..).zip(counts) {
                assert_eq!(tally.contains(number), count > 0);
            }
        }
        assert!(tally.higher.len() > 2);
    }

    /// The events whose counts pass a test.
    fn events(counts: &[u32; 64], test: impl Fn(u32) -> bool) -> u64 {
        let passing = (0..).zip(counts).filter(|(_, count)| test(**count));
        passing.map(|(bit, _): (u32, _)| 1 << bit).sum()
    }

    #[test]
    fn a_change_of_a_word_adds_and_removes_as_sets_do() {
        let mut generator = Generator::seeded(4);
        let (mut changed, mut expected) = (EventTally::new(64), EventTally::new(64));
        let numbers = |bits: u64| (0..64).filter(|bit| bits >> bit & 1 == 1).collect::<Vec<u32>>();
        let set = |bits: u64| NumberSet::new(numbers(bits), 64);
        // How many sets hold each event is at most twelve, and never less than none.
        let mut counts = [0_u32; 64];
        for _ in 0..2_000 {
            let (one, other) = (generator.next_bits(), generator.next_bits());
            let added = one & events(&counts, |count| count < 12);
            let removed = other & !one & events(&counts, |count| count > 0);
            changed.change(ChangedWord { place: 0, added, removed });
            expected.add(&set(added));
            expected.remove(&set(removed));
            for bit in numbers(added) {
                counts[bit as usize] += 1;
            }
            for bit in numbers(removed) {
                counts[bit as usize] -= 1;
            }
            assert_eq!(changed.word(0), expected.word(0));
            assert_eq!(changed.word(0), events(&counts, |count| count > 0));
        }
        assert!(changed.higher.len() > 1, "some events were held by eight sets");
    }
}
