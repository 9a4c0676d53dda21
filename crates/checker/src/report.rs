//! The result of a search.

use std::fmt;

use serde::Serialize;

use crate::chance::ValueRange;
use crate::graph::Graph;

/// The result of a search. All counts are exact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report<A> {
    /// One finding for each property, in order.
    pub findings: Vec<Finding<A>>,
    /// The number of different states found.
    pub states: u64,
    /// The number of actions that are possible in the visited states. A complete search
    /// visits every state.
    pub edges: u64,
    /// The distance from the start to the farthest state, in actions.
    pub depth: u64,
    /// The number of visited states without successors.
    pub terminal: u64,
    /// The number of terminal states that are stuck: every requested event is blocked.
    pub stuck: u64,
    /// Whether every state was visited.
    pub coverage: Coverage,
    /// How states were compared.
    pub identity: Identity,
    /// The graph of states and actions, if [`Checker::draw`](crate::Checker::draw) asked for it.
    #[serde(skip)]
    pub graph: Option<Graph>,
}

/// The result for one property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding<A> {
    /// The name of the property.
    pub property: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// The finding in one sentence.
    pub sentence: String,
    /// The number of examples or counterexamples: states, or states in which such an action can
    /// happen.
    pub cases: u64,
    /// The first example or counterexample. A breadth-first search finds a shortest one.
    pub trace: Option<Trace<A>>,
    /// What weakens the finding, if anything does: a requirement that is not watched for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caution: Option<String>,
    /// What is assumed about fairness, if the verdict may depend on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fairness: Option<String>,
    /// The values that choices can attain, if the property is about a probability or an expected
    /// number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<ValueRange>,
}

/// Whether a property holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It does not hold.
    Violated,
    /// The search ended before that was settled.
    Unknown,
}

/// A sequence of actions from the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trace<A> {
    /// The actions, in order.
    pub actions: Vec<A>,
    /// Where the cycle begins to which the last action leads back, if there is one.
    pub cycle_from: Option<u64>,
}

/// Whether a search visited every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Coverage {
    /// It visited every state.
    Complete,
    /// It did not visit the successors of states in which a requirement is violated.
    HaltedAtViolations,
    /// It stopped because a property was settled.
    StoppedAtFinding,
    /// It was cut short by the maximum number of states.
    CutShortByStates(u64),
    /// It was cut short by the maximum depth.
    CutShortByDepth(u64),
}

/// How states were compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Identity {
    /// Whole states were compared.
    Exact,
    /// Hashes of 64 bits were compared, so states may have been missed.
    Probabilistic {
        /// An upper bound for the probability that any state was missed.
        risk: f64,
    },
}

impl Eq for Identity {}

impl<A> Report<A> {
    /// The verdict on all properties together: violated if one is violated, otherwise
    /// unknown if one is unknown. Without properties, an incomplete search is unknown.
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

    /// The finding for the property of this name.
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
        if self.cases > 0 || self.verdict != Verdict::Holds || self.values.is_some() {
            write!(f, ": {}", self.sentence)?;
        }
        if let Some(trace) = &self.trace {
            write!(f, "\n  {trace}")?;
        }
        let mut remarks = self.caution.iter().chain(&self.fairness);
        remarks.try_for_each(|remark| write!(f, "\n  {remark}"))
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
            Self::Complete => f.write_str("complete: every state was visited"),
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
            Self::Exact => f.write_str("exact: whole states were compared"),
            Self::Probabilistic { risk } => {
                write!(
                    f,
                    "probabilistic: 64 bits per state; the probability that a state was missed is at most {risk:.1e}"
                )
            }
        }
    }
}
