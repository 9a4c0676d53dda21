//! What should be true of a model.

use std::fmt;

use crate::model::Model;

/// Something that should be true of a model, with a name.
pub struct Property<M: Model> {
    name: String,
    pub(crate) claim: Claim<M>,
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
    /// Whether one must look for cycles to settle it.
    pub(crate) fn is_about_cycles(&self) -> bool {
        matches!(self, Self::Requirement | Self::NoHotThreadCycle | Self::NoHotSystemCycle)
    }
}

impl<M: Model> Property<M> {
    fn new(name: impl Into<String>, claim: Claim<M>) -> Self {
        Self { name: name.into(), claim }
    }

    /// No action of which the test holds ever happens.
    pub fn never(
        name: impl Into<String>,
        test: impl Fn(&M::Action) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Claim::Never(Box::new(test)))
    }

    /// The test holds in every state.
    pub fn always(
        name: impl Into<String>,
        test: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Claim::Always(Box::new(test)))
    }

    /// Some action of which the test holds can happen.
    pub fn happens(
        name: impl Into<String>,
        test: impl Fn(&M::Action) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Claim::Happens(Box::new(test)))
    }

    /// Some state in which the test holds can be reached.
    pub fn reachable(
        name: impl Into<String>,
        test: impl Fn(&M, &M::State) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Claim::Reachable(Box::new(test)))
    }

    /// In no state everything that is requested is blocked.
    #[must_use]
    pub fn no_stuck_state() -> Self {
        Self::new("no stuck state", Claim::NoStuckState)
    }

    /// Nobody ever says that a requirement was violated.
    #[must_use]
    pub fn no_violation() -> Self {
        Self::new("no violation", Claim::NoViolation)
    }

    /// The b-thread of this name is satisfied: it never says that it was
    /// violated, and it never stays for ever where it must not.
    pub fn requirement(thread: impl Into<String>) -> Self {
        Self::new(thread, Claim::Requirement)
    }

    /// Nothing ends while somebody must not stay where it is.
    #[must_use]
    pub fn no_hot_end() -> Self {
        Self::new("no hot end", Claim::NoHotEnd)
    }

    /// Nobody can go round for ever without leaving where it must not stay.
    #[must_use]
    pub fn no_hot_thread_cycle() -> Self {
        Self::new("no hot b-thread cycle", Claim::NoHotThreadCycle)
    }

    /// There is no way round on which at all times somebody must not stay where it is.
    #[must_use]
    pub fn no_hot_system_cycle() -> Self {
        Self::new("no hot system cycle", Claim::NoHotSystemCycle)
    }

    /// The same property under a name of its own; a requirement keeps the name of its b-thread.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        if !matches!(self.claim, Claim::Requirement) {
            self.name = name.into();
        }
        self
    }

    /// What the property is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether one example settles it; otherwise one counterexample does.
    pub(crate) fn asks_for_an_example(&self) -> bool {
        matches!(self.claim, Claim::Happens(_) | Claim::Reachable(_))
    }
}

impl<M: Model> fmt::Debug for Property<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Property({})", self.name)
    }
}
