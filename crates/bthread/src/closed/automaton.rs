//! A program over a finite alphabet as an automaton that is built when needed.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::alphabet::Alphabet;
use super::builder::{Builder, Obstacle};
use super::instance::{AutomatonState, ClosedEngine};
use super::locals::Blueprint;
use super::table::{BuiltState, Rest, Spot, Table, Transition};
use crate::any_b_thread::Body;
use crate::error::{OutsideAlphabet, SuperstepError};
use crate::event::Event;
use crate::event_set::EventSet;
use crate::explanation::Interest;
use crate::name::Name;
use crate::observer::Observer;
use crate::program::Program;
use crate::run::{ClosedRun, Limits, Run, Superstep};
use crate::snapshot::ThreadStates;
use crate::strategy::{Priority, Strategy};
use crate::sync_point::SyncPoint;

/// A program over a finite alphabet, as an automaton that all of its runs and all
/// cores share. A state is built when a run first reaches it, and kept in a table.
///
/// When the table is full, a run that reaches another new state leaves the table:
/// it gets slower, with the same results.
pub struct Automaton<E: Event>(Arc<SharedAutomaton<E>>);

struct SharedAutomaton<E: Event> {
    blueprint: Blueprint<E>,
    table: Table,
    builder: Mutex<Builder<E>>,
}

/// The usual maximum for the states in a table.
const USUAL_CAP: u32 = 1 << 16;

/// The longest superstep that is followed in the table without a run.
const FEW: u64 = 8;

/// The state in which runs start; it is built first.
const START: u32 = 0;

impl<E: Event> Program<E> {
    /// Closes the program over an alphabet: all events that there are.
    ///
    /// The table has at most 65,536 states. Each takes four bytes for every event
    /// and for every b-thread.
    ///
    /// # Errors
    /// If a b-thread requests an event that is not in the alphabet.
    pub fn close(
        &self,
        alphabet: impl IntoIterator<Item = E>,
    ) -> Result<Automaton<E>, OutsideAlphabet<E>> {
        self.close_with_cap(alphabet, USUAL_CAP)
    }

    /// As [`Program::close`], with another maximum for the states in the table.
    ///
    /// # Errors
    /// If a b-thread requests an event that is not in the alphabet.
    pub fn close_with_cap(
        &self,
        alphabet: impl IntoIterator<Item = E>,
        cap: u32,
    ) -> Result<Automaton<E>, OutsideAlphabet<E>> {
        let blueprint = Blueprint::new(self, Alphabet::new(alphabet))?;
        let table = Table::new(blueprint.alphabet.events().len());
        let mut builder = Builder::new(self, cap);
        match builder.state_at(&blueprint, &table, &ThreadStates::at_start(self)) {
            Ok(_) | Err(Obstacle::Full) => {}
            Err(Obstacle::Outside(outside)) => return Err(outside),
        }
        Ok(Automaton(Arc::new(SharedAutomaton { blueprint, table, builder: Mutex::new(builder) })))
    }
}

impl<E: Event> Automaton<E> {
    /// Starts a run, and returns it with its first superstep.
    ///
    /// # Errors
    /// If the first superstep does not end, or leaves the alphabet.
    pub fn start(&self) -> Result<(ClosedRun<E>, Superstep<E>), SuperstepError<E>> {
        let mut events = Vec::new();
        let run = self.start_with(Priority, Limits::default(), &mut events)?;
        Ok((run, Superstep::opening(events)))
    }

    /// Starts a run with this strategy and these limits; the observer sees its
    /// first superstep.
    ///
    /// # Errors
    /// If the first superstep does not end, or leaves the alphabet.
    pub fn start_with<S: Strategy<E>>(
        &self,
        strategy: S,
        limits: Limits,
        observer: &mut impl Observer<E>,
    ) -> Result<ClosedRun<E, S>, SuperstepError<E>> {
        let instance = AutomatonState::tabled(self.clone(), Spot::new(START));
        Run::start(ClosedEngine::new(instance), strategy, limits, observer)
    }

    /// The program that was closed.
    pub fn program(&self) -> &Program<E> {
        &self.0.blueprint.program
    }

    /// All events, in order.
    pub fn alphabet(&self) -> &[E] {
        self.0.blueprint.alphabet.events()
    }

    /// The number of states in the table.
    pub fn states(&self) -> u32 {
        self.builder().states()
    }

    /// The memory that the automaton and its program take, in bytes. It is an estimate, because the
    /// size of event sets differs.
    pub fn bytes(&self) -> usize {
        self.0.blueprint.bytes + self.0.table.bytes() + self.builder().bytes()
    }

    pub(super) fn event(&self, number: u32) -> &E {
        self.0.blueprint.alphabet.event(number)
    }

    /// The place of an event in the alphabet.
    pub fn number(&self, event: &E) -> Option<u32> {
        self.0.blueprint.alphabet.number(event)
    }

    /// Checks that a sync point requests only events of the alphabet.
    pub(super) fn check(
        &self,
        thread: &Name,
        point: &SyncPoint<E>,
    ) -> Result<(), OutsideAlphabet<E>> {
        self.0.blueprint.alphabet.check(thread, point)
    }

    pub(super) fn state(&self, at: Spot) -> &BuiltState {
        self.0.table.state(at)
    }

    /// The transition of an event, if the table knows it.
    #[inline]
    pub(super) fn known(&self, from: Spot, event: u32) -> Option<Transition> {
        self.0.table.transition(from, event)
    }

    /// The transition of an event.
    pub(super) fn transition(&self, from: Spot, event: u32) -> Result<Transition, Obstacle<E>> {
        match self.0.table.transition(from, event) {
            Some(transition) => Ok(transition),
            None => self.builder().transition(&self.0.blueprint, &self.0.table, from, event),
        }
    }

    /// Whether some b-thread blocks the event in a state.
    pub(super) fn is_blocked(&self, state: Spot, event: u32) -> bool {
        self.0.table.transition(state, event) == Some(Transition::Blocked)
    }

    /// The events of a word of 64 that are not blocked in a state.
    #[inline]
    pub(super) fn unblocked(&self, state: Spot, word: u32) -> u64 {
        self.0.table.unblocked(state, word)
    }

    /// The first request that can happen in a state, if any.
    #[inline]
    pub(super) fn first(&self, at: Spot) -> Option<u32> {
        self.0.table.first(at)
    }

    /// Whether the table knows the rest of the superstep from a state, and that rest is short.
    pub(super) fn is_known_from(&self, from: Spot) -> bool {
        let mut at = from;
        for _ in 0..FEW {
            match self.first(at).and_then(|event| self.known(at, event)) {
                Some(Transition::To(_, _, Rest::Quiet)) => return true,
                Some(Transition::To(next, _, Rest::Moving)) => at = next,
                Some(Transition::Blocked) | None => return false,
            }
        }
        false
    }

    /// The number of events.
    pub(super) fn width(&self) -> u32 {
        u32::try_from(self.alphabet().len()).expect("events are numbered with 32 bits")
    }

    /// Whether both are the same automaton, not only equal ones.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The state in which the b-threads of the program have come so far.
    pub(super) fn state_at(&self, thread_states: &ThreadStates<E>) -> Result<Spot, Obstacle<E>> {
        self.builder().state_at(&self.0.blueprint, &self.0.table, thread_states)
    }

    /// How far the b-threads have come in a state.
    pub(super) fn thread_states(&self, state: Spot) -> ThreadStates<E> {
        let locals = self.state(state).locals.iter().copied();
        self.builder().locals.thread_states(&self.0.blueprint, locals)
    }

    /// Calls `show` with each b-thread that has not ended in a state and its sync point.
    pub(super) fn visit(&self, state: Spot, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        for thread in 0..self.program().threads().len() {
            self.visit_one(state, thread, show);
        }
    }

    /// The b-threads and sets that block an event in a state, highest priority first.
    pub(super) fn blockers(&self, state: Spot, event: u32) -> Vec<Interest<E>> {
        let mut blockers = Vec::new();
        for thread in self.0.blueprint.blockers(event) {
            self.visit_one(state, *thread, &mut |name, point| {
                let sets = point.blocks().iter().filter(|set| set.contains(self.event(event)));
                let interest =
                    |set: &EventSet<E>| Interest { thread: name.clone(), set: set.clone() };
                blockers.extend(sets.map(interest));
            });
        }
        blockers
    }

    /// Calls `show` with the sync point of a b-thread in a state, unless it has ended.
    fn visit_one(&self, state: Spot, number: usize, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        let thread = &self.program().threads()[number];
        let local = self.state(state).locals[number];
        match thread.body() {
            Body::Script { script, .. } => {
                if let Some(point) = script.point(local) {
                    show(thread.name(), point);
                }
            }
            Body::Behaviour(_) => {
                let point = self.builder().locals.point(number, local);
                if let Some(point) = point {
                    show(thread.name(), &point);
                }
            }
        }
    }

    fn builder(&self) -> MutexGuard<'_, Builder<E>> {
        // A behaviour that panics leaves nothing half done, because states are numbered last.
        self.0.builder.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Event> Clone for Automaton<E> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<E: Event> fmt::Debug for Automaton<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Automaton")
            .field("events", &self.alphabet().len())
            .field("states", &self.states())
            .finish_non_exhaustive()
    }
}
