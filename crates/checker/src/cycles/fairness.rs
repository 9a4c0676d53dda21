//! Cycles that are fair: a hot request that is possible again and again happens.

use std::collections::BTreeSet;

use bthread::sorting::sort;

use super::partial_graph::PartialGraph;
use super::{CYCLIC, Cycles};

/// Which hot requests are possible, and which happen.
#[derive(Default)]
pub(super) struct HotRequests {
    /// For each place, the hot b-threads with a request that is possible there.
    pub(super) possible: ThreadLists,
    /// For each edge, the hot b-threads that request its action.
    pub(super) granted: ThreadLists,
}

/// Lists of b-threads by their numbers, one after the other.
#[derive(Default)]
pub(super) struct ThreadLists {
    items: Vec<u32>,
    /// Where each list ends.
    ends: Vec<usize>,
}

impl ThreadLists {
    /// Adds a list.
    pub(super) fn push(&mut self, list: &[u32]) {
        self.items.extend(list);
        self.ends.push(self.items.len());
    }

    fn of(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start..self.ends[number]]
    }

    /// The items of some lists, in order, each once.
    fn items_of(&self, numbers: &[u32]) -> Vec<u32> {
        let mut items: Vec<u32> =
            numbers.iter().flat_map(|number| self.of(*number)).copied().collect();
        sort(&mut items);
        items.dedup();
        items
    }
}

impl Cycles {
    /// The nearest of the largest sets in which every hot request that is possible somewhere also
    /// happens somewhere. From a component in which one is possible and never happens, a fair run
    /// leaves out the places where it is possible.
    pub(super) fn fair_component(
        &self,
        requests: &HotRequests,
        places: &[u32],
    ) -> Option<Vec<u32>> {
        let mut left = vec![places.to_vec()];
        let mut nearest: Option<Vec<u32>> = None;
        while let Some(places) = left.pop() {
            for members in PartialGraph::new(self, &places).cyclic_components() {
                if nearest.as_ref().is_some_and(|known| known[0] < members[0]) {
                    continue;
                }
                let neglected = self.neglected(requests, &members);
                if neglected.is_empty() {
                    nearest = Some(members);
                } else {
                    let is_neglected = |place: &u32| {
                        let mut possible = requests.possible.of(*place).iter();
                        possible.any(|thread| neglected.binary_search(thread).is_ok())
                    };
                    left.push(members.into_iter().filter(|place| !is_neglected(place)).collect());
                }
            }
        }
        nearest
    }

    /// The hot b-threads whose requests are possible in a component and do not happen in it.
    fn neglected(&self, requests: &HotRequests, members: &[u32]) -> Vec<u32> {
        let mut neglected = requests.possible.items_of(members);
        if !neglected.is_empty() {
            let inside = PartialGraph::new(self, members);
            let granted = requests.granted.items_of(inside.whole_edges());
            neglected.retain(|thread| granted.binary_search(thread).is_err());
        }
        neglected
    }
}

/// A way round through the first place of a fair component, on which every hot request happens that
/// is possible at one of its places.
pub(super) fn fair_cycle(
    graph: &PartialGraph<'_>,
    requests: &HotRequests,
    members: &[u32],
) -> Vec<usize> {
    let possible = |place: usize| requests.possible.of(members[place]);
    let granted = |edge: usize| requests.granted.of(graph.whole_edge(edge));
    let mut cycle: Vec<usize> = Vec::new();
    let mut at = 0;
    let mut happened: BTreeSet<u32> = BTreeSet::new();
    // What is possible at a place of the cycle and has not happened yet.
    let mut due: BTreeSet<u32> = possible(at).iter().copied().collect();
    while cycle.is_empty() || at != 0 || !due.is_empty() {
        let way = if due.is_empty() {
            graph.way(at, |edge| graph.target(edge) == 0)
        } else {
            graph.way(at, |edge| granted(edge).iter().any(|thread| due.contains(thread)))
        };
        for edge in way.expect(CYCLIC) {
            cycle.push(edge);
            at = graph.target(edge);
            happened.extend(granted(edge));
            due.extend(possible(at));
        }
        due.retain(|thread| !happened.contains(thread));
    }
    cycle
}
