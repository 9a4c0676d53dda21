//! Cycles in which b-threads stay hot.

use std::collections::VecDeque;

use bthread::Name;
use bthread::sorting::sort;
use foldhash::quality::FixedState;
use hashbrown::HashMap;

use crate::inspect::Inspector;
use crate::model::{Model, ModelExplorer};
use crate::property::{Fairness, Property};
use crate::store::{Id, Store};

/// The graph of all stored states, with the hot b-threads of each.
///
/// The place of a state is its rank in the order of discovery, so the smallest place
/// is nearest to the start.
pub(crate) struct Cycles {
    ids: Vec<Id>,
    /// Where the successors of each place begin, and where those of the last place end.
    offsets: Vec<u32>,
    successors: Vec<u32>,
    /// For each hot b-thread, the places where it is hot, in order.
    hot: Vec<Vec<u32>>,
    names: Vec<String>,
    /// The numbers of the hot b-threads by name, and by family.
    numbers: HashMap<String, Vec<u32>, FixedState>,
    /// The hot requests, if a property assumes that they are treated fairly.
    requests: Option<HotRequests>,
}

/// Which hot requests are possible, and which happen.
#[derive(Default)]
struct HotRequests {
    /// For each place, the hot b-threads with a request that is possible there.
    possible: Vec<Vec<u32>>,
    /// For each edge, the hot b-threads that request its action.
    granted: Vec<Vec<u32>>,
}

/// A cycle that can be reached from the start.
pub(crate) struct Lasso {
    /// The states of the cycle, beginning with the nearest to the start.
    pub(crate) states: Vec<Id>,
    pub(crate) sentence: String,
}

impl Cycles {
    pub(crate) fn find<M: Model>(
        inspector: &Inspector<'_, M>,
        store: &Store<M::State>,
    ) -> Result<Self, M::Error> {
        let is_fair = |property: &Property<M>| property.fairness == Fairness::HotRequests;
        let is_fair = inspector.properties.iter().any(is_fair);
        let mut cycles = Self {
            ids: store.discovered().collect(),
            offsets: vec![0],
            successors: Vec::new(),
            hot: Vec::new(),
            names: Vec::new(),
            numbers: HashMap::default(),
            requests: is_fair.then(HotRequests::default),
        };
        if !inspector.model.may_be_hot() {
            cycles.ids.clear();
            return Ok(cycles);
        }
        let places = cycles.places();
        let mut explorer = inspector.model.explorer();
        for (place, id) in (0..).zip(store.discovered()) {
            let state = store.state(id).expect("states are kept where cycles are asked for");
            inspector.model.hot(state, &mut |name| cycles.add_hot(name, place));
            cycles.add_successors(inspector, &mut explorer, store, &places, state)?;
        }
        for (number, name) in (0..).zip(&cycles.names) {
            let family = Name::from(name.as_str());
            if family.family() != name {
                cycles.numbers.entry_ref(family.family()).or_default().push(number);
            }
        }
        Ok(cycles)
    }

    fn add_hot(&mut self, name: &str, place: u32) {
        let Self { hot, names, numbers, .. } = self;
        let known = numbers.entry_ref(name).or_insert_with(|| {
            names.push(name.to_owned());
            hot.push(Vec::new());
            vec![u32::try_from(hot.len() - 1).expect("b-threads fit into memory")]
        });
        if let Some(number) = known.first() {
            hot[*number as usize].push(place);
        }
    }

    /// The place of each state, by its id.
    fn places(&self) -> Vec<u32> {
        let last = self.ids.iter().max().map_or(0, |id| *id as usize + 1);
        let mut places = vec![0; last];
        for (place, id) in (0..).zip(&self.ids) {
            places[*id as usize] = place;
        }
        places
    }

    fn add_successors<M: Model>(
        &mut self,
        inspector: &Inspector<'_, M>,
        explorer: &mut ModelExplorer<'_, M>,
        store: &Store<M::State>,
        places: &[u32],
        state: &M::State,
    ) -> Result<(), M::Error> {
        let Self { successors, requests, numbers, .. } = self;
        let mut wanted: Vec<(u32, M::Action)> = Vec::new();
        if requests.is_some() {
            inspector.model.hot_requests(state, &mut |name, action| {
                let number = numbers.get(name).and_then(|numbers| numbers.first());
                wanted.extend(number.map(|number| (*number, action.clone())));
            });
        }
        let mut possible = Vec::new();
        inspector.each_step(state, explorer, &mut |action, next| {
            let Some(id) = store.find(&next) else { return };
            successors.push(places[id as usize]);
            if let Some(requests) = requests {
                let granted = wanted.iter().filter(|(_, wanted)| wanted == action);
                let granted: Vec<u32> = granted.map(|(thread, _)| *thread).collect();
                possible.extend(&granted);
                requests.granted.push(granted);
            }
        })?;
        if let Some(requests) = requests {
            requests.possible.push(possible);
        }
        self.offsets.push(u32::try_from(self.successors.len()).expect("edges fit into memory"));
        Ok(())
    }

    /// The nearest cycle in which some b-thread is hot at all times.
    pub(crate) fn hot_system_lasso(&self, fairness: Fairness) -> Option<Lasso> {
        let mut places: Vec<u32> = self.hot.iter().flatten().copied().collect();
        sort(&mut places);
        places.dedup();
        let states = self.lasso(&places, fairness)?;
        let sentence = "the program can run for ever while some b-thread is always hot";
        Some(Lasso { states: self.ids_of(&states), sentence: sentence.to_owned() })
    }

    /// The nearest cycle in which one b-thread is always hot.
    pub(crate) fn hot_thread_lasso(&self, fairness: Fairness) -> Option<Lasso> {
        self.nearest_lasso((0..).zip(&self.names).map(|(number, _)| number), fairness)
    }

    /// The nearest cycle in which the b-thread of this name, or one of this family, is always hot.
    pub(crate) fn hot_lasso_of(&self, name: &str, fairness: Fairness) -> Option<Lasso> {
        self.nearest_lasso(self.numbers.get(name)?.iter().copied(), fairness)
    }

    fn nearest_lasso(
        &self,
        threads: impl Iterator<Item = u32>,
        fairness: Fairness,
    ) -> Option<Lasso> {
        let lassos = threads.filter_map(|number| {
            self.lasso(&self.hot[number as usize], fairness).map(|places| (places, number))
        });
        let (places, number) = lassos.min_by_key(|(places, _)| places[0])?;
        let name = &self.names[number as usize];
        let sentence = format!("the program can run for ever while {name} is hot");
        Some(Lasso { states: self.ids_of(&places), sentence })
    }

    fn ids_of(&self, places: &[u32]) -> Vec<Id> {
        places.iter().map(|place| self.ids[*place as usize]).collect()
    }

    /// The nearest cycle through some places, which are in order.
    fn lasso(&self, places: &[u32], fairness: Fairness) -> Option<Vec<u32>> {
        match (fairness, &self.requests) {
            (Fairness::HotRequests, Some(requests)) => self.fair_lasso(requests, places),
            _ => self.any_lasso(places),
        }
    }

    fn any_lasso(&self, places: &[u32]) -> Option<Vec<u32>> {
        let graph = PartialGraph::new(self, places);
        let components = graph.components();
        let first = (0..places.len()).find(|place| graph.is_cyclic(*place, &components))?;
        let cycle = graph.shortest_cycle(first, &components);
        Some(cycle.into_iter().map(|place| places[place]).collect())
    }

    /// A cycle in which every hot request that is possible somewhere also happens somewhere. In a
    /// component in which one is possible and never happens, a fair run avoids the places where it
    /// is possible.
    fn fair_lasso(&self, requests: &HotRequests, places: &[u32]) -> Option<Vec<u32>> {
        let mut left = vec![places.to_vec()];
        let mut found: Vec<Vec<u32>> = Vec::new();
        while let Some(places) = left.pop() {
            let graph = PartialGraph::new(self, &places);
            for component in graph.cyclic_components() {
                let members: Vec<u32> = component.iter().map(|place| places[*place]).collect();
                let neglected = self.neglected(requests, &members);
                if neglected.is_empty() {
                    found.push(self.tour(&members));
                } else {
                    let is_neglected = |place: &u32| {
                        let possible = &requests.possible[*place as usize];
                        possible.iter().any(|thread| neglected.contains(thread))
                    };
                    left.push(members.into_iter().filter(|place| !is_neglected(place)).collect());
                }
            }
        }
        found.into_iter().min_by_key(|tour| tour[0])
    }

    /// The hot b-threads whose requests are possible in a component and do not happen in it.
    fn neglected(&self, requests: &HotRequests, members: &[u32]) -> Vec<u32> {
        let possible = members.iter().flat_map(|place| &requests.possible[*place as usize]);
        let mut neglected: Vec<u32> = possible.copied().collect();
        sort(&mut neglected);
        neglected.dedup();
        for place in members {
            for edge in self.offsets[*place as usize]..self.offsets[*place as usize + 1] {
                if members.binary_search(&self.successors[edge as usize]).is_ok() {
                    let granted = &requests.granted[edge as usize];
                    neglected.retain(|thread| !granted.contains(thread));
                }
            }
        }
        neglected
    }

    /// A cycle through all edges of a component, one after the other.
    fn tour(&self, members: &[u32]) -> Vec<u32> {
        let graph = PartialGraph::new(self, members);
        let mut tour = vec![0];
        for from in 0..members.len() {
            for to in graph.successors(from) {
                let at = *tour.last().expect("it begins at the first place");
                tour.extend(graph.way(at, from).into_iter().skip(1));
                tour.push(*to as usize);
            }
        }
        let at = *tour.last().expect("it begins at the first place");
        tour.extend(graph.way(at, 0).into_iter().skip(1));
        tour.pop();
        tour.into_iter().map(|place| members[place]).collect()
    }
}

/// Some places of the graph and the edges between them, numbered anew: the cost of a question
/// depends on them only.
struct PartialGraph {
    offsets: Vec<u32>,
    successors: Vec<u32>,
}

impl PartialGraph {
    fn new(cycles: &Cycles, places: &[u32]) -> Self {
        let (mut offsets, mut successors) = (vec![0], Vec::new());
        for place in places {
            let all = &cycles.offsets[*place as usize..][..2];
            let all = &cycles.successors[all[0] as usize..all[1] as usize];
            let inside = all.iter().filter_map(|next| places.binary_search(next).ok());
            successors.extend(inside.map(number));
            offsets.push(number(successors.len()));
        }
        Self { offsets, successors }
    }

    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    fn successors(&self, place: usize) -> &[u32] {
        &self.successors[self.offsets[place] as usize..self.offsets[place + 1] as usize]
    }

    fn is_cyclic(&self, place: usize, components: &[u32]) -> bool {
        let mut next = self.successors(place).iter();
        next.any(|next| components[*next as usize] == components[place])
    }

    /// The components in which a run can stay, each in order.
    fn cyclic_components(&self) -> Vec<Vec<usize>> {
        let components = self.components();
        let mut lists: Vec<Vec<usize>> = vec![Vec::new(); components.len()];
        for (place, component) in components.iter().enumerate() {
            lists[*component as usize].push(place);
        }
        lists.retain(|list| {
            list.first().is_some_and(|first| list.len() > 1 || self.is_cyclic(*first, &components))
        });
        lists
    }

    /// The places of a shortest way, from the first to the last.
    fn way(&self, first: usize, last: usize) -> Vec<usize> {
        let mut came_from = vec![None; self.len()];
        let mut queue = VecDeque::from([first]);
        while let Some(place) = queue.pop_front() {
            if place == last {
                return path(last, first, &came_from);
            }
            for &next in self.successors(place) {
                let next = next as usize;
                if next != first && came_from[next].is_none() {
                    came_from[next] = Some(place);
                    queue.push_back(next);
                }
            }
        }
        vec![first]
    }

    /// The shortest cycle through a place within its component.
    fn shortest_cycle(&self, first: usize, components: &[u32]) -> Vec<usize> {
        let mut came_from = vec![None; self.len()];
        let mut queue = VecDeque::from([first]);
        while let Some(place) = queue.pop_front() {
            for &next in self.successors(place) {
                let next = next as usize;
                if next == first {
                    return path(place, first, &came_from);
                }
                if components[next] == components[first] && came_from[next].is_none() {
                    came_from[next] = Some(place);
                    queue.push_back(next);
                }
            }
        }
        vec![first]
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

/// The places from the first one to the last, given the predecessor of each.
fn path(last: usize, first: usize, came_from: &[Option<usize>]) -> Vec<usize> {
    let mut path = vec![last];
    let mut place = last;
    while place != first
        && let Some(before) = came_from[place]
    {
        path.push(before);
        place = before;
    }
    path.reverse();
    path
}

struct Tarjan<'a> {
    graph: &'a PartialGraph,
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
