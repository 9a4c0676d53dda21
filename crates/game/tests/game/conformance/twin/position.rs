//! A position with more in it than there should be.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A position with more in it than there should be.
#[derive(Clone, Debug)]
pub(crate) struct Spoiled<P> {
    pub(super) honest: P,
    /// Equal positions must have the same.
    pub(super) untold: u32,
    /// Equal positions have the same hash only if they have the same.
    pub(super) only_hashed: u32,
    /// Neither compared nor hashed.
    pub(super) only_known: u32,
    /// All copies share it.
    changes: Arc<AtomicU32>,
}

impl<P> Spoiled<P> {
    pub(super) fn new(honest: P) -> Self {
        Self { honest, untold: 0, only_hashed: 0, only_known: 0, changes: Arc::default() }
    }

    pub(super) fn change_all_copies(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn changes(&self) -> u32 {
        self.changes.load(Ordering::Relaxed)
    }
}

impl<P: PartialEq> PartialEq for Spoiled<P> {
    fn eq(&self, other: &Self) -> bool {
        self.honest == other.honest && self.untold == other.untold
    }
}

impl<P: Eq> Eq for Spoiled<P> {}

impl<P: Hash> Hash for Spoiled<P> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.honest.hash(hasher);
        self.untold.hash(hasher);
        self.only_hashed.hash(hasher);
    }
}
