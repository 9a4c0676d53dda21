//! Properties: what should be true of a model.

use std::fmt;

use crate::model::Model;

/// Something that should be true of a model, with a name.
///
/// A b-thread is *hot* while it is at a sync point where it must not stay for ever
/// (see [`SyncPoint::hot`](bthread::SyncPoint::hot)).
pub struct Property<M: Model> {
    name: String,
    pub(crate) claim: Claim<M>,
    is_symmetric: bool,
    pub(crate) fairness: Fairness,
    pub(crate) has_trace: bool,
}

/// Which endless runs a property is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fairness {
    /// All of them: the strategy may always prefer other events.
    NotAssumed,
    /// Those in which a hot request that is possible again and again happens at last.
    HotRequests,
}

type ActionTest<M> = Box<dyn Fn(&<M as Model>::Action) -> bool + Send + Sync>;
type StateTest<M> = Box<dyn Fn(&M, &<M as Model>::State) -> bool + Send + Sync>;

pub(crate) enum Claim<M: Model> {
    Never(ActionTest<M>),
    Always(StateTest<M>),
    Happens(ActionTest<M>),
    Reachable(StateTest<M>),
    NoStuckState,
    NoViolation,
    Requirement,
    NoHotEnd,
    NoHotThreadCycle,
    NoHotSystemCycle,
}

impl<M: Model> Claim<M> {
    /// Whether cycles must be searched to settle it.
    pub(crate) fn is_about_cycles(&self) -> bool {
        matches!(self, Self::Requirement | Self::NoHotThreadCycle | Self::NoHotSystemCycle)
    }
}

impl<M: Model> Property<M> {
    fn new(name: impl Into<String>, claim: Claim<M>) -> Self {
        let is_symmetric =
            matches!(claim, Claim::NoStuckState | Claim::NoViolation | Claim::NoHotEnd);
        Self {
            name: name.into(),
            claim,
            is_symmetric,
            fairness: Fairness::NotAssumed,
            has_trace: true,
        }
    }

    /// Assumes that a hot request that is possible again and again happens at last.
    ///
    /// Without this, a b-thread may be hot for ever only because other events are always chosen.
    /// It changes the verdict on cycles: [`Property::requirement`],
    /// [`Property::no_hot_thread_cycle`] and [`Property::no_hot_system_cycle`].
    #[must_use]
    pub fn fair(mut self) -> Self {
        self.fairness = Fairness::HotRequests;
        self
    }

    /// Only counts cases: the finding has no trace.
    #[must_use]
    pub fn only_counted(mut self) -> Self {
        self.has_trace = false;
        self
    }

    /// Promises that the property does not distinguish symmetric states or actions, so
    /// that a search that uses symmetry can settle it.
    #[must_use]
    pub fn symmetric(mut self) -> Self {
        self.is_symmetric = true;
        self
    }

    pub(crate) fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// No action that passes the test ever happens.
    pub fn never(
        name: impl Into<String>,
        test: impl Fn(&M::Action) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Claim::Never(Box::new(test)))
    }

    /// Every state passes the test.
    pub fn always(
        name: impl Into<String>,
        test: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Claim::Always(Box::new(test)))
    }

    /// Some action that passes the test can happen.
    pub fn happens(
        name: impl Into<String>,
        test: impl Fn(&M::Action) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Claim::Happens(Box::new(test)))
    }

    /// Some state that passes the test is reachable.
    pub fn reachable(
        name: impl Into<String>,
        test: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Claim::Reachable(Box::new(test)))
    }

    /// There is no state in which every requested event is blocked.
    #[must_use]
    pub fn no_stuck_state() -> Self {
        Self::new("no stuck state", Claim::NoStuckState)
    }

    /// No b-thread ever reports a violation.
    #[must_use]
    pub fn no_violation() -> Self {
        Self::new("no violation", Claim::NoViolation)
    }

    /// The requirement of this b-thread or family is met: it never reports a violation,
    /// it is not hot when the program ends, and it is not hot for ever. No fairness is assumed, see
    /// [`Property::fair`].
    pub fn requirement(thread: impl Into<String>) -> Self {
        Self::new(thread, Claim::Requirement)
    }

    /// No b-thread is hot in a state without successors.
    #[must_use]
    pub fn no_hot_end() -> Self {
        Self::new("no hot end", Claim::NoHotEnd)
    }

    /// No b-thread can be hot for ever: there is no cycle of states in all of which the
    /// same b-thread is hot, at one sync point or at several. No fairness is assumed, see
    /// [`Property::fair`].
    #[must_use]
    pub fn no_hot_thread_cycle() -> Self {
        Self::new("no hot b-thread cycle", Claim::NoHotThreadCycle)
    }

    /// The program cannot be hot for ever: there is no cycle of states in each of which
    /// some b-thread is hot, not necessarily the same one. No fairness is assumed, see
    /// [`Property::fair`].
    #[must_use]
    pub fn no_hot_system_cycle() -> Self {
        Self::new("no hot system cycle", Claim::NoHotSystemCycle)
    }

    /// Renames the property. A requirement keeps the name of its b-thread.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        if !matches!(self.claim, Claim::Requirement) {
            self.name = name.into();
        }
        self
    }

    /// The name of the property.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether one example proves it; otherwise one counterexample refutes it.
    pub(crate) fn asks_for_an_example(&self) -> bool {
        matches!(self.claim, Claim::Happens(_) | Claim::Reachable(_))
    }
}

impl<M: Model> fmt::Debug for Property<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Property({})", self.name)
    }
}
