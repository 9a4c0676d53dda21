//! Probabilities and expected numbers.

use std::collections::VecDeque;

use checker::{
    BranchTarget, Extreme, Finding, Fraction, ProcessSolution, Trace, ValueBounds, ValueRange,
    Verdict,
};

use super::avoidance::{Avoidance, GoalProcess, explored, path};
use super::graph::{ModelGraph, WorldPolicy};
use crate::built::ChanceQuantity;
use crate::event_bits::EventBits;
use crate::syntax::ComparisonSign;
use crate::text_event::TextEvent;
use crate::text_model::TextModel;

/// What is asked about a number that chance decides.
pub(super) struct QuantityQuestion<'a> {
    pub(super) quantity: &'a ChanceQuantity,
    pub(super) comparison: ComparisonSign,
    pub(super) value: Fraction,
}

/// All states of a model, for questions about what others choose.
#[derive(Clone, Copy)]
pub(super) struct WorldGraph<'a> {
    pub(super) graph: &'a ModelGraph,
    /// Whether it tells apart what the world has seen. If not, the world knows everything.
    pub(super) is_known: bool,
}

/// The numbers that can be attained if the world follows a policy.
pub(super) struct SolvedPolicy<'p> {
    policy: Option<&'p WorldPolicy>,
    process: GoalProcess,
    pub(super) least: ValueBounds,
    pub(super) greatest: ValueBounds,
    /// Choices that attain the least and the greatest number, where all orders of events are fair.
    choices: [ProcessSolution; 2],
}

/// The number of events that a sentence names one by one.
const FEW: usize = 3;

impl QuantityQuestion<'_> {
    /// The least and the greatest number, and whether they are as the property claims.
    pub(super) fn finding(
        &self,
        name: &str,
        world: WorldGraph<'_>,
        model: &TextModel,
    ) -> Finding<TextEvent> {
        let graph = world.graph;
        let policies = if world.is_known { self.policies(graph) } else { None };
        let all = policies.as_ref().map_or_else(
            || vec![None],
            |all| all.iter().map(|policy| Some(policy.as_slice())).collect(),
        );
        let solved: Vec<SolvedPolicy<'_>> =
            all.into_iter().map(|policy| self.solve(graph, policy)).collect();
        let least = solved.iter().map(|each| each.least).reduce(ValueBounds::lesser);
        let greatest = solved.iter().map(|each| each.greatest).reduce(ValueBounds::greater);
        let (Some(least), Some(greatest)) = (least, greatest) else {
            unreachable!("there is at least one policy")
        };
        let values = ValueRange { least, greatest };
        let verdict = match self.verdict(values) {
            // A world that knew everything could do it, but whether it can is too much to try.
            Verdict::Violated if policies.is_none() => Verdict::Unknown,
            verdict => verdict,
        };
        let trace = (verdict == Verdict::Violated).then(|| self.witness(graph, &solved)).flatten();
        let mut sentence = format!("{} is {values}", self.subject(model));
        if policies.is_none() {
            sentence.push_str(", if the world knows everything");
        }
        if verdict == Verdict::Unknown {
            let (sign, value) = (self.comparison.as_str(), self.value);
            sentence = format!("{sentence}, which does not tell whether it is {sign} {value}");
        }
        let (property, values) = (name.to_owned(), Some(values));
        let (caution, fairness) = (None, None);
        let cases = u64::from(verdict == Verdict::Violated);
        Finding { property, verdict, sentence, cases, trace, caution, fairness, values }
    }

    pub(super) fn solve<'p>(
        &self,
        graph: &ModelGraph,
        policy: Option<&'p WorldPolicy>,
    ) -> SolvedPolicy<'p> {
        let process = self.process(graph, policy);
        let is_expected = matches!(self.quantity, ChanceQuantity::Expected { .. });
        let choices = [Extreme::Least, Extreme::Greatest].map(|extreme| {
            if is_expected {
                process.process().expected_cost(extreme)
            } else {
                process.process().probability(extreme)
            }
        });
        let [mut least, mut greatest] = [0, 1].map(|extreme: usize| choices[extreme].value(0));
        // Only where a `must request` could wait for ever are some orders of events not fair.
        if graph.hot_threads() > 0 {
            let avoidance = self.avoidance(graph, policy);
            if !is_expected {
                least = avoidance.probability().complement();
            } else if !avoidance.is_possible() {
                greatest = process.process().expected_cost_of_arriving().value(0);
            }
        }
        SolvedPolicy { policy, process, least, greatest, choices }
    }

    fn avoidance<'g>(
        &self,
        graph: &'g ModelGraph,
        policy: Option<&'g WorldPolicy>,
    ) -> Avoidance<'g> {
        Avoidance::of(graph, policy, &|state, edge| self.is_goal(graph, state, edge))
    }

    /// A run with the choices that break the property.
    fn witness(&self, graph: &ModelGraph, solved: &[SolvedPolicy<'_>]) -> Option<Trace<TextEvent>> {
        let is_lower_bound = self.comparison != ComparisonSign::LessOrEqual;
        let is_upper_bound = self.comparison != ComparisonSign::GreaterOrEqual;
        solved.iter().find_map(|each| {
            if is_lower_bound && each.least.is_at_least(self.value) == Some(false) {
                Some(self.run(graph, each, Extreme::Least))
            } else if is_upper_bound && each.greatest.is_at_most(self.value) == Some(false) {
                Some(self.run(graph, each, Extreme::Greatest))
            } else {
                None
            }
        })?
    }

    /// The events whose happening is the goal.
    fn goal(&self) -> &EventBits {
        match self.quantity {
            ChanceQuantity::Probability(set) => set,
            ChanceQuantity::Expected { until, .. } => until,
        }
    }

    fn process(&self, graph: &ModelGraph, policy: Option<&WorldPolicy>) -> GoalProcess {
        explored(graph.len(), |state, found| {
            for branches in graph.choices(state, policy) {
                let target = |edge: usize| {
                    if self.is_goal(graph, state, edge) {
                        BranchTarget::Goal
                    } else {
                        BranchTarget::State(graph.target(state, edge))
                    }
                };
                let cost = |edge: usize| self.cost(graph, state, edge);
                let branches = branches.into_iter();
                found.add_priced(branches.map(|(edge, weight)| (weight, cost(edge), target(edge))));
            }
        })
    }

    pub(super) fn is_goal(&self, graph: &ModelGraph, state: usize, edge: usize) -> bool {
        self.goal().contains(graph.number(state, edge))
    }

    /// Whether an event counts.
    fn cost(&self, graph: &ModelGraph, state: usize, edge: usize) -> u32 {
        match self.quantity {
            ChanceQuantity::Probability(_) => 0,
            ChanceQuantity::Expected { counted, .. } => {
                u32::from(counted.contains(graph.number(state, edge)))
            }
        }
    }

    fn verdict(&self, values: ValueRange) -> Verdict {
        let ValueRange { least, greatest } = values;
        let (at_least, at_most) = (least.is_at_least(self.value), greatest.is_at_most(self.value));
        let claims = match self.comparison {
            ComparisonSign::GreaterOrEqual => [at_least, Some(true)],
            ComparisonSign::LessOrEqual => [at_most, Some(true)],
            _ => [at_least, at_most],
        };
        if claims.contains(&Some(false)) {
            Verdict::Violated
        } else if claims.contains(&None) {
            Verdict::Unknown
        } else {
            Verdict::Holds
        }
    }

    /// What the number is of.
    fn subject(&self, model: &TextModel) -> String {
        let names = |set: &EventBits| {
            let names: Vec<String> =
                set.iter().map(|event| model.text().event(event).to_string()).collect();
            match names.len() {
                0 => "nothing".to_owned(),
                count if count <= FEW => names.join(" or "),
                count => format!("{} and {} more events", names[..FEW].join(", "), count - FEW),
            }
        };
        match self.quantity {
            ChanceQuantity::Probability(set) => format!("the probability of {}", names(set)),
            ChanceQuantity::Expected { counted, until } => {
                format!("the expected number of {} until {}", names(counted), names(until))
            }
        }
    }

    /// A run that shows how the number can be so small or so large: one that never reaches the goal
    /// where that is what makes it so, and otherwise one that reaches it.
    fn run(
        &self,
        graph: &ModelGraph,
        solved: &SolvedPolicy<'_>,
        extreme: Extreme,
    ) -> Option<Trace<TextEvent>> {
        let is_avoided = match (self.quantity, extreme) {
            (ChanceQuantity::Probability(_), Extreme::Least) => true,
            (ChanceQuantity::Expected { .. }, Extreme::Greatest) => {
                solved.greatest.lower.is_infinite()
            }
            _ => false,
        };
        let avoiding = is_avoided.then(|| {
            let avoidance = self.avoidance(graph, solved.policy);
            avoidance.run(&|state, edge| self.is_goal(graph, state, edge))
        });
        avoiding.flatten().or_else(|| self.run_to_goal(graph, solved, extreme))
    }

    /// A shortest run to the goal, by the choices that attain the number.
    fn run_to_goal(
        &self,
        graph: &ModelGraph,
        solved: &SolvedPolicy<'_>,
        extreme: Extreme,
    ) -> Option<Trace<TextEvent>> {
        let solution = match extreme {
            Extreme::Least => &solved.choices[0],
            Extreme::Greatest => &solved.choices[1],
        };
        let mut from = vec![None; graph.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(state) = queue.pop_front() {
            let number = solved.process.number(&state);
            let choice = number.and_then(|number| solution.choice(number));
            let choices = graph.choices(state, solved.policy);
            let branches = choice.and_then(|choice| choices.get(choice));
            for &(edge, _) in branches.into_iter().flatten() {
                if self.is_goal(graph, state, edge) {
                    return Some(path(graph, &from, state, Some(edge)));
                }
                let to = graph.target(state, edge);
                if to != 0 && from[to].is_none() {
                    from[to] = Some((state, edge));
                    queue.push_back(to);
                }
            }
        }
        None
    }
}
