//! Runs that never end, given what is assumed to be fair.
//!
//! A `must request` that is possible again and again happens at last, and what chance may draw
//! again and again is drawn at last. Nothing else is assumed to be fair. A set of states can be
//! visited for ever if it is strongly connected without draws by which chance would leave it, and if
//! it serves every `must request` that is possible in it. If it does not serve one, the states in
//! which that one is possible cannot be visited for ever, and the rest is looked at again.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::graph::{ModelGraph, WorldPolicy};

/// Whether an edge of a state may be used.
type EdgeTest<'a> = &'a dyn Fn(usize, usize) -> bool;

/// States, each with an edge that leaves it.
pub(super) type GraphWalk = Vec<(usize, usize)>;

/// A cycle of a fair run that never leaves certain states and uses certain edges only.
pub(super) fn endless(
    graph: &ModelGraph,
    is_state: &dyn Fn(usize) -> bool,
    is_edge: EdgeTest<'_>,
) -> Option<GraphWalk> {
    let mut found = None;
    let states = (0..graph.len()).filter(|state| is_state(*state)).collect();
    FairSearch::new(graph, None, is_edge).each_component(states, &mut |search, component| {
        let first = component.iter().copied().min().unwrap_or(0);
        found = Some(search.cycle(component, first));
        ControlFlow::Break(())
    });
    found
}

/// Finds sets of states that a fair run can visit for ever.
pub(super) struct FairSearch<'a> {
    graph: &'a ModelGraph,
    /// What the world chooses; without a policy it may choose anything.
    policy: Option<&'a WorldPolicy>,
    is_edge: EdgeTest<'a>,
    /// The part that each state belongs to. Edges between parts are not used.
    part: Vec<usize>,
    last_part: usize,
}

impl<'a> FairSearch<'a> {
    pub(super) fn new(
        graph: &'a ModelGraph,
        policy: Option<&'a WorldPolicy>,
        is_edge: EdgeTest<'a>,
    ) -> Self {
        Self { graph, policy, is_edge, part: vec![0; graph.len()], last_part: 0 }
    }

    /// Calls `show` with each largest set among these states that a fair run can visit for ever, until
    /// it breaks.
    pub(super) fn each_component(
        &mut self,
        states: Vec<usize>,
        show: &mut dyn FnMut(&Self, &[usize]) -> ControlFlow<()>,
    ) {
        let mut open = vec![states];
        while let Some(states) = open.pop() {
            self.separate(&states);
            for component in self.components(&states) {
                let draws = self.usable_draws(&component);
                self.separate(&component);
                if !self.has_edge(&component) {
                    continue;
                }
                if self.usable_draws(&component) < draws {
                    open.push(component);
                } else if let Some(thread) = self.unserved(&component) {
                    let rest = |state: &&usize| !self.graph.is_possible(**state, thread);
                    open.push(component.iter().filter(rest).copied().collect());
                } else if show(self, &component).is_break() {
                    return;
                }
            }
        }
    }

    /// Makes these states a part of their own.
    fn separate(&mut self, states: &[usize]) {
        self.last_part += 1;
        for state in states {
            self.part[*state] = self.last_part;
        }
    }

    /// Whether an edge may be used and stays in the part of its state.
    fn stays(&self, state: usize, edge: usize) -> bool {
        (self.is_edge)(state, edge) && self.part[self.graph.target(state, edge)] == self.part[state]
    }

    /// Whether everything that a b-thread of chance may draw stays in the part.
    fn is_usable(&self, state: usize, draw: &[(usize, u32)]) -> bool {
        draw.iter().all(|(edge, _)| self.stays(state, *edge))
    }

    /// The number of draws after which chance stays in the part.
    fn usable_draws(&self, states: &[usize]) -> usize {
        let usable = |state: &usize| {
            let draws = self.graph.draws_of(*state).iter();
            draws.filter(|draw| self.is_usable(*state, draw)).count()
        };
        states.iter().map(usable).sum()
    }

    /// The edges of a state that stay in its part.
    fn inner_edges(&self, state: usize) -> impl Iterator<Item = usize> {
        let is_drawn = move |edge: usize| {
            let mut draws = self.graph.draws_of(state).iter();
            draws.any(|draw| {
                draw.iter().any(|(drawn, _)| *drawn == edge) && self.is_usable(state, draw)
            })
        };
        (0..self.graph.edges(state)).filter(move |edge| {
            self.stays(state, *edge)
                && (self.graph.is_chosen(state, *edge, self.policy) || is_drawn(*edge))
        })
    }

    fn has_edge(&self, component: &[usize]) -> bool {
        component.iter().any(|state| self.inner_edges(*state).next().is_some())
    }

    /// A b-thread whose `must request` is possible in the component but never happens in it.
    fn unserved(&self, component: &[usize]) -> Option<usize> {
        self.possible(component).find(|thread| {
            !component.iter().any(|state| {
                let mut edges = self.inner_edges(*state);
                edges.any(|edge| self.graph.serves(*state, edge, *thread))
            })
        })
    }

    /// The b-threads whose `must request` is possible in the component.
    fn possible(&self, component: &[usize]) -> impl Iterator<Item = usize> {
        (0..self.graph.hot_threads()).filter(move |thread| {
            component.iter().any(|state| self.graph.is_possible(*state, *thread))
        })
    }

    /// A short cycle of a component through one of its states, in which every `must request` happens
    /// that is possible in the component.
    pub(super) fn cycle(&self, component: &[usize], first: usize) -> GraphWalk {
        let (mut cycle, mut at) = (GraphWalk::new(), first);
        for thread in self.possible(component) {
            let serves = |(state, edge): (usize, usize)| self.graph.serves(state, edge, thread);
            if !cycle.iter().copied().any(serves) {
                cycle.extend(self.way(at, &serves));
                at = self.end_of(&cycle, first);
            }
        }
        if cycle.is_empty() || at != first {
            let returns = |(state, edge)| self.graph.target(state, edge) == first;
            cycle.extend(self.way(at, &returns));
        }
        cycle
    }

    fn end_of(&self, walk: &[(usize, usize)], start: usize) -> usize {
        walk.last().map_or(start, |(state, edge)| self.graph.target(*state, *edge))
    }

    /// The shortest walk from a state, within its part, whose last edge passes the test.
    fn way(&self, start: usize, is_last: &dyn Fn((usize, usize)) -> bool) -> GraphWalk {
        let mut from = vec![None; self.graph.len()];
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            for edge in self.inner_edges(state) {
                if is_last((state, edge)) {
                    return walk(start, (state, edge), &from);
                }
                let target = self.graph.target(state, edge);
                if target != start && from[target].is_none() {
                    from[target] = Some((state, edge));
                    queue.push_back(target);
                }
            }
        }
        GraphWalk::new()
    }

    /// The strongly connected components of some states (Kosaraju's algorithm without recursion).
    fn components(&self, states: &[usize]) -> Vec<Vec<usize>> {
        let mut back: Vec<Vec<usize>> = vec![Vec::new(); self.graph.len()];
        for &state in states {
            for edge in self.inner_edges(state) {
                back[self.graph.target(state, edge)].push(state);
            }
        }
        let mut is_seen = vec![false; self.graph.len()];
        let mut components = Vec::new();
        for state in self.finished(states).into_iter().rev() {
            if is_seen[state] {
                continue;
            }
            let (mut component, mut stack) = (Vec::new(), vec![state]);
            is_seen[state] = true;
            while let Some(state) = stack.pop() {
                component.push(state);
                for &before in &back[state] {
                    if !is_seen[before] {
                        is_seen[before] = true;
                        stack.push(before);
                    }
                }
            }
            components.push(component);
        }
        components
    }

    /// The states in the order in which a depth-first search finishes them.
    fn finished(&self, states: &[usize]) -> Vec<usize> {
        let mut is_seen = vec![false; self.graph.len()];
        let mut finished = Vec::new();
        for &root in states {
            if is_seen[root] {
                continue;
            }
            is_seen[root] = true;
            let mut stack: Vec<(usize, Vec<usize>)> = vec![(root, self.targets(root))];
            while let Some((state, targets)) = stack.last_mut() {
                match targets.pop() {
                    Some(target) if !is_seen[target] => {
                        is_seen[target] = true;
                        stack.push((target, self.targets(target)));
                    }
                    Some(_) => {}
                    None => {
                        finished.push(*state);
                        stack.pop();
                    }
                }
            }
        }
        finished
    }

    fn targets(&self, state: usize) -> Vec<usize> {
        self.inner_edges(state).map(|edge| self.graph.target(state, edge)).collect()
    }
}

/// The states and edges from the first state to the last edge.
fn walk(first: usize, last: (usize, usize), from: &[Option<(usize, usize)>]) -> GraphWalk {
    let mut walk = vec![last];
    let mut state = last.0;
    while state != first
        && let Some((before, edge)) = from[state]
    {
        walk.push((before, edge));
        state = before;
    }
    walk.reverse();
    walk
}
