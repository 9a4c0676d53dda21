//! Handlers that react to the events of a run.

use std::collections::VecDeque;
use std::fmt;

use crate::engine::Engine;
use crate::error::TriggerError;
use crate::event::Event;
use crate::event_set::EventSet;
use crate::run::{Run, Superstep};
use crate::strategy::Strategy;

/// Handlers that receive the events of a superstep, in order, after its end.
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

/// The events that handlers have asked to trigger.
#[derive(Debug)]
pub struct Triggers<E>(VecDeque<E>);

impl<E> Triggers<E> {
    /// Triggers an event in a superstep of its own, after the events triggered before.
    pub fn trigger(&mut self, event: E) {
        self.0.push_back(event);
    }
}

/// The results of a triggered event and of all events that handlers triggered because of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reactions<E: Event> {
    /// One result for each triggered event, in order.
    pub supersteps: Vec<Result<Superstep<E>, TriggerError<E>>>,
}

/// Handlers triggered more events than the limit allows. The events up to the
/// limit have happened, the others were dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndlessFeedback<E: Event> {
    /// The results up to the limit.
    pub reactions: Reactions<E>,
    /// The events that were not triggered.
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
    /// Without handlers.
    #[must_use]
    pub fn new() -> Self {
        Self { handlers: Vec::new(), limit: 10_000 }
    }

    /// Calls the handler for every event of the set, after the handlers that were added before.
    #[must_use]
    pub fn on(
        mut self,
        set: impl Into<EventSet<E>>,
        handler: impl FnMut(&E, &mut Triggers<E>) + 'h,
    ) -> Self {
        self.handlers.push((set.into(), Box::new(handler)));
        self
    }

    /// Limits how many events handlers may trigger because of one; the default is 10,000.
    #[must_use]
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = limit;
        self
    }

    /// Triggers an event, and all events that handlers trigger because of it.
    ///
    /// # Errors
    /// If the handlers trigger more events than the limit allows. If one of the events
    /// is blocked, that is a result and not an error.
    pub fn trigger<N: Engine<Event = E>, S: Strategy<E>>(
        &mut self,
        run: &mut Run<N, S>,
        event: E,
    ) -> Result<Reactions<E>, EndlessFeedback<E>> {
        let mut reactions = Reactions { supersteps: Vec::new() };
        let mut triggers = Triggers(VecDeque::new());
        self.react(run, event, &mut triggers, &mut reactions);
        self.settle(run, triggers, reactions)
    }

    /// Passes the events of a superstep, such as the first one of a run, to the
    /// handlers, and triggers all events that they trigger.
    ///
    /// # Errors
    /// As [`Feedback::trigger`].
    pub fn deliver<N: Engine<Event = E>, S: Strategy<E>>(
        &mut self,
        run: &mut Run<N, S>,
        superstep: &Superstep<E>,
    ) -> Result<Reactions<E>, EndlessFeedback<E>> {
        let mut triggers = Triggers(VecDeque::new());
        self.hand_out(superstep, &mut triggers);
        self.settle(run, triggers, Reactions { supersteps: Vec::new() })
    }

    fn settle<N: Engine<Event = E>, S: Strategy<E>>(
        &mut self,
        run: &mut Run<N, S>,
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

    fn react<N: Engine<Event = E>, S: Strategy<E>>(
        &mut self,
        run: &mut Run<N, S>,
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
