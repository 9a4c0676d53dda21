//! Visiting many states on several threads.

mod countdown;
mod discovery_order;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use hashbrown::HashTable;

use self::countdown::Countdown;
use self::discovery_order::DiscoveryOrder;
use super::{ROUND, Room, StateSearch, keep_aside};
use crate::inspect::{Inspector, SearchTally, StateExplorer};
use crate::model::Model;
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
    /// The shards whose states are still visited.
    visiting: Countdown,
    /// The place of the first state that is known to have an error. No state after it is visited.
    first_error: AtomicUsize,
    retention: Retention,
}

/// A shard whose states a thread visits, and what finds their successors.
type ShardJob<'a, 'm, M> = (Shard<<M as Model>::State>, &'a mut StateExplorer<'m, M>);

/// A shard, and what a batch adds to it.
///
/// A thread holds its shard by value: beside another one it would share the memory that the
/// processor moves between cores at once, and every change would slow the other thread down.
struct GrowingShard<S> {
    shard: Shard<S>,
    /// The number of states before the batch.
    before: usize,
    /// For each added state, the first edge that leads to it.
    edges: Vec<BatchEdge>,
    /// The added states, if the shard does not keep them.
    aside: Vec<S>,
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

/// What was found out about the states of a shard. Cases are numbered by their places in the batch.
struct VisitedShard<S> {
    growing: GrowingShard<S>,
    tally: SearchTally,
    /// For each visited state, its place in the batch and the number of its edges.
    edge_counts: Vec<(u32, u32)>,
}

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
        let mut visited = shared.run(shards, &mut self.explorers);
        let has_error = shared.first_error.into_inner() < usize::MAX;
        let added: usize = visited.iter().map(|each| each.growing.edges.len()).sum();
        if has_error || added as u64 > room {
            // One thread finds out which comes first: an error, or a state for which there is no room.
            for each in &mut visited {
                each.growing.undo();
            }
            self.store.put_shards(visited.into_iter().map(|each| each.growing.shard).collect());
            return self.visit_on_one_thread(batch, depth);
        }
        self.drop_states(batch.len());
        self.visited += batch.len() as u64;
        self.add_visited(visited, batch, depth);
        Ok(Room::Left)
    }

    /// Counts what was visited, and adds the new states to the frontier in the order of the edges that
    /// lead to them.
    fn add_visited(&mut self, visited: Vec<VisitedShard<M::State>>, batch: &[Id], depth: u32) {
        let mut all = SearchTally::new(self.inspector.properties.len());
        let mut order = DiscoveryOrder::new(batch.len());
        for each in &visited {
            order.count_edges(&each.edge_counts);
        }
        order.number_edges();
        for each in &visited {
            order.discover(&each.growing.edges);
        }
        order.rank_discoveries();
        let mut discovered: Vec<Id> = vec![0; order.count()];
        let mut waiting: Vec<Option<M::State>> = Vec::new();
        if self.bounds.retention == Retention::Fingerprints {
            waiting.resize_with(order.count(), || None);
        }
        let mut shards = Vec::new();
        for VisitedShard { growing, tally, .. } in visited {
            let GrowingShard { shard, before, edges, aside } = growing;
            for (edge, state) in edges.iter().zip(aside) {
                waiting[order.rank(*edge)] = Some(state);
            }
            for (place, edge) in (before..).zip(edges) {
                let id = shard.id(u32::try_from(place).expect("states are numbered with 32 bits"));
                discovered[order.rank(edge)] = id;
            }
            shards.push(shard);
            all.merge(tally);
        }
        self.store.put_shards(shards);
        all.renumber(|place| batch[place as usize]);
        self.tally.add(&mut all);
        let mut waiting = waiting.into_iter();
        for id in discovered {
            self.discover(id, depth, waiting.next().flatten());
        }
    }
}

const NO_PANIC: &str = "models do not panic";

impl<M: Model> SharedBatch<'_, '_, M> {
    /// Visits all states, with a thread for each shard. If the system refuses a thread, this one does
    /// its work.
    fn run(
        &self,
        shards: Vec<Shard<M::State>>,
        explorers: &mut [StateExplorer<'_, M>],
    ) -> Vec<VisitedShard<M::State>> {
        let jobs: Vec<_> =
            shards.into_iter().zip(explorers).map(|job| Mutex::new(Some(job))).collect();
        let mut visited: Vec<_> = std::thread::scope(|scope| {
            let (own, others) = jobs.split_at(1);
            let mut own: Vec<_> = own.iter().collect();
            let mut threads = Vec::new();
            for job in others {
                let visit = move || self.visit(take(job).into_iter().collect());
                match Builder::new().spawn_scoped(scope, visit) {
                    Ok(thread) => threads.push(thread),
                    Err(_refused) => own.push(job),
                }
            }
            let own = self.visit(own.into_iter().filter_map(take).collect());
            let others = threads.into_iter().map(|thread| thread.join().expect(NO_PANIC));
            own.into_iter().chain(others.flatten()).collect()
        });
        visited.sort_unstable_by_key(|each| each.growing.shard.number());
        visited
    }

    /// Visits the states of some shards, and stores all states that belong there.
    fn visit(&self, jobs: Vec<ShardJob<'_, '_, M>>) -> Vec<VisitedShard<M::State>> {
        // A panic ends this thread, and the others must not wait for it then.
        let guards: Vec<_> = jobs.iter().map(|_| self.visiting.guard()).collect();
        let visit = |(shard, explorer)| self.visit_states(shard, explorer);
        let mut visited: Vec<_> = jobs.into_iter().map(visit).collect();
        drop(guards);
        self.visiting.wait();
        for VisitedShard { growing, .. } in &mut visited {
            for mut list in std::mem::take(&mut *lock(&self.mailboxes[growing.shard.number()])) {
                growing.store_handed_over(&mut list, self.ids, self.retention);
            }
        }
        visited
    }

    fn visit_states(
        &self,
        shard: Shard<M::State>,
        explorer: &mut StateExplorer<'_, M>,
    ) -> VisitedShard<M::State> {
        let own = shard.number();
        let mut growing = GrowingShard::new(shard);
        let mut tally = SearchTally::new(self.inspector.properties.len());
        let home = |id: &Id| place_among(self.mailboxes.len(), *id).0;
        let places = (0..).zip(self.ids).filter(|(_, id)| home(id) == own);
        let places: Vec<u32> = places.map(|(place, _)| place).collect();
        let mut edge_counts = Vec::with_capacity(places.len());
        // For each shard, what this round has found, and what all rounds have. All edges of a round are
        // found before one is looked up, because the processor cannot predict where one belongs.
        let mut found: Vec<PendingEdges<M::State>> = Vec::new();
        found.resize_with(self.mailboxes.len(), Vec::new);
        let mut handed_over: Vec<_> =
            found.iter().map(|_| DistinctEdges::with_capacity(places.len())).collect();
        let mut states = Vec::new();
        'rounds: for places in places.chunks(ROUND) {
            if places[0] as usize > self.first_error.load(Ordering::Relaxed) {
                break;
            }
            self.read_states(&growing, places, &mut states);
            for (place, state) in places.iter().zip(&states) {
                let Ok(edges) = self.inspect(*place, state, explorer, &mut tally, &mut found)
                else {
                    self.first_error.fetch_min(*place as usize, Ordering::Relaxed);
                    break 'rounds;
                };
                edge_counts.push((*place, edges));
            }
            growing.store_own(&mut found[own], self.ids, self.retention);
            for (distinct, found) in handed_over.iter_mut().zip(&mut found) {
                distinct.add(found);
            }
        }
        for (mailbox, distinct) in self.mailboxes.iter().zip(handed_over) {
            lock(mailbox).push(distinct.edges);
        }
        VisitedShard { growing, tally, edge_counts }
    }

    /// Copies the states at some places of the batch, which must belong to the shard.
    fn read_states(
        &self,
        growing: &GrowingShard<M::State>,
        places: &[u32],
        states: &mut Vec<M::State>,
    ) {
        states.clear();
        for place in places.iter().map(|place| *place as usize) {
            let (_, local) = place_among(self.mailboxes.len(), self.ids[place]);
            let state = self.aside.map_or_else(|| growing.shard.state(local), |all| all.get(place));
            states.push(state.expect("a state is kept until it is visited").clone());
        }
    }

    /// Inspects the state at a place of the batch, collects its edges, and returns their number.
    #[inline]
    fn inspect(
        &self,
        parent: u32,
        state: &M::State,
        explorer: &mut StateExplorer<'_, M>,
        tally: &mut SearchTally,
        found: &mut [PendingEdges<M::State>],
    ) -> Result<u32, M::Error> {
        let mut place = 0;
        self.inspector.inspect(parent, state, explorer, tally, |next| {
            let (edge, fingerprint) = (BatchEdge { parent, place }, fingerprint(&next));
            let home = home_among(found.len(), fingerprint);
            found[home].push(PendingEdge { edge, fingerprint, state: next });
            place += 1;
        })?;
        Ok(place)
    }
}

fn take<T>(slot: &Mutex<Option<T>>) -> Option<T> {
    lock(slot).take()
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

impl<S: Clone + Eq + std::hash::Hash> GrowingShard<S> {
    fn new(shard: Shard<S>) -> Self {
        Self { before: shard.len(), shard, edges: Vec::new(), aside: Vec::new() }
    }

    /// Stores successors that are found in order, of states of the batch with these numbers.
    fn store_own(&mut self, found: &mut PendingEdges<S>, ids: &[Id], retention: Retention) {
        for pending in found.drain(..) {
            if self.shard.place(&pending.state, pending.fingerprint).is_none() {
                self.add(pending, ids, retention);
            }
        }
    }

    /// Stores successors that others have found, perhaps earlier in the order.
    fn store_handed_over(&mut self, list: &mut PendingEdges<S>, ids: &[Id], retention: Retention) {
        for pending in list.drain(..) {
            let Some(local) = self.shard.place(&pending.state, pending.fingerprint) else {
                self.add(pending, ids, retention);
                continue;
            };
            let place = (local as usize).checked_sub(self.before);
            if let Some(first) = place.and_then(|place| self.edges.get_mut(place))
                && pending.edge < *first
            {
                *first = pending.edge;
                self.shard.set_parent(local, ids[pending.edge.parent as usize]);
            }
        }
    }

    fn add(&mut self, pending: PendingEdge<S>, ids: &[Id], retention: Retention) {
        let PendingEdge { edge, fingerprint, state } = pending;
        self.aside.extend(keep_aside(retention, &state));
        self.shard.add(state, fingerprint, Some(ids[edge.parent as usize]));
        self.edges.push(edge);
    }

    /// Forgets what the batch has added.
    fn undo(&mut self) {
        self.shard.truncate(self.before);
    }
}
