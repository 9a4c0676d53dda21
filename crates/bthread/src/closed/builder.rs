//! Building the states of an automaton.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::blueprint::Blueprint;
use super::local_state::LocalState;
use super::table::{BuiltState, MOST_STATES, Rest, Spot, Table, Transition};
use crate::engine::Handled;
use crate::error::OutsideAlphabet;
use crate::event::Event;

/// Adds states, and computes their transitions.
pub(super) struct Builder {
    spots: FxHashMap<Arc<[u8]>, Spot>,
    cap: u32,
}

/// What the allocator and the counters of an `Arc` add to an allocation, about.
pub(super) const ALLOCATION: usize = 32;

/// Why a transition is not in the table.
pub(super) enum Obstacle<E: Event> {
    /// The table is full. This is the state to which the event leads.
    Full(Box<LocalState<E>>, Handled),
    /// A b-thread requests an event outside of the alphabet there.
    Outside(OutsideAlphabet<E>),
}

impl Builder {
    pub(super) fn new(cap: u32) -> Self {
        Self { spots: FxHashMap::default(), cap: cap.min(MOST_STATES) }
    }

    /// The number of states in the table.
    pub(super) fn states(&self) -> u32 {
        u32::try_from(self.spots.len()).expect("the cap is below 2^32")
    }

    /// The memory of the states that are not in the table's rows, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let locals = self.spots.keys().next().map_or(0, |locals| size_of_val(&**locals));
        self.spots.capacity() * size_of::<(Arc<[u8]>, Spot)>()
            + self.spots.len() * (locals + ALLOCATION)
    }

    /// The transition of an event.
    pub(super) fn transition<E: Event>(
        &mut self,
        blueprint: &Blueprint<E>,
        table: &Table,
        from: Spot,
        event: u32,
    ) -> Result<Transition, Obstacle<E>> {
        if let Some(known) = table.transition(from, event) {
            return Ok(known);
        }
        let mut state = LocalState::numbered(blueprint, &table.state(from).locals);
        let handled = state.advance(blueprint, event).map_err(Obstacle::Outside)?;
        state.commit(blueprint);
        let Some(to) = self.spot(blueprint, table, &state) else {
            return Err(Obstacle::Full(Box::new(state), handled));
        };
        let rest = if table.state(to).first.is_none() { Rest::Quiet } else { Rest::Moving };
        let transition = Transition::To(to, handled, rest);
        table.connect(from, event, transition);
        Ok(transition)
    }

    /// The place of a state in the table, unless the table is full.
    pub(super) fn spot<E: Event>(
        &mut self,
        blueprint: &Blueprint<E>,
        table: &Table,
        state: &LocalState<E>,
    ) -> Option<Spot> {
        let bytes = state.bytes()?;
        if let Some(spot) = self.spots.get(bytes) {
            return Some(*spot);
        }
        if self.states() >= self.cap {
            return None;
        }
        let spot = Spot::new(self.states());
        let locals: Arc<[u8]> = bytes.into();
        let picks = state.picks(blueprint);
        let (first, status) = (picks.first().copied(), state.status());
        self.spots.insert(Arc::clone(&locals), spot);
        let built = BuiltState { locals, picks: picks.into(), first, status };
        table.add(spot, built, |word| state.unblocked(blueprint, word));
        Some(spot)
    }
}
