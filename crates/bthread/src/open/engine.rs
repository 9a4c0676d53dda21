//! The engine for open runs.

use std::fmt;

use super::core::{Core, EventToken};
use crate::any_b_thread::AnyBThread;
use crate::engine::{EngineInternals, Handled, LiveThreads, Pick};
use crate::error::{AddError, OutsideAlphabet, ProgramError};
use crate::event::Event;
use crate::explanation::Interest;
use crate::name::Name;
use crate::program::{self, Program};
use crate::run::Status;
use crate::snapshot::ThreadStates;
use crate::strategy::{Choices, Scope};
use crate::sync_point::SyncPoint;

/// Runs a program over any events. The cost of an event depends on the b-threads
/// that react to it.
#[derive(Clone)]
pub struct OpenEngine<E: Event> {
    program: Program<E>,
    core: Core<E>,
}

impl<E: Event> OpenEngine<E> {
    pub(crate) fn at_start(program: &Program<E>) -> Self {
        Self { program: program.clone(), core: program.start_of_open_runs().clone() }
    }

    /// The engine with b-threads that have come this far; they must fit the program.
    pub(crate) fn standing_at(program: &Program<E>, thread_states: ThreadStates<E>) -> Self {
        Self { program: program.clone(), core: Core::standing_at(program, thread_states) }
    }

    /// The first unblocked request of the b-thread of highest priority.
    pub(crate) fn first_pick(&mut self, scope: Scope) -> Option<Pick> {
        match scope {
            Scope::First => {}
            Scope::All => self.core.park_blocked(&self.program),
            Scope::HighestPriority => {
                self.core.rank_requests(&self.program);
                if self.core.ranked.is_some() {
                    return self.core.first_ranked(&self.program);
                }
            }
        }
        self.core.first_pick(&self.program)
    }

    /// Calls `show` with the sync point of a b-thread, unless it has ended.
    pub(crate) fn visit_one(&self, number: usize, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        self.core.visit_one(&self.program, number, show);
    }

    /// The size in bytes, without the shared program and without the heap memory of
    /// states, their sync points and unplanned events.
    pub fn size(&self) -> usize {
        size_of::<Program<E>>() + self.core.size()
    }
}

impl<E: Event> EngineInternals for OpenEngine<E> {
    type Event = E;
    type Token = EventToken<E>;

    fn program(&self) -> &Program<E> {
        &self.program
    }

    fn token(&self, event: E) -> Result<EventToken<E>, OutsideAlphabet<E>> {
        Ok(Core::token(&self.program, event))
    }

    fn requested_token(&self, pick: Pick) -> EventToken<E> {
        self.core.requested_token(&self.program, pick)
    }

    fn event<'a>(&'a self, token: &'a EventToken<E>) -> &'a E {
        match token {
            EventToken::Known(number) => self.program.plan().event(*number),
            EventToken::Other(event) => event,
        }
    }

    fn is_blocked(&self, token: &EventToken<E>) -> bool {
        self.core.is_blocked(&self.program, token)
    }

    fn blockers(&self, token: &EventToken<E>) -> Vec<Interest<E>> {
        self.core.blockers(&self.program, token)
    }

    fn choices(&mut self, scope: Scope) -> Option<Choices<'_, E>> {
        let first = self.first_pick(scope)?;
        Some(Choices::new(self, first))
    }

    fn advance(&mut self, token: &EventToken<E>) -> Result<Handled, OutsideAlphabet<E>> {
        Ok(self.core.advance(&self.program, token))
    }

    fn advance_picked(&mut self, pick: Pick) -> Result<Handled, OutsideAlphabet<E>> {
        Ok(self.core.advance_picked(&self.program, pick))
    }

    fn status(&self) -> Status {
        self.core.status()
    }

    fn lifted_blocks(&self) -> u64 {
        self.core.lifted
    }

    fn begin(&mut self) {
        // The last superstep was committed or undone, so nothing is left to forget.
    }

    fn commit(&mut self) {
        self.core.commit(&self.program);
    }

    fn undo(&mut self) {
        self.core.undo(&self.program);
    }

    fn add(&mut self, thread: AnyBThread<E>) -> Result<(), AddError<E>> {
        program::check(&thread)?;
        if self.core.has(&self.program, thread.name()) {
            return Err(ProgramError::DuplicateName(thread.name().clone()).into());
        }
        self.core.add(&self.program, thread);
        Ok(())
    }

    fn thread_states(&self) -> ThreadStates<E> {
        self.core.thread_states(&self.program)
    }

    fn with_thread_states(
        &self,
        thread_states: ThreadStates<E>,
    ) -> Result<Self, OutsideAlphabet<E>> {
        Ok(Self::standing_at(&self.program, thread_states))
    }
}

impl<E: Event> fmt::Debug for OpenEngine<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpenEngine({} b-threads)", self.core.live())
    }
}

impl<E: Event> LiveThreads<E> for OpenEngine<E> {
    fn visit(&self, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        self.core.visit(&self.program, show);
    }

    fn picks(&self) -> Vec<Pick> {
        self.core.picks(&self.program)
    }

    fn ranks(&self, picks: &[Pick]) -> Vec<Option<i32>> {
        self.core.ranks(&self.program, picks)
    }

    fn count_highest(&self) -> Option<u64> {
        self.core.count_highest()
    }

    fn highest(&self, rank: u64) -> Option<Pick> {
        self.core.highest(&self.program, rank)
    }

    fn requested(&self, pick: Pick) -> &E {
        self.core.requested(&self.program, pick)
    }

    fn name(&self, thread: u32) -> &Name {
        self.core.name(&self.program, thread)
    }
}
