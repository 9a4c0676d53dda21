//! Who wanted what, and who had their way.

use std::fmt;

use crate::event::Event;
use crate::event_set::EventSet;
use crate::machine::Live;
use crate::name::Name;
use crate::sync_point::SyncPoint;

/// A b-thread, and the set of its that an event is in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Interest<E: Event> {
    /// The b-thread.
    pub thread: Name,
    /// The set of events that it waits for, blocks or is interrupted by.
    pub set: EventSet<E>,
}

/// What the b-threads have to say about an event, highest priority first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventExplanation<E: Event> {
    /// The event in question.
    pub event: E,
    /// Who requests it.
    pub requested_by: Vec<Name>,
    /// Who waits for it.
    pub waited_for_by: Vec<Interest<E>>,
    /// Who blocks it.
    pub blocked_by: Vec<Interest<E>>,
    /// Who would end.
    pub interrupts: Vec<Interest<E>>,
}

/// Why an event happened and what followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepExplanation<E: Event> {
    /// What happened.
    pub event: E,
    /// What brought it about.
    pub cause: Cause,
    /// Who requested it.
    pub requested_by: Vec<Name>,
    /// Who went on to the next sync point.
    pub went_on: Vec<Name>,
    /// Who was interrupted.
    pub interrupted: Vec<Name>,
    /// Which other requests lost, if this one was a request.
    pub lost: Vec<Lost<E>>,
}

/// What brought an event about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The world triggered it.
    Triggered,
    /// The world triggered it earlier, and it was kept until nobody blocked it.
    Queued,
    /// The strategy chose the request of this b-thread.
    Requested(Name),
}

/// A request that did not have its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost<E: Event> {
    /// Who requested.
    pub thread: Name,
    /// What it requested.
    pub event: E,
    /// To whom it lost.
    pub to: Rival<E>,
}

/// To whom a request lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rival<E: Event> {
    /// To the b-thread whose request was chosen.
    Chosen(Name),
    /// To those who block it.
    Blockers(Vec<Interest<E>>),
}

impl<E: Event> EventExplanation<E> {
    pub(crate) fn new(live: &dyn Live<E>, event: &E) -> Self {
        let mut explanation = Self {
            event: event.clone(),
            requested_by: Vec::new(),
            waited_for_by: Vec::new(),
            blocked_by: Vec::new(),
            interrupts: Vec::new(),
        };
        live.visit(&mut |name, point| explanation.hear(name, point));
        explanation
    }

    fn hear(&mut self, name: &Name, point: &SyncPoint<E>) {
        if point.requests().contains(&self.event) {
            self.requested_by.push(name.clone());
        }
        extend(&mut self.waited_for_by, name, point.waits(), &self.event);
        extend(&mut self.blocked_by, name, point.blocks(), &self.event);
        extend(&mut self.interrupts, name, point.interrupts(), &self.event);
    }

    /// Whether the event would happen if the world triggered it now.
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
    pub(crate) fn new(live: &dyn Live<E>, event: &E, cause: Cause) -> Self {
        let about = EventExplanation::new(live, event);
        let mut went_on = Vec::new();
        let mut interrupted = Vec::new();
        live.visit(&mut |name, point| match reaction(point, event) {
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

enum Reaction {
    Ends,
    GoesOn,
    Stays,
}

/// What a b-thread at the sync point does when the event happens (rule 7).
fn reaction<E: Event>(point: &SyncPoint<E>, event: &E) -> Reaction {
    let among = |sets: &[EventSet<E>]| sets.iter().any(|set| set.contains(event));
    if among(point.interrupts()) {
        Reaction::Ends
    } else if point.requests().contains(event) || among(point.waits()) {
        Reaction::GoesOn
    } else {
        Reaction::Stays
    }
}

fn lost<E: Event>(live: &dyn Live<E>, event: &E, chosen: &Name) -> Vec<Lost<E>> {
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
        let to = if blockers.is_empty() {
            Rival::Chosen(chosen.clone())
        } else {
            Rival::Blockers(blockers)
        };
        Lost { thread, event, to }
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

impl<E: Event> fmt::Display for Lost<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { thread, event, .. } = self;
        if self.to == Rival::Chosen(thread.clone()) {
            return write!(f, "{thread} also requested {event}");
        }
        write!(f, "{thread} requested {event}")?;
        match &self.to {
            Rival::Chosen(thread) => write!(f, ", but {thread} was chosen"),
            Rival::Blockers(blockers) => write!(f, ", blocked by {}", Listed(blockers)),
        }
    }
}

/// Adds a line of words and things, if there are any things.
fn push_list<T: fmt::Display>(lines: &mut Vec<String>, words: &str, things: &[T]) {
    if !things.is_empty() {
        lines.push(format!("{words}{}", Listed(things)));
    }
}

/// Things one after the other, with commas between them.
pub(crate) struct Listed<'a, T>(pub(crate) &'a [T]);

impl<T: fmt::Display> fmt::Display for Listed<'_, T> {
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
