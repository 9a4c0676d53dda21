//! The events that can happen in a closed run, by the highest priority of a sync point that requests
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::alphabet::Letters;
use super::event_tally::EventTally;
use super::local_reader::bits;
use super::number_set::NumberSet;
use crate::request_ranking::{RankedRequest, RequestRanking};

/// The events that can happen, for a strategy that chooses among those of the highest priority. A
/// step changes only what the b-threads request that it moves, and what begins or ends to be blocked.
pub(super) struct LocalRanking {
    pub(super) requests: RequestRanking,
    /// Each event with each b-thread that requests it.
    requesters: BTreeSet<(u32, u32)>,
    /// For each event and each priority, how many b-threads request it.
    priorities: BTreeMap<(u32, Option<i32>), u32>,
    /// The events about which something may have changed.
    changed: Vec<u32>,
}

impl LocalRanking {
    /// No b-thread requests any of this many events.
    pub(super) fn new(events: u32) -> Self {
        Self {
            requests: RequestRanking::new(events as usize),
            requesters: BTreeSet::new(),
            priorities: BTreeMap::new(),
            changed: Vec::new(),
        }
    }

    /// Notes that a b-thread leaves a sync point and comes to another one. Without a sync point it
    /// has ended.
    pub(super) fn note(&mut self, thread: u32, from: Option<&Letters>, to: Option<&Letters>) {
        if let (Some(from), Some(to)) = (from, to)
            && Arc::ptr_eq(&from.requested, &to.requested)
            && from.priority == to.priority
        {
            return;
        }
        if let Some(from) = from {
            self.leave(thread, from);
        }
        if let Some(to) = to {
            self.come_to(thread, to);
        }
    }

    fn leave(&mut self, thread: u32, letters: &Letters) {
        for &event in letters.requested.numbers() {
            self.requesters.remove(&(event, thread));
            let key = (event, letters.priority);
            if let Some(count) = self.priorities.get_mut(&key) {
                *count -= 1;
                if *count == 0 {
                    self.priorities.remove(&key);
                }
            }
            self.changed.push(event);
        }
    }

    pub(super) fn come_to(&mut self, thread: u32, letters: &Letters) {
        for &event in letters.requested.numbers() {
            self.requesters.insert((event, thread));
            *self.priorities.entry((event, letters.priority)).or_default() += 1;
            self.changed.push(event);
        }
    }

    /// Notes that a set begins or ends to be blocked. Events that nobody requests do not matter.
    pub(super) fn note_blocks(&mut self, set: &NumberSet, requested: &EventTally) {
        for (place, word) in set.words() {
            let events = bits(word & requested.word(*place));
            self.changed.extend(events.map(|bit| place * u64::BITS + bit));
        }
    }

    /// Brings the ranks up to date.
    pub(super) fn refresh(&mut self, blocked: &EventTally) {
        for event in std::mem::take(&mut self.changed) {
            let request = (!blocked.contains(event)).then(|| self.request(event)).flatten();
            self.requests.set(event, request);
        }
    }

    /// The first b-thread that requests an event, and the highest priority at which it is requested.
    fn request(&self, event: u32) -> Option<RankedRequest> {
        let (_, thread) = *self.requesters.range((event, 0)..=(event, u32::MAX)).next()?;
        let ((_, priority), _) =
            self.priorities.range((event, None)..=(event, Some(i32::MAX))).next_back()?;
        Some(RankedRequest { thread, priority: *priority })
    }

    /// The size in bytes on the heap, about.
    pub(super) fn size(&self) -> usize {
        self.requests.size()
            + self.requesters.len() * size_of::<(u32, u32)>()
            + self.priorities.len() * size_of::<((u32, Option<i32>), u32)>()
            + self.changed.capacity() * size_of::<u32>()
    }
}
