//! Strategies: which of several possible events happens.

use std::fmt;
use std::hash::Hash;

use rustc_hash::FxHashSet;

use crate::engine::{LiveThreads, Pick};
use crate::event::Event;
use crate::generator::Generator;
use crate::name::Name;

/// Chooses among the events that are requested and not blocked.
///
/// A strategy is a value and part of a snapshot, so that the same snapshot and
/// the same triggers always produce the same trace.
pub trait Strategy<E: Event>: Clone + Eq + Hash + fmt::Debug {
    /// Chooses the event that happens next. There is at least one.
    fn choose<'a>(&mut self, choices: &Choices<'a, E>) -> Candidate<'a, E>;

    /// Which of the possible events the strategy looks at.
    const SCOPE: Scope = Scope::All;

    /// Which of the possible events [`Strategy::possible`] returns.
    const POSSIBLE: Possible = Possible::Some;

    /// The b-threads or families that the strategy refers to by name.
    fn names(&self) -> &[String] {
        &[]
    }

    /// Every event that this strategy may choose. A checker follows all of them.
    fn possible<'a>(&self, choices: &Choices<'a, E>) -> Vec<Candidate<'a, E>> {
        choices.all()
    }
}

/// Which of the possible events a strategy looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Only [`Choices::first`]. The engine computes nothing else.
    First,
    /// Also [`Choices::all`]. The engine then remembers which b-threads have only
    /// blocked requests, so that it does not check them again and again.
    All,
    /// Only [`Choices::any_highest`]. The engine then keeps the requests in the order of their
    /// priorities, so that a choice among many costs little.
    HighestPriority,
}

/// Which of the possible events a strategy may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Possible {
    /// Only [`Choices::first`].
    First,
    /// [`Choices::all`].
    All,
    /// Those of the highest priority among [`Choices::with_priorities`].
    HighestPriority,
    /// Any of them; [`Strategy::possible`] tells.
    Some,
}

/// The first unblocked request of the b-thread of highest priority: the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Priority;

impl<E: Event> Strategy<E> for Priority {
    const SCOPE: Scope = Scope::First;
    const POSSIBLE: Possible = Possible::First;

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
    /// The sequence of choices of a seed.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { generator: Generator::seeded(seed) }
    }
}

impl<E: Event> Strategy<E> for Random {
    const POSSIBLE: Possible = Possible::All;

    fn choose<'a>(&mut self, choices: &Choices<'a, E>) -> Candidate<'a, E> {
        any_of(&choices.all(), &mut self.generator)
    }
}

/// Any event that is requested at the highest priority of a sync point (see
/// [`SyncPoint::at_priority`](crate::SyncPoint::at_priority)), each equally likely.
/// Sync points without a priority come last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SyncPointPriority {
    generator: Generator,
}

impl SyncPointPriority {
    /// The sequence of choices of a seed.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { generator: Generator::seeded(seed) }
    }
}

impl<E: Event> Strategy<E> for SyncPointPriority {
    const SCOPE: Scope = Scope::HighestPriority;
    const POSSIBLE: Possible = Possible::HighestPriority;

    fn choose<'a>(&mut self, choices: &Choices<'a, E>) -> Candidate<'a, E> {
        choices.any_highest(&mut self.generator)
    }

    fn possible<'a>(&self, choices: &Choices<'a, E>) -> Vec<Candidate<'a, E>> {
        choices.highest()
    }
}

/// The program by priority, its environment at random.
///
/// Some b-threads, usually the last ones, play the environment: people, or the
/// rest of the world. If the first possible request is theirs, any of their
/// requests may happen. Otherwise that first request happens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FreeEnvironment {
    threads: Vec<String>,
    generator: Generator,
}

impl FreeEnvironment {
    /// The b-threads or families of these names play the environment, with the
    /// sequence of choices of a seed.
    pub fn seeded(threads: impl IntoIterator<Item = impl Into<String>>, seed: u64) -> Self {
        let threads = threads.into_iter().map(Into::into).collect();
        Self { threads, generator: Generator::seeded(seed) }
    }

    fn includes(&self, name: &Name) -> bool {
        self.threads.iter().any(|words| name.is(words))
    }

    /// The events that the environment requests.
    fn requests<E: Event>(&self, choices: &Choices<'_, E>) -> FxHashSet<E> {
        let mut requests = FxHashSet::default();
        choices.first.live.visit(&mut |name, point| {
            if self.includes(name) {
                requests.extend(point.requests().iter().cloned());
            }
        });
        requests
    }
}

impl<E: Event> Strategy<E> for FreeEnvironment {
    fn choose<'a>(&mut self, choices: &Choices<'a, E>) -> Candidate<'a, E> {
        any_of(&self.possible(choices), &mut self.generator)
    }

    fn names(&self) -> &[String] {
        &self.threads
    }

    fn possible<'a>(&self, choices: &Choices<'a, E>) -> Vec<Candidate<'a, E>> {
        if !self.includes(choices.first().thread()) {
            return vec![choices.first()];
        }
        let requests = self.requests(choices);
        choices.all().into_iter().filter(|each| requests.contains(each.event())).collect()
    }
}

fn any_of<'a, E: Event>(
    candidates: &[Candidate<'a, E>],
    generator: &mut Generator,
) -> Candidate<'a, E> {
    let chosen = generator.below(candidates.len() as u64);
    candidates[usize::try_from(chosen).expect("below the length of a slice")]
}

/// The events that can happen now. There is at least one.
pub struct Choices<'a, E: Event> {
    first: Candidate<'a, E>,
}

impl<'a, E: Event> Choices<'a, E> {
    pub(crate) fn new(live: &'a dyn LiveThreads<E>, first: Pick) -> Self {
        Self { first: Candidate { live, pick: first } }
    }

    /// The first unblocked request of the b-thread of highest priority.
    pub fn first(&self) -> Candidate<'a, E> {
        self.first
    }

    /// Every event that can happen, in the order of the first b-threads that request them.
    pub fn all(&self) -> Vec<Candidate<'a, E>> {
        let live = self.first.live;
        live.picks().into_iter().map(|pick| Candidate { live, pick }).collect()
    }

    /// Every event that can happen, each with the highest priority of a sync point
    /// that requests it, if any has one.
    pub fn with_priorities(&self) -> Vec<(Option<i32>, Candidate<'a, E>)> {
        let live = self.first.live;
        let picks = live.picks();
        let ranks = live.ranks(&picks).into_iter();
        ranks.zip(picks).map(|(rank, pick)| (rank, Candidate { live, pick })).collect()
    }

    /// Every event of the highest priority in [`Choices::with_priorities`].
    pub fn highest(&self) -> Vec<Candidate<'a, E>> {
        let ranked = self.with_priorities();
        let highest = ranked.iter().map(|(priority, _)| *priority).max().flatten();
        let best = ranked.into_iter().filter(|(priority, _)| *priority == highest);
        best.map(|(_, candidate)| candidate).collect()
    }

    /// Any event of [`Choices::highest`], each equally likely.
    pub fn any_highest(&self, generator: &mut Generator) -> Candidate<'a, E> {
        let live = self.first.live;
        let Some(count) = live.count_highest() else {
            return any_of(&self.highest(), generator);
        };
        let pick = live.highest(generator.below(count));
        Candidate { live, pick: pick.expect("the rank is below the number of events") }
    }
}

/// An event that can happen, and the first b-thread that requests it.
pub struct Candidate<'a, E: Event> {
    live: &'a dyn LiveThreads<E>,
    pick: Pick,
}

impl<'a, E: Event> Candidate<'a, E> {
    pub(crate) fn pick(&self) -> Pick {
        self.pick
    }

    /// The event.
    pub fn event(&self) -> &'a E {
        self.live.requested(self.pick)
    }

    /// The b-thread of highest priority that requests the event.
    pub fn thread(&self) -> &'a Name {
        self.live.name(self.pick.thread)
    }
}

#[expect(clippy::expl_impl_clone_on_copy, reason = "a derived Copy would require it of the events")]
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
