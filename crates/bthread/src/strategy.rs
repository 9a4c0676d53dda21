//! Which of the events that can happen does happen.

use std::fmt;
use std::hash::Hash;

use rustc_hash::FxHashSet;

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

    /// How much of what can happen the strategy looks at.
    const LOOK: Look = Look::AtAll;

    /// The names of b-threads or families that the strategy looks for.
    fn names(&self) -> &[String] {
        &[]
    }

    /// Every event that this strategy may choose, for who must reckon with all of them.
    fn possible<'a>(&self, choices: &Choices<'a, E>) -> Vec<Candidate<'a, E>> {
        choices.all()
    }
}

/// How much of what can happen a strategy looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Only [`Choices::first`]: nothing else is found out.
    AtTheFirst,
    /// [`Choices::all`], too: b-threads whose requests are blocked are looked at
    /// again only when that may have changed.
    AtAll,
}

/// The first unblocked request of the b-thread of highest priority: the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Priority;

impl<E: Event> Strategy<E> for Priority {
    const LOOK: Look = Look::AtTheFirst;

    fn choose<'a>(&mut self, choices: &Choices<'a, E>) -> Candidate<'a, E> {
        choices.first()
    }

    fn possible<'a>(&self, choices: &Choices<'a, E>) -> Vec<Candidate<'a, E>> {
        vec![choices.first()]
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
        any_of(&choices.all(), &mut self.generator)
    }
}

/// Any event among the requests of the highest priority that b-threads gave their
/// sync points, each equally likely; no priority is the lowest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ranked {
    generator: Generator,
}

impl Ranked {
    /// The choices that a seed stands for.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { generator: Generator::seeded(seed) }
    }
}

impl<E: Event> Strategy<E> for Ranked {
    fn choose<'a>(&mut self, choices: &Choices<'a, E>) -> Candidate<'a, E> {
        any_of(&self.possible(choices), &mut self.generator)
    }

    fn possible<'a>(&self, choices: &Choices<'a, E>) -> Vec<Candidate<'a, E>> {
        let ranked = choices.ranked();
        let highest = ranked.iter().map(|(priority, _)| *priority).max().flatten();
        let best = ranked.into_iter().filter(|(priority, _)| *priority == highest);
        best.map(|(_, candidate)| candidate).collect()
    }
}

/// The program by priority, and the world as it likes.
///
/// The world is played by some of the b-threads, mostly those listed last. As
/// long as the program has a request of higher priority, it happens; when the
/// first request is the world's, any request of the world may happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Against {
    world: Vec<String>,
    generator: Generator,
}

impl Against {
    /// The world is played by the b-threads or families of these names; its
    /// choices are those that the seed stands for.
    pub fn seeded(world: impl IntoIterator<Item = impl Into<String>>, seed: u64) -> Self {
        let world = world.into_iter().map(Into::into).collect();
        Self { world, generator: Generator::seeded(seed) }
    }

    fn is_world(&self, name: &Name) -> bool {
        self.world.iter().any(|words| name.is(words))
    }

    /// The events that the world requests.
    fn wishes<E: Event>(&self, choices: &Choices<'_, E>) -> FxHashSet<E> {
        let mut wishes = FxHashSet::default();
        choices.first.live.visit(&mut |name, point| {
            if self.is_world(name) {
                wishes.extend(point.requests().iter().cloned());
            }
        });
        wishes
    }
}

impl<E: Event> Strategy<E> for Against {
    fn choose<'a>(&mut self, choices: &Choices<'a, E>) -> Candidate<'a, E> {
        any_of(&self.possible(choices), &mut self.generator)
    }

    fn names(&self) -> &[String] {
        &self.world
    }

    fn possible<'a>(&self, choices: &Choices<'a, E>) -> Vec<Candidate<'a, E>> {
        if !self.is_world(choices.first().thread()) {
            return vec![choices.first()];
        }
        let wishes = self.wishes(choices);
        choices.all().into_iter().filter(|each| wishes.contains(each.event())).collect()
    }
}

fn any_of<'a, E: Event>(
    candidates: &[Candidate<'a, E>],
    generator: &mut Generator,
) -> Candidate<'a, E> {
    let chosen = generator.below(candidates.len() as u64);
    candidates[usize::try_from(chosen).expect("below the length of a slice")]
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

    /// Every event that can happen, each with the highest priority that a
    /// b-thread gave the sync point where it requests it, if any did.
    pub fn ranked(&self) -> Vec<(Option<i32>, Candidate<'a, E>)> {
        let live = self.first.live;
        let picks = live.picks();
        let ranks = live.ranks(&picks).into_iter();
        ranks.zip(picks).map(|(rank, pick)| (rank, Candidate { live, pick })).collect()
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
