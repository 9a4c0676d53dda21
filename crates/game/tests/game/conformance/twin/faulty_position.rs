//! A position with extra state, so that equality, hash, text and future can disagree.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A position with extra state, so that equality, hash, text and future can disagree.
#[derive(Clone, Debug)]
pub(crate) struct FaultyPosition<P> {
    pub(super) honest: P,
    /// Compared and hashed, but not in the text.
    pub(super) unwritten: u32,
    /// Hashed, but not compared.
    pub(super) only_hashed: u32,
    /// Neither compared nor hashed.
    pub(super) uncompared: u32,
    /// Shared by all copies.
    changes: Arc<AtomicU32>,
}

impl<P> FaultyPosition<P> {
    pub(super) fn new(honest: P) -> Self {
        Self { honest, unwritten: 0, only_hashed: 0, uncompared: 0, changes: Arc::default() }
    }

    pub(super) fn change_all_copies(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn changes(&self) -> u32 {
        self.changes.load(Ordering::Relaxed)
    }
}

impl<P: PartialEq> PartialEq for FaultyPosition<P> {
    fn eq(&self, other: &Self) -> bool {
        self.honest == other.honest && self.unwritten == other.unwritten
    }
}

impl<P: Eq> Eq for FaultyPosition<P> {}

impl<P: Hash> Hash for FaultyPosition<P> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.honest.hash(hasher);
        self.unwritten.hash(hasher);
        self.only_hashed.hash(hasher);
    }
}
