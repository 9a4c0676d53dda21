//! The search: it finds states and visits them.

use std::collections::VecDeque;

use crate::inspect::{Inspector, SearchTally};
use crate::model::{Model, ModelExplorer};
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
    frontier: VecDeque<FrontierEntry>,
    /// The states of the frontier, if the store does not contain them.
    aside: VecDeque<M::State>,
    /// One for each thread.
    explorers: Vec<ModelExplorer<'a, M>>,
    /// The distances of all states, by number, if a depth-first search has a maximum depth.
    distances: Vec<Distance>,
    pub(crate) tally: SearchTally,
    pub(crate) visited: u64,
    pub(crate) depth: u64,
    /// Whether states were left out because they are too far from the start.
    is_cut: bool,
}

/// A state that was found and not yet visited.
#[derive(Clone, Copy)]
struct FrontierEntry {
    id: Id,
    depth: u32,
}

/// The distance of a state from the start, as far as it is known, and whether it was visited.
#[derive(Clone, Copy)]
struct Distance {
    actions: u32,
    is_visited: bool,
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

/// The least number of states visited between two checks of the bounds. It determines where a
/// search stops, so it must not depend on the number of threads.
const BATCH: usize = 4_096;

/// The largest number of states visited between two checks of the bounds. Large searches have large
/// batches, because several threads must wait for each other after each.
const LARGE_BATCH: usize = 1 << 16;

/// The number of states whose successors are found before they are stored. Looking up many states
/// in a row is faster: the processor does not wait for one before it begins with the next.
const ROUND: usize = 128;

/// Smaller batches are not worth several threads. Tests have small models and many threads.
const WORTHWHILE: usize = if cfg!(test) { 2 } else { 1_500 };

impl<'a, M: Model> StateSearch<'a, M> {
    pub(crate) fn new(inspector: &'a Inspector<'a, M>, bounds: Bounds) -> Self {
        let shards = if bounds.threads > 1 { bounds.threads.next_power_of_two() * 4 } else { 1 };
        let shards = u32::try_from(shards).expect("there are few threads");
        let mut search = Self {
            inspector,
            bounds,
            store: Store::new(shards, bounds.retention),
            frontier: VecDeque::new(),
            aside: VecDeque::new(),
            explorers: (0..bounds.threads).map(|_| inspector.model.explorer()).collect(),
            distances: Vec::new(),
            tally: SearchTally::new(inspector.properties.len()),
            visited: 0,
            depth: 0,
            is_cut: false,
        };
        let start = inspector.representative(inspector.model.start());
        let print = fingerprint(&start);
        let aside = keep_aside(bounds.retention, &start);
        let id = search.store.insert(start, print, None).expect("the store was empty");
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
            let batch = self.take_batch(depth);
            if u64::from(depth) >= self.bounds.depth {
                self.is_cut = true;
                continue;
            }
            let seen = self.store.len();
            self.visit(&batch, depth + 1)?;
            if self.store.len() > seen {
                self.depth = self.depth.max(u64::from(depth) + 1);
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
        self.frontier.is_empty() && !self.is_cut
    }

    pub(crate) fn progress(&self) -> SearchProgress {
        let (states, visited) = (self.store.len() as u64, self.visited);
        SearchProgress { states, visited, depth: self.depth }
    }

    fn next_depth(&self) -> Option<u32> {
        let next = match self.bounds.order {
            Order::BreadthFirst => self.frontier.front(),
            Order::DepthFirst => self.frontier.back(),
        };
        next.map(|waiting| waiting.depth)
    }

    /// Takes the next states to visit, which have the same distance from the start.
    fn take_batch(&mut self, depth: u32) -> Vec<(Id, M::State)> {
        let mut ids = Vec::new();
        match self.bounds.order {
            Order::DepthFirst => ids.extend(self.frontier.pop_back()),
            Order::BreadthFirst => {
                let size = (self.store.len() / 16).clamp(BATCH, LARGE_BATCH);
                while ids.len() < size && self.next_depth() == Some(depth) {
                    ids.extend(self.frontier.pop_front());
                }
            }
        }
        let Self { store, aside, bounds, .. } = self;
        let mut state = |id: Id| match (bounds.retention, bounds.order) {
            (Retention::States, _) => store.state(id).cloned(),
            (Retention::Fingerprints, Order::BreadthFirst) => aside.pop_front(),
            (Retention::Fingerprints, Order::DepthFirst) => aside.pop_back(),
        };
        let with_state = |FrontierEntry { id, .. }| {
            (id, state(id).expect("a state is kept until it is visited"))
        };
        ids.into_iter().map(with_state).collect()
    }

    /// Adds a state that was just found.
    fn discover(&mut self, id: Id, depth: u32, aside: Option<M::State>) {
        self.store.discover(id);
        self.wait(id, depth, aside);
        if self.measures_distances() {
            let unknown = Distance { actions: u32::MAX, is_visited: false };
            self.distances.resize(self.distances.len().max(id as usize + 1), unknown);
            self.distances[id as usize].actions = depth;
        }
    }

    fn wait(&mut self, id: Id, depth: u32, aside: Option<M::State>) {
        self.frontier.push_back(FrontierEntry { id, depth });
        self.aside.extend(aside);
    }

    fn visit(&mut self, batch: &[(Id, M::State)], depth: u32) -> Result<(), M::Error> {
        if self.measures_distances() {
            batch.iter().try_for_each(|(id, state)| self.visit_in_depth(*id, state, depth))
        } else if self.bounds.threads > 1 && batch.len() >= WORTHWHILE {
            self.visited += batch.len() as u64;
            self.visit_in_parallel(batch, depth)
        } else {
            self.visited += batch.len() as u64;
            self.visit_on_one_thread(batch, depth)
        }
    }

    fn visit_on_one_thread(
        &mut self,
        batch: &[(Id, M::State)],
        depth: u32,
    ) -> Result<(), M::Error> {
        let retention = self.bounds.retention;
        let mut found: Vec<(Id, u64, M::State)> = Vec::new();
        for round in batch.chunks(ROUND) {
            let Self { inspector, tally, explorers, .. } = self;
            for (parent, state) in round {
                let mut add = |next: M::State| found.push((*parent, fingerprint(&next), next));
                inspector.inspect(*parent, state, &mut explorers[0], tally, &mut add)?;
            }
            #[expect(clippy::iter_with_drain, reason = "the next round uses the buffer again")]
            for (parent, print, next) in found.drain(..) {
                let aside = keep_aside(retention, &next);
                if let Some(id) = self.store.insert(next, print, Some(parent)) {
                    self.discover(id, depth, aside);
                }
            }
        }
        Ok(())
    }

    fn visit_in_parallel(&mut self, batch: &[(Id, M::State)], depth: u32) -> Result<(), M::Error> {
        let chunk = batch.len().div_ceil(self.bounds.threads);
        let (inspector, store) = (self.inspector, &self.store);
        let explorers = &mut self.explorers;
        let outcomes: Vec<_> = std::thread::scope(|scope| {
            let chunks = (0_u64..).zip(batch.chunks(chunk)).zip(explorers);
            let visit = |((number, chunk), explorer)| {
                scope.spawn(move || visit_chunk(inspector, store, explorer, number, chunk))
            };
            let threads: Vec<_> = chunks.map(visit).collect();
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

    /// Stores successors in their shards, in parallel, and adds new ones to the frontier.
    fn store_all(&mut self, inboxes: Vec<Outboxes<M::State>>, depth: u32) {
        let retention = self.bounds.retention;
        let per_thread = inboxes.len().div_ceil(self.bounds.threads);
        let mut inboxes = inboxes.into_iter();
        let discoveries: Vec<Vec<Discovery<M::State>>> = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for shards in self.store.shards().chunks_mut(per_thread) {
                let inboxes: Vec<_> = inboxes.by_ref().take(shards.len()).collect();
                threads.push(scope.spawn(move || store_in_shards(shards, inboxes, retention)));
            }
            threads.into_iter().map(|thread| thread.join().expect(NO_PANIC)).collect()
        });
        let mut lists: Vec<_> =
            discoveries.into_iter().map(|list| list.into_iter().peekable()).collect();
        // Each list is in order.
        while let Some(first) =
            lists.iter_mut().filter_map(|list| list.peek().map(|discovery| discovery.place)).min()
        {
            let next = lists.iter_mut().find_map(|list| list.next_if(|each| each.place == first));
            if let Some(Discovery { id, state, .. }) = next {
                self.discover(id, depth, state);
            }
        }
    }
}

/// Depth-first search.
impl<M: Model> StateSearch<'_, M> {
    /// Whether the search must know how far states are from the start: a depth-first search may
    /// find a state that is near by a long way first, and may not leave it out then.
    fn measures_distances(&self) -> bool {
        self.bounds.order == Order::DepthFirst && self.bounds.depth < u64::MAX
    }

    /// Visits a state, perhaps not for the first time.
    fn visit_in_depth(&mut self, id: Id, state: &M::State, depth: u32) -> Result<(), M::Error> {
        let distance = &mut self.distances[id as usize];
        if distance.is_visited && distance.actions < depth - 1 {
            return Ok(());
        }
        let was_visited = std::mem::replace(&mut distance.is_visited, true);
        let mut found: Vec<M::State> = Vec::new();
        let Self { inspector, tally, explorers, .. } = self;
        let mut add = |next: M::State| found.push(next);
        if was_visited {
            let mut again = SearchTally::new(inspector.properties.len());
            inspector.inspect(id, state, &mut explorers[0], &mut again, &mut add)?;
        } else {
            self.visited += 1;
            inspector.inspect(id, state, &mut explorers[0], tally, &mut add)?;
        }
        for next in found {
            self.reach(id, next, depth);
        }
        Ok(())
    }

    /// Adds a state, or comes back to it if this way is shorter.
    fn reach(&mut self, parent: Id, state: M::State, depth: u32) {
        let print = fingerprint(&state);
        let copy = state.clone();
        let aside = keep_aside(self.bounds.retention, &state);
        if let Some(id) = self.store.insert(state, print, Some(parent)) {
            self.discover(id, depth, aside);
        } else if let Some(id) = self.store.find(&copy)
            && depth < self.distances[id as usize].actions
        {
            self.distances[id as usize].actions = depth;
            self.store.set_parent(id, parent);
            self.wait(id, depth, aside);
        }
    }

    /// Computes the distance of the farthest state, and whether states were left out.
    fn settle_distances(&mut self) -> Result<(), M::Error> {
        if self.bounds.order == Order::BreadthFirst {
            return Ok(());
        }
        if self.measures_distances() {
            let discovered = self.store.discovered().iter();
            let each = discovered.map(|id| self.distances[*id as usize]);
            self.is_cut = each.clone().any(|distance| !distance.is_visited);
            self.depth = each.map(|distance| u64::from(distance.actions)).max().unwrap_or(0);
            return Ok(());
        }
        self.depth = self.longest_distance()?;
        Ok(())
    }

    /// The distance of the farthest state that was found, by the shortest way.
    fn longest_distance(&mut self) -> Result<u64, M::Error> {
        let Self { inspector, store, explorers, .. } = self;
        let mut is_seen = vec![false; store.end()];
        let start = inspector.representative(inspector.model.start());
        store.find(&start).into_iter().for_each(|id| is_seen[id as usize] = true);
        let (mut level, mut depth) = (vec![start], 0);
        loop {
            let mut next_level = Vec::new();
            for state in &level {
                inspector.each_successor(state, &mut explorers[0], &mut |next| {
                    if let Some(id) = store.find(&next)
                        && !std::mem::replace(&mut is_seen[id as usize], true)
                    {
                        next_level.push(next);
                    }
                })?;
            }
            if next_level.is_empty() {
                return Ok(depth);
            }
            (level, depth) = (next_level, depth + 1);
        }
    }
}

const NO_PANIC: &str = "models do not panic";

/// A copy of a state that the store will not keep.
fn keep_aside<S: Clone>(retention: Retention, state: &S) -> Option<S> {
    (retention == Retention::Fingerprints).then(|| state.clone())
}

/// Visits some states, and sorts by shard those of their successors that were not found in earlier
/// batches. Most were, and need not be passed from thread to thread.
fn visit_chunk<M: Model>(
    inspector: &Inspector<'_, M>,
    store: &Store<M::State>,
    explorer: &mut ModelExplorer<'_, M>,
    number: u64,
    chunk: &[(Id, M::State)],
) -> Result<(SearchTally, Outboxes<M::State>), M::Error> {
    let mut tally = SearchTally::new(inspector.properties.len());
    let mut outboxes = Vec::new();
    outboxes.resize_with(store.shard_count(), Vec::new);
    let mut found: Vec<Successor<M::State>> = Vec::new();
    let mut place = number << 40;
    for round in chunk.chunks(ROUND) {
        for (parent, state) in round {
            inspector.inspect(*parent, state, explorer, &mut tally, &mut |state| {
                let fingerprint = fingerprint(&state);
                found.push(Successor { place, parent: *parent, state, fingerprint });
                place += 1;
            })?;
        }
        #[expect(clippy::iter_with_drain, reason = "the next round uses the buffer again")]
        for successor in found.drain(..) {
            if !store.contains(&successor.state, successor.fingerprint) {
                let outbox: &mut Vec<_> = &mut outboxes[store.home(successor.fingerprint)];
                outbox.push(successor);
            }
        }
    }
    Ok((tally, outboxes))
}

/// Stores successors in their shards, and returns the new ones in order.
fn store_in_shards<S: Clone + Eq + std::hash::Hash>(
    shards: &mut [Shard<S>],
    inboxes: Vec<Outboxes<S>>,
    retention: Retention,
) -> Vec<Discovery<S>> {
    let mut discoveries = Vec::new();
    for (shard, inbox) in shards.iter_mut().zip(inboxes) {
        for Successor { place, parent, state, fingerprint } in inbox.into_iter().flatten() {
            let aside = keep_aside(retention, &state);
            if let Some(id) = shard.insert(state, fingerprint, Some(parent)) {
                discoveries.push(Discovery { place, id, state: aside });
            }
        }
    }
    discoveries.sort_unstable_by_key(|discovery| discovery.place);
    discoveries
}
