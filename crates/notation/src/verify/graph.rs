//! The graph of all states of a model.

use std::collections::VecDeque;

use bthread::sorting::sort;
use bthread::{EventSet, OutsideAlphabet};
use checker::{Model, Trace};
use game::ModelActor;
use rustc_hash::FxHashMap;

use crate::event_bits::EventBits;
use crate::text_event::TextEvent;
use crate::text_model::TextModel;

/// All states and edges, with what properties of whole runs need to know.
pub(super) struct ModelGraph {
    states: Vec<GraphState>,
    /// The names of the b-threads that are hot somewhere.
    hot_names: Vec<String>,
    /// The places at which the world chooses.
    places: WorldPlaceNumbers,
    /// The events that are possible at each place.
    place_events: Vec<Vec<u32>>,
    /// Whether one b-thread of the world has all places.
    has_one_chooser: bool,
}

/// The numbers of the places at which the world chooses: by what it has seen, and by which of its
/// events are possible.
type WorldPlaceNumbers = FxHashMap<(usize, Vec<u32>), usize>;

struct GraphState {
    edges: Vec<StateEdge>,
    /// Whether it comes after a result.
    is_over: bool,
    /// The state and the edge from which it was found.
    from: Option<(usize, usize)>,
    hot: Vec<HotThread>,
    /// For each b-thread of chance that can act, the edges that it may draw, with weights.
    draws: Vec<Vec<(usize, u32)>>,
}

/// An event that leads to another state.
struct StateEdge {
    event: TextEvent,
    to: usize,
    /// Whether somebody who knows everything can let it happen.
    is_chosen: bool,
    /// The places at which the world can let it happen, which knows only what it has seen.
    places: Vec<usize>,
}

/// What the world chooses at each place, as far as that is decided.
pub(super) type WorldPolicy = [Option<u32>];

/// A b-thread that must not stay where it is.
struct HotThread {
    number: usize,
    /// Bits of the edges at which it goes on, and of those that it requests.
    advances: Vec<bool>,
    requests: Vec<bool>,
}

impl ModelGraph {
    /// The graph of a model, from the start on in the order of distance; `None` if it has more
    /// states than these.
    pub(super) fn of(
        model: &TextModel,
        most: u64,
    ) -> Result<Option<Self>, OutsideAlphabet<TextEvent>> {
        let mut graph = Self {
            states: Vec::new(),
            hot_names: Vec::new(),
            places: WorldPlaceNumbers::default(),
            place_events: Vec::new(),
            has_one_chooser: model.choosers() == 1,
        };
        let mut numbers = FxHashMap::default();
        let start = model.start();
        numbers.insert(start.clone(), 0);
        graph.states.push(GraphState::found_from(None));
        let mut queue = VecDeque::from([start]);
        let mut number = 0;
        while let Some(state) = queue.pop_front() {
            if graph.states.len() as u64 > most {
                return Ok(None);
            }
            let mut edges = Vec::new();
            model.successors(&state, &mut |event, next| {
                let fresh = numbers.len();
                let to = *numbers.entry(next.clone()).or_insert_with(|| {
                    queue.push_back(next);
                    graph.states.push(GraphState::found_from(Some((number, edges.len()))));
                    fresh
                });
                let event = event.clone();
                edges.push(StateEdge { event, to, is_chosen: false, places: Vec::new() });
            })?;
            graph.states[number].draws = graph.draws(model, &state, &mut edges);
            graph.states[number].hot = graph.inspect(model, &state, &edges);
            graph.states[number].edges = edges;
            graph.states[number].is_over = model.is_over(&state);
            number += 1;
        }
        graph.forget_certain_places();
        Ok(Some(graph))
    }

    /// At a place to which only one state belongs the world knows everything that matters.
    fn forget_certain_places(&mut self) {
        let mut states_at = vec![0_u32; self.place_events.len()];
        for state in &self.states {
            let mut places: Vec<usize> =
                state.edges.iter().flat_map(|edge| edge.places.iter().copied()).collect();
            sort(&mut places);
            places.dedup();
            for place in places {
                states_at[place] += 1;
            }
        }
        for edge in self.states.iter_mut().flat_map(|state| &mut state.edges) {
            let before = edge.places.len();
            edge.places.retain(|place| states_at[*place] > 1);
            edge.is_chosen |= edge.places.len() < before;
        }
    }

    /// What each b-thread of chance may draw in a state. Marks the edges that others choose.
    fn draws(
        &mut self,
        model: &TextModel,
        state: &<TextModel as Model>::State,
        edges: &mut [StateEdge],
    ) -> Vec<Vec<(usize, u32)>> {
        let mut draws = Vec::new();
        // What happens otherwise comes last, and counts only if nobody else can act.
        let mut can_others_act = false;
        model.visit(state, &mut |name, point| {
            let actor = model.actor(name);
            let is_otherwise = matches!(actor, ModelActor::Otherwise | ModelActor::ChanceOtherwise);
            if is_otherwise && can_others_act {
                return;
            }
            let requested: Vec<usize> = (0..edges.len())
                .filter(|edge| point.requests().contains(&edges[*edge].event))
                .collect();
            can_others_act |= !is_otherwise && !requested.is_empty();
            match (actor, model.place(point)) {
                (ModelActor::Chance | ModelActor::ChanceOtherwise, _) => {
                    let weight = |edge: &usize| match actor {
                        ModelActor::Chance => (*edge, model.weight(point, &edges[*edge].event)),
                        _ => (*edge, 1),
                    };
                    let drawn: Vec<(usize, u32)> = requested.iter().map(weight).collect();
                    draws.extend((!drawn.is_empty()).then_some(drawn));
                }
                (ModelActor::Watcher, _) => {}
                // Where only one event is possible there is no choice.
                (_, Some(place)) if requested.len() > 1 => {
                    let events = requested.iter().map(|edge| edges[*edge].event.number()).collect();
                    let place = self.place_number(place, events);
                    for edge in requested {
                        edges[edge].places.push(place);
                    }
                }
                _ => {
                    for edge in requested {
                        edges[edge].is_chosen = true;
                    }
                }
            }
        });
        draws
    }

    fn place_number(&mut self, place: usize, events: Vec<u32>) -> usize {
        let next = self.place_events.len();
        let number = *self.places.entry((place, events.clone())).or_insert(next);
        if number == next {
            self.place_events.push(events);
        }
        number
    }

    /// The places at which the world can let an edge happen.
    pub(super) fn places(&self, state: usize, edge: usize) -> &[usize] {
        &self.states[state].edges[edge].places
    }

    /// Which states can still come to a place of the world; `None` if somebody else than one b-thread
    /// of the world chooses in one of them.
    pub(super) fn decided_alone(&self) -> Option<Vec<bool>> {
        let has_place = |state: &GraphState| state.edges.iter().any(|edge| !edge.places.is_empty());
        let mut sources: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for (number, state) in self.states.iter().enumerate() {
            for edge in &state.edges {
                sources[edge.to].push(number);
            }
        }
        let numbered = self.states.iter().enumerate();
        let mut open: Vec<usize> =
            numbered.filter(|(_, state)| has_place(state)).map(|(number, _)| number).collect();
        let mut is_before = vec![false; self.states.len()];
        while let Some(number) = open.pop() {
            if !std::mem::replace(&mut is_before[number], true) {
                open.extend(&sources[number]);
            }
        }
        let is_decided = |state: &GraphState| {
            let others = state.edges.iter().filter(|edge| edge.is_chosen).count();
            let others = others + state.draws.len();
            others == 0 || others == 1 && !has_place(state)
        };
        let mut before = self.states.iter().zip(&is_before).filter(|(_, is_before)| **is_before);
        let is_alone = self.has_one_chooser && before.all(|(state, _)| is_decided(state));
        is_alone.then_some(is_before)
    }

    /// The events among which the world chooses at each of its places.
    pub(super) fn place_events(&self) -> &[Vec<u32>] {
        &self.place_events
    }

    /// A place of a state at which a policy does not choose yet.
    pub(super) fn open_place(&self, state: usize, policy: &WorldPolicy) -> Option<usize> {
        let places = self.states[state].edges.iter().flat_map(|edge| &edge.places);
        places.copied().find(|place| policy[*place].is_none())
    }

    /// The hot b-threads of a state.
    fn inspect(
        &mut self,
        model: &TextModel,
        state: &<TextModel as Model>::State,
        edges: &[StateEdge],
    ) -> Vec<HotThread> {
        let mut hot = Vec::new();
        model.visit(state, &mut |name, point| {
            if point.is_hot() {
                let known = self.hot_names.iter().position(|known| known == name.as_str());
                let number = known.unwrap_or_else(|| {
                    self.hot_names.push(name.to_string());
                    self.hot_names.len() - 1
                });
                let among = |sets: &[EventSet<TextEvent>], event: &TextEvent| {
                    sets.iter().any(|set| set.contains(event))
                };
                let requests: Vec<bool> =
                    edges.iter().map(|edge| point.requests().contains(&edge.event)).collect();
                let advances = edges.iter().zip(&requests).map(|(edge, is_requested)| {
                    *is_requested
                        || among(point.waits(), &edge.event)
                        || among(point.interrupts(), &edge.event)
                });
                let advances = advances.collect();
                hot.push(HotThread { number, advances, requests });
            }
        });
        hot
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn edges(&self, state: usize) -> usize {
        self.states[state].edges.len()
    }

    pub(super) fn target(&self, state: usize, edge: usize) -> usize {
        self.states[state].edges[edge].to
    }

    /// What each b-thread of chance may draw in a state: edges, with weights.
    pub(super) fn draws_of(&self, state: usize) -> &[Vec<(usize, u32)>] {
        &self.states[state].draws
    }

    /// Whether somebody can let an edge happen who is not chance. The world follows its policy, or
    /// knows everything.
    pub(super) fn is_chosen(
        &self,
        state: usize,
        edge: usize,
        policy: Option<&WorldPolicy>,
    ) -> bool {
        let StateEdge { event, is_chosen, places, .. } = &self.states[state].edges[edge];
        let wants = |place: &usize| {
            policy.is_none_or(|policy| policy.get(*place) == Some(&Some(event.number())))
        };
        *is_chosen || places.iter().any(wants)
    }

    pub(super) fn event(&self, state: usize, edge: usize) -> &TextEvent {
        &self.states[state].edges[edge].event
    }

    /// What may be chosen in a state: one edge, or what a b-thread of chance draws, with weights. The
    /// world follows its policy, or knows everything.
    pub(super) fn choices(
        &self,
        state: usize,
        policy: Option<&WorldPolicy>,
    ) -> Vec<Vec<(usize, u32)>> {
        let chosen = (0..self.edges(state)).filter(|edge| self.is_chosen(state, *edge, policy));
        chosen.map(|edge| vec![(edge, 1)]).chain(self.draws_of(state).iter().cloned()).collect()
    }

    pub(super) fn hot_threads(&self) -> usize {
        self.hot_names.len()
    }

    pub(super) fn hot_name(&self, thread: usize) -> &str {
        &self.hot_names[thread]
    }

    fn hot(&self, state: usize, thread: usize) -> Option<&HotThread> {
        self.states[state].hot.iter().find(|hot| hot.number == thread)
    }

    pub(super) fn is_hot(&self, state: usize, thread: usize) -> bool {
        self.hot(state, thread).is_some()
    }

    /// Whether a hot b-thread goes on at an edge.
    pub(super) fn advances(&self, state: usize, edge: usize, thread: usize) -> bool {
        self.hot(state, thread).is_some_and(|hot| hot.advances[edge])
    }

    /// Whether a hot b-thread requests what happens at an edge.
    pub(super) fn serves(&self, state: usize, edge: usize, thread: usize) -> bool {
        self.hot(state, thread).is_some_and(|hot| hot.requests[edge])
    }

    /// Whether a `must request` of a b-thread is possible in a state.
    pub(super) fn is_possible(&self, state: usize, thread: usize) -> bool {
        self.hot(state, thread).is_some_and(|hot| hot.requests.contains(&true))
    }

    /// A state without successors in which a b-thread is hot.
    pub(super) fn hot_end(&self) -> Option<(usize, &str)> {
        let ends = self.states.iter().enumerate().filter(|(_, state)| state.edges.is_empty());
        let mut hot = ends.filter_map(|(number, state)| Some((number, state.hot.first()?)));
        hot.next().map(|(number, hot)| (number, self.hot_name(hot.number)))
    }

    /// A run that ends with an event outside of a set.
    pub(super) fn wrong_end(&self, set: &EventBits) -> Option<(String, Trace<TextEvent>)> {
        let is_end = |state: usize| self.states[state].edges.is_empty();
        if is_end(0) {
            let trace = Trace { actions: Vec::new(), cycle_from: None };
            return Some(("nothing happens at all".to_owned(), trace));
        }
        for (number, state) in self.states.iter().enumerate() {
            for edge in &state.edges {
                if is_end(edge.to) && !set.contains(edge.event.number()) {
                    let mut trace = self.path_to(number);
                    trace.actions.push(edge.event.clone());
                    return Some((format!("it can end with {}", edge.event), trace));
                }
            }
        }
        None
    }

    /// A run that goes on after a result.
    pub(super) fn after_result(
        &self,
        is_result: impl Fn(&TextEvent) -> bool,
    ) -> Option<(String, Trace<TextEvent>)> {
        let mut over = self.states.iter().enumerate().filter(|(_, state)| state.is_over);
        let (number, edge) =
            over.find_map(|(number, state)| Some((number, state.edges.first()?)))?;
        let mut trace = self.path_to(number);
        trace.actions.push(edge.event.clone());
        let sentence =
            if is_result(&edge.event) { "there is a second result" } else { super::AFTER_RESULT };
        Some((sentence.to_owned(), trace))
    }

    /// A run that ends without a result.
    pub(super) fn end_without_result(&self) -> Option<(String, Trace<TextEvent>)> {
        let is_wrong = |state: &GraphState| state.edges.is_empty() && !state.is_over;
        let number = self.states.iter().position(is_wrong)?;
        Some(("it ends without a result".to_owned(), self.path_to(number)))
    }

    /// The shortest way to a state.
    pub(super) fn path_to(&self, state: usize) -> Trace<TextEvent> {
        let mut actions = Vec::new();
        let mut at = state;
        while let Some((before, edge)) = self.states[at].from {
            actions.push(self.states[before].edges[edge].event.clone());
            at = before;
        }
        actions.reverse();
        Trace { actions, cycle_from: None }
    }

    /// The shortest way to a cycle, and the cycle: states with the edges that leave them.
    pub(super) fn lasso(&self, cycle: &[(usize, usize)]) -> Trace<TextEvent> {
        let Some((first, _)) = cycle.first() else {
            return Trace { actions: Vec::new(), cycle_from: None };
        };
        let mut trace = self.path_to(*first);
        trace.cycle_from = Some(trace.actions.len() as u64);
        let events =
            cycle.iter().map(|(state, edge)| self.states[*state].edges[*edge].event.clone());
        trace.actions.extend(events);
        trace
    }
}

impl GraphState {
    fn found_from(from: Option<(usize, usize)>) -> Self {
        let (edges, hot, draws) = (Vec::new(), Vec::new(), Vec::new());
        Self { edges, is_over: false, from, hot, draws }
    }
}
