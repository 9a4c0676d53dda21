//! Watching a run from outside.

use crate::event::Event;
use crate::explanation::{Cause, StepExplanation};
use crate::machine::{Live, Pick};

/// Sees every event of a superstep as it happens.
///
/// Nothing is paid for what an observer does not ask.
pub trait Observer<E: Event> {
    /// An event is about to happen; the step shows how things stand before it.
    fn step(&mut self, step: &Step<'_, E>);

    /// The steps shown since the superstep began never happened: it was undone.
    fn undone(&mut self);
}

/// Does not look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unobserved;

impl<E: Event> Observer<E> for Unobserved {
    fn step(&mut self, _: &Step<'_, E>) {}

    fn undone(&mut self) {}
}

/// Notes down the events of one superstep.
impl<E: Event> Observer<E> for Vec<E> {
    fn step(&mut self, step: &Step<'_, E>) {
        self.push(step.event().clone());
    }

    fn undone(&mut self) {
        self.clear();
    }
}

/// Notes down the explanation of every step of one superstep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained<E: Event> {
    /// The explanations, in order.
    pub steps: Vec<StepExplanation<E>>,
}

impl<E: Event> Default for Explained<E> {
    fn default() -> Self {
        Self { steps: Vec::new() }
    }
}

impl<E: Event> Observer<E> for Explained<E> {
    fn step(&mut self, step: &Step<'_, E>) {
        self.steps.push(step.explain());
    }

    fn undone(&mut self) {
        self.steps.clear();
    }
}

/// One event that is about to happen.
pub struct Step<'a, E: Event> {
    event: &'a E,
    origin: Origin,
    live: &'a dyn Live<E>,
}

#[derive(Clone, Copy)]
pub(crate) enum Origin {
    Triggered,
    Queued,
    Requested(Pick),
    /// The first request that can happen, whose it is.
    First,
}

impl<'a, E: Event> Step<'a, E> {
    pub(crate) fn new(event: &'a E, origin: Origin, live: &'a dyn Live<E>) -> Self {
        Self { event, origin, live }
    }

    /// What is about to happen.
    pub fn event(&self) -> &'a E {
        self.event
    }

    /// What brings it about.
    pub fn cause(&self) -> Cause {
        match self.origin {
            Origin::Triggered => Cause::Triggered,
            Origin::Queued => Cause::Queued,
            Origin::Requested(pick) => self.requested(pick),
            Origin::First => {
                let picks = self.live.picks();
                self.requested(*picks.first().expect("what happens was requested"))
            }
        }
    }

    fn requested(&self, pick: Pick) -> Cause {
        Cause::Requested(self.live.name(pick.thread).clone())
    }

    /// Who requested it, who goes on or ends, and which requests lost to whom.
    pub fn explain(&self) -> StepExplanation<E> {
        StepExplanation::new(self.live, self.event, self.cause())
    }
}

impl<E: Event> std::fmt::Debug for Step<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.event, self.cause())
    }
}
