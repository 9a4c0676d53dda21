//! What is known of a program before it runs.

use std::hash::Hash;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::tag::{Role, Tag};
use crate::event::Event;
use crate::event_set::{EventSet, Key, Precision};
use crate::script::Stretch;
use crate::sync_point::SyncPoint;
use crate::thread::{BThread, Body};

/// The numbers of all events, kinds and sync points that scripts name, so that
/// runs of the program look nothing up.
///
/// A key is a place in the index of a run: two special ones, then the kinds,
/// then the events.
pub(crate) struct Plan<E: Event> {
    events: Numbered<E>,
    kinds: Numbered<E::Kind>,
    /// Where each event looks.
    addresses: Vec<Address>,
    tracks: Vec<Track>,
    points: Vec<Point>,
    entries: Vec<Entry>,
    /// The numbers of requested events.
    requests: Vec<u32>,
}

/// How a b-thread moves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Track {
    /// Along the sync points of a script.
    Script(Stretch),
    /// By a step function.
    Stateful,
}

/// The keys at which an event looks, beside the one for any event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub(crate) event: u32,
    pub(crate) kind: u32,
}

/// What a sync point puts into the index.
#[derive(Clone, Debug)]
struct Point {
    entries: Range<u32>,
    requests: Range<u32>,
}

/// One place in the index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) key: u32,
    pub(crate) tag: Tag,
}

/// The key under which sets are found that may contain any event.
pub(crate) const ANY: u32 = 0;

/// The key under which nothing is ever found.
pub(crate) const NOWHERE: u32 = 1;

const FIRST_KIND: u32 = 2;

impl<E: Event> Plan<E> {
    pub(crate) fn new(threads: &[BThread<E>]) -> Self {
        let mut plan = Self {
            events: Numbered::default(),
            kinds: Numbered::default(),
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
    fn number(&mut self, threads: &[BThread<E>]) {
        for point in threads.iter().flat_map(script_points) {
            for event in point.requests() {
                self.events.number(event);
            }
            each_key(point, |key, _| match key {
                Key::Event(event) => self.events.number(event),
                Key::Kind(kind) => self.kinds.number(kind),
                Key::Any => {}
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

    fn lay(&mut self, thread: &BThread<E>) {
        match thread.body() {
            Body::Script { script, .. } => {
                let stretch = Stretch::new(self.points.len(), script);
                self.tracks.push(Track::Script(stretch));
                script.points().iter().for_each(|point| self.lay_point(point));
            }
            Body::Behaviour(_) => self.tracks.push(Track::Stateful),
        }
    }

    fn lay_point(&mut self, point: &SyncPoint<E>) {
        let first_entry = count(&self.entries);
        let first_request = count(&self.requests);
        for event in point.requests() {
            self.requests.push(self.events.numbers[event]);
            let key = self.key(&Key::Event(event)).expect("all events were numbered");
            self.entries.push(Entry { key, tag: Tag::REQUEST });
        }
        let mut entries = std::mem::take(&mut self.entries);
        each_key(point, |key, tag| {
            let key = self.key(&key).expect("all keys were numbered");
            entries.push(Entry { key, tag });
        });
        self.entries = entries;
        self.points.push(Point {
            entries: first_entry..count(&self.entries),
            requests: first_request..count(&self.requests),
        });
    }

    /// How many keys there are.
    pub(crate) fn keys(&self) -> usize {
        FIRST_KIND as usize + self.kinds.items.len() + self.events.items.len()
    }

    pub(crate) fn key(&self, key: &Key<'_, E>) -> Option<u32> {
        match key {
            Key::Any => Some(ANY),
            Key::Kind(kind) => self.kinds.numbers.get(*kind).map(|number| FIRST_KIND + number),
            Key::Event(event) => self.event_number(event).map(|number| self.address(number).event),
        }
    }

    pub(crate) fn event_number(&self, event: &E) -> Option<u32> {
        self.events.numbers.get(event).copied()
    }

    /// Where an event looks.
    #[inline]
    pub(crate) fn address(&self, event_number: u32) -> Address {
        self.addresses[event_number as usize]
    }

    #[inline]
    pub(crate) fn event(&self, number: u32) -> &E {
        &self.events.items[number as usize]
    }

    #[inline]
    pub(crate) fn track(&self, thread: u32) -> Option<Track> {
        self.tracks.get(thread as usize).copied()
    }

    #[inline]
    pub(crate) fn entries(&self, point: u32) -> &[Entry] {
        let Range { start, end } = self.points[point as usize].entries;
        &self.entries[start as usize..end as usize]
    }

    #[inline]
    pub(crate) fn requests(&self, point: u32) -> &[u32] {
        let Range { start, end } = self.points[point as usize].requests;
        &self.requests[start as usize..end as usize]
    }
}

fn script_points<E: Event>(thread: &BThread<E>) -> &[SyncPoint<E>] {
    match thread.body() {
        Body::Script { script, .. } => script.points(),
        Body::Behaviour(_) => &[],
    }
}

/// Shows each key under which the sets of a sync point are found, with what it means there.
pub(crate) fn each_key<'a, E: Event>(
    point: &'a SyncPoint<E>,
    mut show: impl FnMut(Key<'a, E>, Tag),
) {
    let mut each = |role: Role, sets: &'a [EventSet<E>]| {
        for (number, set) in (0..).zip(sets) {
            set.keys(&mut |key, precision: Precision| show(key, Tag::new(role, number, precision)));
        }
    };
    each(Role::WaitsFor, point.waits());
    each(Role::InterruptedBy, point.interrupts());
    each(Role::Blocks, point.blocks());
}

fn count<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).expect("what a program names is numbered with 32 bits")
}

/// Things numbered in the order in which they were first seen.
struct Numbered<T> {
    items: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { items: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn number(&mut self, item: &T) {
        if !self.numbers.contains_key(item) {
            self.numbers.insert(item.clone(), count(&self.items));
            self.items.push(item.clone());
        }
    }
}
