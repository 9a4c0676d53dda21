//! Which of the events that can happen does happen.

use std::fmt;
use std::hash::Hash;

use crate::event::Event;
use crate::generator::Generator;
use crate::machine::{Live, Pick};
use crate::name::Name;

/// Chooses among the events that are requested and not blocked.
///
/// A strategy is a value and part of a snapshot, so that the same snapshot and
/// the same events always give the same trace.
pub trait Strategy<E: Event>: Clone + Eq + Hash + fmt::Debug {
    /// Chooses the event that happens next; there always is one to choose.
    fn choose<'a>(&mut self, choices: &Choices<'a, E>) -> Candidate<'a, E>;
}

/// The first unblocked request of the b-thread of highest priority: the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Priority;

impl<E: Event> Strategy<E> for Priority {
    fn choose<'a>(&mut self, choices: &Choices<'a, E>) -> Candidate<'a, E> {
        choices.first()
    }
}

/// Any event that can happen, each equally likely.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Random {
    generator: Generator,
}

impl Random {
    /// The choices that a seed stands for.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { generator: Generator::seeded(seed) }
    }
}

impl<E: Event> Strategy<E> for Random {
    fn choose<'a>(&mut self, choices: &Choices<'a, E>) -> Candidate<'a, E> {
        let all = choices.all();
        let chosen = self.generator.below(all.len() as u64);
        all[usize::try_from(chosen).expect("below the length of a slice")]
    }
}

/// The events that can happen now; at least one.
pub struct Choices<'a, E: Event> {
    first: Candidate<'a, E>,
}

impl<'a, E: Event> Choices<'a, E> {
    pub(crate) fn new(live: &'a dyn Live<E>, first: Pick) -> Self {
        Self { first: Candidate { live, pick: first } }
    }

    /// The first unblocked request of the b-thread of highest priority.
    pub fn first(&self) -> Candidate<'a, E> {
        self.first
    }

    /// Every event that can happen, once each, in the order of the first b-thread that requests it.
    pub fn all(&self) -> Vec<Candidate<'a, E>> {
        let live = self.first.live;
        live.picks().into_iter().map(|pick| Candidate { live, pick }).collect()
    }
}

/// An event that can happen, and the first b-thread that requests it.
pub struct Candidate<'a, E: Event> {
    live: &'a dyn Live<E>,
    pick: Pick,
}

impl<'a, E: Event> Candidate<'a, E> {
    pub(crate) fn pick(&self) -> Pick {
        self.pick
    }

    /// What would happen.
    pub fn event(&self) -> &'a E {
        self.live.requested(self.pick)
    }

    /// The b-thread of highest priority that requests it.
    pub fn thread(&self) -> &'a Name {
        self.live.name(self.pick.thread)
    }

    /// The highest priority that a b-thread gave the sync point where it requests the event, if any did.
    pub fn priority(&self) -> Option<i32> {
        let mut highest = None;
        self.live.visit(&mut |_, point| {
            if point.requests().contains(self.event()) {
                highest = highest.max(point.priority());
            }
        });
        highest
    }
}

#[expect(clippy::expl_impl_clone_on_copy, reason = "a derived Copy would ask it of the events")]
impl<E: Event> Clone for Candidate<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Event> Copy for Candidate<'_, E> {}

impl<E: Event> fmt::Debug for Candidate<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} requested by {}", self.event(), self.thread())
    }
}

impl<E: Event> fmt::Debug for Choices<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.all().fmt(f)
    }
}
