//! A program over a finite alphabet as an automaton that is built when needed.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::alphabet::Alphabet;
use super::automaton_state::AutomatonState;
use super::blueprint::Blueprint;
use super::builder::{Builder, Obstacle};
use super::closed_engine::ClosedEngine;
use super::local_state::LocalState;
use super::table::{BuiltState, Rest, Spot, Table, TableRow, Transition};
use crate::engine::Handled;
use crate::error::{OutsideAlphabet, SuperstepError};
use crate::event::Event;
use crate::observer::Observer;
use crate::program::Program;
use crate::run::{ClosedRun, Limits, Run, Superstep};
use crate::snapshot::ThreadStates;
use crate::strategy::{Priority, Strategy};

/// A program over a finite alphabet: each b-thread is an automaton of its own, which all runs and
/// all cores share.
///
/// The states of all b-threads together are kept in a table, as long as they fit: then a step is a
/// look-up. A state is built when a run first reaches it. When the table is full, no run uses it
/// any more, because a program with this many states rarely comes back to one. A step then costs as
/// much as the b-threads that it moves, with the same results.
pub struct Automaton<E: Event>(Arc<SharedAutomaton<E>>);

/// What the runs of an [`Automaton`] remember together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClosedLimits {
    /// The maximum number of states in the table; 0 for no table.
    pub states: u32,
    /// The maximum number of states of b-threads that get a number, besides those at the start. A
    /// run holds other ones by value, which is slower.
    pub thread_states: u32,
    /// The maximum number of events that list a sync point; the default is 512. B-threads that more
    /// events move are looked at for every event.
    pub listed: u32,
}

struct SharedAutomaton<E: Event> {
    blueprint: Blueprint<E>,
    /// Whether there are at most 32 events.
    is_narrow: bool,
    start: LocalState<E>,
    table: Table,
    /// Whether the table was full when a run needed another state.
    is_full: AtomicBool,
    builder: Mutex<Builder>,
}

/// The usual maximum for the states in a table.
const USUAL_CAP: u32 = 1 << 16;

/// The usual maximum for the bytes of a table.
///
/// All positions of 3 by 3 fit. Those of larger boards do not, and rarely come again.
const USUAL_BYTES: usize = 16 << 20;

/// The usual maximum for the events that list a sync point.
const USUAL_LISTED: u32 = 512;

/// The most events of a superstep that are followed in the table without a run, after the first.
const FEW: usize = 8;

/// The rest of a superstep that the table knows.
pub(super) struct KnownRest {
    steps: [KnownStep; FEW],
    count: usize,
    /// Which of the first 32 events are not blocked after it.
    pub(super) unblocked: u32,
}

impl KnownRest {
    #[inline]
    pub(super) fn steps(&self) -> &[KnownStep] {
        &self.steps[..self.count]
    }
}

/// An event of a superstep, and the state after it.
#[derive(Clone, Copy)]
pub(super) struct KnownStep {
    pub(super) event: u32,
    pub(super) to: Spot,
    pub(super) handled: Handled,
}

/// The state in which runs start; it is built first.
const START: u32 = 0;

impl<E: Event> Program<E> {
    /// Closes the program over an alphabet: all events that there are.
    ///
    /// The table has at most 65,536 states and 16 MiB. A state takes eight bytes for every event
    /// and one for every b-thread.
    ///
    /// # Errors
    /// If a b-thread requests an event that is not in the alphabet.
    pub fn close(
        &self,
        alphabet: impl IntoIterator<Item = E>,
    ) -> Result<Automaton<E>, OutsideAlphabet<E>> {
        let alphabet = Alphabet::new(alphabet);
        let each = 8 * alphabet.events().len() + self.threads().len() + BYTES_BESIDES;
        let states = u32::try_from(USUAL_BYTES / each).unwrap_or(u32::MAX).min(USUAL_CAP);
        self.close_over(
            alphabet,
            ClosedLimits { states, thread_states: USUAL_CAP, listed: USUAL_LISTED },
        )
    }

    /// As [`Program::close`], with another maximum for the states in the table, and for the
    /// states of b-threads that get a number.
    ///
    /// # Errors
    /// If a b-thread requests an event that is not in the alphabet.
    pub fn close_with_cap(
        &self,
        alphabet: impl IntoIterator<Item = E>,
        cap: u32,
    ) -> Result<Automaton<E>, OutsideAlphabet<E>> {
        let cap = cap.max(1);
        self.close_with_limits(
            alphabet,
            ClosedLimits { states: cap, thread_states: cap, listed: USUAL_LISTED },
        )
    }

    /// As [`Program::close`], with other limits.
    ///
    /// # Errors
    /// If a b-thread requests an event that is not in the alphabet.
    pub fn close_with_limits(
        &self,
        alphabet: impl IntoIterator<Item = E>,
        limits: ClosedLimits,
    ) -> Result<Automaton<E>, OutsideAlphabet<E>> {
        self.close_over(Alphabet::new(alphabet).listing(limits.listed), limits)
    }

    fn close_over(
        &self,
        alphabet: Alphabet<E>,
        limits: ClosedLimits,
    ) -> Result<Automaton<E>, OutsideAlphabet<E>> {
        let blueprint = Blueprint::new(self, alphabet, limits.thread_states)?;
        let start = LocalState::new(&blueprint, ThreadStates::at_start(self))?;
        let table = Table::new(blueprint.alphabet.events().len());
        let mut builder = Builder::new(limits.states);
        let is_tabled = builder.spot(&blueprint, &table, &start).is_some();
        let (is_full, builder) = (AtomicBool::new(!is_tabled), Mutex::new(builder));
        let is_narrow = blueprint.alphabet.width() <= u32::BITS;
        let shared = SharedAutomaton { blueprint, is_narrow, start, table, is_full, builder };
        Ok(Automaton(Arc::new(shared)))
    }
}

/// About what a state takes in the table, besides its events and b-threads.
const BYTES_BESIDES: usize = 64;

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
        Run::start(ClosedEngine::new(self.at_start()), strategy, limits, observer)
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
        self.0.blueprint.memory() + self.0.table.bytes() + self.builder().bytes()
    }

    /// The state before the first event.
    fn at_start(&self) -> AutomatonState<E> {
        if self.is_full() {
            return AutomatonState::local(self.clone(), self.0.start.clone());
        }
        AutomatonState::tabled(self.clone(), Spot::new(START))
    }

    #[inline]
    pub(super) fn event(&self, number: u32) -> &E {
        self.0.blueprint.alphabet.event(number)
    }

    /// The place of an event in the alphabet.
    pub fn number(&self, event: &E) -> Option<u32> {
        self.0.blueprint.alphabet.number(event)
    }

    #[inline]
    pub(super) fn blueprint(&self) -> &Blueprint<E> {
        &self.0.blueprint
    }

    /// Whether there are at most 32 events.
    #[inline]
    pub(super) fn is_narrow(&self) -> bool {
        self.0.is_narrow
    }

    /// Whether runs do without the table, because it is full.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.0.is_full.load(Ordering::Relaxed)
    }

    pub(super) fn state(&self, at: Spot) -> &BuiltState {
        self.0.table.state(at)
    }

    /// A state of the table as the states of its b-threads.
    pub(super) fn local(&self, at: Spot) -> LocalState<E> {
        if at == Spot::new(START) {
            return self.0.start.clone();
        }
        LocalState::numbered(&self.0.blueprint, &self.state(at).locals)
    }

    /// The transition of an event, if the table knows it, and which of the first 32 events are not
    /// blocked after it.
    #[inline]
    pub(super) fn known_and_unblocked(&self, from: Spot, event: u32) -> (Option<Transition>, u32) {
        self.0.table.transition_and_unblocked(from, event)
    }

    /// The transition of an event.
    pub(super) fn transition(&self, from: Spot, event: u32) -> Result<Transition, Obstacle<E>> {
        if let Some(transition) = self.0.table.transition(from, event) {
            return Ok(transition);
        }
        let built = self.builder().transition(&self.0.blueprint, &self.0.table, from, event);
        if let Err(Obstacle::Full(..)) = built {
            self.0.is_full.store(true, Ordering::Relaxed);
        }
        built
    }

    /// Whether some b-thread blocks the event in a state.
    pub(super) fn is_blocked(&self, state: Spot, event: u32) -> bool {
        self.0.table.transition(state, event) == Some(Transition::Blocked)
    }

    /// The events of a word of 64 that are not blocked in a state.
    #[inline]
    pub(super) fn unblocked(&self, state: Spot, word: u32) -> u64 {
        self.0.table.row(state).unblocked(word)
    }

    /// The first 64 events that are not blocked in a state.
    #[inline]
    pub(super) fn first_unblocked(&self, at: Spot) -> u64 {
        self.0.table.first_unblocked(at)
    }

    /// The row of a state.
    #[inline]
    pub(super) fn row(&self, at: Spot) -> TableRow<'_> {
        self.0.table.row(at)
    }

    /// The first request that can happen in a state, if any.
    #[inline]
    pub(super) fn first(&self, at: Spot) -> Option<u32> {
        self.0.table.first(at)
    }

    /// The step that ends a superstep, if the table knows it and there is only this one, and which of
    /// the first 32 events are not blocked after it.
    #[inline]
    pub(super) fn known_last(&self, from: Spot) -> Option<(KnownStep, u32)> {
        let event = self.first(from)?;
        match self.known_and_unblocked(from, event) {
            (Some(Transition::To(to, handled, Rest::Quiet)), unblocked) => {
                Some((KnownStep { event, to, handled }, unblocked))
            }
            _ => None,
        }
    }

    /// The rest of the superstep from a state, if the table knows it and it is short.
    #[inline]
    pub(super) fn known_rest(&self, from: Spot) -> Option<KnownRest> {
        let nothing = KnownStep { event: 0, to: from, handled: Handled::No };
        let mut rest = KnownRest { steps: [nothing; FEW], count: 0, unblocked: 0 };
        let mut at = from;
        for step in &mut rest.steps {
            let event = self.first(at)?;
            let (transition, unblocked) = self.known_and_unblocked(at, event);
            let Transition::To(to, handled, quiet) = transition? else { return None };
            *step = KnownStep { event, to, handled };
            rest.count += 1;
            if quiet == Rest::Quiet {
                rest.unblocked = unblocked;
                return Some(rest);
            }
            at = to;
        }
        None
    }

    /// Whether both are the same automaton, not only equal ones.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The state in which b-threads have come this far.
    pub(super) fn state_at(
        &self,
        thread_states: ThreadStates<E>,
    ) -> Result<AutomatonState<E>, OutsideAlphabet<E>> {
        let state = LocalState::new(&self.0.blueprint, thread_states)?;
        if !self.is_full()
            && let Some(spot) = self.builder().spot(&self.0.blueprint, &self.0.table, &state)
        {
            return Ok(AutomatonState::tabled(self.clone(), spot));
        }
        Ok(AutomatonState::local(self.clone(), state))
    }

    fn builder(&self) -> MutexGuard<'_, Builder> {
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
