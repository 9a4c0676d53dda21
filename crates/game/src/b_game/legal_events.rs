//! The legal moves of a seat, as numbers of events.

use bthread::UnblockedWords;

use super::position::BPosition;
use super::rulebook::Rulebook;
use super::seat_events::{SeatEvents, place_of};

/// The numbers of a seat's events that no b-thread blocks, in order.
pub(super) struct LegalEvents<'a> {
    unblocked: UnblockedWords<'a>,
    /// The events of the seat; `None` if it has no turn.
    ours: Option<&'a SeatEvents>,
    /// The number of a word of 64 events, and those of its legal events that are still to come.
    word: u32,
    bits: u64,
    left: usize,
}

impl<'a> LegalEvents<'a> {
    #[inline]
    pub(super) fn new<R: Rulebook>(
        position: &'a BPosition<R>,
        ours: Option<&'a SeatEvents>,
    ) -> Self {
        let unblocked = position.threads.unblocked_words();
        let words = ours.into_iter().flat_map(SeatEvents::words);
        let legal = words.map(|(word, ours)| (unblocked.word(word) & ours).count_ones() as usize);
        let mut moves = Self { left: legal.sum(), unblocked, ours, word: 0, bits: 0 };
        moves.bits = moves.at(0);
        moves
    }

    fn at(&self, word: u32) -> u64 {
        self.ours.map_or(0, |ours| self.unblocked.word(word) & ours.word(word))
    }
}

impl Iterator for LegalEvents<'_> {
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
        let bit = place_of(self.bits, skipped as u64);
        self.bits &= u64::MAX << bit << 1;
        Some(self.word * u64::BITS + bit)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for LegalEvents<'_> {}
