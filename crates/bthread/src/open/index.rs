//! An index from events to the b-threads that they concern.

use rustc_hash::FxHashMap;

use super::lists::Lists;
use super::plan::{ANY, Address, IndexEntry, NOWHERE, ProgramPlan, each_key};
use super::tag::{SetRole, Tag};
use crate::event::Event;
use crate::event_set::IndexKey;
use crate::sync_point::SyncPoint;

/// The present sync points of all b-threads, by the events and kinds in their sets.
///
/// An event is looked up under three keys: its own, that of its kind, and the one
/// for any event. The cost depends on the sets found there, not on the number of
/// b-threads.
#[derive(Clone)]
pub(crate) struct Index<E: Event> {
    /// Two lists for each key: sets at which b-threads go on or end, and sets that they block.
    lists: Lists<Tag>,
    own: OwnKeys<E>,
}

impl Address {
    #[inline]
    fn keys(self) -> [u32; 3] {
        [self.event, self.kind, ANY]
    }
}

impl<E: Event> Index<E> {
    pub(crate) fn new(plan: &ProgramPlan<E>, threads: usize) -> Self {
        let keys = plan.keys();
        Self { lists: Lists::new(keys * 2, threads), own: OwnKeys::new(keys) }
    }

    pub(crate) fn add_thread(&mut self) {
        self.lists.add_owner();
    }

    pub(crate) fn remove_thread(&mut self) {
        self.lists.remove_owner();
    }

    /// The keys of an event, whether or not the plan contains it.
    pub(crate) fn address(&self, plan: &ProgramPlan<E>, event: &E) -> Address {
        if let Some(number) = plan.event_number(event) {
            return plan.address(number);
        }
        let kind = event.kind();
        let find = |key: IndexKey<'_, E>| plan.key(&key).or_else(|| self.own.find(&key));
        let event = find(IndexKey::Event(event)).unwrap_or(NOWHERE);
        let kind = find(IndexKey::Kind(&kind)).unwrap_or(NOWHERE);
        Address { event, kind }
    }

    /// Calls `show` with each set that may contain the event and at which a b-thread
    /// goes on or ends.
    #[inline]
    pub(crate) fn each_moving(&self, address: Address, mut show: impl FnMut(u32, Tag)) {
        for key in address.keys() {
            for (thread, tag) in self.lists.items(key * 2) {
                show(thread, tag);
            }
        }
    }

    /// Calls `show` with each b-thread that requests the event, or waits for it alone.
    pub(crate) fn each_request(&self, address: Address, mut show: impl FnMut(u32)) {
        let listed = self.lists.items(address.event * 2);
        listed.filter(|(_, tag)| *tag == Tag::REQUEST).for_each(|(thread, _)| show(thread));
    }

    /// The first b-thread that blocks a set that may contain the event and passes the test.
    #[inline]
    pub(crate) fn find_blocking(
        &self,
        address: Address,
        mut test: impl FnMut(u32, Tag) -> bool,
    ) -> Option<u32> {
        for key in address.keys() {
            for (thread, tag) in self.lists.items(key * 2 + 1) {
                if test(thread, tag) {
                    return Some(thread);
                }
            }
        }
        None
    }

    /// Adds a sync point of the plan.
    #[inline]
    pub(crate) fn enter(&mut self, thread: u32, entries: &[IndexEntry]) {
        for entry in entries {
            self.add(thread, entry.key, entry.tag);
        }
    }

    /// Adds a sync point that is not in the plan.
    pub(crate) fn enter_unplanned(
        &mut self,
        plan: &ProgramPlan<E>,
        thread: u32,
        point: &SyncPoint<E>,
    ) {
        for event in point.requests() {
            let key = self.key(plan, &IndexKey::Event(event));
            self.add(thread, key, Tag::REQUEST);
        }
        each_key(point, |key, tag| {
            let key = self.key(plan, &key);
            self.add(thread, key, tag);
        });
    }

    fn add(&mut self, thread: u32, key: u32, tag: Tag) {
        let side = u32::from(tag.role() == SetRole::Blocks);
        self.lists.add(key * 2 + side, thread, tag);
    }

    fn key(&mut self, plan: &ProgramPlan<E>, key: &IndexKey<'_, E>) -> u32 {
        let known = plan.key(key).or_else(|| self.own.find(key));
        known.unwrap_or_else(|| self.own.make(key, &mut self.lists))
    }

    /// Removes the sync point of a b-thread, and returns whether it blocked something.
    pub(crate) fn release(&mut self, thread: u32) -> bool {
        let Self { lists, own } = self;
        let mut blocked = false;
        lists.release(thread, |lists, list| {
            let key = list / 2;
            blocked |= list % 2 == 1;
            if key >= own.first && lists.is_empty(key * 2) && lists.is_empty(key * 2 + 1) {
                own.forget(key);
            }
        });
        blocked
    }

    /// The size in bytes, without the heap memory of unplanned events.
    pub(crate) fn size(&self) -> usize {
        self.lists.size() + self.own.size()
    }
}

/// Keys that are not in the plan, kept while the index has entries under them.
#[derive(Clone)]
struct OwnKeys<E: Event> {
    /// The first key that is not in the plan.
    first: u32,
    events: FxHashMap<E, u32>,
    kinds: FxHashMap<E::Kind, u32>,
    owned: Vec<Option<OwnKey<E>>>,
    free: Vec<u32>,
}

#[derive(Clone)]
enum OwnKey<E: Event> {
    Event(E),
    Kind(E::Kind),
}

impl<E: Event> OwnKeys<E> {
    fn new(planned: usize) -> Self {
        Self {
            first: u32::try_from(planned).expect("keys are numbered with 32 bits"),
            events: FxHashMap::default(),
            kinds: FxHashMap::default(),
            owned: Vec::new(),
            free: Vec::new(),
        }
    }

    fn find(&self, key: &IndexKey<'_, E>) -> Option<u32> {
        match key {
            IndexKey::Event(event) => self.events.get(*event).copied(),
            IndexKey::Kind(kind) => self.kinds.get(*kind).copied(),
            IndexKey::Any => Some(ANY),
        }
    }

    fn make(&mut self, key: &IndexKey<'_, E>, lists: &mut Lists<Tag>) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.owned.push(None);
            lists.add_lists(2);
            self.first + u32::try_from(self.owned.len() - 1).expect("keys fit into 32 bits")
        });
        self.owned[(number - self.first) as usize] = match *key {
            IndexKey::Event(event) => {
                self.events.insert(event.clone(), number);
                Some(OwnKey::Event(event.clone()))
            }
            IndexKey::Kind(kind) => {
                self.kinds.insert(kind.clone(), number);
                Some(OwnKey::Kind(kind.clone()))
            }
            IndexKey::Any => None,
        };
        number
    }

    fn size(&self) -> usize {
        self.events.capacity() * size_of::<(E, u32)>()
            + self.kinds.capacity() * size_of::<(E::Kind, u32)>()
            + self.owned.capacity() * size_of::<Option<OwnKey<E>>>()
            + self.free.capacity() * size_of::<u32>()
    }

    fn forget(&mut self, key: u32) {
        match self.owned[(key - self.first) as usize].take() {
            Some(OwnKey::Event(event)) => _ = self.events.remove(&event),
            Some(OwnKey::Kind(kind)) => _ = self.kinds.remove(&kind),
            None => return,
        }
        self.free.push(key);
    }
}
