//! Probabilities and expected numbers.

use std::collections::VecDeque;
use std::convert::Infallible;

use checker::{
    BranchTarget, ExploredProcess, Extreme, Finding, Fraction, ProcessSolution, StateChoices,
    Trace, ValueBounds, ValueRange, Verdict,
};

use super::graph::{ModelGraph, WorldPolicy};
use super::infinite::may_wait_at_must;
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

/// The states of the graph that can be reached before the goal.
type GoalProcess = ExploredProcess<usize>;

/// The numbers that can be attained if the world follows a policy.
pub(super) struct SolvedPolicy<'p> {
    policy: Option<&'p WorldPolicy>,
    process: GoalProcess,
    pub(super) least: ProcessSolution,
    pub(super) greatest: ProcessSolution,
}

/// What a sentence adds where a `must` can wait for ever in an order of events that is not fair.
const UNFAIR: &str = ", over every order of events: a `must` waits for ever in some";

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
        let least = solved.iter().map(|each| each.least.value(0)).reduce(ValueBounds::lesser);
        let greatest =
            solved.iter().map(|each| each.greatest.value(0)).reduce(ValueBounds::greater);
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
        // Other properties assume that a `must request` happens at last, so they can seem to disagree.
        if verdict != Verdict::Holds && may_wait_at_must(graph) {
            sentence.push_str(UNFAIR);
        }
        if verdict == Verdict::Unknown {
            let (sign, value) = (self.comparison.as_str(), self.value);
            sentence = format!("{sentence}, which does not tell whether it is {sign} {value}");
        }
        let (property, caution, values) = (name.to_owned(), None, Some(values));
        let cases = u64::from(verdict == Verdict::Violated);
        Finding { property, verdict, sentence, cases, trace, caution, values }
    }

    pub(super) fn solve<'p>(
        &self,
        graph: &ModelGraph,
        policy: Option<&'p WorldPolicy>,
    ) -> SolvedPolicy<'p> {
        let process = self.process(graph, policy);
        let [least, greatest] =
            [Extreme::Least, Extreme::Greatest].map(|extreme| match self.quantity {
                ChanceQuantity::Probability(_) => process.process().probability(extreme),
                ChanceQuantity::Expected { .. } => process.process().expected_cost(extreme),
            });
        SolvedPolicy { policy, process, least, greatest }
    }

    /// A run with the choices that break the property.
    fn witness(&self, graph: &ModelGraph, solved: &[SolvedPolicy<'_>]) -> Option<Trace<TextEvent>> {
        let is_lower_bound = self.comparison != ComparisonSign::LessOrEqual;
        let is_upper_bound = self.comparison != ComparisonSign::GreaterOrEqual;
        solved.iter().find_map(|each| {
            if is_lower_bound && each.least.value(0).is_at_least(self.value) == Some(false) {
                Some(self.run(graph, each, &each.least))
            } else if is_upper_bound && each.greatest.value(0).is_at_most(self.value) == Some(false)
            {
                Some(self.run(graph, each, &each.greatest))
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
        let expand = |state: &usize, found: &mut StateChoices<usize>| {
            for branches in graph.choices(*state, policy) {
                let target = |edge: usize| {
                    if self.is_goal(graph, *state, edge) {
                        BranchTarget::Goal
                    } else {
                        BranchTarget::State(graph.target(*state, edge))
                    }
                };
                let cost = |edge: usize| self.cost(graph, *state, edge);
                let branches = branches.into_iter();
                found.add_priced(branches.map(|(edge, weight)| (weight, cost(edge), target(edge))));
            }
            Ok::<(), Infallible>(())
        };
        ExploredProcess::explore(0, graph.len(), expand).unwrap_or_else(|error| match error {
            checker::ExploreError::Choices(never) => match never {},
            checker::ExploreError::TooManyStates(_) => {
                unreachable!("a process has no more states than its graph")
            }
        })
    }

    pub(super) fn is_goal(&self, graph: &ModelGraph, state: usize, edge: usize) -> bool {
        self.goal().contains(graph.event(state, edge).number())
    }

    /// Whether an event counts.
    fn cost(&self, graph: &ModelGraph, state: usize, edge: usize) -> u32 {
        match self.quantity {
            ChanceQuantity::Probability(_) => 0,
            ChanceQuantity::Expected { counted, .. } => {
                u32::from(counted.contains(graph.event(state, edge).number()))
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

    /// A shortest run with the choices of a solution: to the goal, or if they avoid it to an end or
    /// round and round.
    fn run(
        &self,
        graph: &ModelGraph,
        solved: &SolvedPolicy<'_>,
        solution: &ProcessSolution,
    ) -> Option<Trace<TextEvent>> {
        let mut from = vec![None; graph.len()];
        let mut queue = VecDeque::from([0]);
        let mut end = None;
        while let Some(state) = queue.pop_front() {
            let number = solved.process.number(&state);
            let choice = number.and_then(|number| solution.choice(number));
            let choices = graph.choices(state, solved.policy);
            let Some(branches) = choice.and_then(|choice| choices.get(choice)) else {
                end = end.or(Some(state));
                continue;
            };
            for &(edge, _) in branches {
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
        match end {
            Some(state) => Some(path(graph, &from, state, None)),
            None => round_and_round(graph, solved, solution),
        }
    }
}

/// A run that follows the choices of a solution for ever.
fn round_and_round(
    graph: &ModelGraph,
    solved: &SolvedPolicy<'_>,
    solution: &ProcessSolution,
) -> Option<Trace<TextEvent>> {
    let (mut actions, mut state) = (Vec::new(), 0);
    let mut visited = vec![None; graph.len()];
    while visited[state].is_none() {
        visited[state] = Some(actions.len() as u64);
        let choice = solution.choice(solved.process.number(&state)?)?;
        let choices = graph.choices(state, solved.policy);
        let (edge, _) = *choices.get(choice)?.first()?;
        actions.push(graph.event(state, edge).clone());
        state = graph.target(state, edge);
    }
    Some(Trace { actions, cycle_from: visited[state] })
}

/// The events from the start to a state, and perhaps one more.
fn path(
    graph: &ModelGraph,
    from: &[Option<(usize, usize)>],
    state: usize,
    last: Option<usize>,
) -> Trace<TextEvent> {
    let mut actions: Vec<TextEvent> =
        last.into_iter().map(|edge| graph.event(state, edge).clone()).collect();
    let mut at = state;
    while let Some((before, edge)) = from[at] {
        actions.push(graph.event(before, edge).clone());
        at = before;
    }
    actions.reverse();
    Trace { actions, cycle_from: None }
}
