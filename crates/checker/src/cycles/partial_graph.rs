//! A part of the graph of all states.

use std::collections::VecDeque;
use std::ops::Range;

use super::Cycles;

/// Some places of the graph and the edges between them, numbered anew: the cost of a question
/// depends on them only.
pub(super) struct PartialGraph<'a> {
    places: &'a [u32],
    offsets: Vec<u32>,
    successors: Vec<u32>,
    /// The numbers of the edges in the whole graph.
    edges: Vec<u32>,
}

impl<'a> PartialGraph<'a> {
    /// The graph of these places, which are in order.
    pub(super) fn new(cycles: &Cycles, places: &'a [u32]) -> Self {
        let mut graph =
            Self { places, offsets: vec![0], successors: Vec::new(), edges: Vec::new() };
        for place in places {
            for edge in cycles.offsets[*place as usize]..cycles.offsets[*place as usize + 1] {
                if let Ok(next) = places.binary_search(&cycles.successors[edge as usize]) {
                    graph.successors.push(number(next));
                    graph.edges.push(edge);
                }
            }
            graph.offsets.push(number(graph.successors.len()));
        }
        graph
    }

    fn len(&self) -> usize {
        self.places.len()
    }

    fn edges_from(&self, place: usize) -> Range<usize> {
        self.offsets[place] as usize..self.offsets[place + 1] as usize
    }

    fn successors(&self, place: usize) -> &[u32] {
        &self.successors[self.edges_from(place)]
    }

    /// The place to which an edge leads.
    pub(super) fn target(&self, edge: usize) -> usize {
        self.successors[edge] as usize
    }

    /// The number of an edge in the whole graph.
    pub(super) fn whole_edge(&self, edge: usize) -> u32 {
        self.edges[edge]
    }

    /// The numbers of all edges in the whole graph.
    pub(super) fn whole_edges(&self) -> &[u32] {
        &self.edges
    }

    fn is_cyclic(&self, place: usize, components: &[u32]) -> bool {
        let mut next = self.successors(place).iter();
        next.any(|next| components[*next as usize] == components[place])
    }

    /// The components in which a run can stay, as places of the whole graph, each in order.
    pub(super) fn cyclic_components(&self) -> Vec<Vec<u32>> {
        let components = self.components();
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); components.len()];
        for (place, component) in components.iter().enumerate() {
            if self.is_cyclic(place, &components) {
                lists[*component as usize].push(self.places[place]);
            }
        }
        lists.retain(|list| !list.is_empty());
        lists
    }

    /// The edges of a shortest way from a place to an edge that passes the test, and along it.
    pub(super) fn way(&self, first: usize, is_last: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        // For each place that was found, the place before it and the edge between them.
        let mut came_from: Vec<Option<(usize, usize)>> = vec![None; self.len()];
        let mut queue = VecDeque::from([first]);
        while let Some(place) = queue.pop_front() {
            for edge in self.edges_from(place) {
                let next = self.target(edge);
                if is_last(edge) {
                    let mut way = vec![edge];
                    let mut at = place;
                    while at != first
                        && let Some((before, edge)) = came_from[at]
                    {
                        way.push(edge);
                        at = before;
                    }
                    way.reverse();
                    return Some(way);
                }
                if next != first && came_from[next].is_none() {
                    came_from[next] = Some((place, edge));
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// The strongly connected component of each place (Tarjan's algorithm with an explicit stack
    /// instead of recursion).
    fn components(&self) -> Vec<u32> {
        let mut tarjan = Tarjan {
            graph: self,
            indices: vec![None; self.len()],
            low: vec![0; self.len()],
            components: vec![None; self.len()],
            open: Vec::new(),
            next_index: 0,
            next_component: 0,
        };
        for place in 0..self.len() {
            if tarjan.indices[place].is_none() {
                tarjan.visit(place);
            }
        }
        tarjan.components.into_iter().flatten().collect()
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 edges fit into memory")
}

struct Tarjan<'a> {
    graph: &'a PartialGraph<'a>,
    indices: Vec<Option<u32>>,
    low: Vec<u32>,
    components: Vec<Option<u32>>,
    /// Visited places without a component.
    open: Vec<usize>,
    next_index: u32,
    next_component: u32,
}

impl Tarjan<'_> {
    fn visit(&mut self, root: usize) {
        // Each entry is a place and the number of its successors that were visited.
        let mut stack = vec![(root, 0)];
        self.enter(root);
        while let Some((place, seen)) = stack.last_mut() {
            let place = *place;
            let next = self.graph.successors(place).get(*seen).map(|next| *next as usize);
            *seen += 1;
            match next {
                Some(next) if self.components[next].is_some() => {}
                Some(next) => {
                    if let Some(index) = self.indices[next] {
                        self.low[place] = self.low[place].min(index);
                    } else {
                        self.enter(next);
                        stack.push((next, 0));
                    }
                }
                None => {
                    stack.pop();
                    self.leave(place);
                    if let Some((parent, _)) = stack.last() {
                        self.low[*parent] = self.low[*parent].min(self.low[place]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, place: usize) {
        self.indices[place] = Some(self.next_index);
        self.low[place] = self.next_index;
        self.next_index += 1;
        self.open.push(place);
    }

    /// Completes the component of a place if it is the root of one.
    fn leave(&mut self, place: usize) {
        if Some(self.low[place]) != self.indices[place] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.components[member] = Some(self.next_component);
            if member == place {
                break;
            }
        }
        self.next_component += 1;
    }
}
