//! The search: it finds states and visits them.

use std::collections::VecDeque;

use crate::inspect::{Inspector, SearchTally};
use crate::model::Model;
use crate::store::{Id, Retention, Shard, Store, fingerprint};

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

/// A search in progress.
pub(crate) struct StateSearch<'a, M: Model> {
    inspector: &'a Inspector<'a, M>,
    bounds: Bounds,
    pub(crate) store: Store<M::State>,
    frontier: VecDeque<FrontierEntry<M::State>>,
    pub(crate) tally: SearchTally,
    pub(crate) visited: u64,
    pub(crate) depth: u64,
    /// Whether states were left out because they are too far from the start.
    is_cut: bool,
}

/// A state that was found and not yet visited.
struct FrontierEntry<S> {
    id: Id,
    depth: u64,
    /// The state, if the store does not contain it.
    state: Option<S>,
}

/// A successor of a visited state.
struct Successor<S> {
    /// Its place among all successors of the batch.
    place: u64,
    parent: Id,
    state: S,
    fingerprint: u64,
}

/// Successors, in a list for each shard or for each thread that found them.
type Outboxes<S> = Vec<Vec<Successor<S>>>;

/// A state that was found for the first time.
struct Discovery<S> {
    place: u64,
    id: Id,
    state: Option<S>,
}

/// The number of states visited between two checks of the bounds. It determines where a
/// search stops, so it must not depend on the number of threads.
const BATCH: usize = 4_096;

/// Smaller batches are not worth several threads. Tests have small models and many threads.
const WORTHWHILE: usize = if cfg!(test) { 2 } else { 1_500 };

impl<'a, M: Model> StateSearch<'a, M> {
    pub(crate) fn new(inspector: &'a Inspector<'a, M>, bounds: Bounds) -> Self {
        let shards = if bounds.threads > 1 { bounds.threads.next_power_of_two() * 4 } else { 1 };
        let mut search = Self {
            inspector,
            bounds,
            store: Store::new(u32::try_from(shards).expect("there are few threads")),
            frontier: VecDeque::new(),
            tally: SearchTally::new(inspector.properties.len()),
            visited: 0,
            depth: 0,
            is_cut: false,
        };
        let start = inspector.representative(inspector.model.start());
        let print = fingerprint(&start);
        let state = search.kept_aside(&start);
        let id = search.store.insert(start, print, None, bounds.retention);
        let id = id.expect("the store was empty");
        search.store.discover(id);
        search.frontier.push_back(FrontierEntry { id, depth: 0, state });
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
            let batch = self.take_batch(depth);
            if depth >= self.bounds.depth {
                self.is_cut = true;
                continue;
            }
            let seen = self.store.len();
            self.visited += batch.len() as u64;
            self.visit(&batch, depth + 1)?;
            if self.store.len() > seen {
                self.depth = self.depth.max(depth + 1);
            }
            if !goes_on(self) {
                return Ok(SearchEnd::Stopped);
            }
        }
        Ok(if self.is_cut { SearchEnd::Depth } else { SearchEnd::NothingLeft })
    }

    /// Whether every state that was found was visited.
    pub(crate) fn is_through(&self) -> bool {
        self.frontier.is_empty() && !self.is_cut
    }

    pub(crate) fn progress(&self) -> SearchProgress {
        let (states, visited) = (self.store.len() as u64, self.visited);
        SearchProgress { states, visited, depth: self.depth }
    }

    fn next_depth(&self) -> Option<u64> {
        let next = match self.bounds.order {
            Order::BreadthFirst => self.frontier.front(),
            Order::DepthFirst => self.frontier.back(),
        };
        next.map(|waiting| waiting.depth)
    }

    /// Takes the next states to visit, which have the same distance from the start.
    fn take_batch(&mut self, depth: u64) -> Vec<(Id, M::State)> {
        let mut batch = Vec::new();
        match self.bounds.order {
            Order::DepthFirst => batch.extend(self.frontier.pop_back()),
            Order::BreadthFirst => {
                while batch.len() < BATCH && self.next_depth() == Some(depth) {
                    batch.extend(self.frontier.pop_front());
                }
            }
        }
        let store = &self.store;
        let with_state = |FrontierEntry { id, state, .. }: FrontierEntry<M::State>| {
            let state = state.or_else(|| store.state(id).cloned());
            (id, state.expect("a state is kept until it is visited"))
        };
        batch.into_iter().map(with_state).collect()
    }

    fn visit(&mut self, batch: &[(Id, M::State)], depth: u64) -> Result<(), M::Error> {
        if self.bounds.threads > 1 && batch.len() >= WORTHWHILE {
            self.visit_in_parallel(batch, depth)
        } else {
            self.visit_on_one_thread(batch, depth)
        }
    }

    fn visit_on_one_thread(
        &mut self,
        batch: &[(Id, M::State)],
        depth: u64,
    ) -> Result<(), M::Error> {
        let Self { inspector, bounds, store, frontier, tally, .. } = self;
        for (parent, state) in batch {
            let mut add = |next: M::State| {
                let print = fingerprint(&next);
                let aside = keep_aside(bounds.retention, &next);
                if let Some(id) = store.insert(next, print, Some(*parent), bounds.retention) {
                    store.discover(id);
                    frontier.push_back(FrontierEntry { id, depth, state: aside });
                }
            };
            inspector.inspect(*parent, state, tally, &mut add)?;
        }
        Ok(())
    }

    fn visit_in_parallel(&mut self, batch: &[(Id, M::State)], depth: u64) -> Result<(), M::Error> {
        let chunk = batch.len().div_ceil(self.bounds.threads);
        let outcomes: Vec<_> = std::thread::scope(|scope| {
            let visit = |(number, chunk)| self.visit_chunk(number, chunk);
            let chunks = (0_u64..).zip(batch.chunks(chunk));
            let threads: Vec<_> = chunks.map(|each| scope.spawn(move || visit(each))).collect();
            threads.into_iter().map(|thread| thread.join().expect(NO_PANIC)).collect()
        });
        let mut inboxes: Vec<Outboxes<M::State>> = Vec::new();
        inboxes.resize_with(self.store.shards().len(), Vec::new);
        for outcome in outcomes {
            let (tally, outboxes) = outcome?;
            self.tally.add(tally);
            inboxes.iter_mut().zip(outboxes).for_each(|(inbox, outbox)| inbox.push(outbox));
        }
        self.store_all(inboxes, depth);
        Ok(())
    }

    /// Visits some states, and sorts their successors by shard.
    fn visit_chunk(
        &self,
        number: u64,
        chunk: &[(Id, M::State)],
    ) -> Result<(SearchTally, Outboxes<M::State>), M::Error> {
        let mut tally = SearchTally::new(self.inspector.properties.len());
        let mut outboxes = Vec::new();
        outboxes.resize_with(self.store.shard_count(), Vec::new);
        let mut place = number << 40;
        for (parent, state) in chunk {
            self.inspector.inspect(*parent, state, &mut tally, &mut |state| {
                let fingerprint = fingerprint(&state);
                let outbox = &mut outboxes[self.store.home(fingerprint)];
                outbox.push(Successor { place, parent: *parent, state, fingerprint });
                place += 1;
            })?;
        }
        Ok((tally, outboxes))
    }

    /// Stores successors in their shards, in parallel, and adds new ones to the frontier.
    fn store_all(&mut self, inboxes: Vec<Outboxes<M::State>>, depth: u64) {
        let retention = self.bounds.retention;
        let per_thread = inboxes.len().div_ceil(self.bounds.threads);
        let mut inboxes = inboxes.into_iter();
        let mut discoveries: Vec<Discovery<M::State>> = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for shards in self.store.shards().chunks_mut(per_thread) {
                let inboxes: Vec<_> = inboxes.by_ref().take(shards.len()).collect();
                threads.push(scope.spawn(move || store_in_shards(shards, inboxes, retention)));
            }
            let results = threads.into_iter().map(|thread| thread.join().expect(NO_PANIC));
            results.flatten().collect()
        });
        discoveries.sort_unstable_by_key(|discovery| discovery.place);
        for Discovery { id, state, .. } in discoveries {
            self.store.discover(id);
            self.frontier.push_back(FrontierEntry { id, depth, state });
        }
    }

    fn kept_aside(&self, state: &M::State) -> Option<M::State> {
        keep_aside(self.bounds.retention, state)
    }
}

const NO_PANIC: &str = "models do not panic";

/// A copy of a state that the store will not keep.
fn keep_aside<S: Clone>(retention: Retention, state: &S) -> Option<S> {
    (retention == Retention::Fingerprints).then(|| state.clone())
}

/// Stores successors in their shards, in order.
fn store_in_shards<S: Clone + Eq + std::hash::Hash>(
    shards: &mut [Shard<S>],
    inboxes: Vec<Outboxes<S>>,
    retention: Retention,
) -> Vec<Discovery<S>> {
    let mut discoveries = Vec::new();
    for (shard, inbox) in shards.iter_mut().zip(inboxes) {
        for Successor { place, parent, state, fingerprint } in inbox.into_iter().flatten() {
            let aside = keep_aside(retention, &state);
            if let Some(id) = shard.insert(state, fingerprint, Some(parent), retention) {
                discoveries.push(Discovery { place, id, state: aside });
            }
        }
    }
    discoveries
}
