//! The points at which b-threads stop and wait for each other.

use std::sync::Arc;
use std::{fmt, iter};

use crate::event::Event;
use crate::event_set::{EventSet, Predicate};

/// Where a b-thread stops: the events that it requests, waits for, blocks and is
/// interrupted by until it goes on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SyncPoint<E: Event> {
    requests: Vec<E>,
    waits: Vec<EventSet<E>>,
    blocks: Vec<EventSet<E>>,
    interrupts: Vec<EventSet<E>>,
    restarts: Vec<EventSet<E>>,
    hot: bool,
    priority: Option<i32>,
    violation: Option<Arc<str>>,
}

/// A sync point that requests an event. A list is no event; [`request_any`] requests one of several:
///
/// ```compile_fail,E0277
/// bthread::BThread::new("Choice").then(bthread::request(["left", "right"]));
/// ```
pub fn request<E: Event>(event: E) -> SyncPoint<E> {
    SyncPoint::default().request(event)
}

/// A sync point that requests one of the events, earlier ones preferred.
pub fn request_any<E: Event>(events: impl IntoIterator<Item = E>) -> SyncPoint<E> {
    SyncPoint::default().request_any(events)
}

/// A sync point that waits for any event of the set.
pub fn wait_for<E: Event>(set: impl Into<EventSet<E>>) -> SyncPoint<E> {
    SyncPoint::default().wait_for(set)
}

/// A sync point that blocks the events of the set. The b-thread stays there for
/// ever, unless the sync point also requests or waits for something.
pub fn block<E: Event>(set: impl Into<EventSet<E>>) -> SyncPoint<E> {
    SyncPoint::default().block(set)
}

/// A sync point at which any event of the set ends the b-thread.
pub fn interrupt<E: Event>(set: impl Into<EventSet<E>>) -> SyncPoint<E> {
    SyncPoint::default().interrupt(set)
}

/// A sync point that reports a violated requirement.
///
/// A checker that reaches it has found a counterexample. In a run the b-thread
/// just stays there.
pub fn violation<E: Event>(sentence: impl Into<String>) -> SyncPoint<E> {
    SyncPoint { violation: Some(sentence.into().into()), ..SyncPoint::default() }
}

impl<E: Event> SyncPoint<E> {
    /// Also requests an event, preferring those requested so far.
    #[must_use]
    pub fn request(mut self, event: E) -> Self {
        self.requests.push(event);
        self
    }

    /// Also requests any of the events, preferring those requested so far.
    #[must_use]
    pub fn request_any(mut self, events: impl IntoIterator<Item = E>) -> Self {
        self.requests.extend(events);
        self
    }

    /// Also goes on at any event of the set.
    #[must_use]
    pub fn wait_for(mut self, set: impl Into<EventSet<E>>) -> Self {
        self.waits.push(set.into());
        self
    }

    /// Also blocks the events of the set while the b-thread stays here.
    #[must_use]
    pub fn block(mut self, set: impl Into<EventSet<E>>) -> Self {
        self.blocks.push(set.into());
        self
    }

    /// Ends the b-thread when an event of the set happens, for good: even if its script
    /// repeats. To start over instead, write [`SyncPoint::start_over`].
    #[must_use]
    pub fn interrupt(mut self, set: impl Into<EventSet<E>>) -> Self {
        self.interrupts.push(set.into());
        self
    }

    /// Goes back to the first sync point of the script when an event of the set happens, even if
    /// the b-thread also waits for the event. A [`Behaviour`](crate::Behaviour) goes on, and decides
    /// itself where to.
    ///
    /// ```
    /// use bthread::{BThread, Program, violation, wait_for};
    ///
    /// // No b may follow an a, unless a c comes in between.
    /// let requirement = BThread::new("NoBAfterA")
    ///     .then(wait_for("a"))
    ///     .then(wait_for("b").start_over("c"))
    ///     .then(violation("b after a"));
    /// let (mut run, _) = Program::new([requirement])?.start()?;
    /// for event in ["a", "c", "b", "a", "b"] {
    ///     run.trigger(event)?;
    /// }
    /// run.visit_live(|_, point| assert_eq!(point.violated(), Some("b after a")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start_over(mut self, set: impl Into<EventSet<E>>) -> Self {
        self.restarts.push(set.into());
        self
    }

    /// Requires that the b-thread does not stay here for ever; a checker verifies that.
    #[must_use]
    pub fn hot(mut self) -> Self {
        self.hot = true;
        self
    }

    /// Sets a priority for the requests made here, for strategies that use it (see
    /// [`SyncPointPriority`](crate::SyncPointPriority)).
    #[must_use]
    pub fn at_priority(mut self, priority: i32) -> Self {
        self.priority = Some(priority);
        self
    }

    /// This sync point `times` times in a row, for [`BThread::then`](crate::BThread::then).
    pub fn times(self, times: u32) -> impl Iterator<Item = Self> {
        iter::repeat_n(self, times as usize)
    }

    /// What a b-thread here does when the event happens (rule 7).
    pub(crate) fn reaction(&self, event: &E) -> Reaction {
        let among = |sets: &[EventSet<E>]| sets.iter().any(|set| set.contains(event));
        if among(&self.interrupts) {
            Reaction::Ends
        } else if self.requests.contains(event) || among(&self.waits) || among(&self.restarts) {
            Reaction::GoesOn
        } else {
            Reaction::Stays
        }
    }

    /// Writes the whole definition, for a fingerprint.
    pub(crate) fn spell(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        writeln!(out, "{self}")?;
        self.sets().try_for_each(|set| set.spell(out))
    }

    /// Calls `show` with all predicates.
    pub(crate) fn predicates<'a>(&'a self, show: &mut dyn FnMut(&'a Predicate<E>)) {
        self.sets().for_each(|set| set.predicates(show));
    }

    /// Whether a predicate is part of any of its sets.
    pub(crate) fn has_predicate(&self) -> bool {
        self.sets().any(EventSet::has_predicate)
    }

    fn sets(&self) -> impl Iterator<Item = &EventSet<E>> {
        self.waits.iter().chain(&self.blocks).chain(&self.interrupts).chain(&self.restarts)
    }

    /// The requested events, the preferred ones first.
    pub fn requests(&self) -> &[E] {
        &self.requests
    }

    /// The sets of events at which the b-thread goes on.
    pub fn waits(&self) -> &[EventSet<E>] {
        &self.waits
    }

    /// The sets of events that the b-thread blocks.
    pub fn blocks(&self) -> &[EventSet<E>] {
        &self.blocks
    }

    /// The sets of events that end the b-thread.
    pub fn interrupts(&self) -> &[EventSet<E>] {
        &self.interrupts
    }

    /// The sets of events at which the b-thread starts over.
    pub fn restarts(&self) -> &[EventSet<E>] {
        &self.restarts
    }

    /// Whether an event makes a b-thread here start over.
    pub(crate) fn restarts_at(&self, event: &E) -> bool {
        self.restarts.iter().any(|set| set.contains(event))
    }

    /// Whether the b-thread must not stay here for ever.
    pub fn is_hot(&self) -> bool {
        self.hot
    }

    /// How the requirement was violated, if this sync point reports a violation.
    pub fn violated(&self) -> Option<&str> {
        self.violation.as_deref()
    }

    /// The priority of the requests made here, if one was set.
    pub fn priority(&self) -> Option<i32> {
        self.priority
    }
}

/// A sync point as the list of itself, so that [`BThread::then`](crate::BThread::then)
/// takes one or several.
impl<E: Event> IntoIterator for SyncPoint<E> {
    type Item = Self;
    type IntoIter = iter::Once<Self>;

    fn into_iter(self) -> Self::IntoIter {
        iter::once(self)
    }
}

/// What an event does to a b-thread. If several apply, the last one listed wins.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reaction {
    #[default]
    Stays,
    GoesOn,
    Ends,
}

/// Nothing requested, nothing blocked: a b-thread stays here for ever.
impl<E: Event> Default for SyncPoint<E> {
    fn default() -> Self {
        Self {
            requests: Vec::new(),
            waits: Vec::new(),
            blocks: Vec::new(),
            interrupts: Vec::new(),
            restarts: Vec::new(),
            hot: false,
            priority: None,
            violation: None,
        }
    }
}

impl<E: Event> fmt::Display for SyncPoint<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut clauses = Vec::new();
        clauses.extend(self.violation.as_ref().map(|sentence| format!("violated: {sentence}")));
        if self.hot {
            clauses.push("hot".to_owned());
        }
        clauses.extend(self.priority.map(|priority| format!("at priority {priority}")));
        push_clause(&mut clauses, "request", &self.requests);
        push_clause(&mut clauses, "wait for", &self.waits);
        push_clause(&mut clauses, "block", &self.blocks);
        push_clause(&mut clauses, "interrupted by", &self.interrupts);
        push_clause(&mut clauses, "start over at", &self.restarts);
        if clauses.is_empty() {
            return f.write_str("stay");
        }
        f.write_str(&clauses.join("; "))
    }
}

fn push_clause<T: fmt::Display>(clauses: &mut Vec<String>, verb: &str, items: &[T]) {
    if !items.is_empty() {
        let items: Vec<String> = items.iter().map(T::to_string).collect();
        clauses.push(format!("{verb} {}", items.join(", ")));
    }
}
