//! Luck from a seed: the same seed has the same luck.

use notation::{TextEvent, TextRun};

/// A sequence of numbers, by the generator `SplitMix64`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Luck(u64);

impl Luck {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below this one.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX);
        usize::try_from(self.next() % bound.max(1)).unwrap_or(0)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// One of these events, by the weights of chance.
    ///
    /// # Panics
    /// If there are none.
    pub(super) fn drawn(&mut self, run: &TextRun, events: &[TextEvent]) -> TextEvent {
        let weight = |event: &TextEvent| u64::from(run.draw_weight(event).max(1));
        let mut drawn = self.next() % events.iter().map(weight).sum::<u64>().max(1);
        for event in events {
            if drawn < weight(event) {
                return event.clone();
            }
            drawn -= weight(event);
        }
        events[0].clone()
    }
}
