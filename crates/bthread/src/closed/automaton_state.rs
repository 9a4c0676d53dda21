//! Where a run of an automaton stands.

use std::fmt;
use std::mem::replace;

use super::automaton::{Automaton, KnownStep};
use super::closed_engine::ClosedEngine;
use super::local_place::LocalPlace;
use super::local_state::LocalState;
use super::state_place::{StatePlace, lent};
use super::table::{Rest, Spot, Transition};
use super::unblocked_words::UnblockedWords;
use crate::engine::Handled;
use crate::error::{BlockedEvent, TriggerError};
use crate::event::Event;
use crate::explanation::Interest;
use crate::observer::{Observer, Origin, Step};
use crate::run::{ClosedRun, Limits, Run, SuperstepSummary};
use crate::snapshot::Snapshot;
use crate::strategy::{Priority, Strategy};

/// Where a closed program stands: the number of a state in the table of its [`Automaton`], or the
/// states of its b-threads. It can be cloned, compared and stepped.
///
/// In the table it takes 16 bytes, otherwise about one byte for every b-thread.
pub struct AutomatonState<E: Event>(StatePlace<E>);

impl<E: Event> Clone for AutomatonState<E> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// Uses the memory of the old state again if it is one of the same automaton.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        match (&mut self.0, &source.0) {
            (
                StatePlace::Tabled { automaton, state },
                StatePlace::Tabled { automaton: other, state: source },
            ) if automaton.is(other) => *state = *source,
            (StatePlace::Local(place), StatePlace::Local(source))
                if place.automaton.is(&source.automaton) =>
            {
                place.state.clone_from(&source.state);
            }
            (place, source) => *place = source.clone(),
        }
    }
}

impl<E: Event> AutomatonState<E> {
    pub(super) fn at(place: StatePlace<E>) -> Self {
        Self(place)
    }

    pub(super) fn into_place(self) -> StatePlace<E> {
        self.0
    }

    pub(super) fn tabled(automaton: Automaton<E>, state: Spot) -> Self {
        Self(StatePlace::Tabled { automaton, state })
    }

    pub(super) fn local(automaton: Automaton<E>, state: LocalState<E>) -> Self {
        Self(StatePlace::Local(Box::new(LocalPlace { automaton, state })))
    }

    /// The size in bytes, without the shared automaton and without b-threads that the run holds by
    /// value (see [`ClosedLimits`](crate::ClosedLimits)).
    pub fn size(&self) -> usize {
        let local = match &self.0 {
            StatePlace::Local(place) => size_of::<Automaton<E>>() + place.state.size(),
            StatePlace::Tabled { .. } | StatePlace::Lent => 0,
        };
        size_of::<Self>() + local
    }

    /// A run that goes on from here.
    pub fn resume<S: Strategy<E>>(self, strategy: S, limits: Limits) -> ClosedRun<E, S> {
        Run::resume(ClosedEngine::new(self), strategy, limits)
    }

    /// Whether the automaton has this state in its table (see [`Automaton`]).
    pub fn is_tabled(&self) -> bool {
        matches!(self.0, StatePlace::Tabled { .. })
    }

    /// The automaton.
    pub fn automaton(&self) -> &Automaton<E> {
        self.0.automaton()
    }

    /// The events that no b-thread blocks, 64 to a word: bit `i` of word `w` stands for the event
    /// at place `64 * w + i` of the alphabet.
    #[inline]
    pub fn unblocked(&self, word: u32) -> u64 {
        match &self.0 {
            StatePlace::Tabled { automaton, state } => automaton.unblocked(*state, word),
            StatePlace::Local(place) => place.state.unblocked(place.automaton.blueprint(), word),
            StatePlace::Lent => lent(),
        }
    }

    /// As [`AutomatonState::unblocked`] of the first word, but bits past the last event may be set.
    #[inline]
    pub fn first_unblocked(&self) -> u64 {
        match &self.0 {
            StatePlace::Tabled { automaton, state } => automaton.first_unblocked(*state),
            StatePlace::Local(place) => place.state.first_unblocked(),
            StatePlace::Lent => lent(),
        }
    }

    /// What [`AutomatonState::first_unblocked`] would return after the event at a place of the alphabet,
    /// if the table knows that no other event follows it; `None` if it does not, and in programs with
    /// more than 32 events.
    #[inline]
    pub fn unblocked_after(&self, number: u32) -> Option<u64> {
        let StatePlace::Tabled { automaton, state } = &self.0 else { return None };
        match automaton.known_and_unblocked(*state, number) {
            (Some(Transition::To(_, _, Rest::Quiet)), unblocked) if automaton.is_narrow() => {
                Some(unblocked.into())
            }
            _ => None,
        }
    }

    /// How far each b-thread has come, as bytes that are equal for equal states of one automaton, and
    /// only for those; `None` if a b-thread is held by value (see [`ClosedLimits`](crate::ClosedLimits)).
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            StatePlace::Tabled { automaton, state } => Some(&automaton.state(*state).locals),
            StatePlace::Local(place) => place.state.bytes(),
            StatePlace::Lent => lent(),
        }
    }

    /// Leaves the table if it is full, as the next event would do.
    pub fn leave_full_table(&mut self) {
        self.0.leave_full_table();
    }

    /// All events that no b-thread blocks, for callers that read many words.
    #[inline]
    pub fn unblocked_words(&self) -> UnblockedWords<'_> {
        match &self.0 {
            StatePlace::Tabled { automaton, state } => {
                UnblockedWords::of_row(automaton.row(*state))
            }
            StatePlace::Local(place) => UnblockedWords::without(place.state.blocked_rows()),
            StatePlace::Lent => lent(),
        }
    }

    /// The b-threads and sets that block the event at a place of the alphabet, highest priority
    /// first.
    pub fn blockers(&self, number: u32) -> Vec<Interest<E>> {
        self.0.blockers(number)
    }

    /// Triggers the event at a place of the alphabet, as [`Run::trigger_observed`] does with
    /// the strategy [`Priority`].
    ///
    /// # Errors
    /// If the event is blocked, or if its superstep does not end or leaves the alphabet. Nothing
    /// has changed then.
    ///
    /// # Panics
    /// If the alphabet has no such place.
    pub fn trigger_observed(
        &mut self,
        number: u32,
        limits: Limits,
        observer: &mut impl Observer<E>,
    ) -> Result<SuperstepSummary, TriggerError<E>> {
        if self.0.is_blocked(number) {
            let event = self.automaton().event(number).clone();
            return Err(BlockedEvent { event, blockers: self.blockers(number) }.into());
        }
        self.0.leave_full_table();
        if let StatePlace::Local(place) = &mut self.0 {
            return Ok(place.superstep(number, limits, observer)?);
        }
        // Lent and not cloned: counting the references to the automaton would cost as much as a step.
        let place = replace(&mut self.0, StatePlace::Lent);
        let run = Run::resume(ClosedEngine::at(place), Priority, limits);
        let mut loan = Loan { home: &mut self.0, run: Some(run) };
        let run = loan.run.as_mut().expect("it is given back when the loan ends");
        Ok(run.superstep(Some(number), observer)?)
    }

    /// Triggers the event at a place of the alphabet, as [`AutomatonState::trigger_observed`]
    /// does, but only if the table knows the whole superstep. Otherwise, or if the event is
    /// blocked, it returns `None` and nothing has changed.
    ///
    /// Most supersteps are short and known after the first time, and then need no run.
    #[inline]
    pub fn follow(
        &mut self,
        number: u32,
        observer: &mut impl Observer<E>,
    ) -> Option<FollowedSuperstep> {
        let StatePlace::Tabled { automaton, state } = &self.0 else { return None };
        if automaton.is_full() {
            return None;
        }
        let (transition, unblocked) = automaton.known_and_unblocked(*state, number);
        match transition? {
            Transition::To(next, handled, Rest::Quiet) => {
                let is_narrow = automaton.is_narrow();
                let event = automaton.event(number);
                observer.step(&Step::new(event, Origin::Triggered, &self.0));
                self.come_to(next);
                let summary = SuperstepSummary { steps: 1, handled };
                let first_unblocked =
                    if is_narrow { unblocked.into() } else { self.first_unblocked() };
                Some(FollowedSuperstep { summary, first_unblocked })
            }
            Transition::To(to, handled, Rest::Moving) => {
                let is_narrow = automaton.is_narrow();
                let first = KnownStep { event: number, to, handled };
                // Most often one event follows: somebody has won.
                let (summary, unblocked) = if let Some((last, unblocked)) = automaton.known_last(to)
                {
                    (self.follow_on(first, &[last], observer), unblocked)
                } else {
                    let rest = automaton.known_rest(to)?;
                    (self.follow_on(first, rest.steps(), observer), rest.unblocked)
                };
                let first_unblocked =
                    if is_narrow { unblocked.into() } else { self.first_unblocked() };
                Some(FollowedSuperstep { summary, first_unblocked })
            }
            Transition::Blocked => None,
        }
    }

    /// Performs a superstep that the table knows.
    #[inline]
    fn follow_on(
        &mut self,
        first: KnownStep,
        rest: &[KnownStep],
        observer: &mut impl Observer<E>,
    ) -> SuperstepSummary {
        let mut happened = SuperstepSummary { steps: 0, handled: Handled::No };
        let mut walk = TableWalk { began: self.spot(), state: self };
        walk.state.perform(first, Origin::Triggered, observer);
        happened.count(first.handled);
        for step in rest {
            walk.state.perform(*step, Origin::First, observer);
            happened.count(step.handled);
        }
        walk.began = None;
        happened
    }

    #[inline]
    fn perform(&mut self, step: KnownStep, origin: Origin, observer: &mut impl Observer<E>) {
        let event = self.automaton().event(step.event);
        observer.step(&Step::new(event, origin, &self.0));
        self.come_to(step.to);
    }

    /// The place in the table, if the state is in it.
    fn spot(&self) -> Option<Spot> {
        match &self.0 {
            StatePlace::Tabled { state, .. } => Some(*state),
            StatePlace::Local(_) | StatePlace::Lent => None,
        }
    }

    fn come_to(&mut self, next: Spot) {
        if let StatePlace::Tabled { state, .. } = &mut self.0 {
            *state = next;
        }
    }

    fn snapshot(&self) -> Snapshot<E> {
        Snapshot::new(self.automaton().program(), self.0.thread_states(), Vec::new(), Priority)
    }
}

/// A superstep that the table knew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowedSuperstep {
    /// Its length.
    pub summary: SuperstepSummary,
    /// What [`AutomatonState::first_unblocked`] returns after it.
    pub first_unblocked: u64,
}

/// A state that a run holds. It is given back even if an observer panics.
struct Loan<'a, E: Event> {
    home: &'a mut StatePlace<E>,
    run: Option<ClosedRun<E>>,
}

impl<E: Event> Drop for Loan<'_, E> {
    fn drop(&mut self) {
        if let Some(run) = self.run.take() {
            *self.home = run.into_engine().place;
        }
    }
}

/// A walk through the table, which goes back to where it began if an observer panics.
struct TableWalk<'a, E: Event> {
    state: &'a mut AutomatonState<E>,
    began: Option<Spot>,
}

impl<E: Event> Drop for TableWalk<'_, E> {
    fn drop(&mut self) {
        if let Some(began) = self.began {
            self.state.come_to(began);
        }
    }
}

/// States are equal if they are of the same program and its b-threads have come equally far.
impl<E: Event> PartialEq for AutomatonState<E> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (
                StatePlace::Tabled { automaton, state },
                StatePlace::Tabled { automaton: another, state: other },
            ) if automaton.is(another) => state == other,
            (StatePlace::Local(place), StatePlace::Local(other))
                if place.automaton.is(&other.automaton)
                    && let Some(is_equal) = place.state.is_equal(&other.state) =>
            {
                is_equal
            }
            _ => self.snapshot() == other.snapshot(),
        }
    }
}

impl<E: Event> Eq for AutomatonState<E> {}

impl<E: Event> fmt::Debug for AutomatonState<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AutomatonState({})", self.0)
    }
}
