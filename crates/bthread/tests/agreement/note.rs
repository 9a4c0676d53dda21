//! Records of what a run shows: its choices and its steps, in order.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use bthread::{
    Candidate, Choices, FreeEnvironment, Name, Observer, Priority, Random, Step, StepExplanation,
    Strategy, SyncPointPriority,
};

use crate::spec::Signal;

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// The strategy chose among these.
    Choice(Vec<Possibility>),
    /// The strategy could choose these.
    Possible(Vec<Signal>),
    /// This event was about to happen.
    Step(StepExplanation<Signal>),
    /// The superstep was undone.
    Undone,
}

/// The signals of one superstep.
pub(crate) fn events(notes: &[Note]) -> Vec<Signal> {
    let event = |note: &Note| match note {
        Note::Step(step) => Some(step.event),
        Note::Choice(_) | Note::Possible(_) | Note::Undone => None,
    };
    notes.iter().filter_map(event).collect()
}

/// A signal that can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Possibility {
    pub(crate) event: Signal,
    pub(crate) thread: Name,
    pub(crate) priority: Option<i32>,
}

/// The strategy of a case.
#[derive(Clone, Debug)]
pub(crate) enum PolicySpec {
    First,
    Random(u64),
    SyncPointPriority(u64),
    /// With the b-threads or families that play the environment.
    FreeEnvironment(Vec<String>, u64),
}

/// A list of notes. It is not part of the value of a strategy, so all notebooks are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notebook(Rc<RefCell<Vec<Note>>>);

impl Notebook {
    fn add(&self, note: Note) {
        self.0.borrow_mut().push(note);
    }

    /// Removes and returns all notes.
    pub(crate) fn take(&self) -> Vec<Note> {
        self.0.take()
    }
}

impl PartialEq for Notebook {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Notebook {}

impl Hash for Notebook {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// A strategy that records the choices and leaves them to another one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NotingStrategy {
    policy: Policy,
    notebook: Notebook,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Policy {
    First(Priority),
    Random(Random),
    SyncPointPriority(SyncPointPriority),
    FreeEnvironment(FreeEnvironment),
}

impl NotingStrategy {
    pub(crate) fn new(policy: &PolicySpec, notebook: &Notebook) -> Self {
        let policy = match policy {
            PolicySpec::First => Policy::First(Priority),
            PolicySpec::Random(seed) => Policy::Random(Random::seeded(*seed)),
            PolicySpec::SyncPointPriority(seed) => {
                Policy::SyncPointPriority(SyncPointPriority::seeded(*seed))
            }
            PolicySpec::FreeEnvironment(environment, seed) => {
                Policy::FreeEnvironment(FreeEnvironment::seeded(environment, *seed))
            }
        };
        Self { policy, notebook: notebook.clone() }
    }
}

impl Strategy<Signal> for NotingStrategy {
    fn choose<'a>(&mut self, choices: &Choices<'a, Signal>) -> Candidate<'a, Signal> {
        self.notebook.add(Note::Choice(possibilities(choices)));
        let possible = self.possible(choices);
        self.notebook.add(Note::Possible(possible.iter().map(|each| *each.event()).collect()));
        match &mut self.policy {
            Policy::First(strategy) => strategy.choose(choices),
            Policy::Random(strategy) => strategy.choose(choices),
            Policy::SyncPointPriority(strategy) => strategy.choose(choices),
            Policy::FreeEnvironment(strategy) => strategy.choose(choices),
        }
    }

    fn possible<'a>(&self, choices: &Choices<'a, Signal>) -> Vec<Candidate<'a, Signal>> {
        match &self.policy {
            Policy::First(strategy) => strategy.possible(choices),
            Policy::Random(strategy) => strategy.possible(choices),
            Policy::SyncPointPriority(strategy) => strategy.possible(choices),
            Policy::FreeEnvironment(strategy) => strategy.possible(choices),
        }
    }
}

/// All possible signals. The different methods that return them must agree.
fn possibilities(choices: &Choices<'_, Signal>) -> Vec<Possibility> {
    let about = |each: &Candidate<'_, Signal>| (*each.event(), each.thread().clone());
    let all: Vec<_> = choices.all().iter().map(about).collect();
    let ranked = choices.with_priorities();
    assert_eq!(all.first(), Some(&about(&choices.first())));
    assert_eq!(all, ranked.iter().map(|(_, each)| about(each)).collect::<Vec<_>>());
    let possibility = |(priority, each): (Option<i32>, Candidate<'_, Signal>)| {
        let (event, thread) = about(&each);
        Possibility { event, thread, priority }
    };
    ranked.into_iter().map(possibility).collect()
}

impl Observer<Signal> for Notebook {
    fn step(&mut self, step: &Step<'_, Signal>) {
        let explanation = step.explain();
        assert_eq!((&explanation.event, &explanation.cause), (step.event(), &step.cause()));
        self.add(Note::Step(explanation));
    }

    fn undone(&mut self) {
        self.add(Note::Undone);
    }
}
