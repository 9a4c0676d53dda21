//! What is known of a program before it runs.

use std::hash::Hash;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::tag::{SetRole, Tag};
use crate::any_b_thread::{AnyBThread, Body};
use crate::event::Event;
use crate::event_set::{EventSet, IndexKey, Precision};
use crate::script::ScriptRange;
use crate::sync_point::SyncPoint;

/// The numbers of all events, kinds and sync points in scripts, computed once for
/// all runs of a program.
///
/// A key is a place in the index of a run: two special keys, then the kinds, then
/// the events.
pub(crate) struct ProgramPlan<E: Event> {
    events: Numbering<E>,
    kinds: Numbering<E::Kind>,
    /// The keys of each event.
    addresses: Vec<Address>,
    tracks: Vec<Movement>,
    points: Vec<Point>,
    entries: Vec<IndexEntry>,
    /// The numbers of requested events.
    requests: Vec<u32>,
}

/// How a b-thread moves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Movement {
    /// Along the sync points of a script.
    Script(ScriptRange),
    /// By a step function.
    Stateful,
}

/// The keys of an event, besides the one for any event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub(crate) event: u32,
    pub(crate) kind: u32,
}

/// The index entries and requests of a sync point.
#[derive(Clone, Debug)]
struct Point {
    entries: Range<u32>,
    requests: Range<u32>,
}

/// One entry of the index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexEntry {
    pub(crate) key: u32,
    pub(crate) tag: Tag,
}

/// The key of sets that may contain any event.
pub(crate) const ANY: u32 = 0;

/// A key without entries.
pub(crate) const NOWHERE: u32 = 1;

const FIRST_KIND: u32 = 2;

impl<E: Event> ProgramPlan<E> {
    pub(crate) fn new(threads: &[AnyBThread<E>]) -> Self {
        let mut plan = Self {
            events: Numbering::default(),
            kinds: Numbering::default(),
            addresses: Vec::new(),
            tracks: Vec::with_capacity(threads.len()),
            points: Vec::new(),
            entries: Vec::new(),
            requests: Vec::new(),
        };
        plan.number(threads);
        for thread in threads {
            plan.lay(thread);
        }
        plan
    }

    /// Numbers all events and kinds, so that their keys are known.
    fn number(&mut self, threads: &[AnyBThread<E>]) {
        for point in threads.iter().flat_map(script_points) {
            for event in point.requests() {
                self.events.number(event);
            }
            each_key(point, |key, _| match key {
                IndexKey::Event(event) => self.events.number(event),
                IndexKey::Kind(kind) => self.kinds.number(kind),
                IndexKey::Any => {}
            });
        }
        for event in &self.events.items {
            self.kinds.number(&event.kind());
        }
        let first_event = FIRST_KIND + count(&self.kinds.items);
        let addresses = (first_event..).zip(&self.events.items).map(|(event, item)| {
            let kind = FIRST_KIND + self.kinds.numbers[&item.kind()];
            Address { event, kind }
        });
        self.addresses = addresses.collect();
    }

    fn lay(&mut self, thread: &AnyBThread<E>) {
        match thread.body() {
            Body::Script { script, .. } => {
                let stretch = ScriptRange::new(self.points.len(), script);
                self.tracks.push(Movement::Script(stretch));
                script.points().iter().for_each(|point| self.lay_point(point));
            }
            Body::Behaviour(_) => self.tracks.push(Movement::Stateful),
        }
    }

    fn lay_point(&mut self, point: &SyncPoint<E>) {
        let first_entry = count(&self.entries);
        let first_request = count(&self.requests);
        for event in point.requests() {
            self.requests.push(self.events.numbers[event]);
            let key = self.key(&IndexKey::Event(event)).expect("all events were numbered");
            self.entries.push(IndexEntry { key, tag: Tag::REQUEST });
        }
        let mut entries = std::mem::take(&mut self.entries);
        each_key(point, |key, tag| {
            let key = self.key(&key).expect("all keys were numbered");
            entries.push(IndexEntry { key, tag });
        });
        self.entries = entries;
        self.points.push(Point {
            entries: first_entry..count(&self.entries),
            requests: first_request..count(&self.requests),
        });
    }

    /// The number of events.
    pub(crate) fn events(&self) -> usize {
        self.events.items.len()
    }

    /// The number of keys.
    pub(crate) fn keys(&self) -> usize {
        FIRST_KIND as usize + self.kinds.items.len() + self.events.items.len()
    }

    pub(crate) fn key(&self, key: &IndexKey<'_, E>) -> Option<u32> {
        match key {
            IndexKey::Any => Some(ANY),
            IndexKey::Kind(kind) => self.kinds.numbers.get(*kind).map(|number| FIRST_KIND + number),
            IndexKey::Event(event) => {
                self.event_number(event).map(|number| self.address(number).event)
            }
        }
    }

    pub(crate) fn event_number(&self, event: &E) -> Option<u32> {
        self.events.numbers.get(event).copied()
    }

    /// The keys of an event.
    #[inline]
    pub(crate) fn address(&self, event_number: u32) -> Address {
        self.addresses[event_number as usize]
    }

    #[inline]
    pub(crate) fn event(&self, number: u32) -> &E {
        &self.events.items[number as usize]
    }

    #[inline]
    pub(crate) fn track(&self, thread: u32) -> Option<Movement> {
        self.tracks.get(thread as usize).copied()
    }

    #[inline]
    pub(crate) fn entries(&self, point: u32) -> &[IndexEntry] {
        let Range { start, end } = self.points[point as usize].entries;
        &self.entries[start as usize..end as usize]
    }

    #[inline]
    pub(crate) fn requests(&self, point: u32) -> &[u32] {
        let Range { start, end } = self.points[point as usize].requests;
        &self.requests[start as usize..end as usize]
    }
}

fn script_points<E: Event>(thread: &AnyBThread<E>) -> &[SyncPoint<E>] {
    match thread.body() {
        Body::Script { script, .. } => script.points(),
        Body::Behaviour(_) => &[],
    }
}

/// Calls `show` with each key of the sets of a sync point, and what it means.
pub(crate) fn each_key<'a, E: Event>(
    point: &'a SyncPoint<E>,
    mut show: impl FnMut(IndexKey<'a, E>, Tag),
) {
    let mut each = |role: SetRole, sets: &'a [EventSet<E>]| {
        for (number, set) in (0..).zip(sets) {
            set.keys(&mut |key, precision: Precision| show(key, Tag::new(role, number, precision)));
        }
    };
    each(SetRole::WaitsFor, point.waits());
    each(SetRole::InterruptedBy, point.interrupts());
    each(SetRole::Blocks, point.blocks());
    each(SetRole::StartsOverAt, point.restarts());
}

fn count<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).expect("a program has fewer than 2^32 events and sync points")
}

/// Items numbered in the order in which they were first seen.
struct Numbering<T> {
    items: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for Numbering<T> {
    fn default() -> Self {
        Self { items: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Numbering<T> {
    fn number(&mut self, item: &T) {
        if !self.numbers.contains_key(item) {
            self.numbers.insert(item.clone(), count(&self.items));
            self.items.push(item.clone());
        }
    }
}
