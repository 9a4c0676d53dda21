//! The search: it finds states and visits them.

mod depth_first;
mod frontier;
mod parallel;

use std::collections::VecDeque;

use self::frontier::{Frontier, FrontierEntry};
use crate::inspect::{Inspector, SearchTally, StateExplorer};
use crate::model::Model;
use crate::store::{Id, Retention, Store, fingerprint};

/// In which order states are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The nearest first: traces are as short as possible.
    BreadthFirst,
    /// The latest first.
    DepthFirst,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchProgress {
    /// The number of states found.
    pub states: u64,
    /// The number of states visited.
    pub visited: u64,
    /// The distance from the start to the farthest state, in actions.
    pub depth: u64,
}

/// The bounds and the order of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) states: u64,
    pub(crate) depth: u64,
    pub(crate) threads: usize,
    /// The least number of states that several threads visit at once.
    pub(crate) least_shared_batch: usize,
    pub(crate) order: Order,
    pub(crate) retention: Retention,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchEnd {
    NothingLeft,
    Stopped,
    States,
    Depth,
}

/// Whether there was room for every new state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    Left,
    None,
}

/// A search in progress.
pub(crate) struct StateSearch<'a, M: Model> {
    inspector: &'a Inspector<'a, M>,
    bounds: Bounds,
    pub(crate) store: Store<M::State>,
    frontier: Frontier,
    /// The states of the frontier, if the store does not contain them.
    aside: VecDeque<M::State>,
    /// One for each thread.
    explorers: Vec<StateExplorer<'a, M>>,
    /// The distances of all states, by number, if a depth-first search has a maximum depth.
    distances: Vec<Distance>,
    pub(crate) tally: SearchTally,
    /// The tally of a round, which is empty between rounds.
    round: SearchTally,
    pub(crate) visited: u64,
    pub(crate) depth: u64,
    /// Whether states were left out because they are too far from the start.
    is_cut: bool,
}

/// The distance of a state from the start, as far as it is known, and whether it was visited.
#[derive(Clone, Copy)]
struct Distance {
    actions: u32,
    is_visited: bool,
}

/// The least number of states visited between two checks whether the search may stop. It determines
/// where a search stops at a finding, so it must not depend on the number of threads.
const BATCH: usize = 4_096;

/// The largest number of states visited between two such checks. Large searches have large batches,
/// because several threads must wait for each other after each.
const LARGE_BATCH: usize = 1 << 16;

/// The number of states whose successors are found before they are stored. Looking up many states
/// in a row is faster: the processor does not wait for one before it begins with the next.
pub(super) const ROUND: usize = 128;

/// Browsers run this on one thread. A constant leaves the other code out of their programs.
const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// Smaller batches are not worth several threads.
pub(crate) const WORTHWHILE: usize = 1_500;

impl<'a, M: Model> StateSearch<'a, M> {
    pub(crate) fn new(inspector: &'a Inspector<'a, M>, bounds: Bounds) -> Self {
        let shards = u32::try_from(bounds.threads.max(1)).expect("there are few threads");
        let mut search = Self {
            inspector,
            bounds,
            store: Store::new(shards, bounds.retention),
            frontier: Frontier::new(bounds.order),
            aside: VecDeque::new(),
            explorers: (0..bounds.threads).map(|_| inspector.explorer()).collect(),
            distances: Vec::new(),
            tally: SearchTally::new(inspector.properties.len()),
            round: SearchTally::new(inspector.properties.len()),
            visited: 0,
            depth: 0,
            is_cut: false,
        };
        let start = inspector.representative(inspector.model.start());
        let print = fingerprint(&start);
        let aside = keep_aside(bounds.retention, &start);
        let id = search.store.add(start, print, None);
        search.discover(id, 0, aside);
        search
    }

    /// Visits states until none is left, a bound is reached, or `goes_on` returns false.
    pub(crate) fn run(
        &mut self,
        mut goes_on: impl FnMut(&Self) -> bool,
    ) -> Result<SearchEnd, M::Error> {
        while let Some(depth) = self.next_depth() {
            if self.store.len() as u64 > self.bounds.states {
                return Ok(SearchEnd::States);
            }
            let batch = self.take_batch();
            if u64::from(depth) >= self.bounds.depth {
                self.drop_states(batch.len());
                self.is_cut = true;
                continue;
            }
            let seen = self.store.len();
            let room = self.visit(&batch, depth + 1)?;
            if self.store.len() > seen {
                self.depth = self.depth.max(u64::from(depth) + 1);
            }
            if room == Room::None {
                return Ok(SearchEnd::States);
            }
            if !goes_on(self) {
                return Ok(SearchEnd::Stopped);
            }
        }
        self.settle_distances()?;
        Ok(if self.is_cut { SearchEnd::Depth } else { SearchEnd::NothingLeft })
    }

    /// Whether every state that was found was visited.
    pub(crate) fn is_through(&self) -> bool {
        self.next_depth().is_none() && !self.is_cut
    }

    pub(crate) fn progress(&self) -> SearchProgress {
        let (states, visited) = (self.store.len() as u64, self.visited);
        SearchProgress { states, visited, depth: self.depth }
    }

    fn next_depth(&self) -> Option<u32> {
        self.frontier.next_depth(self.store.len())
    }

    /// Takes the next states to visit, which have the same distance from the start.
    fn take_batch(&mut self) -> Vec<Id> {
        let most = (self.store.len() / 16).clamp(BATCH, LARGE_BATCH);
        self.frontier.take(&self.store, most)
    }

    /// The states with these numbers, which are the next ones to visit.
    fn states(&mut self, ids: &[Id], states: &mut Vec<M::State>) {
        states.clear();
        match (self.bounds.retention, self.bounds.order) {
            (Retention::States, _) => {
                states.extend(ids.iter().filter_map(|id| self.store.state(*id)).cloned());
            }
            (Retention::Fingerprints, Order::BreadthFirst) => {
                states.extend(self.aside.drain(..ids.len()));
            }
            (Retention::Fingerprints, Order::DepthFirst) => states.extend(self.aside.pop_back()),
        }
        assert_eq!(states.len(), ids.len(), "a state is kept until it is visited");
    }

    /// Does not visit states that were taken.
    fn drop_states(&mut self, count: usize) {
        if self.bounds.retention == Retention::Fingerprints {
            match self.bounds.order {
                Order::BreadthFirst => drop(self.aside.drain(..count)),
                Order::DepthFirst => self.aside.truncate(self.aside.len() - count),
            }
        }
    }

    /// Adds a state that was just found.
    pub(super) fn discover(&mut self, id: Id, depth: u32, aside: Option<M::State>) {
        self.store.discover(id);
        self.wait(id, depth, aside);
        if self.measures_distances() {
            let unknown = Distance { actions: u32::MAX, is_visited: false };
            self.distances.resize(self.distances.len().max(id as usize + 1), unknown);
            self.distances[id as usize].actions = depth;
        }
    }

    fn wait(&mut self, id: Id, depth: u32, aside: Option<M::State>) {
        self.frontier.add(FrontierEntry { id, depth });
        self.aside.extend(aside);
    }

    /// Visits states and stores their successors, unless there is no room for a new one.
    fn visit(&mut self, batch: &[Id], depth: u32) -> Result<Room, M::Error> {
        if self.measures_distances() {
            self.visit_in_depth(batch, depth)
        } else if HAS_THREADS
            && self.bounds.threads > 1
            && batch.len() >= self.bounds.least_shared_batch
        {
            self.visit_in_parallel(batch, depth)
        } else {
            self.visit_on_one_thread(batch, depth)
        }
    }

    pub(super) fn visit_on_one_thread(
        &mut self,
        batch: &[Id],
        depth: u32,
    ) -> Result<Room, M::Error> {
        let (mut states, mut found) = (Vec::new(), Vec::new());
        for ids in batch.chunks(ROUND) {
            self.states(ids, &mut states);
            if self.visit_round(ids, &states, &mut found, depth)? == Room::None {
                return Ok(Room::None);
            }
        }
        Ok(Room::Left)
    }

    fn visit_round(
        &mut self,
        ids: &[Id],
        states: &[M::State],
        found: &mut Vec<Successor<M::State>>,
        depth: u32,
    ) -> Result<Room, M::Error> {
        if ids.len() == 1 {
            return self.visit_one_by_one(ids, states, found, depth);
        }
        let Self { inspector, explorers, round, .. } = self;
        let inspected = inspect(inspector, &mut explorers[0], ids, states, round, found);
        // There may be no more room before the first error.
        if inspected.is_err() || found.len() as u64 > self.room() {
            self.round.clear();
            return self.visit_one_by_one(ids, states, found, depth);
        }
        self.visited += ids.len() as u64;
        self.tally.add(&mut self.round);
        for found in found.iter_mut() {
            self.add(found, depth);
        }
        Ok(Room::Left)
    }

    /// Visits states until there is no room for a new one.
    fn visit_one_by_one(
        &mut self,
        ids: &[Id],
        states: &[M::State],
        found: &mut Vec<Successor<M::State>>,
        depth: u32,
    ) -> Result<Room, M::Error> {
        for (id, state) in ids.chunks(1).zip(states.chunks(1)) {
            let Self { inspector, explorers, tally, .. } = self;
            inspect(inspector, &mut explorers[0], id, state, tally, found)?;
            self.visited += 1;
            for found in &mut *found {
                if self.room() == 0 && !self.store.contains(found) {
                    return Ok(Room::None);
                }
                self.add(found, depth);
            }
        }
        Ok(Room::Left)
    }

    /// The number of states for which there is room.
    pub(super) fn room(&self) -> u64 {
        self.bounds.states.saturating_sub(self.store.len() as u64)
    }

    /// Stores a state, unless it was found before.
    #[inline]
    fn add(&mut self, found: &mut Successor<M::State>, depth: u32) {
        if !self.store.contains(found)
            && let Some(state) = found.state.take()
        {
            let aside = keep_aside(self.bounds.retention, &state);
            let id = self.store.add(state, found.fingerprint, Some(found.parent));
            self.discover(id, depth, aside);
        }
    }
}

/// Inspects states, and finds their successors.
fn inspect<M: Model>(
    inspector: &Inspector<'_, M>,
    explorer: &mut StateExplorer<'_, M>,
    ids: &[Id],
    states: &[M::State],
    tally: &mut SearchTally,
    found: &mut Vec<Successor<M::State>>,
) -> Result<(), M::Error> {
    found.clear();
    for (parent, state) in ids.iter().zip(states) {
        let add = |next| found.push(Successor::new(*parent, next));
        inspector.inspect(*parent, state, explorer, tally, add)?;
    }
    Ok(())
}

/// A successor of a visited state.
pub(crate) struct Successor<S> {
    pub(crate) parent: Id,
    pub(crate) fingerprint: u64,
    /// Taken when it is stored. Most are not, because they were found before.
    pub(crate) state: Option<S>,
}

impl<S: std::hash::Hash> Successor<S> {
    #[inline]
    pub(super) fn new(parent: Id, state: S) -> Self {
        Self { parent, fingerprint: fingerprint(&state), state: Some(state) }
    }
}

/// A copy of a state that the store will not keep.
pub(super) fn keep_aside<S: Clone>(retention: Retention, state: &S) -> Option<S> {
    (retention == Retention::Fingerprints).then(|| state.clone())
}
