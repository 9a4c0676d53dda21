//! Watching a run from outside.

use crate::engine::{LiveThreads, Pick};
use crate::event::Event;
use crate::explanation::{Cause, StepExplanation};

/// Sees every event of a superstep as it happens.
///
/// A [`Step`] computes causes and explanations only when an observer asks for them.
pub trait Observer<E: Event> {
    /// Called before an event happens.
    fn step(&mut self, step: &Step<'_, E>);

    /// Called when the superstep is undone: its steps did not happen.
    fn undone(&mut self);
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unobserved;

impl<E: Event> Observer<E> for Unobserved {
    fn step(&mut self, _: &Step<'_, E>) {}

    fn undone(&mut self) {}
}

/// Collects the events of a superstep.
impl<E: Event> Observer<E> for Vec<E> {
    fn step(&mut self, step: &Step<'_, E>) {
        self.push(step.event().clone());
    }

    fn undone(&mut self) {
        self.clear();
    }
}

/// Collects an explanation for every step of a superstep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanations<E: Event> {
    /// The explanations, in order.
    pub steps: Vec<StepExplanation<E>>,
}

impl<E: Event> Default for Explanations<E> {
    fn default() -> Self {
        Self { steps: Vec::new() }
    }
}

impl<E: Event> Observer<E> for Explanations<E> {
    fn step(&mut self, step: &Step<'_, E>) {
        self.steps.push(step.explain());
    }

    fn undone(&mut self) {
        self.steps.clear();
    }
}

/// An event that is about to happen.
pub struct Step<'a, E: Event> {
    event: &'a E,
    origin: Origin,
    live: &'a dyn LiveThreads<E>,
}

#[derive(Clone, Copy)]
pub(crate) enum Origin {
    Triggered,
    Queued,
    Requested(Pick),
    /// Requested, by the first b-thread whose request can happen.
    First,
}

impl<'a, E: Event> Step<'a, E> {
    pub(crate) fn new(event: &'a E, origin: Origin, live: &'a dyn LiveThreads<E>) -> Self {
        Self { event, origin, live }
    }

    /// The event.
    pub fn event(&self) -> &'a E {
        self.event
    }

    /// Why it happens.
    pub fn cause(&self) -> Cause {
        match self.origin {
            Origin::Triggered => Cause::Triggered,
            Origin::Queued => Cause::Queued,
            Origin::Requested(pick) => self.requested(pick),
            Origin::First => {
                let picks = self.live.picks();
                self.requested(*picks.first().expect("the event was requested"))
            }
        }
    }

    fn requested(&self, pick: Pick) -> Cause {
        Cause::Requested(self.live.name(pick.thread).clone())
    }

    /// Explains the step: who requested the event, who reacts to it, and which requests lost.
    pub fn explain(&self) -> StepExplanation<E> {
        StepExplanation::new(self.live, self.event, self.cause())
    }
}

impl<E: Event> std::fmt::Debug for Step<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.event, self.cause())
    }
}
