//! The moves of a seat that nobody blocks.

use std::borrow::Cow;

use bthread::Bits;

/// The moves of a seat that nobody blocks, in the order of their events.
pub(super) struct LegalMoves<'a, M> {
    unblocked: Cow<'a, Bits>,
    ours: &'a [u64],
    meanings: &'a [Option<M>],
    /// Which word is looked at, and what is left of it.
    word: usize,
    bits: u64,
    left: usize,
}

impl<'a, M> LegalMoves<'a, M> {
    pub(super) fn new(
        unblocked: Cow<'a, Bits>,
        ours: &'a [u64],
        meanings: &'a [Option<M>],
    ) -> Self {
        let words = unblocked.words().iter().zip(ours);
        let left = words.map(|(open, ours)| (open & ours).count_ones() as usize).sum();
        let mut moves = Self { unblocked, ours, meanings, word: 0, bits: 0, left };
        moves.bits = moves.at(0);
        moves
    }

    fn at(&self, word: usize) -> u64 {
        let open = self.unblocked.words().get(word);
        open.zip(self.ours.get(word)).map_or(0, |(open, ours)| open & ours)
    }
}

impl<M: Clone> Iterator for LegalMoves<'_, M> {
    type Item = M;

    fn next(&mut self) -> Option<M> {
        self.nth(0)
    }

    fn nth(&mut self, skipped: usize) -> Option<M> {
        if skipped >= self.left {
            self.left = 0;
            return None;
        }
        self.left -= skipped + 1;
        let mut skipped = u32::try_from(skipped).expect("there are fewer events than that");
        while skipped >= self.bits.count_ones() {
            skipped -= self.bits.count_ones();
            self.word += 1;
            self.bits = self.at(self.word);
        }
        for _ in 0..skipped {
            self.bits &= self.bits - 1;
        }
        let place = self.word * 64 + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        self.meanings[place].clone()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<M: Clone> ExactSizeIterator for LegalMoves<'_, M> {}
