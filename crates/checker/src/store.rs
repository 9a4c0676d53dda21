//! The states that were seen.

use std::hash::{BuildHasher, Hash};

use foldhash::quality::FixedState;
use hashbrown::HashTable;

/// The number of a state.
pub(crate) type Id = u32;

/// All states that were seen, spread over shards that can be filled side by side.
pub(crate) struct Store<S> {
    shards: Vec<Shard<S>>,
    /// All states in the order of their discovery, which does not depend on the shards.
    discovered: Vec<Id>,
}

/// Some of the states.
pub(crate) struct Shard<S> {
    number: u32,
    shards: u32,
    table: HashTable<u32>,
    nodes: Vec<Node<S>>,
}

struct Node<S> {
    key: Key<S>,
    /// The state from which this one was first reached; the start is its own parent.
    parent: Id,
}

/// What is kept of a state.
enum Key<S> {
    State(S),
    Fingerprint(u64),
}

/// What to keep of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    States,
    Fingerprints,
}

/// 64 bits that stand for a state.
pub(crate) fn fingerprint(state: &impl Hash) -> u64 {
    FixedState::default().hash_one(state)
}

impl<S: Eq + Hash> Store<S> {
    /// An empty store of so many shards, a power of two.
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

    /// The shard where a state belongs.
    pub(crate) fn home(&self, fingerprint: u64) -> usize {
        // The upper bits, since the table uses the lower ones.
        (fingerprint >> 32) as usize % self.shards.len()
    }

    /// Adds a state, and tells its number if it is new.
    pub(crate) fn insert(
        &mut self,
        state: S,
        fingerprint: u64,
        parent: Option<Id>,
        keeping: Keeping,
    ) -> Option<Id> {
        let home = self.home(fingerprint);
        self.shards[home].insert(state, fingerprint, parent, keeping)
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

    fn node(&self, id: Id) -> &Node<S> {
        let shards = self.shards.len();
        &self.shards[id as usize % shards].nodes[id as usize / shards]
    }

    pub(crate) fn parent(&self, id: Id) -> Option<Id> {
        Some(self.node(id).parent).filter(|parent| *parent != id)
    }

    /// The state of a number, if it was kept.
    pub(crate) fn state(&self, id: Id) -> Option<&S> {
        match &self.node(id).key {
            Key::State(state) => Some(state),
            Key::Fingerprint(_) => None,
        }
    }

    /// The number of a state, if it was seen.
    pub(crate) fn find(&self, state: &S) -> Option<Id> {
        let fingerprint = fingerprint(state);
        self.shards[self.home(fingerprint)].find(state, fingerprint)
    }

    /// Whether a state is the one of a number, as far as was kept.
    pub(crate) fn is(&self, id: Id, state: &S) -> bool {
        self.node(id).key.is(state, fingerprint(state))
    }
}

impl<S: Eq + Hash> Shard<S> {
    /// Adds a state, and tells its number if it is new.
    pub(crate) fn insert(
        &mut self,
        state: S,
        fingerprint: u64,
        parent: Option<Id>,
        keeping: Keeping,
    ) -> Option<Id> {
        let Self { table, nodes, .. } = self;
        let is_same = |local: &u32| nodes[*local as usize].key.is(&state, fingerprint);
        if table.find(fingerprint, is_same).is_some() {
            return None;
        }
        let local = u32::try_from(nodes.len()).expect("fewer than 2^32 states fit into memory");
        let id = local.checked_mul(self.shards).and_then(|id| id.checked_add(self.number));
        let id = id.expect("fewer than 2^32 states fit into memory");
        let key = match keeping {
            Keeping::States => Key::State(state),
            Keeping::Fingerprints => Key::Fingerprint(fingerprint),
        };
        nodes.push(Node { key, parent: parent.unwrap_or(id) });
        table.insert_unique(fingerprint, local, |local| nodes[*local as usize].key.fingerprint());
        Some(id)
    }

    fn find(&self, state: &S, fingerprint: u64) -> Option<Id> {
        let is_same = |local: &u32| self.nodes[*local as usize].key.is(state, fingerprint);
        self.table.find(fingerprint, is_same).map(|local| local * self.shards + self.number)
    }
}

impl<S: Eq + Hash> Key<S> {
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
