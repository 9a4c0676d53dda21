//! Where a run stands: in the table of its automaton, or outside of it.

use std::fmt;

use super::automaton::Automaton;
use super::local_place::LocalPlace;
use super::local_state::{LocalState, MOST_UNRANKED};
use super::table::Spot;
use crate::engine::{LiveThreads, Pick};
use crate::event::Event;
use crate::explanation::Interest;
use crate::name::Name;
use crate::snapshot::ThreadStates;
use crate::sync_point::SyncPoint;

/// The place of a run.
#[derive(Clone)]
pub(super) enum StatePlace<E: Event> {
    /// In the table.
    Tabled { automaton: Automaton<E>, state: Spot },
    /// Outside of the table, because it is full or b-threads were added.
    Local(Box<LocalPlace<E>>),
    /// A run holds it for the duration of one call.
    Lent,
}

#[cold]
pub(super) fn lent() -> ! {
    unreachable!("a state is lent for one call, and lost only if a b-thread panics in it")
}

impl<E: Event> StatePlace<E> {
    pub(super) fn automaton(&self) -> &Automaton<E> {
        match self {
            Self::Tabled { automaton, .. } => automaton,
            Self::Local(place) => &place.automaton,
            Self::Lent => lent(),
        }
    }

    /// Leaves the table for good.
    pub(super) fn leave_table(&mut self) -> &mut LocalPlace<E> {
        if let Self::Tabled { automaton, state } = self {
            let (automaton, state) = (automaton.clone(), automaton.local(*state));
            *self = Self::Local(Box::new(LocalPlace { automaton, state }));
        }
        match self {
            Self::Local(place) => place,
            Self::Tabled { .. } | Self::Lent => unreachable!("it has just left the table"),
        }
    }

    /// Leaves the table if no run uses it any more.
    #[inline]
    pub(super) fn leave_full_table(&mut self) {
        if let Self::Tabled { automaton, .. } = self
            && automaton.is_full()
        {
            self.leave_table();
        }
    }

    /// Leaves the table if the requests of many b-threads are to be ranked: a state in the table
    /// lists all of them.
    pub(super) fn leave_table_to_rank(&mut self) {
        if let Self::Tabled { automaton, .. } = self
            && automaton.blueprint().threads() > MOST_UNRANKED
        {
            self.leave_table();
        }
    }

    #[inline]
    pub(super) fn is_blocked(&self, number: u32) -> bool {
        match self {
            Self::Tabled { automaton, state } => automaton.is_blocked(*state, number),
            Self::Local(place) => place.state.is_blocked(number),
            Self::Lent => lent(),
        }
    }

    pub(super) fn blockers(&self, number: u32) -> Vec<Interest<E>> {
        self.with_local(|state| state.blockers(self.automaton().blueprint(), number))
    }

    pub(super) fn thread_states(&self) -> ThreadStates<E> {
        self.with_local(|state| state.thread_states(self.automaton().blueprint()))
    }

    /// Reads the states of the b-threads.
    fn with_local<T>(&self, read: impl FnOnce(&LocalState<E>) -> T) -> T {
        match self {
            Self::Tabled { automaton, state } => read(&automaton.local(*state)),
            Self::Local(place) => read(&place.state),
            Self::Lent => lent(),
        }
    }
}

impl<E: Event> LiveThreads<E> for StatePlace<E> {
    fn visit(&self, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        self.with_local(|state| state.visit(self.automaton().blueprint(), show));
    }

    fn picks(&self) -> Vec<Pick> {
        match self {
            Self::Tabled { automaton, state } => automaton.state(*state).picks.to_vec(),
            Self::Local(place) => place.picks(),
            Self::Lent => lent(),
        }
    }

    fn ranks(&self, picks: &[Pick]) -> Vec<Option<i32>> {
        self.with_local(|state| state.ranks(self.automaton().blueprint(), picks))
    }

    fn count_highest(&self) -> Option<u64> {
        match self {
            Self::Local(place) => place.count_highest(),
            Self::Tabled { .. } | Self::Lent => None,
        }
    }

    fn highest(&self, rank: u64) -> Option<Pick> {
        match self {
            Self::Local(place) => place.highest(rank),
            Self::Tabled { .. } | Self::Lent => None,
        }
    }

    fn requested(&self, pick: Pick) -> &E {
        self.automaton().event(pick.request)
    }

    fn name(&self, thread: u32) -> &Name {
        match self {
            Self::Tabled { automaton, .. } => automaton.program().threads()[thread as usize].name(),
            Self::Local(place) => place.name(thread),
            Self::Lent => lent(),
        }
    }
}

impl<E: Event> fmt::Display for StatePlace<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tabled { state, .. } => write!(f, "state {state}"),
            Self::Local(_) => f.write_str("outside of the table"),
            Self::Lent => f.write_str("lent"),
        }
    }
}
