//! Visiting many states on several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, TryLockError};

use super::{ROUND, Room, SHARDS_PER_THREAD, StateSearch, Successor, WORTHWHILE, keep_aside};
use crate::inspect::{Inspector, SearchTally};
use crate::model::{Model, ModelExplorer};
use crate::store::{Id, Retention, Shard, home_among, place_among};

/// The states of a batch, which several threads visit.
///
/// They store successors as they find them. Of several states that lead to the same new one, the
/// first in order becomes its parent, whichever thread is faster, so the result does not depend on
/// the number of threads.
struct SharedBatch<'a, 'm, M: Model> {
    inspector: &'a Inspector<'m, M>,
    ids: &'a [Id],
    /// The states, if the shards do not contain them.
    aside: Option<&'a [M::State]>,
    shards: Vec<Mutex<GrowingShard<'a, M::State>>>,
    /// The next round of states that no thread has taken.
    next_round: AtomicUsize,
    retention: Retention,
}

/// A shard, and what a batch adds to it.
struct GrowingShard<'a, S> {
    shard: &'a mut Shard<S>,
    growth: ShardGrowth<S>,
}

/// The states that a batch adds to a shard.
struct ShardGrowth<S> {
    /// The number of states before the batch.
    before: usize,
    /// For each added state, the first edge that leads to it, and its number.
    added: Vec<(BatchEdge, Id)>,
    /// The added states, if the shard does not keep them.
    aside: Vec<S>,
}

/// The place of an edge among all edges of a batch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct BatchEdge {
    round: u32,
    /// Its place among the edges of the round.
    place: u32,
}

/// Successors that are to be stored in one shard.
type PendingEdges<S> = Vec<(BatchEdge, Successor<S>)>;

/// A state that a batch adds.
struct Discovery<S> {
    edge: BatchEdge,
    id: Id,
    aside: Option<S>,
}

/// The tallies of the rounds that a thread has visited, and the error that ended it.
struct VisitedRounds<E> {
    tallies: Vec<(usize, SearchTally)>,
    error: Option<(usize, E)>,
}

impl<M: Model> StateSearch<'_, M> {
    pub(super) fn visit_in_parallel(&mut self, batch: &[Id], depth: u32) -> Result<Room, M::Error> {
        let room = self.room();
        let is_compact = self.bounds.retention == Retention::Fingerprints;
        let aside: Option<Vec<M::State>> =
            is_compact.then(|| self.aside.range(..batch.len()).cloned().collect());
        let shards = self.store.shards_mut().iter_mut();
        let shared = SharedBatch {
            inspector: self.inspector,
            ids: batch,
            aside: aside.as_deref(),
            shards: shards.map(|shard| Mutex::new(GrowingShard::new(shard))).collect(),
            next_round: AtomicUsize::new(0),
            retention: self.bounds.retention,
        };
        let visited: Vec<VisitedRounds<M::Error>> = std::thread::scope(|scope| {
            let (shared, explorers) = (&shared, self.explorers.iter_mut().enumerate());
            let visit = |(number, explorer)| scope.spawn(move || shared.visit(number, explorer));
            let threads: Vec<_> = explorers.map(visit).collect();
            threads.into_iter().map(|thread| thread.join().expect(NO_PANIC)).collect()
        });
        let shards = shared.shards.into_iter();
        let mut shards: Vec<_> = shards
            .map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect();
        let added: usize = shards.iter().map(|shard| shard.growth.added.len()).sum();
        if added as u64 > room {
            // One thread finds out which states come first.
            for each in &mut shards {
                each.shard.truncate(each.growth.before);
            }
            drop(shards);
            return self.visit_on_one_thread(batch, depth);
        }
        let growths: Vec<_> = shards.into_iter().map(|shard| shard.growth).collect();
        self.drop_states(batch.len());
        self.visited += batch.len() as u64;
        self.add_tallies(visited)?;
        self.discover_all(&growths, added, batch.len().div_ceil(ROUND), depth);
        Ok(Room::Left)
    }

    fn add_tallies(&mut self, visited: Vec<VisitedRounds<M::Error>>) -> Result<(), M::Error> {
        let (mut tallies, mut errors) = (Vec::new(), Vec::new());
        for thread in visited {
            tallies.extend(thread.tallies);
            errors.extend(thread.error);
        }
        if let Some((_, error)) = errors.into_iter().min_by_key(|(round, _)| *round) {
            return Err(error);
        }
        tallies.sort_unstable_by_key(|(round, _)| *round);
        for (_, tally) in tallies {
            self.tally.add(tally);
        }
        Ok(())
    }

    /// Adds the new states to the frontier, in the order of the edges that lead to them.
    fn discover_all(
        &mut self,
        growths: &[ShardGrowth<M::State>],
        added: usize,
        rounds: usize,
        depth: u32,
    ) {
        let threads = if added < WORTHWHILE { 1 } else { self.bounds.threads };
        let share = rounds.div_ceil(threads).max(1);
        let shares = (0..rounds).step_by(share).map(|first| first..first + share);
        let lists: Vec<Vec<Discovery<M::State>>> = if threads == 1 {
            shares.map(|rounds| discoveries(growths, &rounds)).collect()
        } else {
            std::thread::scope(|scope| {
                let find = |rounds| scope.spawn(move || discoveries(growths, &rounds));
                #[expect(
                    clippy::needless_collect,
                    reason = "all threads start before one is awaited"
                )]
                let threads: Vec<_> = shares.map(find).collect();
                threads.into_iter().map(|thread| thread.join().expect(NO_PANIC)).collect()
            })
        };
        for Discovery { id, aside, .. } in lists.into_iter().flatten() {
            self.discover(id, depth, aside);
        }
    }
}

const NO_PANIC: &str = "models do not panic";

/// The states that edges of some rounds have found first, in order.
fn discoveries<S: Clone>(growths: &[ShardGrowth<S>], rounds: &Range<usize>) -> Vec<Discovery<S>> {
    let mut discoveries = Vec::new();
    for growth in growths {
        for (place, (edge, id)) in growth.added.iter().enumerate() {
            if rounds.contains(&(edge.round as usize)) {
                let aside = growth.aside.get(place).cloned();
                discoveries.push(Discovery { edge: *edge, id: *id, aside });
            }
        }
    }
    discoveries.sort_unstable_by_key(|discovery| discovery.edge);
    discoveries
}

impl<M: Model> SharedBatch<'_, '_, M> {
    /// Visits rounds of states until all are taken.
    fn visit(&self, thread: usize, explorer: &mut ModelExplorer<'_, M>) -> VisitedRounds<M::Error> {
        let mut visited = VisitedRounds { tallies: Vec::new(), error: None };
        let mut outboxes: Vec<PendingEdges<M::State>> = Vec::new();
        outboxes.resize_with(self.shards.len(), Vec::new);
        let mut states = Vec::new();
        loop {
            // Rounds are taken in order, so all rounds before one that fails are visited as well.
            let round = self.next_round.fetch_add(1, Ordering::Relaxed);
            let Some(ids) = self.ids.chunks(ROUND).nth(round) else { return visited };
            self.read_states(round, ids, &mut states);
            let mut tally = SearchTally::new(self.inspector.properties.len());
            let inspected = self.inspect(round, ids, &states, explorer, &mut tally, &mut outboxes);
            if let Err(error) = inspected {
                visited.error = Some((round, error));
                self.next_round.store(self.ids.len(), Ordering::Relaxed);
                return visited;
            }
            visited.tallies.push((round, tally));
            self.store(thread, &mut outboxes);
        }
    }

    fn read_states(&self, round: usize, ids: &[Id], states: &mut Vec<M::State>) {
        states.clear();
        if let Some(aside) = self.aside {
            states.extend_from_slice(&aside[round * ROUND..][..ids.len()]);
            return;
        }
        for id in ids {
            let (shard, local) = place_among(self.shards.len(), *id);
            let shard = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
            states.extend(shard.shard.state(local).cloned());
        }
    }

    fn inspect(
        &self,
        round: usize,
        ids: &[Id],
        states: &[M::State],
        explorer: &mut ModelExplorer<'_, M>,
        tally: &mut SearchTally,
        outboxes: &mut [PendingEdges<M::State>],
    ) -> Result<(), M::Error> {
        let round = u32::try_from(round).expect("a batch has few rounds");
        let mut place = 0;
        for (parent, state) in ids.iter().zip(states) {
            self.inspector.inspect(*parent, state, explorer, tally, |next| {
                let successor = Successor::new(*parent, next);
                let home = home_among(outboxes.len(), successor.fingerprint);
                outboxes[home].push((BatchEdge { round, place }, successor));
                place += 1;
            })?;
        }
        Ok(())
    }

    /// Stores successors in their shards: first in those that no other thread uses now.
    fn store(&self, thread: usize, outboxes: &mut [PendingEdges<M::State>]) {
        let first = thread * SHARDS_PER_THREAD;
        let numbers = (first..first + self.shards.len()).map(|number| number % self.shards.len());
        for number in numbers.clone() {
            match self.shards[number].try_lock() {
                Ok(mut shard) => shard.store(&mut outboxes[number], self.retention),
                Err(TryLockError::Poisoned(poisoned)) => {
                    poisoned.into_inner().store(&mut outboxes[number], self.retention);
                }
                Err(TryLockError::WouldBlock) => {}
            }
        }
        for number in numbers.filter(|number| !outboxes[*number].is_empty()).collect::<Vec<_>>() {
            let mut shard = self.shards[number].lock().unwrap_or_else(PoisonError::into_inner);
            shard.store(&mut outboxes[number], self.retention);
        }
    }
}

impl<'a, S: Clone + Eq + std::hash::Hash> GrowingShard<'a, S> {
    fn new(shard: &'a mut Shard<S>) -> Self {
        let growth = ShardGrowth { before: shard.len(), added: Vec::new(), aside: Vec::new() };
        Self { shard, growth }
    }

    fn store(&mut self, outbox: &mut PendingEdges<S>, retention: Retention) {
        let Self { shard, growth } = self;
        for (edge, successor) in &mut *outbox {
            if let Some(local) = shard.place_of(successor) {
                let place = (local as usize).checked_sub(growth.before);
                if let Some((first, _)) = place.and_then(|place| growth.added.get_mut(place))
                    && edge < first
                {
                    *first = *edge;
                    shard.set_parent(local, successor.parent);
                }
            } else if let Some(state) = successor.state.take() {
                growth.aside.extend(keep_aside(retention, &state));
                let id = shard.add(state, successor.fingerprint, Some(successor.parent));
                growth.added.push((*edge, id));
            }
        }
        outbox.clear();
    }
}
