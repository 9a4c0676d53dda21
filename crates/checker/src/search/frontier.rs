//! The states that were found and not yet visited.

use super::Order;
use crate::store::{Id, Store};

/// The states that were found and not yet visited.
pub(super) enum Frontier {
    /// States are visited in the order in which they were found, so no list is needed.
    BreadthFirst(Level),
    DepthFirst(Vec<FrontierEntry>),
}

/// The states at one distance from the start, which are found one after the other.
pub(super) struct Level {
    /// The place of the first state that was not visited, in the order of discovery.
    next: usize,
    /// The place after the last state at this distance.
    end: usize,
    depth: u32,
}

/// A state that was found and not yet visited.
#[derive(Clone, Copy)]
pub(super) struct FrontierEntry {
    pub(super) id: Id,
    pub(super) depth: u32,
}

impl Frontier {
    /// The frontier of a search that has found its start.
    pub(super) fn new(order: Order) -> Self {
        match order {
            Order::BreadthFirst => Self::BreadthFirst(Level { next: 0, end: 1, depth: 0 }),
            Order::DepthFirst => Self::DepthFirst(Vec::new()),
        }
    }

    /// Adds a state that was just found.
    #[inline]
    pub(super) fn add(&mut self, entry: FrontierEntry) {
        if let Self::DepthFirst(entries) = self {
            entries.push(entry);
        }
    }

    /// The distance of the next state to visit, if any is left of the states found so far.
    pub(super) fn next_depth(&self, found: usize) -> Option<u32> {
        match self {
            Self::DepthFirst(entries) => entries.last().map(|entry| entry.depth),
            Self::BreadthFirst(Level { next, end, depth }) => {
                let is_next_level = next == end;
                (*next < found).then(|| depth + u32::from(is_next_level))
            }
        }
    }

    /// Takes the next states to visit, which have the same distance from the start.
    pub(super) fn take<S: Eq + std::hash::Hash>(
        &mut self,
        store: &Store<S>,
        most: usize,
    ) -> Vec<Id> {
        match self {
            Self::DepthFirst(entries) => entries.pop().map(|entry| entry.id).into_iter().collect(),
            Self::BreadthFirst(level) => {
                if level.next == level.end {
                    level.end = store.len();
                    level.depth += 1;
                }
                let first = level.next;
                level.next = level.end.min(first + most);
                store.discovered_at(first..level.next).collect()
            }
        }
    }
}
