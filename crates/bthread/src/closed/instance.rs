//! Where a run of an automaton stands.

use std::borrow::Cow;
use std::fmt;
use std::mem::replace;

use super::automaton::Automaton;
use super::builder::Obstacle;
use super::table::{Rest, Spot, Transition};
use crate::any_b_thread::AnyBThread;
use crate::engine::{EngineInternals, Handled, LiveThreads, Pick};
use crate::error::{AddError, BlockedEvent, OutsideAlphabet, SuperstepError, TriggerError};
use crate::event::Event;
use crate::explanation::Interest;
use crate::name::Name;
use crate::observer::{Observer, Origin, Step};
use crate::open::OpenEngine;
use crate::program::Program;
use crate::run::{ClosedRun, Limits, Run, Status, SuperstepSummary};
use crate::snapshot::{Snapshot, ThreadStates};
use crate::strategy::{Choices, Priority, Scope, Strategy};
use crate::sync_point::SyncPoint;

/// Where a closed program stands: little more than the number of a state of its
/// [`Automaton`]. It can be cloned, compared and stepped, and takes 16 bytes.
#[derive(Clone)]
pub struct AutomatonState<E: Event>(StatePlace<E>);

#[derive(Clone)]
enum StatePlace<E: Event> {
    /// In a state of the automaton.
    Tabled { automaton: Automaton<E>, state: Spot },
    /// Off the table, because the table is full or b-threads were added.
    Away(Box<Away<E>>),
    /// A run holds it for the duration of one call.
    Lent,
}

#[cold]
fn lent() -> ! {
    unreachable!("a state is lent for one call, and lost only if a b-thread panics in it")
}

#[derive(Clone)]
struct Away<E: Event> {
    automaton: Automaton<E>,
    open: OpenEngine<E>,
}

/// Runs a program over a finite alphabet: a step is a look-up in a table.
#[derive(Clone)]
pub struct ClosedEngine<E: Event> {
    place: StatePlace<E>,
    /// The state in which the superstep began, if it began in one.
    began: Option<Spot>,
}

impl<E: Event> AutomatonState<E> {
    pub(super) fn tabled(automaton: Automaton<E>, state: Spot) -> Self {
        Self(StatePlace::Tabled { automaton, state })
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
            StatePlace::Away(away) => away.unblocked(word),
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
        // Lent and not cloned: counting the references to the automaton would cost as much as a step.
        let place = replace(&mut self.0, StatePlace::Lent);
        let mut run = Run::resume(ClosedEngine { place, began: None }, Priority, limits);
        let happened = run.superstep(Some(number), observer);
        self.0 = run.into_engine().place;
        Ok(happened?)
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
    ) -> Option<SuperstepSummary> {
        let StatePlace::Tabled { automaton, state } = &self.0 else { return None };
        match automaton.known(*state, number)? {
            Transition::To(next, handled, Rest::Quiet) => {
                let event = automaton.event(number);
                observer.step(&Step::new(event, Origin::Triggered, &self.0));
                self.come_to(next);
                Some(SuperstepSummary { steps: 1, handled })
            }
            Transition::To(next, handled, Rest::Moving) => automaton
                .is_known_from(next)
                .then(|| self.follow_on(number, next, handled, observer)),
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
        while let Some(Transition::To(next, handled, rest)) = transition {
            observer.step(&Step::new(self.automaton().event(event), origin, &self.0));
            happened.count(handled);
            self.come_to(next);
            let automaton = self.automaton();
            let first = automaton.first(next).filter(|_| rest == Rest::Moving);
            transition = first.and_then(|first| {
                (event, origin) = (first, Origin::First);
                automaton.known(next, first)
            });
        }
        happened
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

/// States are equal if they are of the same program and its b-threads have come equally far.
impl<E: Event> PartialEq for AutomatonState<E> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (
                StatePlace::Tabled { automaton, state },
                StatePlace::Tabled { automaton: another, state: other },
            ) if automaton.is(another) => state == other,
            _ => self.snapshot() == other.snapshot(),
        }
    }
}

impl<E: Event> Eq for AutomatonState<E> {}

impl<E: Event> StatePlace<E> {
    fn automaton(&self) -> &Automaton<E> {
        match self {
            Self::Tabled { automaton, .. } => automaton,
            Self::Away(away) => &away.automaton,
            Self::Lent => lent(),
        }
    }

    fn is_blocked(&self, number: u32) -> bool {
        match self {
            Self::Tabled { automaton, state } => automaton.is_blocked(*state, number),
            Self::Away(away) => away.is_blocked(number),
            Self::Lent => lent(),
        }
    }

    fn blockers(&self, number: u32) -> Vec<Interest<E>> {
        match self {
            Self::Tabled { automaton, state } => automaton.blockers(*state, number),
            Self::Away(away) => {
                let token = away.open.token(away.automaton.event(number).clone());
                token.map_or_else(|_| Vec::new(), |token| away.open.blockers(&token))
            }
            Self::Lent => lent(),
        }
    }

    fn thread_states(&self) -> ThreadStates<E> {
        match self {
            Self::Tabled { automaton, state } => automaton.thread_states(*state),
            Self::Away(away) => away.open.thread_states(),
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
        Self { place, began: None }
    }

    fn automaton(&self) -> &Automaton<E> {
        self.place.automaton()
    }

    /// Leaves the table for good.
    fn go_away(&mut self) -> &mut Away<E> {
        if let StatePlace::Tabled { automaton, state } = &self.place {
            let open =
                OpenEngine::standing_at(automaton.program(), automaton.thread_states(*state));
            self.place = StatePlace::Away(Box::new(Away { automaton: automaton.clone(), open }));
        }
        match &mut self.place {
            StatePlace::Away(away) => away,
            StatePlace::Tabled { .. } | StatePlace::Lent => {
                unreachable!("it has just left the table")
            }
        }
    }
}

impl<E: Event> Away<E> {
    fn advance(&mut self, event: u32) -> Result<Handled, OutsideAlphabet<E>> {
        let token = self.open.token(self.automaton.event(event).clone())?;
        let handled = self.open.advance(&token)?;
        // The error names the b-thread of highest priority, as the table does.
        let outside = self.open.moved_unplanned().filter_map(|(number, name, point)| {
            self.automaton.check(name, point).err().map(|outside| (number, outside))
        });
        match outside.min_by_key(|(number, _)| *number) {
            Some((_, outside)) => Err(outside),
            None => Ok(handled),
        }
    }

    // Cold, so that the frequent case stays inlined.
    #[cold]
    fn unblocked(&self, word: u32) -> u64 {
        let first = word * u64::BITS;
        let last = self.automaton.width().min(first + u64::BITS);
        let free = (first..last).filter(|event| !self.is_blocked(*event));
        free.fold(0, |bits, event| bits | 1 << (event - first))
    }

    fn is_blocked(&self, number: u32) -> bool {
        let token = self.open.token(self.automaton.event(number).clone());
        token.is_ok_and(|token| self.open.is_blocked(&token))
    }

    fn pick_number(&self, pick: Pick) -> u32 {
        let event = self.open.requested(pick);
        self.automaton.number(event).expect("requests were checked")
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
        match &self.place {
            StatePlace::Tabled { .. } => pick.request,
            StatePlace::Away(away) => away.pick_number(pick),
            StatePlace::Lent => lent(),
        }
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

    fn choices(&mut self, scope: Scope) -> Option<Choices<'_, E>> {
        let first = match &mut self.place {
            StatePlace::Tabled { automaton, state } => automaton.state(*state).first?,
            StatePlace::Away(away) => away.open.first_pick(scope)?,
            StatePlace::Lent => lent(),
        };
        Some(Choices::new(self, first))
    }

    fn advance(&mut self, token: &u32) -> Result<Handled, OutsideAlphabet<E>> {
        let StatePlace::Tabled { automaton, state } = &mut self.place else {
            return self.go_away().advance(*token);
        };
        match automaton.transition(*state, *token) {
            Ok(Transition::To(next, handled, _)) => {
                *state = next;
                Ok(handled)
            }
            Ok(Transition::Blocked) => unreachable!("blocked events do not happen"),
            Err(Obstacle::Full) => self.go_away().advance(*token),
            Err(Obstacle::Outside(outside)) => Err(outside),
        }
    }

    fn advance_picked(&mut self, pick: Pick) -> Result<Handled, OutsideAlphabet<E>> {
        self.advance(&self.requested_token(pick))
    }

    fn status(&self) -> Status {
        match &self.place {
            StatePlace::Tabled { automaton, state } => automaton.state(*state).status,
            StatePlace::Away(away) => away.open.status(),
            StatePlace::Lent => lent(),
        }
    }

    fn begin(&mut self) {
        self.began = match &mut self.place {
            StatePlace::Tabled { state, .. } => Some(*state),
            StatePlace::Away(away) => {
                away.open.begin();
                None
            }
            StatePlace::Lent => lent(),
        };
    }

    fn commit(&mut self) {
        if let StatePlace::Away(away) = &mut self.place {
            away.open.commit();
        }
    }

    fn undo(&mut self) {
        if let Some(state) = self.began {
            let automaton = self.automaton().clone();
            self.place = StatePlace::Tabled { automaton, state };
        } else if let StatePlace::Away(away) = &mut self.place {
            away.open.undo();
        }
    }

    fn add(&mut self, thread: AnyBThread<E>) -> Result<(), AddError<E>> {
        let name = thread.name().clone();
        let point = thread.sync_point().map(Cow::into_owned);
        let away = self.go_away();
        away.open.add(thread)?;
        if let Some(point) = point {
            away.automaton.check(&name, &point).map_err(SuperstepError::from)?;
        }
        Ok(())
    }

    fn thread_states(&self) -> ThreadStates<E> {
        self.place.thread_states()
    }

    fn with_thread_states(
        &self,
        thread_states: ThreadStates<E>,
    ) -> Result<Self, OutsideAlphabet<E>> {
        let automaton = self.automaton().clone();
        if thread_states.added.is_empty() {
            match automaton.state_at(&thread_states) {
                Ok(state) => return Ok(Self::new(AutomatonState::tabled(automaton, state))),
                Err(Obstacle::Full) => {}
                Err(Obstacle::Outside(outside)) => return Err(outside),
            }
        }
        let open = OpenEngine::standing_at(automaton.program(), thread_states);
        open.unplanned().try_for_each(|(name, point)| automaton.check(name, point))?;
        let away = Away { automaton, open };
        Ok(Self::new(AutomatonState(StatePlace::Away(Box::new(away)))))
    }
}

impl<E: Event> LiveThreads<E> for ClosedEngine<E> {
    fn visit(&self, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        self.place.visit(show);
    }

    fn picks(&self) -> Vec<Pick> {
        self.place.picks()
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
        match self {
            Self::Tabled { automaton, state } => automaton.visit(*state, show),
            Self::Away(away) => away.open.visit(show),
            Self::Lent => lent(),
        }
    }

    fn picks(&self) -> Vec<Pick> {
        match self {
            Self::Tabled { automaton, state } => automaton.state(*state).picks.to_vec(),
            Self::Away(away) => away.open.picks(),
            Self::Lent => lent(),
        }
    }

    fn requested(&self, pick: Pick) -> &E {
        match self {
            Self::Tabled { automaton, .. } => automaton.event(pick.request),
            Self::Away(away) => away.open.requested(pick),
            Self::Lent => lent(),
        }
    }

    fn name(&self, thread: u32) -> &Name {
        match self {
            Self::Tabled { automaton, .. } => automaton.program().threads()[thread as usize].name(),
            Self::Away(away) => away.open.name(thread),
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
            Self::Away(_) => f.write_str("off the table"),
            Self::Lent => f.write_str("lent"),
        }
    }
}
