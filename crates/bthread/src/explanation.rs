//! Explanations: which b-threads want, block and cause an event.

use std::fmt;

use crate::engine::LiveThreads;
use crate::event::Event;
use crate::event_set::EventSet;
use crate::name::Name;
use crate::sync_point::{Reaction, SyncPoint};

/// A b-thread, and the event set through which an event concerns it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Interest<E: Event> {
    /// The b-thread.
    pub thread: Name,
    /// A set of events that it waits for, blocks or is interrupted by.
    pub set: EventSet<E>,
}

/// The b-threads that an event concerns, highest priority first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventExplanation<E: Event> {
    /// The event.
    pub event: E,
    /// The b-threads that request it.
    pub requested_by: Vec<Name>,
    /// The b-threads that wait for it.
    pub waited_for_by: Vec<Interest<E>>,
    /// The b-threads that block it.
    pub blocked_by: Vec<Interest<E>>,
    /// The b-threads that it would interrupt.
    pub interrupts: Vec<Interest<E>>,
}

/// Why an event happened, and what it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepExplanation<E: Event> {
    /// The event.
    pub event: E,
    /// Why it happened.
    pub cause: Cause,
    /// The b-threads that requested it.
    pub requested_by: Vec<Name>,
    /// The b-threads that went on to their next sync points.
    pub went_on: Vec<Name>,
    /// The b-threads that were interrupted.
    pub interrupted: Vec<Name>,
    /// The other requests, if this event was requested.
    pub lost: Vec<LostRequest<E>>,
}

/// Why an event happened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// It was triggered.
    Triggered,
    /// It was triggered earlier, and waited in the queue until no b-thread blocked it.
    Queued,
    /// The strategy chose the request of this b-thread.
    Requested(Name),
}

/// A request that was not granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostRequest<E: Event> {
    /// The b-thread.
    pub thread: Name,
    /// The event that it requested.
    pub event: E,
    /// Why the event did not happen.
    pub reason: LossReason<E>,
}

/// Why a requested event did not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LossReason<E: Event> {
    /// The strategy chose a request of this b-thread.
    OtherChosen(Name),
    /// These b-threads block it.
    Blocked(Vec<Interest<E>>),
}

impl<E: Event> EventExplanation<E> {
    pub(crate) fn new(live: &dyn LiveThreads<E>, event: &E) -> Self {
        let mut explanation = Self {
            event: event.clone(),
            requested_by: Vec::new(),
            waited_for_by: Vec::new(),
            blocked_by: Vec::new(),
            interrupts: Vec::new(),
        };
        live.visit(&mut |name, point| explanation.add(name, point));
        explanation
    }

    fn add(&mut self, name: &Name, point: &SyncPoint<E>) {
        if point.requests().contains(&self.event) {
            self.requested_by.push(name.clone());
        }
        extend(&mut self.waited_for_by, name, point.waits(), &self.event);
        extend(&mut self.waited_for_by, name, point.restarts(), &self.event);
        extend(&mut self.blocked_by, name, point.blocks(), &self.event);
        extend(&mut self.interrupts, name, point.interrupts(), &self.event);
    }

    /// Whether the event would happen if it was triggered now.
    pub fn is_allowed(&self) -> bool {
        self.blocked_by.is_empty()
    }
}

fn extend<E: Event>(
    interests: &mut Vec<Interest<E>>,
    thread: &Name,
    sets: &[EventSet<E>],
    event: &E,
) {
    let matching = sets.iter().filter(|set| set.contains(event));
    interests.extend(matching.map(|set| Interest { thread: thread.clone(), set: set.clone() }));
}

impl<E: Event> StepExplanation<E> {
    pub(crate) fn new(live: &dyn LiveThreads<E>, event: &E, cause: Cause) -> Self {
        let about = EventExplanation::new(live, event);
        let mut went_on = Vec::new();
        let mut interrupted = Vec::new();
        live.visit(&mut |name, point| match point.reaction(event) {
            Reaction::Ends => interrupted.push(name.clone()),
            Reaction::GoesOn => went_on.push(name.clone()),
            Reaction::Stays => {}
        });
        let lost = match &cause {
            Cause::Requested(chosen) => lost(live, event, chosen),
            Cause::Triggered | Cause::Queued => Vec::new(),
        };
        let requested_by = about.requested_by;
        Self { event: about.event, cause, requested_by, went_on, interrupted, lost }
    }
}

fn lost<E: Event>(live: &dyn LiveThreads<E>, event: &E, chosen: &Name) -> Vec<LostRequest<E>> {
    let mut requests = Vec::new();
    live.visit(&mut |name, point| {
        let others = point.requests().iter().filter(|request| *request != event);
        requests.extend(others.map(|request| (name.clone(), request.clone())));
    });
    let mut blocks: Vec<Interest<E>> = Vec::new();
    live.visit(&mut |name, point| {
        let sets = point.blocks().iter();
        blocks.extend(sets.map(|set| Interest { thread: name.clone(), set: set.clone() }));
    });
    let losing = requests.into_iter().map(|(thread, event)| {
        let blockers = blocks.iter().filter(|interest| interest.set.contains(&event));
        let blockers: Vec<Interest<E>> = blockers.cloned().collect();
        let reason = if blockers.is_empty() {
            LossReason::OtherChosen(chosen.clone())
        } else {
            LossReason::Blocked(blockers)
        };
        LostRequest { thread, event, reason }
    });
    losing.collect()
}

impl<E: Event> fmt::Display for Interest<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.thread, self.set)
    }
}

impl<E: Event> fmt::Display for EventExplanation<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let event = &self.event;
        let mut lines = Vec::new();
        push_list(&mut lines, &format!("{event} is requested by "), &self.requested_by);
        push_list(&mut lines, &format!("{event} is waited for by "), &self.waited_for_by);
        push_list(&mut lines, &format!("{event} is blocked by "), &self.blocked_by);
        push_list(&mut lines, &format!("{event} would end "), &self.interrupts);
        if lines.is_empty() {
            lines.push(format!("{event} concerns no b-thread"));
        }
        f.write_str(&lines.join("\n"))
    }
}

impl<E: Event> fmt::Display for StepExplanation<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = vec![format!("{}: {}", self.event, self.cause)];
        let others = self.requested_by.get(1..).unwrap_or_default();
        push_list(&mut lines, "  also requested by ", others);
        push_list(&mut lines, "  went on: ", &self.went_on);
        push_list(&mut lines, "  interrupted: ", &self.interrupted);
        lines.extend(self.lost.iter().map(|lost| format!("  {lost}")));
        f.write_str(&lines.join("\n"))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Triggered => f.write_str("triggered"),
            Self::Queued => f.write_str("triggered earlier, and no longer blocked"),
            Self::Requested(thread) => write!(f, "requested by {thread}"),
        }
    }
}

impl<E: Event> fmt::Display for LostRequest<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { thread, event, .. } = self;
        if self.reason == LossReason::OtherChosen(thread.clone()) {
            return write!(f, "{thread} also requested {event}");
        }
        write!(f, "{thread} requested {event}")?;
        match &self.reason {
            LossReason::OtherChosen(thread) => write!(f, ", but {thread} was chosen"),
            LossReason::Blocked(blockers) => write!(f, ", blocked by {}", CommaSeparated(blockers)),
        }
    }
}

/// Adds a line with a heading and items, unless there are no items.
fn push_list<T: fmt::Display>(lines: &mut Vec<String>, heading: &str, items: &[T]) {
    if !items.is_empty() {
        lines.push(format!("{heading}{}", CommaSeparated(items)));
    }
}

/// Items with commas between them.
pub(crate) struct CommaSeparated<'a, T>(pub(crate) &'a [T]);

impl<T: fmt::Display> fmt::Display for CommaSeparated<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            item.fmt(f)?;
        }
        Ok(())
    }
}
