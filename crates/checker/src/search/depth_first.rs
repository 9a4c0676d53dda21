//! Depth-first search, which must know how far states are from the start.

use super::{Order, Room, StateSearch, keep_aside};
use crate::model::Model;
use crate::store::{Id, fingerprint};

impl<M: Model> StateSearch<'_, M> {
    /// Whether the search must know how far states are from the start: a depth-first search may
    /// find a state that is near by a long way first, and may not leave it out then.
    pub(super) fn measures_distances(&self) -> bool {
        self.bounds.order == Order::DepthFirst && self.bounds.depth < u64::MAX
    }

    /// Visits states, perhaps not for the first time.
    pub(super) fn visit_in_depth(&mut self, ids: &[Id], depth: u32) -> Result<Room, M::Error> {
        let mut states = Vec::new();
        self.states(ids, &mut states);
        for (id, state) in ids.iter().zip(states) {
            if self.visit_again(*id, &state, depth)? == Room::None {
                return Ok(Room::None);
            }
        }
        Ok(Room::Left)
    }

    /// Visits a state, unless it was visited by a shorter way.
    fn visit_again(&mut self, id: Id, state: &M::State, depth: u32) -> Result<Room, M::Error> {
        let distance = &mut self.distances[id as usize];
        if distance.is_visited && distance.actions < depth - 1 {
            return Ok(Room::Left);
        }
        let was_visited = std::mem::replace(&mut distance.is_visited, true);
        let mut found: Vec<M::State> = Vec::new();
        let Self { inspector, tally, round, explorers, .. } = self;
        let add = |next: M::State| found.push(next);
        if was_visited {
            inspector.inspect(id, state, &mut explorers[0], round, add)?;
            round.clear();
        } else {
            self.visited += 1;
            inspector.inspect(id, state, &mut explorers[0], tally, add)?;
        }
        for next in found {
            if self.reach(id, next, depth) == Room::None {
                return Ok(Room::None);
            }
        }
        Ok(Room::Left)
    }

    /// Adds a state, or comes back to it if this way is shorter.
    fn reach(&mut self, parent: Id, state: M::State, depth: u32) -> Room {
        let known = self.store.find(&state);
        let aside = keep_aside(self.bounds.retention, &state);
        match known {
            None if self.room() == 0 => return Room::None,
            None => {
                let print = fingerprint(&state);
                let id = self.store.add(state, print, Some(parent));
                self.discover(id, depth, aside);
            }
            Some(id) if depth < self.distances[id as usize].actions => {
                self.distances[id as usize].actions = depth;
                self.store.set_parent(id, parent);
                self.wait(id, depth, aside);
            }
            Some(_) => {}
        }
        Room::Left
    }

    /// Computes the distance of the farthest state, and whether states were left out.
    pub(super) fn settle_distances(&mut self) -> Result<(), M::Error> {
        if self.bounds.order == Order::BreadthFirst {
            return Ok(());
        }
        if self.measures_distances() {
            let each = self.store.discovered().map(|id| self.distances[id as usize]);
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
