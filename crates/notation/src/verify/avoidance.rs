//! How likely it can be that a goal is never reached, in orders of events that are fair.
//!
//! A run that never reaches the goal ends elsewhere, or visits at last the states of a set that it
//! can visit for ever (see `infinite`). In such a set it can be made to stay, with probability 1 and
//! without leaving any `must request` waiting. So the greatest probability to avoid the goal is that
//! of reaching an end or such a set (for Markov decision processes: Baier and Katoen, Principles of
//! Model Checking, 10.6.4).

use std::collections::VecDeque;
use std::convert::Infallible;
use std::ops::ControlFlow;

use checker::{
    BranchTarget, ExploreError, ExploredProcess, Extreme, ProcessSolution, StateChoices, Trace,
    ValueBounds,
};

use super::graph::{ModelGraph, WorldPolicy};
use super::infinite::{FairSearch, GraphWalk};
use crate::text_event::TextEvent;

/// The states of a graph that can be reached before a goal.
pub(super) type GoalProcess = ExploredProcess<usize>;

/// Whether an edge of a state reaches the goal.
pub(super) type GoalTest<'a> = &'a dyn Fn(usize, usize) -> bool;

/// The ways never to reach a goal.
pub(super) struct Avoidance<'a> {
    graph: &'a ModelGraph,
    policy: Option<&'a WorldPolicy>,
    /// Where runs stay that never reach the goal.
    havens: Vec<Haven>,
    /// The haven of each state.
    haven_of: Vec<Option<usize>>,
    process: GoalProcess,
    solution: ProcessSolution,
}

/// An end, or states that a fair run can visit for ever.
enum Haven {
    End,
    Endless(Vec<usize>),
}

impl<'a> Avoidance<'a> {
    pub(super) fn of(
        graph: &'a ModelGraph,
        policy: Option<&'a WorldPolicy>,
        is_goal: GoalTest<'_>,
    ) -> Self {
        let reached = reached_before(graph, policy, is_goal);
        let mut havens = Vec::new();
        let mut haven_of = vec![None; graph.len()];
        for &state in &reached {
            if graph.choices(state, policy).is_empty() {
                haven_of[state] = Some(havens.len());
                havens.push(Haven::End);
            }
        }
        let is_edge = |state: usize, edge: usize| !is_goal(state, edge);
        FairSearch::new(graph, policy, &is_edge).each_component(reached, &mut |_, component| {
            for state in component {
                haven_of[*state] = Some(havens.len());
            }
            havens.push(Haven::Endless(component.to_vec()));
            ControlFlow::Continue(())
        });
        let process = haven_process(graph, policy, is_goal, &haven_of);
        let solution = process.process().probability(Extreme::Greatest);
        Self { graph, policy, havens, haven_of, process, solution }
    }

    /// Whether the goal need not be reached.
    pub(super) fn is_possible(&self) -> bool {
        !self.havens.is_empty()
    }

    /// The greatest probability that the goal is never reached.
    pub(super) fn probability(&self) -> ValueBounds {
        self.solution.value(0)
    }

    /// A run that never reaches the goal, by the choices that make this most likely.
    pub(super) fn run(&self, is_goal: GoalTest<'_>) -> Option<Trace<TextEvent>> {
        let mut from = vec![None; self.graph.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(state) = queue.pop_front() {
            if let Some(haven) = self.haven_of[state] {
                return Some(self.lasso(&from, state, &self.havens[haven], is_goal));
            }
            let number = self.process.number(&state)?;
            let choices = self.graph.choices(state, self.policy);
            let chosen = self.solution.choice(number).and_then(|choice| choices.get(choice));
            for &(edge, _) in chosen.into_iter().flatten() {
                let to = self.graph.target(state, edge);
                if !is_goal(state, edge) && to != 0 && from[to].is_none() {
                    from[to] = Some((state, edge));
                    queue.push_back(to);
                }
            }
        }
        None
    }

    /// The way to a state of a haven, and what then happens for ever.
    fn lasso(
        &self,
        from: &[Option<(usize, usize)>],
        state: usize,
        haven: &Haven,
        is_goal: GoalTest<'_>,
    ) -> Trace<TextEvent> {
        let mut trace = path(self.graph, from, state, None);
        if let Haven::Endless(states) = haven {
            let is_edge = |state: usize, edge: usize| !is_goal(state, edge);
            let mut cycle = GraphWalk::new();
            let mut search = FairSearch::new(self.graph, self.policy, &is_edge);
            search.each_component(states.clone(), &mut |search, component| {
                cycle = search.cycle(component, state);
                ControlFlow::Break(())
            });
            trace.cycle_from = Some(trace.actions.len() as u64);
            let events = cycle.iter().map(|(state, edge)| self.graph.event(*state, *edge));
            trace.actions.extend(events);
        }
        trace
    }
}

/// The states that can be reached before the goal.
fn reached_before(
    graph: &ModelGraph,
    policy: Option<&WorldPolicy>,
    is_goal: GoalTest<'_>,
) -> Vec<usize> {
    let mut is_seen = vec![false; graph.len()];
    let mut reached = vec![0];
    is_seen[0] = true;
    let mut next = 0;
    while let Some(&state) = reached.get(next) {
        next += 1;
        for (edge, _) in graph.choices(state, policy).into_iter().flatten() {
            let to = graph.target(state, edge);
            if !is_goal(state, edge) && !std::mem::replace(&mut is_seen[to], true) {
                reached.push(to);
            }
        }
    }
    reached
}

/// The process whose goal is a haven. What was the goal ends it.
fn haven_process(
    graph: &ModelGraph,
    policy: Option<&WorldPolicy>,
    is_goal: GoalTest<'_>,
    haven_of: &[Option<usize>],
) -> GoalProcess {
    let lost = graph.len();
    explored(lost + 1, |state, found| {
        if state == lost {
            return;
        }
        if haven_of[state].is_some() {
            found.add(0, [(1, BranchTarget::Goal)]);
            return;
        }
        for branches in graph.choices(state, policy) {
            let target =
                |edge: usize| if is_goal(state, edge) { lost } else { graph.target(state, edge) };
            let branches = branches.into_iter();
            found
                .add(0, branches.map(|(edge, weight)| (weight, BranchTarget::State(target(edge)))));
        }
    })
}

/// The process with these choices, from the first state on.
pub(super) fn explored(
    most_states: usize,
    mut expand: impl FnMut(usize, &mut StateChoices<usize>),
) -> GoalProcess {
    let expand = |state: &usize, found: &mut StateChoices<usize>| {
        expand(*state, found);
        Ok::<(), Infallible>(())
    };
    ExploredProcess::explore(0, most_states, expand).unwrap_or_else(|error| match error {
        ExploreError::Choices(never) => match never {},
        ExploreError::TooManyStates(_) => {
            unreachable!("a process has no more states than its graph")
        }
    })
}

/// The events from the start to a state, and perhaps one more.
pub(super) fn path(
    graph: &ModelGraph,
    from: &[Option<(usize, usize)>],
    state: usize,
    last: Option<usize>,
) -> Trace<TextEvent> {
    let mut actions: Vec<TextEvent> =
        last.into_iter().map(|edge| graph.event(state, edge)).collect();
    let mut at = state;
    while let Some((before, edge)) = from[at] {
        actions.push(graph.event(before, edge));
        at = before;
    }
    actions.reverse();
    Trace { actions, cycle_from: None }
}
