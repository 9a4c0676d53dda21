//! The moves of a seat that nobody blocks.

use super::position::BPosition;
use super::rulebook::Rulebook;

/// The moves of a seat that nobody blocks, in the order of their events.
pub(super) struct LegalMoves<'a, R: Rulebook> {
    position: &'a BPosition<R>,
    /// The events of the seat, and which word of them is looked at.
    ours: &'a [u64],
    word: u32,
    bits: u64,
    left: usize,
    meanings: &'a [Option<R::Move>],
}

impl<'a, R: Rulebook> LegalMoves<'a, R> {
    #[inline]
    pub(super) fn new(
        position: &'a BPosition<R>,
        ours: &'a [u64],
        meanings: &'a [Option<R::Move>],
    ) -> Self {
        let words = (0..).zip(ours).map(|(word, ours)| position.unblocked(word) & ours);
        let left = words.map(count).sum();
        let mut moves = Self { position, ours, word: 0, bits: 0, left, meanings };
        moves.bits = moves.at(0);
        moves
    }

    fn at(&self, word: u32) -> u64 {
        self.ours.get(word as usize).map_or(0, |ours| self.position.unblocked(word) & ours)
    }

    /// The place of the next bit; there must be one.
    #[inline]
    fn next_bit(&mut self) -> u32 {
        while self.bits == 0 {
            self.word += 1;
            self.bits = self.at(self.word);
        }
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        self.word * u64::BITS + bit
    }
}

/// How many bits are set.
///
/// How many moves there are is easy to foretell, so this goes from bit to bit: the processor goes
/// on with the number before it has seen the word.
#[inline]
fn count(mut word: u64) -> usize {
    let mut count = 0;
    while word != 0 {
        word &= word - 1;
        count += 1;
    }
    count
}

impl<R: Rulebook> Iterator for LegalMoves<'_, R> {
    type Item = R::Move;

    #[inline]
    fn next(&mut self) -> Option<R::Move> {
        self.nth(0)
    }

    #[inline]
    fn nth(&mut self, skipped: usize) -> Option<R::Move> {
        if skipped >= self.left {
            self.left = 0;
            return None;
        }
        self.left -= skipped + 1;
        for _ in 0..skipped {
            self.next_bit();
        }
        let place = self.next_bit();
        self.meanings[place as usize].clone()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<R: Rulebook> ExactSizeIterator for LegalMoves<'_, R> {}
