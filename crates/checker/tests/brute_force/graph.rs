//! An enumeration of all states of a small program, step by step and b-thread by b-thread.

use std::collections::BTreeSet;

use bthread::{AnyBThread, EventSet, Program, SyncPoint};

use crate::Word;

/// Which b-threads may choose freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freedom {
    Nobody,
    Everybody,
    Environment,
}

/// All b-threads, each in its current state.
pub(crate) type State = Vec<AnyBThread<Word>>;

pub(crate) fn points(state: &State) -> Vec<(usize, SyncPoint<Word>)> {
    let point = |(number, thread): (usize, &AnyBThread<Word>)| {
        thread.sync_point().map(|point| (number, point.into_owned()))
    };
    state.iter().enumerate().filter_map(point).collect()
}

fn any(sets: &[EventSet<Word>], event: Word) -> bool {
    sets.iter().any(|set| set.contains(&event))
}

/// The events that may happen next, in order.
pub(crate) fn possible(state: &State, freedom: Freedom) -> Vec<Word> {
    let points = points(state);
    let is_free = |event: Word| !points.iter().any(|(_, point)| any(point.blocks(), event));
    let mut candidates: Vec<(usize, Word)> = Vec::new();
    for (number, point) in &points {
        for event in point.requests().iter().filter(|event| is_free(event)) {
            if !candidates.iter().any(|(_, other)| other == event) {
                candidates.push((*number, event));
            }
        }
    }
    let is_environment = |number: usize| state[number].name().family() == "Environment";
    match (freedom, candidates.first()) {
        (_, None) | (Freedom::Everybody, _) => {}
        (Freedom::Environment, Some((first, _))) if is_environment(*first) => {
            let wishes = |event| {
                let mut environment = points.iter().filter(|(number, _)| is_environment(*number));
                environment.any(|(_, point)| point.requests().contains(&event))
            };
            candidates.retain(|(_, event)| wishes(*event));
        }
        (Freedom::Nobody | Freedom::Environment, Some(_)) => candidates.truncate(1),
    }
    candidates.into_iter().map(|(_, event)| event).collect()
}

fn after(state: &State, event: Word) -> State {
    let mut next = state.clone();
    for (number, point) in points(state) {
        if any(point.interrupts(), event) {
            next[number].end();
        } else if point.requests().contains(&event) || any(point.waits(), event) {
            next[number].go_on(&event);
        }
    }
    next
}

pub(crate) fn hot(state: &State) -> BTreeSet<usize> {
    points(state)
        .into_iter()
        .filter(|(_, point)| point.is_hot())
        .map(|(number, _)| number)
        .collect()
}

/// All states, and the next state for each event, by number.
pub(crate) struct Graph {
    pub(crate) states: Vec<State>,
    pub(crate) edges: Vec<Vec<(Word, usize)>>,
    /// The distance of each state from the start, in events.
    pub(crate) depth: Vec<usize>,
    pub(crate) halting: Halting,
}

/// Whether a state with a violation has successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halting {
    Never,
    AtViolations,
}

fn is_violated(state: &State) -> bool {
    points(state).iter().any(|(_, point)| point.violated().is_some())
}

const MOST_STATES: usize = 60;

impl Graph {
    /// The graph of a program, unless it is too large to enumerate.
    pub(crate) fn of(program: &Program<Word>, freedom: Freedom, halting: Halting) -> Option<Self> {
        let start = program.threads().to_vec();
        let mut graph = Self { states: vec![start], edges: Vec::new(), depth: vec![0], halting };
        while graph.edges.len() < graph.states.len() {
            let from = graph.edges.len();
            let state = graph.states[from].clone();
            let halts = halting == Halting::AtViolations && is_violated(&state);
            let events = if halts { Vec::new() } else { possible(&state, freedom) };
            let edges = events.into_iter().map(|event| {
                let next = after(&state, event);
                let known = graph.states.iter().position(|other| *other == next);
                let to = known.unwrap_or_else(|| {
                    graph.states.push(next);
                    graph.depth.push(graph.depth[from] + 1);
                    graph.states.len() - 1
                });
                (event, to)
            });
            let edges = edges.collect();
            graph.edges.push(edges);
            if graph.states.len() > MOST_STATES {
                return None;
            }
        }
        Some(graph)
    }

    pub(crate) fn is_violated(&self, state: usize) -> bool {
        is_violated(&self.states[state])
    }

    /// Terminal states, without those where a violation halts the search.
    pub(crate) fn ends(&self) -> impl Iterator<Item = usize> {
        let is_halted = |at| self.halting == Halting::AtViolations && self.is_violated(at);
        (0..self.states.len()).filter(move |at| self.edges[*at].is_empty() && !is_halted(*at))
    }

    /// The smallest depth of a state that passes the test.
    pub(crate) fn nearest(&self, states: impl Iterator<Item = usize>) -> Option<usize> {
        states.map(|state| self.depth[state]).min()
    }

    /// Whether a state is on a cycle of states that pass the test.
    fn goes_round(&self, start: usize, test: &dyn Fn(usize) -> bool) -> bool {
        let mut seen = BTreeSet::new();
        let mut stack = vec![start];
        while let Some(at) = stack.pop() {
            for (_, to) in self.edges[at].iter().filter(|(_, to)| test(*to)) {
                if *to == start {
                    return true;
                }
                if seen.insert(*to) {
                    stack.push(*to);
                }
            }
        }
        false
    }

    /// The smallest depth of a state on a cycle of states that pass the test.
    pub(crate) fn nearest_cycle(&self, test: &dyn Fn(usize) -> bool) -> Option<usize> {
        let states = (0..self.states.len()).filter(|at| test(*at));
        self.nearest(states.filter(|at| self.goes_round(*at, test)))
    }
}
