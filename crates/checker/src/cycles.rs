//! Cycles in which b-threads stay hot.

mod fairness;
mod partial_graph;

use bthread::Name;
use bthread::sorting::sort;
use foldhash::quality::FixedState;
use hashbrown::HashMap;

use self::fairness::{HotRequests, fair_cycle};
use self::partial_graph::PartialGraph;
use crate::inspect::{Inspector, StateExplorer};
use crate::model::Model;
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

/// A cycle that can be reached from the start.
pub(crate) struct Lasso {
    /// The state of the cycle that is nearest to the start.
    pub(crate) start: Id,
    /// The way round: of each state, the number of the step among those to states that were found.
    pub(crate) steps: Vec<u32>,
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
        let mut explorer = inspector.explorer();
        for (place, id) in (0..).zip(store.discovered()) {
            let state = store.state(id).expect("states are kept where cycles are asked for");
            explorer.hot(state, &mut |name| cycles.add_hot(name, place));
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
        explorer: &mut StateExplorer<'_, M>,
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
            let granted = wanted.iter().filter(|(_, wanted)| wanted == action);
            let granted: Vec<u32> = granted.map(|(thread, _)| *thread).collect();
            possible.extend(&granted);
            let Some(id) = store.find(&next) else { return };
            successors.push(places[id as usize]);
            if let Some(requests) = requests {
                requests.granted.push(&granted);
            }
        })?;
        if let Some(requests) = requests {
            requests.possible.push(&possible);
        }
        self.offsets.push(u32::try_from(self.successors.len()).expect("edges fit into memory"));
        Ok(())
    }

    /// The nearest cycle in which some b-thread is hot at all times.
    pub(crate) fn hot_system_lasso(&self, fairness: Fairness) -> Option<Lasso> {
        let mut places: Vec<u32> = self.hot.iter().flatten().copied().collect();
        sort(&mut places);
        places.dedup();
        let component = self.component(&places, fairness)?;
        Some(self.lasso(&component, "some b-thread is always hot", fairness))
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
        let components = threads.filter_map(|number| {
            self.component(&self.hot[number as usize], fairness).map(|places| (places, number))
        });
        let (places, number) = components.min_by_key(|(places, _)| places[0])?;
        let what = format!("{} is hot", self.names[number as usize]);
        Some(self.lasso(&places, &what, fairness))
    }

    /// The nearest of the largest sets, among some places in order, in which a run can stay for ever.
    fn component(&self, places: &[u32], fairness: Fairness) -> Option<Vec<u32>> {
        if let (Fairness::HotRequests, Some(requests)) = (fairness, &self.requests) {
            return self.fair_component(requests, places);
        }
        let components = PartialGraph::new(self, places).cyclic_components();
        components.into_iter().min_by_key(|members| members[0])
    }

    /// A short way round in a component, from the place nearest to the start.
    fn lasso(&self, members: &[u32], what: &str, fairness: Fairness) -> Lasso {
        let graph = PartialGraph::new(self, members);
        let edges = match (fairness, &self.requests) {
            (Fairness::HotRequests, Some(requests)) => fair_cycle(&graph, requests, members),
            _ => graph.way(0, |edge| graph.target(edge) == 0).expect(CYCLIC),
        };
        let mut at = members[0];
        let steps = edges.into_iter().map(|edge| {
            let edge = graph.whole_edge(edge);
            let step = edge - self.offsets[at as usize];
            at = self.successors[edge as usize];
            step
        });
        let steps = steps.collect();
        let sentence = format!("the program can run for ever while {what}");
        Lasso { start: self.ids[members[0] as usize], steps, sentence }
    }
}

/// Why a way is found.
const CYCLIC: &str = "every place of a component can be reached from every other one";
