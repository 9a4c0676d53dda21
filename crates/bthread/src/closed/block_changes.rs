//! What a step changes about the events that are blocked.

use std::sync::Arc;

use super::alphabet::Letters;
use super::number_set::NumberSet;

/// The steps of short scripts that change nothing but which events are blocked, each with its change.
///
/// Most steps that change something are of this kind, and a list of words is faster to apply than two
/// sync points are to compare.
#[derive(Default)]
pub(super) struct BlockChanges {
    /// For each sync point, the step from there to the usual next position.
    steps: Vec<Option<BlockStep>>,
    words: Vec<ChangedWord>,
}

/// A step from a sync point that changes nothing but which events are blocked.
#[derive(Clone, Copy)]
pub(super) struct BlockStep {
    /// The position to which it leads.
    to: u32,
    /// Where its words are.
    start: u32,
    end: u32,
    /// Whether a set is no longer blocked.
    pub(super) lifts: bool,
    /// Whether the b-thread has ended then.
    pub(super) ends: bool,
}

/// What changes among 64 events. No event begins and ends to be blocked.
#[derive(Clone, Copy)]
pub(super) struct ChangedWord {
    pub(super) place: u32,
    pub(super) added: u64,
    pub(super) removed: u64,
}

impl BlockChanges {
    /// Adds the sync points of a short script, with the usual next position of each, if there is one.
    pub(super) fn add(&mut self, points: &[Letters], next: impl Fn(u32) -> Option<u32>) {
        for (from, letters) in (0..).zip(points) {
            let step = next(from).and_then(|to| self.step(letters, points.get(to as usize), to));
            self.steps.push(step);
        }
    }

    /// Adds the sync points of another script, whose steps have no list.
    pub(super) fn add_none(&mut self, points: usize) {
        self.steps.resize(self.steps.len() + points, None);
    }

    fn step(&mut self, from: &Letters, to: Option<&Letters>, position: u32) -> Option<BlockStep> {
        let is_plain =
            |each: &Letters| !each.asks() && !each.is_wide && each.blocks.holders().is_none();
        if !is_plain(from) || to.is_some_and(|to| !is_plain(to)) {
            return None;
        }
        let stays = to.is_some_and(|to| Arc::ptr_eq(&from.blocks, &to.blocks));
        let start = u32::try_from(self.words.len()).ok()?;
        if !stays {
            self.words.extend(changed_words(&from.blocks, to.map(|to| &*to.blocks)));
        }
        let end = u32::try_from(self.words.len()).ok()?;
        let lifts = !stays && !from.blocks.is_empty();
        Some(BlockStep { to: position, start, end, lifts, ends: to.is_none() })
    }

    /// The step from the sync point with this number to a position, if it has a list.
    #[inline]
    pub(super) fn find(&self, point: u32, to: u32) -> Option<BlockStep> {
        self.steps.get(point as usize).copied().flatten().filter(|step| step.to == to)
    }

    /// What a step changes.
    #[inline]
    pub(super) fn words(&self, step: BlockStep) -> &[ChangedWord] {
        &self.words[step.start as usize..step.end as usize]
    }

    /// The memory of the lists, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.steps.capacity() * size_of::<Option<BlockStep>>()
            + self.words.capacity() * size_of::<ChangedWord>()
    }
}

/// The words in which two sets differ.
fn changed_words(from: &NumberSet, to: Option<&NumberSet>) -> Vec<ChangedWord> {
    let (before, after) = (from.words(), to.map_or(&[][..], NumberSet::words));
    let word = |words: &[(u32, u64)], place: u32| {
        words.iter().find(|(known, _)| *known == place).map_or(0, |(_, bits)| *bits)
    };
    let mut places: Vec<u32> = before.iter().chain(after).map(|(place, _)| *place).collect();
    places.sort_unstable();
    places.dedup();
    let changed = places.into_iter().map(|place| {
        let (before, after) = (word(before, place), word(after, place));
        ChangedWord { place, added: after & !before, removed: before & !after }
    });
    changed.filter(|word| word.added | word.removed != 0).collect()
}
