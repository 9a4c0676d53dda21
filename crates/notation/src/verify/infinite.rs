//! Runs that never end, given what is assumed to be fair.
//!
//! A `must request` that is possible again and again happens at last, and what chance may draw
//! again and again is drawn at last. Nothing else is assumed to be fair. A set of states can be
//! visited for ever if it is strongly connected without edges that chance would leave it by, and if
//! it serves every `must request` that is possible in it. If it does not serve one, the states in
//! which that one is possible cannot be visited for ever, and the rest is looked at again.

use std::collections::VecDeque;

use super::graph::ModelGraph;

/// Whether an edge of a state may be used.
type EdgeTest<'a> = &'a dyn Fn(usize, usize) -> bool;

/// A cycle of a fair run that never leaves certain states and uses certain edges only: the states,
/// each with the edge that leaves it.
pub(super) fn endless(
    graph: &ModelGraph,
    is_state: &dyn Fn(usize) -> bool,
    is_edge: EdgeTest<'_>,
) -> Option<Vec<(usize, usize)>> {
    let mut search = FairSearch {
        graph,
        is_edge,
        part: vec![0; graph.len()],
        undrawn: vec![false; graph.len()],
    };
    let first: Vec<usize> = (0..graph.len()).filter(|state| is_state(*state)).collect();
    let mut next_part = 1;
    let mut open = vec![first];
    while let Some(states) = open.pop() {
        for state in &states {
            search.part[*state] = next_part;
        }
        next_part += 1;
        for component in search.components(&states) {
            for state in &component {
                search.part[*state] = next_part;
            }
            next_part += 1;
            if !search.has_edge(&component) {
                continue;
            }
            if search.stop_drawing(&component) {
                open.push(component);
            } else if let Some(thread) = search.unserved(&component) {
                let rest = |state: &&usize| !graph.is_possible(**state, thread);
                open.push(component.iter().filter(rest).copied().collect());
            } else {
                return Some(search.cycle(&component));
            }
        }
    }
    None
}

/// Whether a run that is not fair can leave a `must request` waiting for ever: one is possible in a
/// state to which events lead back.
pub(super) fn may_wait_at_must(graph: &ModelGraph) -> bool {
    if graph.hot_threads() == 0 {
        return false;
    }
    let (part, undrawn) = (vec![0; graph.len()], vec![false; graph.len()]);
    let search = FairSearch { graph, is_edge: &|_, _| true, part, undrawn };
    let all: Vec<usize> = (0..graph.len()).collect();
    let is_possible =
        |state: &usize| (0..graph.hot_threads()).any(|each| graph.is_possible(*state, each));
    search.components(&all).iter().any(|component| {
        let goes_round = match **component {
            [only] => search.targets(only).contains(&only),
            _ => true,
        };
        goes_round && component.iter().any(is_possible)
    })
}

struct FairSearch<'a> {
    graph: &'a ModelGraph,
    is_edge: EdgeTest<'a>,
    /// The part that each state belongs to. Edges between parts are not used.
    part: Vec<usize>,
    /// States in which chance does not act, because it would leave for good.
    undrawn: Vec<bool>,
}

impl FairSearch<'_> {
    /// The edges of a state that stay in its part.
    fn inner_edges(&self, state: usize) -> impl Iterator<Item = usize> {
        (0..self.graph.edges(state)).filter(move |edge| {
            let is_usable = !(self.undrawn[state] && self.graph.is_drawn(state, *edge));
            is_usable
                && (self.is_edge)(state, *edge)
                && self.part[self.graph.target(state, *edge)] == self.part[state]
        })
    }

    fn has_edge(&self, component: &[usize]) -> bool {
        component.iter().any(|state| self.inner_edges(*state).next().is_some())
    }

    /// Finds states in which chance may leave the component, and says whether there were new ones.
    fn stop_drawing(&mut self, component: &[usize]) -> bool {
        let mut is_new = false;
        for &state in component {
            let graph = self.graph;
            let leaves = |edge: usize| {
                graph.is_drawn(state, edge)
                    && (!(self.is_edge)(state, edge)
                        || self.part[graph.target(state, edge)] != self.part[state])
            };
            if !self.undrawn[state] && (0..graph.edges(state)).any(leaves) {
                self.undrawn[state] = true;
                is_new = true;
            }
        }
        is_new
    }

    /// A b-thread whose `must request` is possible in the component but never happens in it.
    fn unserved(&self, component: &[usize]) -> Option<usize> {
        (0..self.graph.hot_threads()).find(|thread| {
            let is_possible = component.iter().any(|state| self.graph.is_possible(*state, *thread));
            let is_served = || {
                component.iter().any(|state| {
                    let mut edges = self.inner_edges(*state);
                    edges.any(|edge| self.graph.serves(*state, edge, *thread))
                })
            };
            is_possible && !is_served()
        })
    }

    /// The shortest cycle through the first state of a component that lies on one.
    fn cycle(&self, component: &[usize]) -> Vec<(usize, usize)> {
        let first = component.iter().copied().min().unwrap_or(0);
        let mut from = vec![None; self.graph.len()];
        let mut queue = VecDeque::from([first]);
        while let Some(state) = queue.pop_front() {
            for edge in self.inner_edges(state) {
                let target = self.graph.target(state, edge);
                if target == first {
                    return walk(first, (state, edge), &from);
                }
                if from[target].is_none() {
                    from[target] = Some((state, edge));
                    queue.push_back(target);
                }
            }
        }
        Vec::new()
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
fn walk(
    first: usize,
    last: (usize, usize),
    from: &[Option<(usize, usize)>],
) -> Vec<(usize, usize)> {
    let mut cycle = vec![last];
    let mut state = last.0;
    while state != first
        && let Some((before, edge)) = from[state]
    {
        cycle.push((before, edge));
        state = before;
    }
    cycle.reverse();
    cycle
}
