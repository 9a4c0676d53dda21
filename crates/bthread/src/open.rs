//! Running a program over any events.

mod core;
mod index;
mod lists;
mod motion;
mod plan;
mod priority_set;
mod tag;

pub(crate) use self::core::{Core, Happening};
pub(crate) use self::plan::Plan;

use std::fmt;

use crate::error::{AddError, OutsideAlphabet, ProgramError};
use crate::event::Event;
use crate::explanation::Interest;
use crate::machine::{Engine, Heard, Live, Pick};
use crate::name::Name;
use crate::program::{self, Program};
use crate::run::Status;
use crate::snapshot::Standing;
use crate::strategy::{Choices, Look};
use crate::sync_point::SyncPoint;
use crate::thread::BThread;

/// Runs a program over any events; what an event costs depends on the b-threads
/// that it concerns.
#[derive(Clone)]
pub struct Open<E: Event> {
    program: Program<E>,
    core: Core<E>,
}

impl<E: Event> Open<E> {
    pub(crate) fn at_start(program: &Program<E>) -> Self {
        Self { program: program.clone(), core: program.start_of_open_runs().clone() }
    }

    /// All b-threads where they are said to stand, which must fit the program.
    pub(crate) fn standing_at(program: &Program<E>, standing: Standing<E>) -> Self {
        Self { program: program.clone(), core: Core::standing_at(program, standing) }
    }

    /// The first unblocked request of the b-thread of highest priority.
    pub(crate) fn first_pick(&mut self, look: Look) -> Option<Pick> {
        if look == Look::AtAll {
            self.core.park_blocked(&self.program);
        }
        self.core.first_pick(&self.program)
    }

    /// The b-threads that no plan foresees, where they stand.
    pub(crate) fn unplanned(&self) -> impl Iterator<Item = (&Name, &SyncPoint<E>)> {
        self.core.unplanned()
    }

    /// Those of them that the latest event moved.
    pub(crate) fn moved_unplanned(&self) -> impl Iterator<Item = (u32, &Name, &SyncPoint<E>)> {
        self.core.moved_unplanned(&self.program)
    }

    /// Shows where a b-thread stands, unless it has ended.
    pub(crate) fn visit_one(&self, number: usize, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        self.core.visit_one(&self.program, number, show);
    }

    /// The bytes that this takes beside the shared program, and beside what
    /// states of b-threads, their sync points and unforeseen events hold.
    pub fn size(&self) -> usize {
        size_of::<Program<E>>() + self.core.size()
    }
}

impl<E: Event> Engine for Open<E> {
    type Event = E;
    type Token = Happening<E>;

    fn program(&self) -> &Program<E> {
        &self.program
    }

    fn token(&self, event: E) -> Result<Happening<E>, OutsideAlphabet<E>> {
        Ok(Core::happening(&self.program, event))
    }

    fn picked(&self, pick: Pick) -> Happening<E> {
        self.core.picked(&self.program, pick)
    }

    fn event<'a>(&'a self, token: &'a Happening<E>) -> &'a E {
        match token {
            Happening::Known(number) => self.program.plan().event(*number),
            Happening::Other(event) => event,
        }
    }

    fn is_blocked(&self, token: &Happening<E>) -> bool {
        self.core.is_blocked(&self.program, token)
    }

    fn blockers(&self, token: &Happening<E>) -> Vec<Interest<E>> {
        self.core.blockers(&self.program, token)
    }

    fn choices(&mut self, look: Look) -> Option<Choices<'_, E>> {
        let first = self.first_pick(look)?;
        Some(Choices::new(self, first))
    }

    fn advance(&mut self, token: &Happening<E>) -> Result<Heard, OutsideAlphabet<E>> {
        Ok(self.core.advance(&self.program, token))
    }

    fn advance_picked(&mut self, pick: Pick) -> Result<Heard, OutsideAlphabet<E>> {
        Ok(self.core.advance_picked(&self.program, pick))
    }

    fn status(&self) -> Status {
        self.core.status()
    }

    fn begin(&mut self) {
        // Whatever happened before was kept or undone.
    }

    fn commit(&mut self) {
        self.core.commit(&self.program);
    }

    fn undo(&mut self) {
        self.core.undo(&self.program);
    }

    fn add(&mut self, thread: BThread<E>) -> Result<(), AddError<E>> {
        program::check(&thread)?;
        if self.core.has(&self.program, thread.name()) {
            return Err(ProgramError::DuplicateName(thread.name().clone()).into());
        }
        self.core.add(&self.program, thread);
        Ok(())
    }

    fn standing(&self) -> Standing<E> {
        self.core.standing(&self.program)
    }

    fn stand(&self, standing: Standing<E>) -> Result<Self, OutsideAlphabet<E>> {
        Ok(Self::standing_at(&self.program, standing))
    }
}

impl<E: Event> fmt::Debug for Open<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Open({} b-threads)", self.core.live())
    }
}

impl<E: Event> Live<E> for Open<E> {
    fn visit(&self, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        self.core.visit(&self.program, show);
    }

    fn picks(&self) -> Vec<Pick> {
        self.core.picks(&self.program)
    }

    fn requested(&self, pick: Pick) -> &E {
        self.core.requested(&self.program, pick)
    }

    fn name(&self, thread: u32) -> &Name {
        self.core.name(&self.program, thread)
    }
}
