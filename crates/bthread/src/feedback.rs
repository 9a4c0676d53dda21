//! What the world does about the events of a program.

use std::collections::VecDeque;
use std::fmt;

use crate::error::TriggerError;
use crate::event::Event;
use crate::event_set::EventSet;
use crate::machine::Machine;
use crate::run::{Run, Superstep};
use crate::strategy::Strategy;

/// Handlers that get the events of a superstep, in order, once it is complete.
///
/// ```
/// use bthread::{BThread, Feedback, Program, request, wait_for};
///
/// let program = Program::new([
///     BThread::new("Door").then(wait_for("bell")).then(request("opened")),
///     BThread::new("Cat").then(wait_for("opened")).then(wait_for("greeted")),
/// ])?;
/// let (mut run, _) = program.start()?;
/// let mut feedback = Feedback::new().on("opened", |_, triggers| triggers.trigger("greeted"));
/// let reactions = feedback.trigger(&mut run, "bell")?;
/// assert_eq!(reactions.supersteps[0].as_ref().unwrap().events, ["bell", "opened"]);
/// assert_eq!(reactions.supersteps[1].as_ref().unwrap().events, ["greeted"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Feedback<'h, E: Event> {
    handlers: Vec<(EventSet<E>, Handler<'h, E>)>,
    limit: u32,
}

type Handler<'h, E> = Box<dyn FnMut(&E, &mut Triggers<E>) + 'h>;

/// The events that handlers want to trigger.
#[derive(Debug)]
pub struct Triggers<E>(VecDeque<E>);

impl<E> Triggers<E> {
    /// Triggers an event in a superstep of its own, after those triggered before.
    pub fn trigger(&mut self, event: E) {
        self.0.push_back(event);
    }
}

/// What became of an event and of all that handlers triggered because of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reactions<E: Event> {
    /// One result for each triggered event, in order.
    pub supersteps: Vec<Result<Superstep<E>, TriggerError<E>>>,
}

/// Handlers kept triggering more events. What had happened by then has happened;
/// what was still to be triggered has not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndlessFeedback<E: Event> {
    /// What happened before.
    pub reactions: Reactions<E>,
    /// The events that were not triggered any more.
    pub dropped: Vec<E>,
}

impl<E: Event> fmt::Display for EndlessFeedback<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (done, left) = (self.reactions.supersteps.len(), self.dropped.len());
        write!(f, "Feedback was stopped after {done} triggered events; {left} more were dropped")
    }
}

impl<E: Event> std::error::Error for EndlessFeedback<E> {}

impl<'h, E: Event> Feedback<'h, E> {
    /// No handlers yet.
    #[must_use]
    pub fn new() -> Self {
        Self { handlers: Vec::new(), limit: 10_000 }
    }

    /// Calls the handler for every event of the set; handlers are called in the order of their adding.
    #[must_use]
    pub fn on(
        mut self,
        set: impl Into<EventSet<E>>,
        handler: impl FnMut(&E, &mut Triggers<E>) + 'h,
    ) -> Self {
        self.handlers.push((set.into(), Box::new(handler)));
        self
    }

    /// Stops after handlers triggered so many events because of one; otherwise after 10,000.
    #[must_use]
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = limit;
        self
    }

    /// Triggers an event, and whatever the handlers trigger because of it.
    ///
    /// # Errors
    /// If the handlers trigger more events than the limit allows. A refusal of
    /// one of the events is not an error here but its result.
    pub fn trigger<M: Machine<Event = E>, S: Strategy<E>>(
        &mut self,
        run: &mut Run<M, S>,
        event: E,
    ) -> Result<Reactions<E>, EndlessFeedback<E>> {
        let mut reactions = Reactions { supersteps: Vec::new() };
        let mut triggers = Triggers(VecDeque::new());
        self.react(run, event, &mut triggers, &mut reactions);
        self.settle(run, triggers, reactions)
    }

    /// Hands out the events of a superstep, such as the first one of a run, and
    /// triggers whatever the handlers trigger because of it.
    ///
    /// # Errors
    /// As [`Feedback::trigger`].
    pub fn deliver<M: Machine<Event = E>, S: Strategy<E>>(
        &mut self,
        run: &mut Run<M, S>,
        superstep: &Superstep<E>,
    ) -> Result<Reactions<E>, EndlessFeedback<E>> {
        let mut triggers = Triggers(VecDeque::new());
        self.hand_out(superstep, &mut triggers);
        self.settle(run, triggers, Reactions { supersteps: Vec::new() })
    }

    fn settle<M: Machine<Event = E>, S: Strategy<E>>(
        &mut self,
        run: &mut Run<M, S>,
        mut triggers: Triggers<E>,
        mut reactions: Reactions<E>,
    ) -> Result<Reactions<E>, EndlessFeedback<E>> {
        for _ in 0..self.limit {
            let Some(event) = triggers.0.pop_front() else { return Ok(reactions) };
            self.react(run, event, &mut triggers, &mut reactions);
        }
        if triggers.0.is_empty() {
            return Ok(reactions);
        }
        Err(EndlessFeedback { reactions, dropped: triggers.0.into() })
    }

    fn react<M: Machine<Event = E>, S: Strategy<E>>(
        &mut self,
        run: &mut Run<M, S>,
        event: E,
        triggers: &mut Triggers<E>,
        reactions: &mut Reactions<E>,
    ) {
        let result = run.trigger(event);
        if let Ok(superstep) = &result {
            self.hand_out(superstep, triggers);
        }
        reactions.supersteps.push(result);
    }

    fn hand_out(&mut self, superstep: &Superstep<E>, triggers: &mut Triggers<E>) {
        for event in &superstep.events {
            let concerned = self.handlers.iter_mut().filter(|(set, _)| set.contains(event));
            concerned.for_each(|(_, handler)| handler(event, triggers));
        }
    }
}

impl<E: Event> Default for Feedback<'_, E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Event> fmt::Debug for Feedback<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.handlers.iter().map(|(set, _)| set)).finish()
    }
}
