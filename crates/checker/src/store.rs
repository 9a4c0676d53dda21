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
    nodes: Vec<StoredState<S>>,
}

struct StoredState<S> {
    key: StoredKey<S>,
    /// The state from which this one was found. The start is its own parent.
    parent: Id,
}

/// A whole state, or its hash.
enum StoredKey<S> {
    State(S),
    Fingerprint(u64),
}

/// Whether to store whole states or only their hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retention {
    States,
    Fingerprints,
}

/// A hash of a state.
pub(crate) fn fingerprint(state: &impl Hash) -> u64 {
    FixedState::default().hash_one(state)
}

impl<S: Eq + Hash> Store<S> {
    /// An empty store with this number of shards, a power of two.
    pub(crate) fn new(shards: u32) -> Self {
        let shard = |number| Shard { number, shards, table: HashTable::new(), nodes: Vec::new() };
        Self { shards: (0..shards).map(shard).collect(), discovered: Vec::new() }
    }

    pub(crate) fn shards(&mut self) -> &mut [Shard<S>] {
        &mut self.shards
    }

    pub(crate) fn shard_count(&self) -> usize {
        self.shards.len()
    }

    /// The shard of a state.
    pub(crate) fn home(&self, fingerprint: u64) -> usize {
        // The upper bits, since the table uses the lower ones.
        (fingerprint >> 32) as usize % self.shards.len()
    }

    /// Adds a state, and returns its number if it is new.
    pub(crate) fn insert(
        &mut self,
        state: S,
        fingerprint: u64,
        parent: Option<Id>,
        retention: Retention,
    ) -> Option<Id> {
        let home = self.home(fingerprint);
        self.shards[home].insert(state, fingerprint, parent, retention)
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

    fn node(&self, id: Id) -> &StoredState<S> {
        let shards = self.shards.len();
        &self.shards[id as usize % shards].nodes[id as usize / shards]
    }

    pub(crate) fn parent(&self, id: Id) -> Option<Id> {
        Some(self.node(id).parent).filter(|parent| *parent != id)
    }

    /// The state with this number, if it was stored.
    pub(crate) fn state(&self, id: Id) -> Option<&S> {
        match &self.node(id).key {
            StoredKey::State(state) => Some(state),
            StoredKey::Fingerprint(_) => None,
        }
    }

    /// The number of a state, if it was found.
    pub(crate) fn find(&self, state: &S) -> Option<Id> {
        let fingerprint = fingerprint(state);
        self.shards[self.home(fingerprint)].find(state, fingerprint)
    }

    /// Whether a state has this number, as far as the stored key tells.
    pub(crate) fn is(&self, id: Id, state: &S) -> bool {
        self.node(id).key.is(state, fingerprint(state))
    }
}

impl<S: Eq + Hash> Shard<S> {
    /// Adds a state, and returns its number if it is new.
    pub(crate) fn insert(
        &mut self,
        state: S,
        fingerprint: u64,
        parent: Option<Id>,
        retention: Retention,
    ) -> Option<Id> {
        let Self { table, nodes, .. } = self;
        let is_same = |local: &u32| nodes[*local as usize].key.is(&state, fingerprint);
        if table.find(fingerprint, is_same).is_some() {
            return None;
        }
        let local = u32::try_from(nodes.len()).expect("fewer than 2^32 states fit into memory");
        let id = local.checked_mul(self.shards).and_then(|id| id.checked_add(self.number));
        let id = id.expect("fewer than 2^32 states fit into memory");
        let key = match retention {
            Retention::States => StoredKey::State(state),
            Retention::Fingerprints => StoredKey::Fingerprint(fingerprint),
        };
        nodes.push(StoredState { key, parent: parent.unwrap_or(id) });
        table.insert_unique(fingerprint, local, |local| nodes[*local as usize].key.fingerprint());
        Some(id)
    }

    fn find(&self, state: &S, fingerprint: u64) -> Option<Id> {
        let is_same = |local: &u32| self.nodes[*local as usize].key.is(state, fingerprint);
        self.table.find(fingerprint, is_same).map(|local| local * self.shards + self.number)
    }
}

impl<S: Eq + Hash> StoredKey<S> {
    fn is(&self, state: &S, fingerprint: u64) -> bool {
        match self {
            Self::State(own) => own == state,
            Self::Fingerprint(own) => *own == fingerprint,
        }
    }

    fn fingerprint(&self) -> u64 {
        match self {
            Self::State(state) => fingerprint(state),
            Self::Fingerprint(fingerprint) => *fingerprint,
        }
    }
}
