//! B-programs as a model.

use bthread::{
    Candidate, Choices, ClosedStateSpace, Event, FreeEnvironment, Limits, NotSymmetric, Observer,
    OutsideAlphabet, Permutation, Program, Random, StateSpace, Status, Step, StepExplanation,
    Strategy, SyncPoint, SyncPointPriority,
};

use crate::model::{Model, ModelExplorer, ThreadFinder, ViolationFinder};
use crate::report::Trace;

/// The states of a b-program, and every event that its strategy may choose.
///
/// [`BProgram::exhaustive`] follows every possible event, [`BProgram::against`]
/// every choice of an environment, and [`BProgram::new`] the choices of any
/// strategy.
///
/// Nothing is triggered from outside: a b-thread must request what a person may do.
///
/// ```
/// use bthread::{BThread, Program, request, request_any, wait_for};
/// use checker::{BProgram, Checker, Property, Verdict};
///
/// let lamp = BThread::new("Lamp").then(wait_for("press")).then(request("on")).forever();
/// let person = BThread::new("Person").then(request_any(["press", "leave"])).forever();
/// let program = Program::new([lamp, person])?;
///
/// // The lamp has priority; the person does anything when the lamp requests nothing.
/// let model = BProgram::against(program.space(), ["Person"]);
/// let lights_up = Property::happens("the lamp lights up", |event| *event == "on");
/// let report = Checker::new(&model).property(lights_up).run()?;
/// assert_eq!(report.verdict(), Verdict::Holds);
/// assert_eq!(report.findings[0].trace.as_ref().unwrap().to_string(), "press, on");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BProgram<P: StateSpace, S> {
    space: P,
    strategy: S,
    /// The numbers of all b-threads in the order of their names.
    by_name: Vec<usize>,
    /// The b-threads that may report a violation.
    may_be_violated: Vec<usize>,
    /// The b-threads that may be hot.
    may_be_hot: Vec<usize>,
    /// The b-threads whose scripts repeat for ever, although an interrupt can end them.
    may_be_interrupted: Vec<usize>,
    symmetries: Vec<Permutation>,
}

impl<P: StateSpace, S: Strategy<P::Event> + Sync> BProgram<P, S> {
    /// The b-program in which this strategy chooses.
    pub fn new(space: P, strategy: S) -> Self {
        let program = space.program();
        let may_be_violated = program.threads_that_may_reach(is_violated);
        let may_be_hot = program.threads_that_may_reach(SyncPoint::is_hot);
        let may_be_interrupted = program.threads_that_interrupts_end();
        let mut by_name: Vec<usize> = (0..program.threads().len()).collect();
        by_name.sort_unstable_by_key(|number| program.threads()[*number].name().as_str());
        Self {
            space,
            strategy,
            by_name,
            may_be_violated,
            may_be_hot,
            may_be_interrupted,
            symmetries: Vec::new(),
        }
    }

    /// The state space of the program.
    pub fn space(&self) -> &P {
        &self.space
    }

    /// The sync point of a b-thread in a state, unless it has ended.
    pub fn sync_point(&self, state: &P::State, thread: &str) -> Option<SyncPoint<P::Event>> {
        let mut number = self.number(thread).into_iter();
        let mut found = None;
        self.space.visit_some(state, &mut number, &mut |_, point| found = Some(point.clone()));
        found
    }

    /// The number of the b-thread of this name in the program.
    fn number(&self, thread: &str) -> Option<usize> {
        let threads = self.space.program().threads();
        let place =
            self.by_name.binary_search_by(|number| threads[*number].name().as_str().cmp(thread));
        place.ok().map(|place| self.by_name[place])
    }

    /// Calls `show` with the names of those of some b-threads, by their numbers in the program, that
    /// have ended in a state.
    pub fn ended(&self, state: &P::State, threads: &[usize], show: &mut dyn FnMut(&str)) {
        self.ended_finder(threads)(state, show);
    }

    /// A function that does what [`BProgram::ended`] does. It is faster if the states that follow each
    /// other are similar.
    pub fn ended_finder<'a>(&'a self, threads: &'a [usize]) -> ThreadFinder<'a, P::State> {
        let mut watch = self.space.watch(threads, |point| point.is_none());
        Box::new(move |state, show| watch(state, &mut |name, _| show(name.as_str())))
    }

    /// Replays a trace, and returns an explanation of each step.
    ///
    /// It stops before a step that the program cannot take.
    pub fn replay(&self, trace: &Trace<P::Event>) -> Vec<StepExplanation<P::Event>> {
        replay(self.space.program(), &trace.actions)
    }
}

// The strategies below need a seed to choose one event. A checker follows all of
// them, so any seed does.

impl<P: StateSpace> BProgram<P, Random> {
    /// The b-program in which every event may happen that is requested and not blocked.
    pub fn exhaustive(space: P) -> Self {
        Self::new(space, Random::seeded(0))
    }
}

impl<P: StateSpace> BProgram<P, SyncPointPriority> {
    /// The b-program in which every request of the highest priority of a sync point may
    /// happen (see [`SyncPointPriority`]).
    pub fn by_sync_point_priority(space: P) -> Self {
        Self::new(space, SyncPointPriority::seeded(0))
    }
}

impl<P: StateSpace> BProgram<P, FreeEnvironment> {
    /// The b-program that follows its priorities, against an environment that may do anything:
    /// the b-threads or families of these names (see [`FreeEnvironment`]).
    pub fn against(space: P, environment: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::new(space, FreeEnvironment::seeded(environment, 0))
    }
}

impl<E: Event> BProgram<ClosedStateSpace<E>, Random> {
    /// Declares symmetries: functions from events to events. A search that uses symmetry
    /// visits one state for all that they map to each other.
    ///
    /// Only exhaustive b-programs have symmetries, because priorities prefer some events
    /// to others.
    ///
    /// # Errors
    /// If one of them does not map the program to itself.
    pub fn symmetric<F: Fn(&E) -> E>(
        mut self,
        symmetries: impl IntoIterator<Item = F>,
    ) -> Result<Self, NotSymmetric<E>> {
        let symmetries = symmetries.into_iter().map(|to| self.space.permutation(to));
        self.symmetries = symmetries.collect::<Result<_, _>>()?;
        Ok(self)
    }
}

impl<P: StateSpace, S: Strategy<P::Event> + Sync> Model for BProgram<P, S> {
    type State = P::State;
    type Action = P::Event;
    type Error = OutsideAlphabet<P::Event>;

    fn start(&self) -> P::State {
        self.space.start()
    }

    fn successors(
        &self,
        state: &P::State,
        show: &mut dyn FnMut(&P::Event, P::State),
    ) -> Result<(), OutsideAlphabet<P::Event>> {
        self.space.successors(state, &self.strategy, show)
    }

    fn explorer(&self) -> ModelExplorer<'_, Self> {
        self.space.explore(&self.strategy)
    }

    fn representative(&self, state: P::State) -> P::State {
        self.space.representative(state, &self.symmetries)
    }

    fn status(&self, state: &P::State) -> Status {
        self.space.status(state)
    }

    fn violations(&self, state: &P::State, show: &mut dyn FnMut(&str, &str)) {
        let mut threads = self.may_be_violated.iter().copied();
        self.space.visit_some(state, &mut threads, &mut |name, point| {
            if let Some(sentence) = point.violated() {
                show(name.as_str(), sentence);
            }
        });
    }

    fn violation_finder(&self) -> ViolationFinder<'_, P::State> {
        let is_violated = |point: Option<&SyncPoint<_>>| point.is_some_and(is_violated);
        let mut watch = self.space.watch(&self.may_be_violated, is_violated);
        Box::new(move |state, show| {
            watch(state, &mut |name, point| {
                if let Some(sentence) = point.and_then(SyncPoint::violated) {
                    show(name.as_str(), sentence);
                }
            });
        })
    }

    fn hot_finder(&self) -> ThreadFinder<'_, P::State> {
        let is_hot = |point: Option<&SyncPoint<_>>| point.is_some_and(SyncPoint::is_hot);
        let mut watch = self.space.watch(&self.may_be_hot, is_hot);
        Box::new(move |state, show| watch(state, &mut |name, _| show(name.as_str())))
    }

    fn interrupted_finder(&self) -> ThreadFinder<'_, P::State> {
        self.ended_finder(&self.may_be_interrupted)
    }

    fn hot_requests(&self, state: &P::State, show: &mut dyn FnMut(&str, &P::Event)) {
        let mut threads = self.may_be_hot.iter().copied();
        self.space.visit_some(state, &mut threads, &mut |name, point| {
            if point.is_hot() {
                point.requests().iter().for_each(|event| show(name.as_str(), event));
            }
        });
    }

    fn interrupted(&self, state: &P::State, show: &mut dyn FnMut(&str)) {
        self.ended(state, &self.may_be_interrupted, show);
    }

    fn may_report(&self, thread: &str) -> bool {
        self.number(thread)
            .is_some_and(|number| self.may_be_violated.binary_search(&number).is_ok())
    }

    fn knows(&self, name: &str) -> bool {
        self.space.program().named(name).next().is_some()
    }

    fn objection(&self) -> Option<String> {
        let unknown = self.strategy.names().iter().find(|name| !self.knows(name));
        unknown.map(|name| format!("the strategy refers to {name}, but no b-thread has that name"))
    }

    fn may_be_hot(&self) -> bool {
        !self.may_be_hot.is_empty()
    }

    fn hot(&self, state: &P::State, show: &mut dyn FnMut(&str)) {
        let mut threads = self.may_be_hot.iter().copied();
        self.space.visit_some(state, &mut threads, &mut |name, point| {
            if point.is_hot() {
                show(name.as_str());
            }
        });
    }
}

fn is_violated<E: Event>(point: &SyncPoint<E>) -> bool {
    point.violated().is_some()
}

/// Replays events, and returns an explanation of each step.
fn replay<E: Event>(program: &Program<E>, events: &[E]) -> Vec<StepExplanation<E>> {
    let strategy = FollowTrace { events: events.to_vec(), next: 0 };
    let limits = Limits { steps: events.len() as u64, ..Limits::default() };
    let mut recorder = Recorder { expected: events, steps: Vec::new(), has_deviated: false };
    // The limit is the length of the trace, so the run may end with an error.
    drop(program.start_with(strategy, limits, &mut recorder));
    recorder.steps
}

/// Chooses the events of a list one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct FollowTrace<E> {
    events: Vec<E>,
    next: usize,
}

impl<E: Event> Strategy<E> for FollowTrace<E> {
    fn choose<'a>(&mut self, choices: &Choices<'a, E>) -> Candidate<'a, E> {
        let wanted = self.events.get(self.next);
        self.next += 1;
        let mut all = choices.all().into_iter();
        all.find(|each| Some(each.event()) == wanted).unwrap_or_else(|| choices.first())
    }
}

/// Collects explanations as long as the expected events happen.
struct Recorder<'a, E: Event> {
    expected: &'a [E],
    steps: Vec<StepExplanation<E>>,
    /// Whether another event happened.
    has_deviated: bool,
}

impl<E: Event> Observer<E> for Recorder<'_, E> {
    fn step(&mut self, step: &Step<'_, E>) {
        self.has_deviated |= self.expected.get(self.steps.len()) != Some(step.event());
        if !self.has_deviated {
            self.steps.push(step.explain());
        }
    }

    fn undone(&mut self) {
        // The steps are kept although the limit ended them.
    }
}
