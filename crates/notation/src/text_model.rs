//! A text as a model for the checker.

mod bookkeeping;
mod choice;

use bthread::{
    AnyBThread, BThread, ClosedStateSpace, Name, OutsideAlphabet, Program, ProgramError, Status,
    request_any,
};
use checker::{BProgram, Model, Trace};
use game::{Seat, Seats};

use self::bookkeeping::{RESULT, ScoreKeeper, result_keeper};
use self::choice::TextChoice;
pub(crate) use self::choice::ThreadClass;
use crate::b_threads::{BThreadMaker, ThreadForm};
use crate::built::{BuiltText, BuiltThread};
use crate::syntax::{TextForm, ThreadRoleWord};
use crate::text_event::TextEvent;

/// All states of a text, and every event that may happen in each.
///
/// In a game, rules come first and then strategies, by priority; seats without strategies are free
/// and may move in every state in which no rule requests anything, also after a result. In a
/// program every request that is not blocked is possible.
pub struct TextModel {
    inner: BProgram<ClosedStateSpace<TextEvent>, TextChoice>,
    choice: TextChoice,
    text: BuiltText,
}

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
        let mut parts =
            ModelParts { text: self, maker: BThreadMaker::new(&self.0.names), classed: Vec::new() };
        parts.add_threads(options);
        parts.add_bookkeeping();
        let classes = parts.classed.iter().map(|(thread, class)| (thread.name().clone(), *class));
        let choice = TextChoice::new(self.form(), classes);
        let program = Program::new(parts.classed.into_iter().map(|(thread, _)| thread))?;
        let space = program.closed_space(self.events())?;
        let inner = BProgram::new(space, choice.clone());
        Ok(TextModel { inner, choice, text: self.clone() })
    }
}

/// Collects the b-threads of a model.
struct ModelParts<'a> {
    text: &'a BuiltText,
    maker: BThreadMaker<'a>,
    classed: Vec<(AnyBThread<TextEvent>, ThreadClass)>,
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
                let class = match (thread.role, thread.seat) {
                    (ThreadRoleWord::Strategy, Some(seat)) if is_free(seat) => continue,
                    (ThreadRoleWord::Strategy, Some(seat)) => {
                        players = players.with(seat);
                        ThreadClass::Strategy(seat)
                    }
                    (ThreadRoleWord::Chance, _) => ThreadClass::Chance,
                    (ThreadRoleWord::Require, _) => ThreadClass::Watcher,
                    _ => ThreadClass::Rule,
                };
                let (name, form) = (thread.name.clone(), ThreadForm::Modelled);
                self.classed
                    .push((self.maker.thread(name, thread.role, &thread.table, form), class));
            }
        }
        self.add_free_seats(players);
        for thread in &present {
            if thread.table.states.iter().any(|point| !point.otherwise.is_empty()) {
                let name = Name::from(format!("otherwise of {}", thread.name));
                let form = ThreadForm::Otherwise;
                let made = self.maker.thread(name, thread.role, &thread.table, form);
                self.classed.push((made, ThreadClass::Otherwise));
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
                self.classed.push((thread.into(), ThreadClass::FreeSeat));
            }
        }
    }

    /// The result and the scores are part of a state.
    fn add_bookkeeping(&mut self) {
        if self.text.form() == TextForm::Program {
            return;
        }
        self.classed.push((result_keeper(self.text), ThreadClass::Watcher));
        let scores = ScoreKeeper::of(self.text).map(|keeper| BThread::behaving("scores", keeper));
        self.classed.extend(scores.map(|thread| (thread, ThreadClass::Watcher)));
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

    /// Whether a state of a game comes after a result.
    #[must_use]
    pub fn is_over(&self, state: &<Self as Model>::State) -> bool {
        // The keeper of the result waits for results until there is one.
        self.text.form() == TextForm::Game
            && self.inner.sync_point(state, RESULT).is_some_and(|point| point.waits().is_empty())
    }

    /// The sync points of all b-threads in a state.
    pub(crate) fn visit(
        &self,
        state: &<Self as Model>::State,
        show: &mut dyn FnMut(&Name, &bthread::SyncPoint<TextEvent>),
    ) {
        bthread::StateSpace::visit(self.inner.space(), state, show);
    }

    pub(crate) fn class(&self, thread: &Name) -> Option<ThreadClass> {
        self.choice.class(thread)
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

    fn hot(&self, state: &Self::State, show: &mut dyn FnMut(&str)) {
        self.inner.hot(state, show);
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
