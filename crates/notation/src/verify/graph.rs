//! The graph of all states of a model.

use std::collections::VecDeque;
use std::ops::Range;

use bthread::sorting::sort;
use bthread::{EventSet, OutsideAlphabet};
use checker::{Model, Trace};
use game::ModelActor;
use rustc_hash::FxHashMap;

use crate::built::BuiltText;
use crate::event_bits::EventBits;
use crate::text_event::TextEvent;
use crate::text_model::TextModel;

/// All states and edges, with what properties of whole runs need to know.
pub(super) struct ModelGraph {
    text: BuiltText,
    /// For each state the number of its first edge, and at last the number of all edges.
    starts: Vec<u32>,
    edges: Vec<StateEdge>,
    /// Whether each state comes after a result.
    is_over: Vec<bool>,
    /// The state and the edge from which each state was found.
    from: Vec<Option<(u32, u32)>>,
    /// The hot b-threads of states that have some.
    hot: FxHashMap<u32, Box<[HotThread]>>,
    /// For each b-thread of chance that can act in a state, the edges that it may draw, with weights.
    draws: FxHashMap<u32, StateDraws>,
    /// The places at which the world, which knows only what it has seen, can let an edge happen.
    edge_places: FxHashMap<u32, Vec<usize>>,
    /// The names of the b-threads that are hot somewhere.
    hot_names: Vec<String>,
    /// The places at which the world chooses.
    places: WorldPlaceNumbers,
    /// The events that are possible at each place.
    place_events: Vec<Vec<u32>>,
    /// Whether one b-thread of the world has all places.
    has_one_chooser: bool,
}

/// How large a graph may become.
#[derive(Clone, Copy, Debug)]
pub(super) struct GraphBounds {
    pub(super) states: u64,
    /// The memory of all of it, in bytes, about.
    pub(super) bytes: u64,
}

/// A graph would be larger than its bounds allow.
pub(super) struct TooLarge;

/// The numbers of the places at which the world chooses: by what it has seen, and by which of its
/// events are possible.
type WorldPlaceNumbers = FxHashMap<(usize, Vec<u32>), usize>;

/// What each b-thread of chance may draw: edges, with weights.
type StateDraws = Vec<Vec<(usize, u32)>>;

/// An event that leads to another state.
struct StateEdge {
    event: u32,
    to: u32,
    /// Whether somebody who knows everything can let it happen.
    is_chosen: bool,
}

/// What the world chooses at each place, as far as that is decided.
pub(super) type WorldPolicy = [Option<u32>];

/// A b-thread that must not stay where it is.
struct HotThread {
    number: u32,
    /// What each edge of the state is to it.
    edges: Box<[HotEdge]>,
}

/// What an edge is to a hot b-thread.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HotEdge {
    /// It stays.
    Nothing,
    /// It goes on.
    Advances,
    /// It requests the event, and goes on.
    Requested,
}

/// The memory of a state besides its b-threads and edges, and of the smaller parts, in bytes, about.
const STATE_BYTES: u64 = 150;
const EDGE_BYTES: u64 = size_of::<StateEdge>() as u64 * 3 / 2;
const PART_BYTES: u64 = 64;

/// The states between two reports of the progress.
const REPORTED_STATES: usize = 1 << 12;

impl GraphBounds {
    /// Bounds for a model, given the most states that a search may find: each with a dozen edges.
    pub(super) fn of_search(model: &TextModel, states: u64) -> Self {
        let each = model.threads() as u64 + STATE_BYTES + 12 * EDGE_BYTES;
        Self { states, bytes: (1 << 20) + states.saturating_mul(each) }
    }
}

impl ModelGraph {
    /// The graph of a model, from the start on in the order of distance. The listener is told the
    /// number of states whose edges are known.
    pub(super) fn of(
        model: &TextModel,
        bounds: GraphBounds,
        listener: &mut dyn FnMut(u64),
    ) -> Result<Result<Self, TooLarge>, OutsideAlphabet<TextEvent>> {
        let mut graph = Self {
            text: model.text().clone(),
            starts: vec![0],
            edges: Vec::new(),
            is_over: Vec::new(),
            from: vec![None],
            hot: FxHashMap::default(),
            draws: FxHashMap::default(),
            edge_places: FxHashMap::default(),
            hot_names: Vec::new(),
            places: WorldPlaceNumbers::default(),
            place_events: Vec::new(),
            has_one_chooser: model.choosers() == 1,
        };
        let mut numbers: FxHashMap<<TextModel as Model>::State, u32> = FxHashMap::default();
        let start = model.start();
        numbers.insert(start.clone(), 0);
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            if graph.is_beyond(bounds, model) {
                return Ok(Err(TooLarge));
            }
            let number = graph.is_over.len();
            let first = graph.edges.len();
            model.successors(&state, &mut |event, next| {
                let fresh = small(numbers.len());
                let to = *numbers.entry(next.clone()).or_insert_with(|| {
                    queue.push_back(next);
                    let edge = graph.edges.len() - first;
                    graph.from.push(Some((small(number), small(edge))));
                    fresh
                });
                graph.edges.push(StateEdge { event: event.number(), to, is_chosen: false });
            })?;
            graph.starts.push(small(graph.edges.len()));
            graph.is_over.push(model.is_over(&state));
            let events: Vec<TextEvent> =
                graph.edges[first..].iter().map(|edge| graph.text.event(edge.event)).collect();
            graph.draws(model, &state, first, &events);
            graph.inspect(model, &state, &events);
            if graph.is_over.len().is_multiple_of(REPORTED_STATES) {
                listener(graph.is_over.len() as u64);
            }
        }
        graph.forget_certain_places();
        Ok(Ok(graph))
    }

    /// Whether the graph is larger than allowed.
    fn is_beyond(&self, bounds: GraphBounds, model: &TextModel) -> bool {
        let states = self.from.len() as u64;
        let parts = self.hot.len() + self.draws.len() + self.edge_places.len();
        let bytes = states * (model.threads() as u64 + STATE_BYTES)
            + self.edges.len() as u64 * EDGE_BYTES
            + parts as u64 * PART_BYTES;
        let is_numbered = u32::try_from(self.edges.len()).is_ok();
        states > bounds.states || bytes > bounds.bytes || !is_numbered
    }

    /// The numbers of the edges of a state.
    fn range(&self, state: usize) -> Range<usize> {
        self.starts[state] as usize..self.starts[state + 1] as usize
    }

    fn state_edges(&self, state: usize) -> &[StateEdge] {
        &self.edges[self.range(state)]
    }

    fn edge(&self, state: usize, edge: usize) -> &StateEdge {
        &self.edges[self.starts[state] as usize + edge]
    }

    /// At a place to which only one state belongs the world knows everything that matters.
    fn forget_certain_places(&mut self) {
        if self.edge_places.is_empty() {
            return;
        }
        let mut states_at = vec![0_u32; self.place_events.len()];
        for state in 0..self.len() {
            let range = self.range(state);
            let mut places: Vec<usize> =
                range.flat_map(|edge| self.places_of(edge)).copied().collect();
            sort(&mut places);
            places.dedup();
            for place in places {
                states_at[place] += 1;
            }
        }
        for (number, edge) in (0..).zip(&mut self.edges) {
            if let Some(places) = self.edge_places.get_mut(&number) {
                let before = places.len();
                places.retain(|place| states_at[*place] > 1);
                edge.is_chosen |= places.len() < before;
            }
        }
    }

    /// Finds what each b-thread of chance may draw in a state, and marks the edges that others choose.
    fn draws(
        &mut self,
        model: &TextModel,
        state: &<TextModel as Model>::State,
        first: usize,
        events: &[TextEvent],
    ) {
        let mut draws = StateDraws::new();
        // What happens otherwise comes last, and counts only if nobody else can act.
        let mut can_others_act = false;
        model.visit(state, &mut |name, point| {
            let actor = model.actor(name);
            let is_otherwise = matches!(actor, ModelActor::Otherwise | ModelActor::ChanceOtherwise);
            if is_otherwise && can_others_act {
                return;
            }
            let requested: Vec<usize> = (0..events.len())
                .filter(|edge| point.requests().contains(&events[*edge]))
                .collect();
            can_others_act |= !is_otherwise && !requested.is_empty();
            match (actor, model.place(point)) {
                (ModelActor::Chance | ModelActor::ChanceOtherwise, _) => {
                    let weight = |edge: &usize| match actor {
                        ModelActor::Chance => (*edge, model.weight(point, &events[*edge])),
                        _ => (*edge, 1),
                    };
                    let drawn: Vec<(usize, u32)> = requested.iter().map(weight).collect();
                    draws.extend((!drawn.is_empty()).then_some(drawn));
                }
                (ModelActor::Watcher, _) => {}
                // Where only one event is possible there is no choice.
                (_, Some(place)) if requested.len() > 1 => {
                    let numbers = requested.iter().map(|edge| events[*edge].number()).collect();
                    let place = self.place_number(place, numbers);
                    for edge in requested {
                        self.edge_places.entry(small(first + edge)).or_default().push(place);
                    }
                }
                _ => {
                    for edge in requested {
                        self.edges[first + edge].is_chosen = true;
                    }
                }
            }
        });
        if !draws.is_empty() {
            self.draws.insert(small(self.len() - 1), draws);
        }
    }

    fn place_number(&mut self, place: usize, events: Vec<u32>) -> usize {
        let next = self.place_events.len();
        let number = *self.places.entry((place, events.clone())).or_insert(next);
        if number == next {
            self.place_events.push(events);
        }
        number
    }

    fn places_of(&self, edge: usize) -> &[usize] {
        self.edge_places.get(&small(edge)).map_or(&[], Vec::as_slice)
    }

    /// The places at which the world can let an edge happen.
    pub(super) fn places(&self, state: usize, edge: usize) -> &[usize] {
        self.places_of(self.starts[state] as usize + edge)
    }

    /// Which states can still come to a place of the world; `None` if somebody else than one b-thread
    /// of the world chooses in one of them.
    pub(super) fn decided_alone(&self) -> Option<Vec<bool>> {
        let has_place =
            |state: &usize| self.range(*state).any(|edge| !self.places_of(edge).is_empty());
        let mut sources: Vec<Vec<usize>> = vec![Vec::new(); self.len()];
        for state in 0..self.len() {
            for edge in self.state_edges(state) {
                sources[edge.to as usize].push(state);
            }
        }
        let mut open: Vec<usize> = (0..self.len()).filter(has_place).collect();
        let mut is_before = vec![false; self.len()];
        while let Some(number) = open.pop() {
            if !std::mem::replace(&mut is_before[number], true) {
                open.extend(&sources[number]);
            }
        }
        let is_decided = |state: usize| {
            let others = self.state_edges(state).iter().filter(|edge| edge.is_chosen).count();
            let others = others + self.draws_of(state).len();
            others == 0 || others == 1 && !has_place(&state)
        };
        let mut before = (0..self.len()).filter(|state| is_before[*state]);
        let is_alone = self.has_one_chooser && before.all(is_decided);
        is_alone.then_some(is_before)
    }

    /// The events among which the world chooses at each of its places.
    pub(super) fn place_events(&self) -> &[Vec<u32>] {
        &self.place_events
    }

    /// A place of a state at which a policy does not choose yet.
    pub(super) fn open_place(&self, state: usize, policy: &WorldPolicy) -> Option<usize> {
        let places = self.range(state).flat_map(|edge| self.places_of(edge));
        places.copied().find(|place| policy[*place].is_none())
    }

    /// Finds the hot b-threads of the last state.
    fn inspect(
        &mut self,
        model: &TextModel,
        state: &<TextModel as Model>::State,
        events: &[TextEvent],
    ) {
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
                let edge = |event: &TextEvent| {
                    if point.requests().contains(event) {
                        HotEdge::Requested
                    } else if among(point.waits(), event) || among(point.interrupts(), event) {
                        HotEdge::Advances
                    } else {
                        HotEdge::Nothing
                    }
                };
                hot.push(HotThread {
                    number: small(number),
                    edges: events.iter().map(edge).collect(),
                });
            }
        });
        if !hot.is_empty() {
            self.hot.insert(small(self.len() - 1), hot.into());
        }
    }

    pub(super) fn len(&self) -> usize {
        self.is_over.len()
    }

    pub(super) fn edges(&self, state: usize) -> usize {
        self.range(state).len()
    }

    pub(super) fn target(&self, state: usize, edge: usize) -> usize {
        self.edge(state, edge).to as usize
    }

    /// What each b-thread of chance may draw in a state: edges, with weights.
    pub(super) fn draws_of(&self, state: usize) -> &[Vec<(usize, u32)>] {
        self.draws.get(&small(state)).map_or(&[], Vec::as_slice)
    }

    /// Whether somebody can let an edge happen who is not chance. The world follows its policy, or
    /// knows everything.
    pub(super) fn is_chosen(
        &self,
        state: usize,
        edge: usize,
        policy: Option<&WorldPolicy>,
    ) -> bool {
        let StateEdge { event, is_chosen, .. } = self.edge(state, edge);
        let wants =
            |place: &usize| policy.is_none_or(|policy| policy.get(*place) == Some(&Some(*event)));
        *is_chosen || self.places(state, edge).iter().any(wants)
    }

    /// The number of the event of an edge.
    pub(super) fn number(&self, state: usize, edge: usize) -> u32 {
        self.edge(state, edge).event
    }

    pub(super) fn event(&self, state: usize, edge: usize) -> TextEvent {
        self.text.event(self.number(state, edge))
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
        self.hot.get(&small(state))?.iter().find(|hot| hot.number as usize == thread)
    }

    pub(super) fn is_hot(&self, state: usize, thread: usize) -> bool {
        self.hot(state, thread).is_some()
    }

    /// Whether a hot b-thread goes on at an edge.
    pub(super) fn advances(&self, state: usize, edge: usize, thread: usize) -> bool {
        self.hot(state, thread).is_some_and(|hot| hot.edges[edge] != HotEdge::Nothing)
    }

    /// Whether a hot b-thread requests what happens at an edge.
    pub(super) fn serves(&self, state: usize, edge: usize, thread: usize) -> bool {
        self.hot(state, thread).is_some_and(|hot| hot.edges[edge] == HotEdge::Requested)
    }

    /// Whether a `must request` of a b-thread is possible in a state.
    pub(super) fn is_possible(&self, state: usize, thread: usize) -> bool {
        self.hot(state, thread).is_some_and(|hot| hot.edges.contains(&HotEdge::Requested))
    }

    fn is_end(&self, state: usize) -> bool {
        self.edges(state) == 0
    }

    /// A state without successors in which a b-thread is hot.
    pub(super) fn hot_end(&self) -> Option<(usize, &str)> {
        let mut ends = (0..self.len()).filter(|state| self.is_end(*state));
        ends.find_map(|state| {
            let hot = self.hot.get(&small(state))?.first()?;
            Some((state, self.hot_name(hot.number as usize)))
        })
    }

    /// A run that ends with an event outside of a set.
    pub(super) fn wrong_end(&self, set: &EventBits) -> Option<(String, Trace<TextEvent>)> {
        if self.is_end(0) {
            let trace = Trace { actions: Vec::new(), cycle_from: None };
            return Some(("nothing happens at all".to_owned(), trace));
        }
        for state in 0..self.len() {
            for edge in 0..self.edges(state) {
                if self.is_end(self.target(state, edge)) && !set.contains(self.number(state, edge))
                {
                    let mut trace = self.path_to(state);
                    let event = self.event(state, edge);
                    let sentence = format!("it can end with {event}");
                    trace.actions.push(event);
                    return Some((sentence, trace));
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
        let mut over = (0..self.len()).filter(|state| self.is_over[*state]);
        let state = over.find(|state| !self.is_end(*state))?;
        let mut trace = self.path_to(state);
        let event = self.event(state, 0);
        let sentence =
            if is_result(&event) { "there is a second result" } else { super::AFTER_RESULT };
        trace.actions.push(event);
        Some((sentence.to_owned(), trace))
    }

    /// A run that ends without a result.
    pub(super) fn end_without_result(&self) -> Option<(String, Trace<TextEvent>)> {
        let is_wrong = |state: &usize| self.is_end(*state) && !self.is_over[*state];
        let state = (0..self.len()).find(is_wrong)?;
        Some(("it ends without a result".to_owned(), self.path_to(state)))
    }

    /// The shortest way to a state.
    pub(super) fn path_to(&self, state: usize) -> Trace<TextEvent> {
        let mut actions = Vec::new();
        let mut at = state;
        while let Some((before, edge)) = self.from[at] {
            at = before as usize;
            actions.push(self.event(at, edge as usize));
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
        trace.actions.extend(cycle.iter().map(|(state, edge)| self.event(*state, *edge)));
        trace
    }
}

/// A number of a state or an edge. The bounds of a graph keep these small.
fn small(number: usize) -> u32 {
    u32::try_from(number).expect("a graph has fewer than 2^32 states and edges")
}
