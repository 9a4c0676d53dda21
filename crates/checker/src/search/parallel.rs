//! Visiting many states on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use hashbrown::HashTable;

use super::{ROUND, Room, StateSearch, keep_aside};
use crate::inspect::{Inspector, SearchTally};
use crate::model::{Model, ModelExplorer};
use crate::store::{Id, Retention, Shard, fingerprint, home_among, place_among};

/// The states of a batch, which several threads visit.
///
/// Each thread owns a shard: it visits the states of its shard, stores the successors that belong
/// there, and hands all others over to their owners at the end, each only once. So two threads never
/// write to the same memory, and little memory goes from one core to another, which costs more than
/// all else. Of several states that lead to the same new one, the first in order becomes its parent,
/// whichever thread is faster, so the result does not depend on the number of threads.
struct SharedBatch<'a, 'm, M: Model> {
    inspector: &'a Inspector<'m, M>,
    ids: &'a [Id],
    /// The states, if the shards do not contain them.
    aside: Option<&'a [M::State]>,
    /// For each shard, what other threads have found for it.
    mailboxes: Vec<Mailbox<M::State>>,
    /// The threads that may still find successors.
    visiting: Countdown,
    /// The place of the first state that is known to have an error. No state after it is visited.
    first_error: AtomicUsize,
    retention: Retention,
}

/// A shard, and what a batch adds to it.
///
/// A thread holds its shard by value: beside another one it would share the memory that the
/// processor moves between cores at once, and every change would slow the other thread down.
struct GrowingShard<S> {
    shard: Shard<S>,
    number: usize,
    /// The number of states before the batch.
    before: usize,
    /// For each added state, the first edge that leads to it.
    edges: Vec<BatchEdge>,
    /// The added states, if the shard does not keep them.
    aside: Vec<Option<S>>,
    /// These edges in order, with the places of the added states.
    order: Vec<(BatchEdge, u32)>,
}

/// The states that a batch has added to a shard.
struct ShardGrowth<S> {
    /// The number of states before the batch.
    before: usize,
    /// The added states, if the shard does not keep them.
    aside: Vec<Option<S>>,
    /// The first edges that lead to the added states, in order, and the places of these states.
    order: Vec<(BatchEdge, u32)>,
}

/// The place of an edge among all edges of a batch: that of its state, and its place among those of
/// the state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct BatchEdge {
    parent: u32,
    place: u32,
}

/// A successor that is to be stored.
struct PendingEdge<S> {
    edge: BatchEdge,
    fingerprint: u64,
    state: S,
}

type PendingEdges<S> = Vec<PendingEdge<S>>;

/// Lists of successors for the owner of a shard.
type Mailbox<S> = Mutex<Vec<PendingEdges<S>>>;

/// What a thread has found out about its states. Cases are numbered by their places in the batch.
struct VisitedShard<S, E> {
    shard: GrowingShard<S>,
    tally: SearchTally,
    error: PlacedError<E>,
}

/// An error, and the place of its state in the batch.
type PlacedError<E> = Option<(usize, E)>;

impl<M: Model> StateSearch<'_, M> {
    pub(super) fn visit_in_parallel(&mut self, batch: &[Id], depth: u32) -> Result<Room, M::Error> {
        let room = self.room();
        let is_compact = self.bounds.retention == Retention::Fingerprints;
        let aside: Option<Vec<M::State>> =
            is_compact.then(|| self.aside.range(..batch.len()).cloned().collect());
        let shards = self.store.take_shards();
        let shared = SharedBatch {
            inspector: self.inspector,
            ids: batch,
            aside: aside.as_deref(),
            mailboxes: shards.iter().map(|_| Mailbox::default()).collect(),
            visiting: Countdown::new(shards.len()),
            first_error: AtomicUsize::new(usize::MAX),
            retention: self.bounds.retention,
        };
        let visited = shared.run(shards, &mut self.explorers);
        let added: usize = visited.iter().map(|visited| visited.shard.edges.len()).sum();
        let (mut shards, mut growths, mut findings) = (Vec::new(), Vec::new(), Vec::new());
        for VisitedShard { shard, tally, error } in visited {
            let (shard, growth) = shard.split();
            shards.push(shard);
            growths.push(growth);
            findings.push((tally, error));
        }
        if added as u64 > room {
            // One thread finds out which states come first.
            let grown = shards.iter_mut().zip(&growths);
            grown.for_each(|(shard, growth)| shard.truncate(growth.before));
            self.store.put_shards(shards);
            return self.visit_on_one_thread(batch, depth);
        }
        self.store.put_shards(shards);
        self.drop_states(batch.len());
        self.visited += batch.len() as u64;
        self.add_findings(findings, batch)?;
        self.discover_all(growths, depth);
        Ok(Room::Left)
    }

    fn add_findings(
        &mut self,
        findings: Vec<(SearchTally, PlacedError<M::Error>)>,
        batch: &[Id],
    ) -> Result<(), M::Error> {
        let mut all = SearchTally::new(self.inspector.properties.len());
        let mut errors = Vec::new();
        for (tally, error) in findings {
            all.merge(tally);
            errors.extend(error);
        }
        if let Some((_, error)) = errors.into_iter().min_by_key(|(place, _)| *place) {
            return Err(error);
        }
        all.renumber(|place| batch[place as usize]);
        self.tally.add(all);
        Ok(())
    }

    /// Adds the new states to the frontier, in the order of the edges that lead to them.
    fn discover_all(&mut self, mut growths: Vec<ShardGrowth<M::State>>, depth: u32) {
        let mut next = vec![0; growths.len()];
        loop {
            let heads = growths.iter().zip(&next).map(|(growth, next)| growth.order.get(*next));
            let heads = heads.enumerate().filter_map(|(shard, head)| Some((*head?, shard)));
            let Some(((_, place), shard)) = heads.min() else { return };
            next[shard] += 1;
            let ShardGrowth { before, aside, .. } = &mut growths[shard];
            let aside = aside.get_mut(place as usize).and_then(Option::take);
            let id = self.store.id_at(shard, *before + place as usize);
            self.discover(id, depth, aside);
        }
    }
}

const NO_PANIC: &str = "models do not panic";

impl<M: Model> SharedBatch<'_, '_, M> {
    /// Visits all states, with a thread for each shard.
    fn run(
        &self,
        shards: Vec<Shard<M::State>>,
        explorers: &mut [ModelExplorer<'_, M>],
    ) -> Vec<VisitedShard<M::State, M::Error>> {
        std::thread::scope(|scope| {
            let mut shards = shards.into_iter().enumerate().zip(explorers);
            let own = shards.next();
            let visit = |(shard, explorer)| scope.spawn(move || self.visit(shard, explorer));
            let threads: Vec<_> = shards.map(visit).collect();
            let own = own.map(|(shard, explorer)| self.visit(shard, explorer));
            let others = threads.into_iter().map(|thread| thread.join().expect(NO_PANIC));
            own.into_iter().chain(others).collect()
        })
    }

    /// Visits the states of a shard, and stores all states that belong there.
    fn visit(
        &self,
        (number, shard): (usize, Shard<M::State>),
        explorer: &mut ModelExplorer<'_, M>,
    ) -> VisitedShard<M::State, M::Error> {
        let tally = SearchTally::new(self.inspector.properties.len());
        let shard = GrowingShard::new(number, shard);
        let mut visited = VisitedShard { shard, tally, error: None };
        {
            // A panic ends this thread, and the others must not wait for it then.
            let _visiting = self.visiting.guard();
            self.visit_states(explorer, &mut visited);
        }
        self.visiting.wait();
        for mut list in std::mem::take(&mut *lock(&self.mailboxes[number])) {
            visited.shard.store(&mut list, self.ids, self.retention);
        }
        visited.shard.sort();
        visited
    }

    fn visit_states(
        &self,
        explorer: &mut ModelExplorer<'_, M>,
        visited: &mut VisitedShard<M::State, M::Error>,
    ) {
        let VisitedShard { shard, tally, error } = visited;
        let home = |id: &Id| place_among(self.mailboxes.len(), *id).0;
        let places = (0..).zip(self.ids).filter(|(_, id)| home(id) == shard.number);
        let places: Vec<u32> = places.map(|(place, _)| place).collect();
        // For each shard, what this round has found, and what all rounds have. All edges of a round are
        // found before one is looked up, because the processor cannot predict where one belongs.
        let mut found: Vec<PendingEdges<M::State>> = Vec::new();
        found.resize_with(self.mailboxes.len(), Vec::new);
        let mut handed_over: Vec<_> =
            found.iter().map(|_| DistinctEdges::with_capacity(places.len())).collect();
        let mut states = Vec::new();
        for places in places.chunks(ROUND) {
            if places[0] as usize > self.first_error.load(Ordering::Relaxed) {
                return;
            }
            self.read_states(shard, places, &mut states);
            for (place, state) in places.iter().zip(&states) {
                let inspected = self.inspect(*place, state, explorer, tally, &mut found);
                if let Err(unknown) = inspected {
                    self.first_error.fetch_min(*place as usize, Ordering::Relaxed);
                    *error = Some((*place as usize, unknown));
                    return;
                }
            }
            shard.store(&mut found[shard.number], self.ids, self.retention);
            for (distinct, found) in handed_over.iter_mut().zip(&mut found) {
                distinct.add(found);
            }
        }
        for (mailbox, distinct) in self.mailboxes.iter().zip(handed_over) {
            lock(mailbox).push(distinct.edges);
        }
    }

    /// Copies the states at some places of the batch, which must belong to the shard.
    fn read_states(
        &self,
        shard: &GrowingShard<M::State>,
        places: &[u32],
        states: &mut Vec<M::State>,
    ) {
        states.clear();
        for place in places.iter().map(|place| *place as usize) {
            let (_, local) = place_among(self.mailboxes.len(), self.ids[place]);
            let state = self.aside.map_or_else(|| shard.shard.state(local), |all| all.get(place));
            states.push(state.expect("a state is kept until it is visited").clone());
        }
    }

    /// Inspects the state at a place of the batch, and collects its edges.
    #[inline]
    fn inspect(
        &self,
        parent: u32,
        state: &M::State,
        explorer: &mut ModelExplorer<'_, M>,
        tally: &mut SearchTally,
        found: &mut [PendingEdges<M::State>],
    ) -> Result<(), M::Error> {
        let mut place = 0;
        self.inspector.inspect(parent, state, explorer, tally, |next| {
            let (edge, fingerprint) = (BatchEdge { parent, place }, fingerprint(&next));
            let home = home_among(found.len(), fingerprint);
            found[home].push(PendingEdge { edge, fingerprint, state: next });
            place += 1;
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Successors that a thread hands over to the owner of their shard, each once.
struct DistinctEdges<S> {
    edges: PendingEdges<S>,
    /// Their places.
    known: HashTable<u32>,
}

impl<S: Eq> DistinctEdges<S> {
    fn with_capacity(edges: usize) -> Self {
        Self { edges: Vec::with_capacity(edges), known: HashTable::with_capacity(edges) }
    }

    /// Adds edges, except those to states to which an earlier one leads.
    fn add(&mut self, found: &mut PendingEdges<S>) {
        let Self { edges, known } = self;
        for pending in found.drain(..) {
            let is_same = |place: &u32| edges[*place as usize].state == pending.state;
            if known.find(pending.fingerprint, is_same).is_none() {
                let place = u32::try_from(edges.len()).expect("a batch has fewer than 2^32 edges");
                let rehash = |place: &u32| edges[*place as usize].fingerprint;
                known.insert_unique(pending.fingerprint, place, rehash);
                edges.push(pending);
            }
        }
    }
}

/// Threads that others wait for.
struct Countdown {
    left: Mutex<usize>,
    changed: Condvar,
}

impl Countdown {
    fn new(threads: usize) -> Self {
        Self { left: Mutex::new(threads), changed: Condvar::new() }
    }

    fn left(&self) -> MutexGuard<'_, usize> {
        lock(&self.left)
    }

    /// Counts a thread when it is dropped.
    fn guard(&self) -> CountdownGuard<'_> {
        CountdownGuard(self)
    }

    /// Waits until all threads are counted.
    fn wait(&self) {
        let waited = self.changed.wait_while(self.left(), |left| *left > 0);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

struct CountdownGuard<'a>(&'a Countdown);

impl Drop for CountdownGuard<'_> {
    fn drop(&mut self) {
        *self.0.left() -= 1;
        self.0.changed.notify_all();
    }
}

impl<S: Clone + Eq + std::hash::Hash> GrowingShard<S> {
    fn new(number: usize, shard: Shard<S>) -> Self {
        let (edges, aside, order) = (Vec::new(), Vec::new(), Vec::new());
        Self { before: shard.len(), shard, number, edges, aside, order }
    }

    /// Stores successors of states of the batch with these numbers.
    fn store(&mut self, pending: &mut PendingEdges<S>, ids: &[Id], retention: Retention) {
        for PendingEdge { edge, fingerprint, state } in pending.drain(..) {
            let parent = ids[edge.parent as usize];
            let Some(local) = self.shard.place(&state, fingerprint) else {
                self.aside.extend(keep_aside(retention, &state).map(Some));
                self.shard.add(state, fingerprint, Some(parent));
                self.edges.push(edge);
                continue;
            };
            let place = (local as usize).checked_sub(self.before);
            if let Some(first) = place.and_then(|place| self.edges.get_mut(place))
                && edge < *first
            {
                *first = edge;
                self.shard.set_parent(local, parent);
            }
        }
    }

    /// The shard, and what was added to it.
    fn split(self) -> (Shard<S>, ShardGrowth<S>) {
        let Self { shard, before, aside, order, .. } = self;
        (shard, ShardGrowth { before, aside, order })
    }

    fn sort(&mut self) {
        self.order = self.edges.iter().copied().zip(0..).collect();
        self.order.sort_unstable();
    }
}
