//! The legal moves of a seat, as numbers of events.

use bthread::Generator;

use super::position::BPosition;
use super::rulebook::Rulebook;

/// The numbers of a seat's events that no b-thread blocks, in order.
pub(super) struct LegalEvents<'a, R: Rulebook> {
    position: &'a BPosition<R>,
    /// One bit for each event of the alphabet; those of the seat's moves are set.
    ours: &'a [u64],
    /// The current word of `ours`, and those of its legal events that are still to come.
    word: u32,
    bits: u64,
    left: usize,
}

impl<'a, R: Rulebook> LegalEvents<'a, R> {
    #[inline]
    pub(super) fn new(position: &'a BPosition<R>, ours: &'a [u64]) -> Self {
        let words = (0..).zip(ours).map(|(word, ours)| position.unblocked(word) & ours);
        let left = words.map(|word| word.count_ones() as usize).sum();
        let mut moves = Self { position, ours, word: 0, bits: 0, left };
        moves.bits = moves.at(0);
        moves
    }

    fn at(&self, word: u32) -> u64 {
        self.ours.get(word as usize).map_or(0, |ours| self.position.unblocked(word) & ours)
    }
}

/// The number of set bits.
///
/// This loops over the bits, because the processor predicts the number of legal moves well and can
/// use the prediction before the word is loaded; `count_ones` would wait for the word.
#[inline]
fn count(mut word: u64) -> usize {
    let mut count = 0;
    while word != 0 {
        word &= word - 1;
        count += 1;
    }
    count
}

/// The place of a random set bit, each equally likely; `None` if no bit is set.
#[inline]
pub(super) fn any_bit(mut bits: u64, generator: &mut Generator) -> Option<u32> {
    for _ in 0..generator.below(count(bits) as u64) {
        bits &= bits - 1;
    }
    (bits != 0).then(|| bits.trailing_zeros())
}

impl<R: Rulebook> Iterator for LegalEvents<'_, R> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.nth(0)
    }

    #[inline]
    fn nth(&mut self, skipped: usize) -> Option<u32> {
        if skipped >= self.left {
            self.left = 0;
            return None;
        }
        self.left -= skipped + 1;
        let mut skipped = skipped;
        loop {
            let here = self.bits.count_ones() as usize;
            if skipped < here {
                break;
            }
            skipped -= here;
            self.word += 1;
            self.bits = self.at(self.word);
        }
        for _ in 0..skipped {
            self.bits &= self.bits - 1;
        }
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(self.word * u64::BITS + bit)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<R: Rulebook> ExactSizeIterator for LegalEvents<'_, R> {}
