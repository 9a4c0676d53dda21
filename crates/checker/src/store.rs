//! The states that a search has found.

use std::hash::{BuildHasher, Hash};

use foldhash::quality::FixedState;
use hashbrown::HashTable;

/// The number of a state.
pub(crate) type Id = u32;

/// All states found, spread over shards that can be filled in parallel.
pub(crate) struct Store<S> {
    shards: Vec<Shard<S>>,
    /// All states in the order of discovery, which does not depend on the shards.
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
    /// An empty store with this number of shards, a power of two.
    pub(crate) fn new(shards: u32, retention: Retention) -> Self {
        let shard = |number| Shard {
            number,
            shards,
            table: HashTable::new(),
            keys: StoredKeys::new(retention),
            parents: Vec::new(),
        };
        Self { shards: (0..shards).map(shard).collect(), discovered: Vec::new() }
    }

    pub(crate) fn shards(&mut self) -> &mut [Shard<S>] {
        &mut self.shards
    }

    pub(crate) fn shard_count(&self) -> usize {
        self.shards.len()
    }

    /// The shard of a state.
    #[inline]
    pub(crate) fn home(&self, fingerprint: u64) -> usize {
        // The upper bits, since the table uses the lower ones.
        (fingerprint >> 32) as usize & (self.shards.len() - 1)
    }

    /// Adds a state, and returns its number if it is new.
    #[inline]
    pub(crate) fn insert(&mut self, state: S, fingerprint: u64, parent: Option<Id>) -> Option<Id> {
        let home = self.home(fingerprint);
        self.shards[home].insert(state, fingerprint, parent)
    }

    pub(crate) fn discover(&mut self, id: Id) {
        self.discovered.push(id);
    }

    pub(crate) fn discovered(&self) -> &[Id] {
        &self.discovered
    }

    pub(crate) fn len(&self) -> usize {
        self.discovered.len()
    }

    /// A number above those of all states.
    pub(crate) fn end(&self) -> usize {
        let longest = self.shards.iter().map(|shard| shard.parents.len()).max();
        longest.unwrap_or(0) * self.shards.len()
    }

    #[inline]
    fn place(&self, id: Id) -> (&Shard<S>, usize) {
        let shards = self.shards.len();
        (&self.shards[id as usize & (shards - 1)], id as usize / shards)
    }

    pub(crate) fn parent(&self, id: Id) -> Option<Id> {
        let (shard, local) = self.place(id);
        Some(shard.parents[local]).filter(|parent| *parent != id)
    }

    /// Records that a state was found again, nearer to the start.
    pub(crate) fn set_parent(&mut self, id: Id, parent: Id) {
        let shards = self.shards.len();
        self.shards[id as usize & (shards - 1)].parents[id as usize / shards] = parent;
    }

    /// The state with this number, if it was stored.
    pub(crate) fn state(&self, id: Id) -> Option<&S> {
        let (shard, local) = self.place(id);
        match &shard.keys {
            StoredKeys::States(states) => Some(&states[local]),
            StoredKeys::Fingerprints(_) => None,
        }
    }

    /// The number of a state, if it was found.
    pub(crate) fn find(&self, state: &S) -> Option<Id> {
        let fingerprint = fingerprint(state);
        self.shards[self.home(fingerprint)].find(state, fingerprint)
    }

    /// Whether a state with this hash was found.
    #[inline]
    pub(crate) fn contains(&self, state: &S, fingerprint: u64) -> bool {
        self.shards[self.home(fingerprint)].find(state, fingerprint).is_some()
    }

    /// Whether a state has this number, as far as the stored key tells.
    pub(crate) fn is(&self, id: Id, state: &S) -> bool {
        let (shard, local) = self.place(id);
        shard.keys.is(local, state, fingerprint(state))
    }
}

impl<S: Eq + Hash> Shard<S> {
    /// Adds a state, and returns its number if it is new.
    #[inline]
    pub(crate) fn insert(&mut self, state: S, fingerprint: u64, parent: Option<Id>) -> Option<Id> {
        let Self { table, keys, parents, .. } = self;
        let is_same = |local: &u32| keys.is(*local as usize, &state, fingerprint);
        if table.find(fingerprint, is_same).is_some() {
            return None;
        }
        let local = u32::try_from(parents.len()).expect("fewer than 2^32 states fit into memory");
        let id = local.checked_mul(self.shards).and_then(|id| id.checked_add(self.number));
        let id = id.expect("fewer than 2^32 states fit into memory");
        keys.push(state, fingerprint);
        parents.push(parent.unwrap_or(id));
        table.insert_unique(fingerprint, local, |local| keys.fingerprint(*local as usize));
        Some(id)
    }

    #[inline]
    fn find(&self, state: &S, fingerprint: u64) -> Option<Id> {
        let is_same = |local: &u32| self.keys.is(*local as usize, state, fingerprint);
        self.table.find(fingerprint, is_same).map(|local| local * self.shards + self.number)
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
