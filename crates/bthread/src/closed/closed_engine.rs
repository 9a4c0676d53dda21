//! The engine for closed runs.

use std::fmt;

use super::automaton::Automaton;
use super::automaton_state::AutomatonState;
use super::builder::Obstacle;
use super::local_place::LocalPlace;
use super::state_place::{StatePlace, lent};
use super::table::{Spot, Transition};
use crate::any_b_thread::AnyBThread;
use crate::engine::{EngineInternals, Handled, LiveThreads, Pick};
use crate::error::{AddError, OutsideAlphabet, ProgramError, SuperstepError};
use crate::event::Event;
use crate::explanation::Interest;
use crate::name::Name;
use crate::program::{self, Program};
use crate::run::{ClosedRun, Status};
use crate::snapshot::ThreadStates;
use crate::strategy::{Choices, Scope, Strategy};
use crate::sync_point::SyncPoint;

/// Runs a program over a finite alphabet: a step is a look-up in a table, or moves only the
/// b-threads that the event concerns.
#[derive(Clone)]
pub struct ClosedEngine<E: Event> {
    pub(super) place: StatePlace<E>,
    /// The state in which the superstep began, if it began in the table.
    began: Option<Spot>,
    /// How often blocks may have been lifted in the table, which does not tell.
    lifted: u64,
}

impl<E: Event> ClosedEngine<E> {
    pub(super) fn new(state: AutomatonState<E>) -> Self {
        Self::at(state.into_place())
    }

    pub(super) fn at(place: StatePlace<E>) -> Self {
        Self { place, began: None, lifted: 0 }
    }

    fn automaton(&self) -> &Automaton<E> {
        self.place.automaton()
    }
}

impl<E: Event> EngineInternals for ClosedEngine<E> {
    type Event = E;
    type Token = u32;

    fn program(&self) -> &Program<E> {
        self.automaton().program()
    }

    fn alphabet(&self) -> &[E] {
        self.automaton().alphabet()
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

    fn choices(&mut self, scope: Scope) -> Option<Choices<'_, E>> {
        if scope == Scope::HighestPriority {
            self.place.leave_table_to_rank();
        }
        let first = match &mut self.place {
            StatePlace::Tabled { automaton, state } => automaton.state(*state).first?,
            StatePlace::Local(place) => place.first(scope)?,
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

    fn count_highest(&self) -> Option<u64> {
        self.place.count_highest()
    }

    fn highest(&self, rank: u64) -> Option<Pick> {
        self.place.highest(rank)
    }

    fn requested(&self, pick: Pick) -> &E {
        self.place.requested(pick)
    }

    fn name(&self, thread: u32) -> &Name {
        self.place.name(thread)
    }
}

impl<E: Event, S: Strategy<E>> ClosedRun<E, S> {
    /// The state of the run, without its queue and its strategy.
    pub fn state(&self) -> AutomatonState<E> {
        AutomatonState::at(self.engine().place.clone())
    }
}

impl<E: Event> fmt::Debug for ClosedEngine<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClosedEngine({})", self.place)
    }
}
