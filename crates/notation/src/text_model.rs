//! A text as a model for the checker.

mod bookkeeping;
mod choice;

use bthread::{
    AnyBThread, BThread, ClosedStateSpace, EventSet, Name, OutsideAlphabet, Program, ProgramError,
    StateSpace, Status, SyncPoint, request_any,
};
use checker::{BProgram, Model, ModelExplorer, ThreadFinder, Trace, ViolationFinder};
use game::{ModelActor, Seat, Seats};
use rustc_hash::FxHashMap;

use self::bookkeeping::{RESULT, ScoreKeeper, result_keeper};
use self::choice::TextChoice;
use crate::b_threads::{BThreadMaker, ThreadForm, is_weighted, place};
use crate::built::{BuiltText, BuiltThread};
use crate::syntax::{TextForm, ThreadRoleWord};
use crate::text_event::TextEvent;
use crate::world_histories::WorldHistories;

/// All states of a text, and every event that may happen in each.
///
/// In a game, rules come first and then strategies, by priority; seats without strategies are free
/// and may move in every state in which no rule requests anything, also after a result. In a
/// program every request that is not blocked is possible.
pub struct TextModel {
    inner: BProgram<ClosedStateSpace<TextEvent>, TextChoice>,
    choice: TextChoice,
    text: BuiltText,
    weights: DrawWeights,
    /// The requirements that end only by interrupts, by their numbers in the program.
    endless_requirements: Vec<usize>,
    options: ModelOptions,
    places: WorldPlaces,
    /// How many b-threads of the world choose by what they have seen.
    choosers: usize,
}

/// The states in which the world chooses by what it has seen, by the sets that it waits for then,
/// with numbers.
type WorldPlaces = FxHashMap<EventSet<TextEvent>, usize>;

/// The histories of b-threads of the world, by name.
type Histories = FxHashMap<Name, WorldHistories>;

/// What the world knows where it chooses.
#[derive(Debug)]
pub(crate) enum WorldKnowledge {
    /// It has no choice that depends on what it has seen.
    Everything,
    /// Each b-thread knows what it has seen, in this model.
    WhatItSaw(Box<TextModel>),
    /// That is too much to tell apart.
    TooMuch,
}

/// The weights of what chance draws, by the sets that its b-threads wait for then.
type DrawWeights = FxHashMap<EventSet<TextEvent>, Vec<(u32, u32)>>;

/// Which b-threads a model has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelOptions {
    /// The seats that are free although they have strategies.
    pub free: Vec<Seat>,
    /// The b-threads or families that are left out.
    pub without: Vec<String>,
}

/// Why a text is no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAModel {
    /// No b-thread has this name.
    #[error("no b-thread is called {0:?}")]
    NoSuchThread(String),
    /// The b-threads are no program.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A b-thread requests an event that does not exist.
    #[error(transparent)]
    Alphabet(#[from] OutsideAlphabet<TextEvent>),
}

impl BuiltText {
    /// The model of this text.
    ///
    /// # Errors
    /// If a b-thread that is left out does not exist.
    pub fn model(&self, options: &ModelOptions) -> Result<TextModel, NotAModel> {
        for name in &options.without {
            if !self.threads().iter().any(|thread| thread.name.is(name)) {
                return Err(NotAModel::NoSuchThread(name.clone()));
            }
        }
        self.model_with(options, &Histories::default())
    }

    fn model_with(
        &self,
        options: &ModelOptions,
        histories: &Histories,
    ) -> Result<TextModel, NotAModel> {
        let maker = BThreadMaker::new(&self.0.names);
        let mut parts = ModelParts { text: self, histories, maker, actors: Vec::new() };
        parts.add_threads(options);
        parts.add_bookkeeping();
        let actors = parts.actors.iter().map(|(thread, actor)| (thread.name().clone(), *actor));
        let choice = TextChoice::new(self.form(), actors);
        let program = Program::new(parts.actors.into_iter().map(|(thread, _)| thread))?;
        let space = program.closed_space(self.events())?;
        let inner = BProgram::new(space, choice.clone());
        let endless_requirements = self.endless_requirements(inner.space().program());
        let (weights, places) = (self.draw_weights(), self.world_places(histories));
        let (text, options) = (self.clone(), options.clone());
        let choosers = histories.len();
        Ok(TextModel {
            inner,
            choice,
            text,
            weights,
            endless_requirements,
            options,
            places,
            choosers,
        })
    }

    fn endless_requirements(&self, program: &Program<TextEvent>) -> Vec<usize> {
        let is_meant = |thread: &&BuiltThread| {
            thread.role == ThreadRoleWord::Require && thread.table.ends_only_by_interrupts()
        };
        let wanted: Vec<&Name> =
            self.threads().iter().filter(is_meant).map(|thread| &thread.name).collect();
        let threads = program.threads().iter().enumerate();
        let found = threads.filter(|(_, thread)| wanted.contains(&thread.name()));
        found.map(|(number, _)| number).collect()
    }

    fn world_places(&self, histories: &Histories) -> WorldPlaces {
        let mut places = WorldPlaces::default();
        for thread in self.threads() {
            let choices = histories.get(&thread.name).map(|known| known.choices.as_slice());
            for state in choices.unwrap_or_default() {
                let number = places.len();
                places.insert(place(&thread.name, *state), number);
            }
        }
        places
    }

    fn draw_weights(&self) -> DrawWeights {
        let maker = BThreadMaker::new(&self.0.names);
        let chances = self.threads().iter().filter(|thread| thread.role == ThreadRoleWord::Chance);
        let points = chances.flat_map(|thread| &thread.table.states);
        let weighted = points.filter(|point| is_weighted(point));
        weighted.map(|point| (maker.drawn(point), point.requests.clone())).collect()
    }
}

/// Collects the b-threads of a model.
struct ModelParts<'a> {
    text: &'a BuiltText,
    histories: &'a Histories,
    maker: BThreadMaker<'a>,
    actors: Vec<(AnyBThread<TextEvent>, ModelActor)>,
}

impl ModelParts<'_> {
    /// Adds all b-threads of the text, what free seats may do, and what happens otherwise.
    fn add_threads(&mut self, options: &ModelOptions) {
        let text = self.text;
        let is_left_out =
            |thread: &BuiltThread| options.without.iter().any(|name| thread.name.is(name));
        let present: Vec<&BuiltThread> =
            text.threads().iter().filter(|thread| !is_left_out(thread)).collect();
        let is_free = |seat: Seat| options.free.contains(&seat);
        let mut players = Seats::NONE;
        for role in ORDER {
            for thread in present.iter().filter(|thread| order(thread.role) == order(role)) {
                let actor = match (thread.role, thread.seat) {
                    (ThreadRoleWord::Strategy, Some(seat)) if is_free(seat) => continue,
                    (ThreadRoleWord::Strategy, Some(seat)) => {
                        players = players.with(seat);
                        ModelActor::Strategy(seat)
                    }
                    (ThreadRoleWord::Chance, _) => ModelActor::Chance,
                    (ThreadRoleWord::Require, _) => ModelActor::Watcher,
                    _ => ModelActor::Rule,
                };
                let (name, form) = (thread.name.clone(), ThreadForm::Modelled);
                let made = match self.histories.get(&name) {
                    Some(histories) => self.maker.remembering(name, histories),
                    None => self.maker.thread(name, thread.role, &thread.table, form),
                };
                self.actors.push((made, actor));
            }
        }
        self.add_free_seats(players);
        self.add_last_resorts(&present, |role| role != ThreadRoleWord::Chance);
        self.add_last_resorts(&present, |role| role == ThreadRoleWord::Chance);
    }

    /// Adds what b-threads of some roles request where nothing else can happen.
    fn add_last_resorts(
        &mut self,
        present: &[&BuiltThread],
        is_meant: impl Fn(ThreadRoleWord) -> bool,
    ) {
        for thread in present.iter().filter(|thread| is_meant(thread.role)) {
            if thread.table.states.iter().any(|point| !point.otherwise.is_empty()) {
                let name = Name::from(format!("otherwise of {}", thread.name));
                let form = ThreadForm::Otherwise;
                let made = self.maker.thread(name, thread.role, &thread.table, form);
                let actor = match thread.role {
                    ThreadRoleWord::Chance => ModelActor::ChanceOtherwise,
                    _ => ModelActor::Otherwise,
                };
                self.actors.push((made, actor));
            }
        }
    }

    /// A seat without strategies may make any move at any time.
    fn add_free_seats(&mut self, players: Seats) {
        for (number, seat) in (0..).zip(self.text.seats()) {
            let moves = (0..).zip(&self.text.0.meanings.events);
            let moves = moves.filter(|(_, meaning)| meaning.mover == Some(number));
            let moves: Vec<TextEvent> = moves.map(|(event, _)| self.text.event(event)).collect();
            let is_free = Seat::new(number).is_some_and(|seat| !players.contains(seat));
            if is_free && !moves.is_empty() {
                let thread = BThread::new(format!("any move of {seat}"));
                let thread = thread.then(request_any(moves)).forever();
                self.actors.push((thread.into(), ModelActor::FreeSeat));
            }
        }
    }

    /// The result and the scores are part of a state.
    fn add_bookkeeping(&mut self) {
        if self.text.form() == TextForm::Program {
            return;
        }
        self.actors.push((result_keeper(self.text), ModelActor::Watcher));
        let scores = ScoreKeeper::of(self.text).map(|keeper| BThread::behaving("scores", keeper));
        self.actors.extend(scores.map(|thread| (thread, ModelActor::Watcher)));
    }
}

/// The roles in order of priority. Rules, threads and the world stand in the order of the text.
const ORDER: [ThreadRoleWord; 4] = [
    ThreadRoleWord::Rule,
    ThreadRoleWord::Chance,
    ThreadRoleWord::Strategy,
    ThreadRoleWord::Require,
];

fn order(role: ThreadRoleWord) -> u8 {
    match role {
        ThreadRoleWord::Rule | ThreadRoleWord::Thread | ThreadRoleWord::World => 0,
        ThreadRoleWord::Chance => 1,
        ThreadRoleWord::Strategy => 2,
        ThreadRoleWord::Require => 3,
    }
}

impl TextModel {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &BuiltText {
        &self.text
    }

    /// The number of its b-threads, with those of free seats and of the bookkeeping.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.inner.space().program().threads().len()
    }

    /// Whether a state of a game comes after a result.
    #[must_use]
    pub fn is_over(&self, state: &<Self as Model>::State) -> bool {
        // The keeper of the result waits for results until there is one.
        self.text.form() == TextForm::Game
            && self.inner.sync_point(state, RESULT).is_some_and(|point| point.waits().is_empty())
    }

    /// Whether nothing can happen in a state.
    pub(crate) fn is_end(&self, state: &<Self as Model>::State) -> bool {
        let mut is_end = true;
        let shown = self.successors(state, &mut |_, _| is_end = false);
        shown.is_ok() && is_end
    }

    /// Whether an event is a result of the game.
    pub(crate) fn is_result(&self, event: &TextEvent) -> bool {
        let meaning = self.text.0.meanings.events.get(event.number() as usize);
        meaning.is_some_and(|meaning| meaning.result.is_some())
    }

    /// Calls `show` with the sync points of all b-threads in a state.
    pub fn visit(
        &self,
        state: &<Self as Model>::State,
        show: &mut dyn FnMut(&Name, &SyncPoint<TextEvent>),
    ) {
        self.inner.space().visit(state, show);
    }

    /// The actor behind a b-thread.
    #[must_use]
    pub fn actor(&self, thread: &Name) -> ModelActor {
        self.choice.actor(thread)
    }

    /// How likely it is that the b-thread of chance at a sync point draws an event that it requests,
    /// compared with the others.
    pub(crate) fn weight(&self, point: &SyncPoint<TextEvent>, event: &TextEvent) -> u32 {
        let Some(weights) = point.waits().iter().find_map(|set| self.weights.get(set)) else {
            return 1;
        };
        let own = weights.iter().filter(|(number, _)| *number == event.number());
        own.fold(0, |sum, (_, weight)| weight.saturating_add(sum))
    }

    /// The number of a sync point at which the world chooses by what it has seen.
    pub(crate) fn place(&self, point: &SyncPoint<TextEvent>) -> Option<usize> {
        point.waits().iter().find_map(|set| self.places.get(set)).copied()
    }

    /// How many b-threads of the world choose by what they have seen.
    pub(crate) fn choosers(&self) -> usize {
        self.choosers
    }

    /// The model in which the states of b-threads of the world tell what they have seen.
    pub(crate) fn world_knowledge(&self) -> Result<WorldKnowledge, NotAModel> {
        let mut histories = Histories::default();
        let is_left_out =
            |thread: &BuiltThread| self.options.without.iter().any(|name| thread.name.is(name));
        let worlds = self.text.threads().iter();
        for thread in worlds.filter(|thread| thread.role == ThreadRoleWord::World) {
            if is_left_out(thread) {
                continue;
            }
            match WorldHistories::of(&thread.table) {
                Ok(None) => {}
                Ok(Some(found)) => drop(histories.insert(thread.name.clone(), found)),
                Err(_) => return Ok(WorldKnowledge::TooMuch),
            }
        }
        if histories.is_empty() {
            return Ok(WorldKnowledge::Everything);
        }
        let model = self.text.model_with(&self.options, &histories)?;
        Ok(WorldKnowledge::WhatItSaw(Box::new(model)))
    }

    /// Replays a trace, and returns an explanation of each step.
    #[must_use]
    pub fn replay(&self, trace: &Trace<TextEvent>) -> Vec<bthread::StepExplanation<TextEvent>> {
        self.inner.replay(trace)
    }
}

impl Model for TextModel {
    type State = bthread::PackedState;
    type Action = TextEvent;
    type Error = OutsideAlphabet<TextEvent>;

    fn start(&self) -> Self::State {
        self.inner.start()
    }

    fn successors(
        &self,
        state: &Self::State,
        show: &mut dyn FnMut(&TextEvent, Self::State),
    ) -> Result<(), Self::Error> {
        self.inner.successors(state, show)
    }

    fn explorer(&self) -> ModelExplorer<'_, Self> {
        self.inner.explorer()
    }

    /// A game that is over is not stuck.
    fn status(&self, state: &Self::State) -> Status {
        match self.inner.status(state) {
            Status::Stuck if self.is_over(state) => Status::Waiting,
            status => status,
        }
    }

    fn violations(&self, state: &Self::State, show: &mut dyn FnMut(&str, &str)) {
        self.inner.violations(state, show);
    }

    fn violation_finder(&self) -> ViolationFinder<'_, Self::State> {
        self.inner.violation_finder()
    }

    fn hot(&self, state: &Self::State, show: &mut dyn FnMut(&str)) {
        self.inner.hot(state, show);
    }

    fn hot_finder(&self) -> ThreadFinder<'_, Self::State> {
        self.inner.hot_finder()
    }

    fn interrupted(&self, state: &Self::State, show: &mut dyn FnMut(&str)) {
        self.inner.ended(state, &self.endless_requirements, show);
    }

    fn interrupted_finder(&self) -> ThreadFinder<'_, Self::State> {
        self.inner.ended_finder(&self.endless_requirements)
    }

    fn remedy_for_interrupts(&self) -> &'static str {
        "`either` with `or` and `wait for` lets it watch again"
    }

    fn remedy_for_unfair_runs(&self) -> Option<&'static str> {
        None
    }

    fn knows(&self, name: &str) -> bool {
        self.inner.knows(name)
    }

    fn may_be_hot(&self) -> bool {
        self.inner.may_be_hot()
    }
}

impl std::fmt::Debug for TextModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("TextModel").field(&self.text).finish()
    }
}
