//! Fairness: a hot request that is possible again and again happens at last.

use bthread::{Generator, Program, Random};
use checker::{BProgram, Checker, Finding, Property, Verdict};

use crate::graph::{Freedom, Graph, Halting, hot, points};
use crate::random_program::random_program;
use crate::{WORDS, Word};

/// The largest number of states of which all sets are looked at.
const MOST_STATES: usize = 9;

/// The hot b-threads of states, and whose hot requests events grant. A bit stands for each b-thread.
struct HotGraph {
    hot: Vec<u32>,
    /// For each event that is possible in a state, the next state and the requests that it grants.
    edges: Vec<Vec<(Word, usize, u32)>>,
    depth: Vec<usize>,
}

fn bits(numbers: impl IntoIterator<Item = usize>) -> u32 {
    numbers.into_iter().fold(0, |bits, number| bits | 1 << number)
}

impl HotGraph {
    fn of(graph: &Graph) -> Self {
        let granted = |at: usize, event: Word| {
            let hot = hot(&graph.states[at]);
            let wants = points(&graph.states[at]).into_iter();
            let wants = wants.filter(|(_, point)| point.requests().contains(&event));
            bits(wants.map(|(number, _)| number).filter(|number| hot.contains(number)))
        };
        let edges = graph.edges.iter().enumerate().map(|(at, edges)| {
            edges.iter().map(|(event, to)| (*event, *to, granted(at, event))).collect()
        });
        Self {
            hot: graph.states.iter().map(|state| bits(hot(state))).collect(),
            edges: edges.collect(),
            depth: graph.depth.clone(),
        }
    }

    /// The requests that are possible in a state.
    fn possible(&self, at: usize) -> u32 {
        self.edges[at].iter().fold(0, |all, (_, _, granted)| all | granted)
    }

    /// Whether a run can visit these states and no others for ever, and treats hot requests fairly.
    fn is_fair(&self, set: &[usize]) -> bool {
        let is_connected = set.iter().all(|state| self.reached(*state, set) == bits(set.to_vec()));
        let edges = set.iter().flat_map(|state| &self.edges[*state]);
        let inside = edges.filter(|(_, to, _)| set.contains(to));
        let happening = inside.fold(0, |all, (_, _, granted)| all | granted);
        let possible = set.iter().fold(0, |all, state| all | self.possible(*state));
        is_connected && possible & !happening == 0
    }

    /// The states of a set that can be reached from one of them in at least one step.
    fn reached(&self, from: usize, set: &[usize]) -> u32 {
        let (mut reached, mut left) = (0, vec![from]);
        while let Some(state) = left.pop() {
            for (_, to, _) in self.edges[state].iter().filter(|(_, to, _)| set.contains(to)) {
                if reached >> to & 1 == 0 {
                    reached |= 1 << to;
                    left.push(*to);
                }
            }
        }
        reached
    }

    /// The smallest depth of a state in a set of states that pass the test and that a fair run can
    /// visit for ever. Looks at all sets.
    fn nearest_fair_cycle(&self, test: impl Fn(usize) -> bool) -> Option<usize> {
        let passing: Vec<usize> = (0..self.hot.len()).filter(|at| test(*at)).collect();
        let sets = (1..1_u32 << passing.len()).map(|bits| {
            let numbered = passing.iter().enumerate();
            numbered.filter(|(place, _)| bits >> place & 1 == 1).map(|(_, at)| *at).collect()
        });
        let fair = sets.filter(|set: &Vec<usize>| self.is_fair(set));
        fair.flatten().map(|at| self.depth[at]).min()
    }
}

/// Whether the cycle of a trace is fair, and how far it is from the start.
fn check_trace(graph: &HotGraph, finding: &Finding<Word>, program: &Program<Word>) -> usize {
    let trace = finding.trace.as_ref().expect("a violation has a trace");
    let from = trace.cycle_from.expect("it is a cycle");
    let from = usize::try_from(from).expect("it is short");
    let (mut possible, mut happened) = (0, 0);
    let (mut at, mut first) = (0, None);
    for (place, action) in trace.actions.iter().enumerate() {
        let edge = graph.edges[at].iter().find(|(event, _, _)| event == action);
        let (_, to, granted) = edge.expect("the trace can be played");
        if place >= from {
            first.get_or_insert(at);
            possible |= graph.possible(at);
            happened |= granted;
        }
        at = *to;
    }
    assert_eq!(Some(at), first, "the trace is a cycle in\n{program}");
    assert_eq!(possible & !happened, 0, "{finding} is not fair in\n{program}");
    from
}

/// Whether the assumption of fairness changes the verdict on some b-thread; `None` if the program has
/// too many states.
fn check(program: &Program<Word>) -> Option<bool> {
    let graph = Graph::of(program, Freedom::Everybody, Halting::Never)?;
    if graph.states.len() > MOST_STATES {
        return None;
    }
    let space = program.closed_space(WORDS).expect("all words are known");
    let model = BProgram::new(space, Random::seeded(0));
    let checker = Checker::new(&model)
        .property(Property::no_hot_thread_cycle().fair())
        .property(Property::no_hot_system_cycle().fair())
        .property(Property::no_hot_thread_cycle().named("without fairness"))
        .collect_all();
    let report = checker.run().expect("all words are known");
    let graph = HotGraph::of(&graph);
    let threads = (0..program.threads().len())
        .filter_map(|number| graph.nearest_fair_cycle(|at| graph.hot[at] >> number & 1 == 1));
    let expected = [threads.min(), graph.nearest_fair_cycle(|at| graph.hot[at] != 0)];
    for (finding, expected) in report.findings.iter().zip(expected) {
        let is_violated = finding.verdict == Verdict::Violated;
        let found = is_violated.then(|| check_trace(&graph, finding, program));
        assert_eq!(found, expected, "{} of\n{program}", finding.property);
    }
    Some(report.findings[0].verdict != report.findings[2].verdict)
}

#[test]
fn verdicts_that_assume_fairness_agree_with_a_look_at_all_sets_of_states() {
    let mut generator = Generator::seeded(170);
    let (mut small, mut changed) = (0, 0);
    for _ in 0..1_500 {
        let verdict = check(&random_program(&mut generator));
        small += u32::from(verdict.is_some());
        changed += u32::from(verdict == Some(true));
    }
    assert!(small > 300 && changed > 20, "{small} were small, and fairness changed {changed}");
}
