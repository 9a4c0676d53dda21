//! Where a run of an automaton stands.

use std::fmt;
use std::mem::replace;

use super::automaton::Automaton;
use super::builder::Obstacle;
use super::event_tally::TallyRow;
use super::local_state::LocalState;
use super::table::{Rest, Spot, TableRow, Transition};
use crate::any_b_thread::AnyBThread;
use crate::engine::{EngineInternals, Handled, LiveThreads, Pick};
use crate::error::{
    AddError, BlockedEvent, OutsideAlphabet, ProgramError, SuperstepError, TriggerError,
};
use crate::event::Event;
use crate::explanation::Interest;
use crate::name::Name;
use crate::observer::{Observer, Origin, Step};
use crate::program::{self, Program};
use crate::run::{ClosedRun, Limits, Run, Status, SuperstepSummary};
use crate::snapshot::{Snapshot, ThreadStates};
use crate::strategy::{Choices, Priority, Scope, Strategy};
use crate::sync_point::SyncPoint;

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

#[derive(Clone)]
enum StatePlace<E: Event> {
    /// In the table.
    Tabled { automaton: Automaton<E>, state: Spot },
    /// Outside of the table, because it is full or b-threads were added.
    Local(Box<LocalPlace<E>>),
    /// A run holds it for the duration of one call.
    Lent,
}

#[cold]
fn lent() -> ! {
    unreachable!("a state is lent for one call, and lost only if a b-thread panics in it")
}

#[derive(Clone)]
struct LocalPlace<E: Event> {
    automaton: Automaton<E>,
    state: LocalState<E>,
}

/// Runs a program over a finite alphabet: a step is a look-up in a table, or moves only the
/// b-threads that the event concerns.
#[derive(Clone)]
pub struct ClosedEngine<E: Event> {
    place: StatePlace<E>,
    /// The state in which the superstep began, if it began in the table.
    began: Option<Spot>,
    /// How often blocks may have been lifted in the table, which does not tell.
    lifted: u64,
}

impl<E: Event> AutomatonState<E> {
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

    /// Leaves the table if it is full, as the next event would do.
    pub fn leave_full_table(&mut self) {
        self.0.leave_full_table();
    }

    /// All events that no b-thread blocks, for callers that read many words.
    #[inline]
    pub fn unblocked_words(&self) -> UnblockedWords<'_> {
        UnblockedWords(match &self.0 {
            StatePlace::Tabled { automaton, state } => UnblockedRow::Table(automaton.row(*state)),
            StatePlace::Local(place) => UnblockedRow::Rows(place.state.blocked_rows()),
            StatePlace::Lent => lent(),
        })
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
        let run = Run::resume(ClosedEngine { place, began: None, lifted: 0 }, Priority, limits);
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
            Transition::To(next, handled, Rest::Moving) => {
                if !automaton.is_known_from(next) {
                    return None;
                }
                let summary = self.follow_on(number, next, handled, observer);
                Some(FollowedSuperstep { summary, first_unblocked: self.first_unblocked() })
            }
            Transition::Blocked => None,
        }
    }

    /// Follows the table, which knows all of it, beyond the first event of a superstep.
    fn follow_on(
        &mut self,
        first: u32,
        next: Spot,
        handled: Handled,
        observer: &mut impl Observer<E>,
    ) -> SuperstepSummary {
        let mut happened = SuperstepSummary { steps: 0, handled };
        let (mut event, mut origin) = (first, Origin::Triggered);
        let mut transition = Some(Transition::To(next, handled, Rest::Moving));
        let mut walk = TableWalk { began: self.spot(), state: self };
        while let Some(Transition::To(next, handled, rest)) = transition {
            let automaton = walk.state.automaton();
            observer.step(&Step::new(automaton.event(event), origin, &walk.state.0));
            happened.count(handled);
            walk.state.come_to(next);
            let automaton = walk.state.automaton();
            let first = automaton.first(next).filter(|_| rest == Rest::Moving);
            transition = first.and_then(|first| {
                (event, origin) = (first, Origin::First);
                automaton.known(next, first)
            });
        }
        walk.began = None;
        happened
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
        let fingerprint = self.automaton().program().fingerprint();
        Snapshot::new(fingerprint, self.0.thread_states(), Vec::new(), Priority)
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

/// The events that no b-thread blocks in a state, 64 to a word.
#[derive(Clone, Copy)]
pub struct UnblockedWords<'a>(UnblockedRow<'a>);

#[derive(Clone, Copy)]
enum UnblockedRow<'a> {
    /// In a row of the table.
    Table(TableRow<'a>),
    /// All that these do not count.
    Rows(&'a [TallyRow]),
}

impl UnblockedWords<'_> {
    /// As [`AutomatonState::unblocked`], but bits past the last event may be set.
    #[inline]
    pub fn word(self, place: u32) -> u64 {
        match self.0 {
            UnblockedRow::Table(row) => row.unblocked(place),
            UnblockedRow::Rows(rows) => rows.get(place as usize).map_or(u64::MAX, |row| !row.any()),
        }
    }
}

impl fmt::Debug for UnblockedWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnblockedWords").finish_non_exhaustive()
    }
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

/// A superstep outside of the table, which is undone unless it succeeds, also if an observer panics.
struct LocalAttempt<'a, E: Event> {
    place: &'a mut LocalPlace<E>,
    phase: AttemptPhase,
}

#[derive(PartialEq, Eq)]
enum AttemptPhase {
    Steps,
    /// B-threads move. If one of them panics, nothing can be undone.
    Moves,
    Over,
}

impl<E: Event> LocalAttempt<'_, E> {
    fn steps(
        &mut self,
        first: u32,
        limits: Limits,
        observer: &mut impl Observer<E>,
    ) -> Result<SuperstepSummary, SuperstepError<E>> {
        let mut happened = SuperstepSummary { steps: 0, handled: Handled::No };
        let mut next = Some((first, Origin::Triggered));
        while let Some((number, origin)) = next {
            let event = self.place.automaton.event(number);
            happened.check(limits, event)?;
            observer.step(&Step::new(event, origin, &*self.place));
            self.phase = AttemptPhase::Moves;
            let handled = self.place.advance(number);
            self.phase = AttemptPhase::Steps;
            happened.count(handled?);
            let first = self.place.state.first(self.place.automaton.blueprint());
            next = first.map(|pick| (pick.request, Origin::Requested(pick)));
        }
        Ok(happened)
    }
}

impl<E: Event> Drop for LocalAttempt<'_, E> {
    fn drop(&mut self) {
        if self.phase == AttemptPhase::Steps {
            self.place.state.undo(self.place.automaton.blueprint());
        }
    }
}

impl<E: Event> LiveThreads<E> for LocalPlace<E> {
    fn visit(&self, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        self.state.visit(self.automaton.blueprint(), show);
    }

    fn picks(&self) -> Vec<Pick> {
        self.state.picks(self.automaton.blueprint())
    }

    fn ranks(&self, picks: &[Pick]) -> Vec<Option<i32>> {
        self.state.ranks(self.automaton.blueprint(), picks)
    }

    fn requested(&self, pick: Pick) -> &E {
        self.automaton.event(pick.request)
    }

    fn name(&self, thread: u32) -> &Name {
        self.state.name(self.automaton.blueprint(), thread)
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

impl<E: Event> StatePlace<E> {
    fn automaton(&self) -> &Automaton<E> {
        match self {
            Self::Tabled { automaton, .. } => automaton,
            Self::Local(place) => &place.automaton,
            Self::Lent => lent(),
        }
    }

    /// Leaves the table for good.
    fn leave_table(&mut self) -> &mut LocalPlace<E> {
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
    fn leave_full_table(&mut self) {
        if let Self::Tabled { automaton, .. } = self
            && automaton.is_full()
        {
            self.leave_table();
        }
    }

    #[inline]
    fn is_blocked(&self, number: u32) -> bool {
        match self {
            Self::Tabled { automaton, state } => automaton.is_blocked(*state, number),
            Self::Local(place) => place.state.is_blocked(number),
            Self::Lent => lent(),
        }
    }

    fn blockers(&self, number: u32) -> Vec<Interest<E>> {
        self.with_local(|state| state.blockers(self.automaton().blueprint(), number))
    }

    fn thread_states(&self) -> ThreadStates<E> {
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

impl<E: Event, S: Strategy<E>> ClosedRun<E, S> {
    /// The state of the run, without its queue and its strategy.
    pub fn state(&self) -> AutomatonState<E> {
        AutomatonState(self.engine().place.clone())
    }
}

impl<E: Event> ClosedEngine<E> {
    pub(super) fn new(AutomatonState(place): AutomatonState<E>) -> Self {
        Self { place, began: None, lifted: 0 }
    }

    fn automaton(&self) -> &Automaton<E> {
        self.place.automaton()
    }
}

impl<E: Event> LocalPlace<E> {
    /// Performs the superstep of an event by priority. This is what a run without a queue does, and
    /// takes half of the time, because most supersteps are one event.
    fn superstep(
        &mut self,
        first: u32,
        limits: Limits,
        observer: &mut impl Observer<E>,
    ) -> Result<SuperstepSummary, SuperstepError<E>> {
        let mut attempt = LocalAttempt { place: self, phase: AttemptPhase::Steps };
        let result = attempt.steps(first, limits, observer);
        if result.is_ok() {
            attempt.phase = AttemptPhase::Over;
            attempt.place.state.commit(attempt.place.automaton.blueprint());
        } else {
            drop(attempt);
            observer.undone();
        }
        result
    }

    #[inline]
    fn advance(&mut self, event: u32) -> Result<Handled, OutsideAlphabet<E>> {
        self.state.advance(self.automaton.blueprint(), event)
    }
}

impl<E: Event> EngineInternals for ClosedEngine<E> {
    type Event = E;
    type Token = u32;

    fn program(&self) -> &Program<E> {
        self.automaton().program()
    }

    fn token(&self, event: E) -> Result<u32, OutsideAlphabet<E>> {
        let number = self.automaton().number(&event);
        number.ok_or(OutsideAlphabet { event, requested_by: None })
    }

    fn requested_token(&self, pick: Pick) -> u32 {
        pick.request
    }

    fn event<'a>(&'a self, token: &'a u32) -> &'a E {
        self.automaton().event(*token)
    }

    fn is_blocked(&self, token: &u32) -> bool {
        self.place.is_blocked(*token)
    }

    fn blockers(&self, token: &u32) -> Vec<Interest<E>> {
        self.place.blockers(*token)
    }

    fn choices(&mut self, _: Scope) -> Option<Choices<'_, E>> {
        let first = match &mut self.place {
            StatePlace::Tabled { automaton, state } => automaton.state(*state).first?,
            StatePlace::Local(place) => place.state.first(place.automaton.blueprint())?,
            StatePlace::Lent => lent(),
        };
        Some(Choices::new(self, first))
    }

    #[inline]
    fn advance(&mut self, token: &u32) -> Result<Handled, OutsideAlphabet<E>> {
        let StatePlace::Tabled { automaton, state } = &mut self.place else {
            return self.place.leave_table().advance(*token);
        };
        self.lifted += 1;
        match automaton.transition(*state, *token) {
            Ok(Transition::To(next, handled, _)) => {
                *state = next;
                Ok(handled)
            }
            Ok(Transition::Blocked) => unreachable!("blocked events do not happen"),
            Err(Obstacle::Full(state, handled)) => {
                let (automaton, state) = (automaton.clone(), *state);
                self.place = StatePlace::Local(Box::new(LocalPlace { automaton, state }));
                Ok(handled)
            }
            Err(Obstacle::Outside(outside)) => Err(outside),
        }
    }

    fn advance_picked(&mut self, pick: Pick) -> Result<Handled, OutsideAlphabet<E>> {
        self.advance(&self.requested_token(pick))
    }

    fn status(&self) -> Status {
        match &self.place {
            StatePlace::Tabled { automaton, state } => automaton.state(*state).status,
            StatePlace::Local(place) => place.state.status(),
            StatePlace::Lent => lent(),
        }
    }

    fn lifted_blocks(&self) -> u64 {
        match &self.place {
            StatePlace::Local(place) => self.lifted + place.state.lifted(),
            StatePlace::Tabled { .. } | StatePlace::Lent => self.lifted,
        }
    }

    fn begin(&mut self) {
        self.place.leave_full_table();
        self.began = match &self.place {
            StatePlace::Tabled { state, .. } => Some(*state),
            StatePlace::Local(_) => None,
            StatePlace::Lent => lent(),
        };
    }

    fn commit(&mut self) {
        if let StatePlace::Local(place) = &mut self.place {
            place.state.commit(place.automaton.blueprint());
        }
    }

    fn undo(&mut self) {
        if let Some(state) = self.began {
            let automaton = self.automaton().clone();
            self.place = StatePlace::Tabled { automaton, state };
        } else if let StatePlace::Local(place) = &mut self.place {
            place.state.undo(place.automaton.blueprint());
        }
    }

    fn add(&mut self, thread: AnyBThread<E>) -> Result<(), AddError<E>> {
        program::check(&thread)?;
        let LocalPlace { automaton, state } = self.place.leave_table();
        if state.has(automaton.blueprint(), thread.name()) {
            return Err(ProgramError::DuplicateName(thread.name().clone()).into());
        }
        Ok(state.add(automaton.blueprint(), thread).map_err(SuperstepError::from)?)
    }

    fn thread_states(&self) -> ThreadStates<E> {
        self.place.thread_states()
    }

    fn with_thread_states(
        &self,
        thread_states: ThreadStates<E>,
    ) -> Result<Self, OutsideAlphabet<E>> {
        self.automaton().state_at(thread_states).map(Self::new)
    }
}

impl<E: Event> LiveThreads<E> for ClosedEngine<E> {
    fn visit(&self, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        self.place.visit(show);
    }

    fn picks(&self) -> Vec<Pick> {
        self.place.picks()
    }

    fn ranks(&self, picks: &[Pick]) -> Vec<Option<i32>> {
        self.place.ranks(picks)
    }

    fn requested(&self, pick: Pick) -> &E {
        self.place.requested(pick)
    }

    fn name(&self, thread: u32) -> &Name {
        self.place.name(thread)
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

impl<E: Event> fmt::Debug for AutomatonState<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AutomatonState({})", self.0)
    }
}

impl<E: Event> fmt::Debug for ClosedEngine<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClosedEngine({})", self.place)
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
