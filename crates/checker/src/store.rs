//! The states that a search has found.

use std::hash::{BuildHasher, Hash};
use std::ops::Range;

use foldhash::quality::FixedState;
use hashbrown::HashTable;

use crate::search::Successor;

/// The number of a state.
pub(crate) type Id = u32;

/// All states found, spread over shards that can be filled in parallel.
pub(crate) struct Store<S> {
    shards: Vec<Shard<S>>,
    /// The number of states discovered.
    count: usize,
    /// These states in the order of discovery, which does not depend on the shards. A single shard
    /// has them in order, and needs no list.
    discovered: Vec<Id>,
}

/// Some of the states.
pub(crate) struct Shard<S> {
    number: u32,
    shards: u32,
    table: HashTable<u32>,
    keys: StoredKeys<S>,
    /// The state from which each one was found. The start is its own parent.
    parents: Vec<Id>,
}

/// Whole states, or their hashes.
enum StoredKeys<S> {
    States(Vec<S>),
    Fingerprints(Vec<u64>),
}

/// Whether to store whole states or only their hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retention {
    States,
    Fingerprints,
}

/// A hash of a state.
#[inline]
pub(crate) fn fingerprint(state: &impl Hash) -> u64 {
    FixedState::default().hash_one(state)
}

impl<S: Eq + Hash> Store<S> {
    /// An empty store with this number of shards.
    pub(crate) fn new(shards: u32, retention: Retention) -> Self {
        let shard = |number| Shard {
            number,
            shards,
            table: HashTable::new(),
            keys: StoredKeys::new(retention),
            parents: Vec::new(),
        };
        Self { shards: (0..shards).map(shard).collect(), count: 0, discovered: Vec::new() }
    }

    /// Takes all shards out of the store. It is of no use until they are put back.
    pub(crate) fn take_shards(&mut self) -> Vec<Shard<S>> {
        std::mem::take(&mut self.shards)
    }

    pub(crate) fn put_shards(&mut self, shards: Vec<Shard<S>>) {
        self.shards = shards;
    }

    /// The shard of a state.
    #[inline]
    fn home(&self, fingerprint: u64) -> usize {
        home_among(self.shards.len(), fingerprint)
    }

    /// Whether a successor was found before.
    #[inline]
    pub(crate) fn contains(&self, successor: &Successor<S>) -> bool {
        let Some(state) = &successor.state else { return false };
        let home = self.home(successor.fingerprint);
        self.shards[home].place(state, successor.fingerprint).is_some()
    }

    /// Adds a state that was not found before, and returns its number.
    pub(crate) fn add(&mut self, state: S, fingerprint: u64, parent: Option<Id>) -> Id {
        let home = self.home(fingerprint);
        self.shards[home].add(state, fingerprint, parent)
    }

    /// Counts a state that was added as discovered.
    pub(crate) fn discover(&mut self, id: Id) {
        self.count += 1;
        if self.shards.len() > 1 {
            self.discovered.push(id);
        }
    }

    /// All states in the order of discovery.
    pub(crate) fn discovered(&self) -> impl Iterator<Item = Id> + Clone + '_ {
        self.discovered_at(0..self.count)
    }

    /// The states at these places in the order of discovery.
    pub(crate) fn discovered_at(
        &self,
        places: Range<usize>,
    ) -> impl Iterator<Item = Id> + Clone + '_ {
        let are_in_order = self.shards.len() == 1;
        let number = |place| u32::try_from(place).expect("fewer than 2^32 states fit into memory");
        let in_order = number(places.start)..number(places.end);
        let listed = if are_in_order { &[][..] } else { &self.discovered[places] };
        in_order.filter(move |_| are_in_order).chain(listed.iter().copied())
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// A number above those of all states.
    pub(crate) fn end(&self) -> usize {
        let longest = self.shards.iter().map(Shard::len).max();
        longest.unwrap_or(0) * self.shards.len()
    }

    #[inline]
    fn place(&self, id: Id) -> (&Shard<S>, usize) {
        let (shard, local) = place_among(self.shards.len(), id);
        (&self.shards[shard], local)
    }

    pub(crate) fn parent(&self, id: Id) -> Option<Id> {
        let (shard, local) = self.place(id);
        Some(shard.parents[local]).filter(|parent| *parent != id)
    }

    /// Records that a state was found again, nearer to the start.
    pub(crate) fn set_parent(&mut self, id: Id, parent: Id) {
        let (shard, local) = place_among(self.shards.len(), id);
        self.shards[shard].parents[local] = parent;
    }

    /// The state with this number, if it was stored.
    pub(crate) fn state(&self, id: Id) -> Option<&S> {
        let (shard, local) = self.place(id);
        shard.state(local)
    }

    /// The number of a state, if it was found.
    pub(crate) fn find(&self, state: &S) -> Option<Id> {
        let fingerprint = fingerprint(state);
        self.shards[self.home(fingerprint)].find(state, fingerprint)
    }

    /// Whether a state has this number, as far as the stored key tells.
    pub(crate) fn is(&self, id: Id, state: &S) -> bool {
        let (shard, local) = self.place(id);
        shard.keys.is(local, state, fingerprint(state))
    }
}

/// The shard of a state with this hash.
#[inline]
pub(crate) fn home_among(shards: usize, fingerprint: u64) -> usize {
    // The bits in the middle, since the table uses the lowest ones and the uppermost seven.
    let middle = fingerprint >> 25 & u64::from(u32::MAX);
    ((middle * shards as u64) >> 32) as usize
}

/// The shard of a state, and its place there.
#[inline]
pub(crate) fn place_among(shards: usize, id: Id) -> (usize, usize) {
    (id as usize % shards, id as usize / shards)
}

impl<S: Eq + Hash> Shard<S> {
    /// The number of the shard.
    pub(crate) fn number(&self) -> usize {
        self.number as usize
    }

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    /// The number of the state at this place.
    #[inline]
    pub(crate) fn id(&self, local: u32) -> Id {
        let id = local.checked_mul(self.shards).and_then(|id| id.checked_add(self.number));
        id.expect("fewer than 2^32 states fit into memory")
    }

    /// The state at this place, if it was stored.
    #[inline]
    pub(crate) fn state(&self, local: usize) -> Option<&S> {
        match &self.keys {
            StoredKeys::States(states) => Some(&states[local]),
            StoredKeys::Fingerprints(_) => None,
        }
    }

    /// The place of a state, if it was found before.
    #[inline]
    pub(crate) fn place(&self, state: &S, fingerprint: u64) -> Option<u32> {
        let is_same = |local: &u32| self.keys.is(*local as usize, state, fingerprint);
        self.table.find(fingerprint, is_same).copied()
    }

    /// Adds a state that was not found before, and returns its number.
    pub(crate) fn add(&mut self, state: S, fingerprint: u64, parent: Option<Id>) -> Id {
        let local = u32::try_from(self.len()).expect("fewer than 2^32 states fit into memory");
        let id = self.id(local);
        let Self { table, keys, parents, .. } = self;
        keys.push(state, fingerprint);
        parents.push(parent.unwrap_or(id));
        table.insert_unique(fingerprint, local, |local| keys.fingerprint(*local as usize));
        id
    }

    pub(crate) fn set_parent(&mut self, local: u32, parent: Id) {
        self.parents[local as usize] = parent;
    }

    /// Forgets all states from this place on.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.table.retain(|local| (*local as usize) < len);
        self.keys.truncate(len);
        self.parents.truncate(len);
    }

    #[inline]
    fn find(&self, state: &S, fingerprint: u64) -> Option<Id> {
        self.place(state, fingerprint).map(|local| self.id(local))
    }
}

impl<S: Eq + Hash> StoredKeys<S> {
    fn new(retention: Retention) -> Self {
        match retention {
            Retention::States => Self::States(Vec::new()),
            Retention::Fingerprints => Self::Fingerprints(Vec::new()),
        }
    }

    fn push(&mut self, state: S, fingerprint: u64) {
        match self {
            Self::States(states) => states.push(state),
            Self::Fingerprints(prints) => prints.push(fingerprint),
        }
    }

    fn truncate(&mut self, len: usize) {
        match self {
            Self::States(states) => states.truncate(len),
            Self::Fingerprints(prints) => prints.truncate(len),
        }
    }

    #[inline]
    fn is(&self, local: usize, state: &S, fingerprint: u64) -> bool {
        match self {
            Self::States(states) => states[local] == *state,
            Self::Fingerprints(prints) => prints[local] == fingerprint,
        }
    }

    fn fingerprint(&self, local: usize) -> u64 {
        match self {
            Self::States(states) => fingerprint(&states[local]),
            Self::Fingerprints(prints) => prints[local],
        }
    }
}
