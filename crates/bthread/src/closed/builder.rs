//! Building the states of an automaton.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::locals::{Blueprint, Locals, Outlook, Unseen};
use super::table::{BuiltState, MOST_STATES, Rest, Spot, Table, Transition};
use crate::error::OutsideAlphabet;
use crate::event::Event;
use crate::program::Program;
use crate::snapshot::ThreadStates;

/// Adds states, and computes their transitions.
pub(super) struct Builder<E: Event> {
    pub(super) locals: Locals<E>,
    spots: FxHashMap<Arc<[u32]>, Spot>,
    cap: u32,
}

/// What the allocator and the counters of an `Arc` add to an allocation, about.
pub(super) const ALLOCATION: usize = 32;

/// Why a state is not built.
pub(super) enum Obstacle<E: Event> {
    /// The table is full.
    Full,
    /// A b-thread requests an event outside of the alphabet there.
    Outside(OutsideAlphabet<E>),
}

impl<E: Event> Builder<E> {
    pub(super) fn new(program: &Program<E>, cap: u32) -> Self {
        let locals = Locals::new(program);
        Self { locals, spots: FxHashMap::default(), cap: cap.clamp(1, MOST_STATES) }
    }

    /// The number of states in the table.
    pub(super) fn states(&self) -> u32 {
        u32::try_from(self.spots.len()).expect("the cap is below 2^32")
    }

    /// The memory of the states that are not in the table's rows, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let locals = self.spots.keys().next().map_or(0, |locals| size_of_val(&**locals));
        self.spots.capacity() * size_of::<(Arc<[u32]>, Spot)>()
            + self.spots.len() * (locals + ALLOCATION)
            + self.locals.bytes()
    }

    fn has_room(&self) -> bool {
        self.states() < self.cap
    }

    /// The state in which the b-threads have come this far.
    pub(super) fn state_at(
        &mut self,
        blueprint: &Blueprint<E>,
        table: &Table,
        thread_states: &ThreadStates<E>,
    ) -> Result<Spot, Obstacle<E>> {
        let locals = self.learning(blueprint, |locals| locals.at(blueprint, thread_states))?;
        self.spot(blueprint, table, locals)
    }

    /// The transition of an event.
    pub(super) fn transition(
        &mut self,
        blueprint: &Blueprint<E>,
        table: &Table,
        from: Spot,
        event: u32,
    ) -> Result<Transition, Obstacle<E>> {
        if let Some(known) = table.transition(from, event) {
            return Ok(known);
        }
        let now = &table.state(from).locals;
        let (next, handled) = self.learning(blueprint, |locals| {
            let mut next = now.to_vec();
            let handled = locals.advance(blueprint, &mut next, event)?;
            Ok((next, handled))
        })?;
        let to = self.spot(blueprint, table, next)?;
        let rest = if table.state(to).first.is_none() { Rest::Quiet } else { Rest::Moving };
        let transition = Transition::To(to, handled, rest);
        table.connect(from, event, transition);
        Ok(transition)
    }

    /// Gives numbers to new states of b-threads until the attempt succeeds.
    fn learning<T>(
        &mut self,
        blueprint: &Blueprint<E>,
        attempt: impl Fn(&Locals<E>) -> Result<T, Unseen<E>>,
    ) -> Result<T, Obstacle<E>> {
        loop {
            match attempt(&self.locals) {
                Ok(done) => return Ok(done),
                // If the table is full, no states of b-threads are added either.
                Err(_) if !self.has_room() => return Err(Obstacle::Full),
                Err(unseen) => self.locals.learn(blueprint, unseen)?,
            }
        }
    }

    /// The place of a state in the table.
    fn spot(
        &mut self,
        blueprint: &Blueprint<E>,
        table: &Table,
        locals: Vec<u32>,
    ) -> Result<Spot, Obstacle<E>> {
        if let Some(spot) = self.spots.get(&*locals) {
            return Ok(*spot);
        }
        if !self.has_room() {
            return Err(Obstacle::Full);
        }
        let spot = Spot::new(self.states());
        let outlook = self.locals.outlook(blueprint, locals.iter().copied());
        let Outlook { picks, status, blocked } = outlook;
        let (locals, first) = (Arc::from(locals), picks.first().copied());
        self.spots.insert(Arc::clone(&locals), spot);
        table.add(spot, BuiltState { locals, picks: picks.into(), first, status }, &blocked);
        Ok(spot)
    }
}

impl<E: Event> From<OutsideAlphabet<E>> for Obstacle<E> {
    fn from(outside: OutsideAlphabet<E>) -> Self {
        Self::Outside(outside)
    }
}
