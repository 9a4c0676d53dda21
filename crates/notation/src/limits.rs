//! Bounds on what a text may ask for.

use crate::diagnostic::DiagnosticCode;

/// Bounds on reading and building a text, so that a stranger's text is safe to open.
///
/// Every bound is checked before the work that it bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildLimits {
    /// The longest text, in bytes.
    pub bytes: u64,
    /// The most values in all sets together.
    pub values: u64,
    /// The most events.
    pub events: u64,
    /// The most b-threads.
    pub b_threads: u64,
    /// The most states of all b-threads together.
    pub states: u64,
    /// The most steps that building may take: values that are computed, events that are compared,
    /// states of b-threads that are found.
    pub steps: u64,
    /// The most bytes that may be kept, about: names of events and b-threads, values of sets, and
    /// what b-threads do in each state, once as it is read and once as it is played or verified.
    pub memory: u64,
}

impl Default for BuildLimits {
    /// Gomoku on 19 by 19 needs a hundredth of these steps.
    fn default() -> Self {
        Self {
            bytes: 128 << 10,
            values: 50_000,
            events: 10_000,
            b_threads: 20_000,
            states: 1_000_000,
            steps: 200_000_000,
            memory: 200_000_000,
        }
    }
}

impl BuildLimits {
    /// Bounds on a text that somebody brings to a server. They are small enough that reading the worst
    /// one takes a fraction of a second, and large enough for Gomoku on 15 by 15.
    #[must_use]
    pub const fn of_strangers() -> Self {
        Self {
            bytes: 64 << 10,
            values: 5_000,
            events: 2_000,
            b_threads: 2_000,
            states: 40_000,
            steps: 4_000_000,
            memory: 48_000_000,
        }
    }
}

/// A bound that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exceeded {
    /// What all of the text may use.
    Total { bound: Bound, limit: u64 },
    /// The numbers of one range.
    Range { limit: u64 },
    /// The combinations of the values of the parameters of one event, before its condition.
    EventCombinations { limit: u64 },
    /// As those, of one family of b-threads.
    BThreadCombinations { limit: u64 },
}

/// Something that is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Bytes,
    Values,
    Events,
    BThreads,
    States,
    Steps,
    Memory,
}

impl Exceeded {
    pub(crate) fn code(self) -> DiagnosticCode {
        match self {
            Self::Total { bound: Bound::Bytes, .. } => DiagnosticCode::TooManyBytes,
            Self::Total { bound: Bound::Values, .. } | Self::Range { .. } => {
                DiagnosticCode::TooManyValues
            }
            Self::Total { bound: Bound::Events, .. } | Self::EventCombinations { .. } => {
                DiagnosticCode::TooManyEvents
            }
            Self::Total { bound: Bound::BThreads, .. } | Self::BThreadCombinations { .. } => {
                DiagnosticCode::TooManyBThreads
            }
            Self::Total { bound: Bound::States, .. } => DiagnosticCode::TooManyStates,
            Self::Total { bound: Bound::Steps, .. } => DiagnosticCode::TooManySteps,
            Self::Total { bound: Bound::Memory, .. } => DiagnosticCode::TooMuchMemory,
        }
    }

    pub(crate) fn sentence(self) -> String {
        match self {
            Self::Total { bound, limit } => bound.sentence(limit),
            Self::Range { limit } => format!("a range has at most {limit} numbers"),
            Self::EventCombinations { limit } => {
                format!("the parameters of an event have at most {limit} combinations of values")
            }
            Self::BThreadCombinations { limit } => {
                format!("the parameters of a b-thread have at most {limit} combinations of values")
            }
        }
    }
}

impl Bound {
    fn sentence(self, limit: u64) -> String {
        match self {
            Self::Bytes => format!("the text is longer than {limit} bytes"),
            Self::Values => format!("the sets have more than {limit} values together"),
            Self::Events => format!("there are more than {limit} events"),
            Self::BThreads => format!("there are more than {limit} b-threads"),
            Self::States => format!("the b-threads have more than {limit} states together"),
            Self::Steps => format!("building takes more than {limit} steps"),
            Self::Memory => format!(
                "the text takes more than {limit} bytes once it is built: use fewer states, branches, \
                 events and values, and shorter names"
            ),
        }
    }
}

/// What is left of the bounds.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    limits: BuildLimits,
    spent: BuildLimits,
}

impl Budget {
    pub(crate) fn new(limits: BuildLimits) -> Self {
        let spent = BuildLimits {
            bytes: 0,
            values: 0,
            events: 0,
            b_threads: 0,
            states: 0,
            steps: 0,
            memory: 0,
        };
        Self { limits, spent }
    }

    /// Spends some of a bound.
    pub(crate) fn spend(&mut self, bound: Bound, amount: usize) -> Result<(), Exceeded> {
        let (spent, limit) = match bound {
            Bound::Bytes => (&mut self.spent.bytes, self.limits.bytes),
            Bound::Values => (&mut self.spent.values, self.limits.values),
            Bound::Events => (&mut self.spent.events, self.limits.events),
            Bound::BThreads => (&mut self.spent.b_threads, self.limits.b_threads),
            Bound::States => (&mut self.spent.states, self.limits.states),
            Bound::Steps => (&mut self.spent.steps, self.limits.steps),
            Bound::Memory => (&mut self.spent.memory, self.limits.memory),
        };
        *spent = spent.saturating_add(amount as u64);
        if *spent > limit { Err(Exceeded::Total { bound, limit }) } else { Ok(()) }
    }

    pub(crate) fn steps(&mut self, amount: usize) -> Result<(), Exceeded> {
        self.spend(Bound::Steps, amount)
    }

    /// Spends memory for something that is kept.
    pub(crate) fn keep(&mut self, bytes: usize) -> Result<(), Exceeded> {
        self.spend(Bound::Memory, bytes)
    }

    /// The memory of all that is kept, in bytes, about.
    pub(crate) fn kept(&self) -> u64 {
        self.spent.memory
    }
}
