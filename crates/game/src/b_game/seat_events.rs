//! Sets of events as bits, and random ones among them.

use bthread::{Generator, UnblockedWords};

/// Numbers of events, 64 to a word. Words before the first and after the last one are left out.
pub(super) struct SeatEvents {
    /// The number of the first word.
    first: u32,
    words: Vec<u64>,
    /// The first word, if all events are in it.
    only: Option<u64>,
    /// The events as bits, if all are near each other: among the 64 from this number on.
    near: Option<u64>,
    base: u32,
    /// The lowest event, if all are among the few from there on.
    few: Option<u32>,
}

/// The most events that are looked up in a table of all their subsets.
const FEW: u32 = 9;

impl FromIterator<u32> for SeatEvents {
    fn from_iter<T: IntoIterator<Item = u32>>(numbers: T) -> Self {
        let numbers: Vec<u32> = numbers.into_iter().collect();
        let words = || numbers.iter().map(|number| number / u64::BITS);
        let (first, last) = (words().min().unwrap_or(0), words().max().unwrap_or(0));
        let mut words = vec![0; (last - first) as usize + 1];
        for number in &numbers {
            words[(number / u64::BITS - first) as usize] |= 1 << (number % u64::BITS);
        }
        let only = words.first().copied().filter(|_| last == 0);
        let lowest = numbers.iter().copied().min().unwrap_or(0);
        let base = if only.is_some() { 0 } else { lowest };
        let is_near = numbers.iter().all(|number| number - base < u64::BITS);
        let near = is_near.then(|| numbers.iter().fold(0, |bits, each| bits | 1 << (each - base)));
        let few = only.filter(|only| *only != 0).map(u64::trailing_zeros);
        let few = few.filter(|lowest| numbers.iter().all(|number| number - lowest < FEW));
        Self { first, words, only, near, base, few }
    }
}

impl SeatEvents {
    /// The first word, if all events are in it.
    #[inline]
    pub(super) fn only_word(&self) -> Option<u64> {
        self.only
    }

    /// The events that no b-thread blocks as bits, if all events of the set are near each other. Those
    /// in an [only word](SeatEvents::only_word) are, and are the same bits.
    #[inline]
    pub(super) fn near_bits(&self, unblocked: UnblockedWords<'_>) -> Option<u64> {
        let near = self.near?;
        let (word, shift) = (self.base / u64::BITS, self.base % u64::BITS);
        let above = unblocked.word(word + 1).unbounded_shl(u64::BITS - shift);
        Some((unblocked.word(word) >> shift | above) & near)
    }

    /// Whether some of the events are not blocked.
    #[inline(never)]
    pub(super) fn has_any(&self, unblocked: UnblockedWords<'_>) -> bool {
        match self.near_bits(unblocked) {
            Some(bits) => bits != 0,
            None => self.words().any(|(word, ours)| unblocked.word(word) & ours != 0),
        }
    }

    /// The number of a random event of the set, each equally likely; `None` if none is unblocked.
    /// All events of the set are near each other, and these are their [bits](SeatEvents::near_bits).
    #[inline]
    pub(super) fn any_of(&self, bits: u64, generator: &mut Generator) -> Option<u32> {
        let Some(lowest) = self.few else {
            return any_bit(bits, generator).map(|place| place + self.base);
        };
        let subset = few_of(bits, lowest);
        let rank = generator.below(subset.count.into());
        (subset.count != 0).then(|| subset.place(rank) + lowest)
    }

    /// The number of the event with this many of `bits` below it. There must be one.
    #[inline]
    pub(super) fn nth_of(&self, bits: u64, rank: u64) -> u32 {
        match self.few {
            Some(lowest) => few_of(bits, lowest).place(rank) + lowest,
            None => place_of(bits, rank) + self.base,
        }
    }

    /// The number of these events.
    #[inline]
    pub(super) fn count_of(&self, bits: u64) -> usize {
        match self.few {
            Some(lowest) => few_of(bits, lowest).count.into(),
            None => bits.count_ones() as usize,
        }
    }

    /// Each word with its number.
    #[inline]
    pub(super) fn words(&self) -> impl Iterator<Item = (u32, u64)> {
        (self.first..).zip(self.words.iter().copied())
    }

    /// The word with this number.
    #[inline]
    pub(super) fn word(&self, number: u32) -> u64 {
        let place = number.checked_sub(self.first);
        place.and_then(|place| self.words.get(place as usize)).copied().unwrap_or(0)
    }

    /// Whether the event of this number is in the set.
    pub(super) fn has(&self, number: u32) -> bool {
        self.word(number / u64::BITS) >> (number % u64::BITS) & 1 == 1
    }
}

/// A set of few events: a look-up takes half as long as the arithmetic for 64 of them.
#[derive(Clone, Copy)]
struct FewEvents {
    /// The places of its members, in order.
    places: [u8; FEW as usize],
    count: u8,
}

impl FewEvents {
    #[inline]
    fn place(self, rank: u64) -> u32 {
        let place = usize::try_from(rank).ok().and_then(|rank| self.places.get(rank));
        u32::from(*place.expect("the rank is below the number of members"))
    }
}

/// Every set of few events, by its bits.
static FEW_EVENTS: [FewEvents; 1 << FEW] = {
    let mut sets = [FewEvents { places: [0; FEW as usize], count: 0 }; 1 << FEW];
    let mut bits = 0;
    while bits < sets.len() {
        let (mut bit, mut place) = (0, 0);
        while bit < FEW {
            if bits >> bit & 1 == 1 {
                let set = &mut sets[bits];
                set.places[set.count as usize] = place;
                set.count += 1;
            }
            (bit, place) = (bit + 1, place + 1);
        }
        bits += 1;
    }
    sets
};

/// These events from the lowest on.
#[inline]
fn few_of(bits: u64, lowest: u32) -> &'static FewEvents {
    let set = usize::try_from(bits >> lowest & ((1 << FEW) - 1));
    &FEW_EVENTS[set.expect("it is below 512")]
}

/// The number of a random event of a set that no b-thread blocks, each equally likely; `None` if
/// there is none.
#[inline]
pub(super) fn any_event(
    unblocked: UnblockedWords<'_>,
    ours: &SeatEvents,
    generator: &mut Generator,
) -> Option<u32> {
    if let Some(bits) = ours.near_bits(unblocked) {
        return ours.any_of(bits, generator);
    }
    let legal = || ours.words().map(|(word, ours)| (word, unblocked.word(word) & ours));
    let count: u32 = legal().map(|(_, bits)| bits.count_ones()).sum();
    let mut rank = generator.below(count.into());
    for (word, bits) in legal() {
        let here = u64::from(bits.count_ones());
        if rank < here {
            return Some(word * u64::BITS + place_of(bits, rank));
        }
        rank -= here;
    }
    None
}

/// The place of a random set bit, each equally likely; `None` if no bit is set.
#[inline]
pub(super) fn any_bit(bits: u64, generator: &mut Generator) -> Option<u32> {
    let sums = byte_sums(bits);
    let rank = generator.below(sums >> 56);
    (bits != 0).then(|| place_in(bits, sums, rank))
}

/// The place of the set bit that has this many set bits below it. There must be one.
#[inline]
pub(super) fn place_of(bits: u64, rank: u64) -> u32 {
    place_in(bits, byte_sums(bits), rank)
}

const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// For each byte the number of set bits up to its end, all at once; the uppermost is that of all.
#[inline]
fn byte_sums(bits: u64) -> u64 {
    let pairs = bits - (bits >> 1 & (0x55 * EACH_BYTE));
    let fours = (pairs & (0x33 * EACH_BYTE)) + (pairs >> 2 & (0x33 * EACH_BYTE));
    ((fours + (fours >> 4)) & (0x0f * EACH_BYTE)).wrapping_mul(EACH_BYTE)
}

/// As [`place_of`], with the sums of the bits.
///
/// It has no branch, because no processor predicts a random rank (S. Vigna, "Broadword
/// implementation of rank/select queries", 2008).
#[inline]
fn place_in(bits: u64, sums: u64, rank: u64) -> u32 {
    const TOPS: u64 = 0x80 * EACH_BYTE;
    // The bytes that end at or below the rank.
    let below = (((rank * EACH_BYTE) | TOPS) - sums) & TOPS;
    let shift = (below >> 7).wrapping_mul(EACH_BYTE) >> 56 << 3;
    let left = rank - (sums << 8 >> shift & 0xff);
    let byte = bits >> shift & 0xff;
    let place = PLACES[usize::try_from((left & 7) << 8 | byte).expect("it is below 2,048")];
    u32::try_from(shift).expect("it is below 64") + u32::from(place)
}

/// The place of the set bit of a byte that has this many set bits below it, by that number and byte.
static PLACES: [u8; 2_048] = places();

const fn places() -> [u8; 2_048] {
    let mut places = [0; 2_048];
    let mut byte = 0;
    while byte < 256 {
        let (mut rank, mut bit) = (0, 0_u8);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                places[rank << 8 | byte] = bit;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{SeatEvents, any_bit, place_of};
    use crate::Generator;

    #[test]
    fn the_place_of_a_bit_is_found_by_its_rank() {
        let mut generator = Generator::seeded(5);
        for round in 0..10_000 {
            let bits = match round % 3 {
                0 => generator.next_bits(),
                1 => generator.next_bits() & generator.next_bits() & generator.next_bits(),
                _ => generator.next_bits() | generator.next_bits() | generator.next_bits(),
            };
            let places = (0..u64::BITS).filter(|place| bits >> place & 1 == 1);
            for (rank, place) in (0..).zip(places) {
                assert_eq!(place_of(bits, rank), place, "{bits:b} {rank}");
            }
        }
        assert_eq!(place_of(u64::MAX, 63), 63);
        assert_eq!(place_of(1 << 63, 0), 63);
    }

    #[test]
    fn every_set_bit_is_found_about_equally_often() {
        let mut generator = Generator::seeded(7);
        let mut counts = [0_u32; 64];
        for _ in 0..40_000 {
            counts[any_bit(0b1001_0011, &mut generator).unwrap() as usize] += 1;
        }
        let found = [0, 1, 4, 7].map(|place| counts[place]);
        assert!(found.iter().all(|count| (9_600..10_400).contains(count)), "{found:?}");
        assert_eq!(found.iter().sum::<u32>(), 40_000);
        assert_eq!(any_bit(0, &mut generator), None);
    }

    #[test]
    fn few_events_are_found_as_many_are() {
        let events: SeatEvents = (7..16).collect();
        assert_eq!(events.few, Some(7));
        for set in 0..512_u64 {
            let bits = set << 7;
            assert_eq!(events.count_of(bits), bits.count_ones() as usize);
            for rank in 0..bits.count_ones().into() {
                assert_eq!(events.nth_of(bits, rank), place_of(bits, rank));
            }
            let (mut few, mut many) = (Generator::seeded(set), Generator::seeded(set));
            assert_eq!(events.any_of(bits, &mut few), any_bit(bits, &mut many));
            assert_eq!(few, many, "both draw the same numbers");
        }
        assert_eq!((7..17).collect::<SeatEvents>().few, None, "ten are too many");
    }

    #[test]
    fn bits_keep_the_words_between_the_first_and_the_last() {
        let numbers = [70, 129, 200];
        let bits: SeatEvents = numbers.into_iter().collect();
        assert!((0..300).all(|number| bits.has(number) == numbers.contains(&number)));
        let words: Vec<_> =
            bits.words().map(|(number, word)| (number, word.count_ones())).collect();
        assert_eq!(words, [(1, 1), (2, 1), (3, 1)]);
        assert_eq!(bits.only_word(), None);
        assert_eq!([3, 5].into_iter().collect::<SeatEvents>().only_word(), Some(0b10_1000));
    }

    #[test]
    fn near_events_are_found_across_two_words() {
        let near: SeatEvents = (42..84).collect();
        assert_eq!((near.only_word(), near.near, near.base), (None, Some((1 << 42) - 1), 42));
        for (rank, number) in [(0, 43), (1, 63), (2, 64), (3, 83)] {
            let bits = [43, 63, 64, 83].map(|event| 1 << (event - 42)).into_iter().sum();
            assert_eq!(near.nth_of(bits, rank), number);
            let found = near.any_of(1 << (number - 42), &mut Generator::seeded(rank));
            assert_eq!(found, Some(number));
        }
        let far: SeatEvents = [42, 106].into_iter().collect();
        assert_eq!(far.near, None, "they are 65 in a row");
        assert!((42..106).collect::<SeatEvents>().near.is_some(), "they are 64 in a row");
    }
}
