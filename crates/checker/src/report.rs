//! What a search found out.

use std::fmt;

use serde::Serialize;

use crate::graph::Graph;

/// What a search found out. The counts are exact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report<A> {
    /// What became of each property, in the order in which they were given.
    pub findings: Vec<Finding<A>>,
    /// How many different states were seen.
    pub states: u64,
    /// How many actions are possible in those that were looked at: all of them, if
    /// the search was complete.
    pub edges: u64,
    /// How many actions the farthest state that was seen is from the start.
    pub depth: u64,
    /// In how many of those that were looked at nothing can happen.
    pub terminal: u64,
    /// How many of these are stuck: something is requested, and all of it is blocked.
    pub stuck: u64,
    /// Whether every state was seen.
    pub coverage: Coverage,
    /// How sure it is that states were told apart.
    pub identity: Identity,
    /// The states and actions as a graph, if it was asked for.
    #[serde(skip)]
    pub graph: Option<Graph>,
}

/// What became of one property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding<A> {
    /// The name of the property.
    pub property: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// In one sentence, what was found.
    pub sentence: String,
    /// How many examples or counterexamples were seen.
    pub cases: u64,
    /// The first example or counterexample, which is a shortest one if the search was breadth-first.
    pub trace: Option<Trace<A>>,
}

/// Whether a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It holds in all that can happen.
    Holds,
    /// It does not hold.
    Violated,
    /// The search was cut short before that was clear.
    Unknown,
}

/// Actions one after the other, from the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trace<A> {
    /// What happens, in order.
    pub actions: Vec<A>,
    /// Where the endless part begins, if the last action leads back to there.
    pub cycle_from: Option<u64>,
}

/// Whether every state was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Coverage {
    /// Every state was seen.
    Complete,
    /// What follows states in which a requirement is violated was not seen.
    HaltedAtViolations,
    /// The search was stopped because a property was settled.
    StoppedAtFinding,
    /// The search was cut short by the greatest number of states.
    CutShortByStates(u64),
    /// The search was cut short by the greatest depth.
    CutShortByDepth(u64),
}

/// How states were told apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Identity {
    /// By themselves.
    Exact,
    /// By 64 bits of each: states may have been overlooked.
    Probabilistic {
        /// At most how probable it is that any state was overlooked.
        risk: f64,
    },
}

impl Eq for Identity {}

impl<A> Report<A> {
    /// What is true of all properties together: one that is violated, or else
    /// one that is unknown, decides. Where none was asked, a search cut short is
    /// unknown.
    pub fn verdict(&self) -> Verdict {
        let some = |verdict| self.findings.iter().any(|finding| finding.verdict == verdict);
        let is_open = self.findings.is_empty() && self.coverage != Coverage::Complete;
        if some(Verdict::Violated) {
            Verdict::Violated
        } else if some(Verdict::Unknown) || is_open {
            Verdict::Unknown
        } else {
            Verdict::Holds
        }
    }

    /// What became of the property of this name.
    pub fn finding(&self, property: &str) -> Option<&Finding<A>> {
        self.findings.iter().find(|finding| finding.property == property)
    }
}

impl<A: fmt::Display> fmt::Display for Report<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(f, "{finding}")?;
        }
        let Self { states, edges, depth, terminal, stuck, coverage, .. } = self;
        writeln!(
            f,
            "{states} states, {edges} edges, depth {depth}, {terminal} terminal, {stuck} stuck"
        )?;
        write!(f, "{coverage}")?;
        match self.identity {
            Identity::Exact => Ok(()),
            Identity::Probabilistic { .. } => write!(f, "\n{}", self.identity),
        }
    }
}

impl<A: fmt::Display> fmt::Display for Finding<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.property, self.verdict)?;
        if self.cases > 0 || self.verdict != Verdict::Holds {
            write!(f, ": {}", self.sentence)?;
        }
        match &self.trace {
            Some(trace) => write!(f, "\n  {trace}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Holds => "holds",
            Self::Violated => "violated",
            Self::Unknown => "unknown",
        })
    }
}

impl<A: fmt::Display> fmt::Display for Trace<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.actions.is_empty() {
            return f.write_str("at the start");
        }
        for (number, action) in (0..).zip(&self.actions) {
            if number > 0 {
                f.write_str(", ")?;
            }
            if self.cycle_from == Some(number) {
                f.write_str("and then for ever: ")?;
            }
            action.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Complete => f.write_str("complete: every state was seen"),
            Self::HaltedAtViolations => {
                f.write_str("halted where requirements are violated; more states may follow")
            }
            Self::StoppedAtFinding => {
                f.write_str("stopped at the first finding; more states may follow")
            }
            Self::CutShortByStates(bound) => write!(f, "cut short at {bound} states"),
            Self::CutShortByDepth(bound) => write!(f, "cut short at depth {bound}"),
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("states are exact"),
            Self::Probabilistic { risk } => {
                write!(
                    f,
                    "probabilistic: 64 bits per state; a state was overlooked with probability {risk:.1e} at most"
                )
            }
        }
    }
}
