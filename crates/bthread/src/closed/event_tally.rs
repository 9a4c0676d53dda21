//! How many of the held sets contain each event.

use super::number_set::NumberSet;

/// For each event, the number of sets that contain it, in binary and 64 events at a time: the
/// lowest digits of 64 numbers are one word, the next digits another one. Adding or removing a set
/// costs a few instructions for every 64 events.
#[derive(Clone, Debug)]
pub(super) struct EventTally {
    /// For every 64 events, first those whose number is not zero, then the digits of their
    /// numbers. It is empty until the first set is added.
    words: Vec<u64>,
    /// The number of digits.
    digits: usize,
    /// The number of events.
    events: usize,
}

/// Few sets contain the same event at the same time. More digits are added when needed.
const FEW_DIGITS: usize = 2;

impl EventTally {
    pub(super) fn new(events: usize) -> Self {
        Self { words: Vec::new(), digits: FEW_DIGITS, events }
    }

    /// The events of a word of 64 that any set contains.
    #[inline]
    pub(super) fn word(&self, place: u32) -> u64 {
        self.words.get(place as usize * (self.digits + 1)).copied().unwrap_or(0)
    }

    #[inline]
    pub(super) fn contains(&self, number: u32) -> bool {
        self.word(number / u64::BITS) >> (number % u64::BITS) & 1 == 1
    }

    #[inline]
    pub(super) fn add(&mut self, set: &NumberSet) {
        if self.words.is_empty() {
            self.words = vec![0; self.events.div_ceil(64) * (self.digits + 1)];
        }
        for &(place, bits) in set.words() {
            let stride = self.digits + 1;
            let row = &mut self.words[place as usize * stride..][..stride];
            row[0] |= bits;
            let mut carry = bits;
            for digit in &mut row[1..] {
                let before = *digit;
                *digit = before ^ carry;
                carry &= before;
                if carry == 0 {
                    break;
                }
            }
            if carry != 0 {
                self.add_digit(place, carry);
            }
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, set: &NumberSet) {
        let stride = self.digits + 1;
        for &(place, bits) in set.words() {
            let row = &mut self.words[place as usize * stride..][..stride];
            let mut borrow = bits;
            let mut left = 0;
            for digit in &mut row[1..] {
                let before = *digit;
                *digit = before ^ borrow;
                borrow &= !before;
                left |= *digit;
            }
            row[0] = left;
        }
    }

    /// Adds a digit, which is one for these events only.
    #[cold]
    fn add_digit(&mut self, place: u32, carry: u64) {
        let stride = self.digits + 1;
        let rows = self.words.chunks_exact(stride).zip(0..);
        let longer = rows.flat_map(|(row, at)| {
            let last = if at == place { carry } else { 0 };
            row.iter().copied().chain([last])
        });
        self.words = longer.collect();
        self.digits += 1;
    }

    /// The size in bytes on the heap.
    pub(super) fn size(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::{EventTally, NumberSet};
    use crate::Generator;

    #[test]
    fn it_counts_as_a_list_of_numbers_does() {
        const EVENTS: usize = 150;
        let mut generator = Generator::seeded(3);
        let mut tally = EventTally::new(EVENTS);
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
        assert!(tally.digits > 4);
    }
}
