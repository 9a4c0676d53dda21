//! B-programs as a model.

use bthread::{
    Candidate, Choices, ClosedSpace, Event, Limits, NotSymmetric, Observer, OutsideAlphabet,
    Permutation, Program, Random, Snapshot, Space, Status, Step, StepExplanation, Strategy,
    SyncPoint,
};

use crate::model::Model;
use crate::report::Trace;

/// The states of a b-program, and every event that its strategy may choose.
///
/// The strategy says where there is a choice: `Priority` leaves none, `Random`
/// leaves all, `Ranked` those of the highest rank, and `Against` leaves it to
/// the b-threads that play the world.
///
/// Nothing is triggered from outside here: what a person may do, a b-thread must
/// request.
///
/// ```
/// use bthread::{Against, BThread, Program, request, request_any, wait_for};
/// use checker::{BProgram, Checker, Property, Verdict};
///
/// let lamp = BThread::new("Lamp").then(wait_for("press")).then(request("on")).forever();
/// let person = BThread::new("Person").then(request_any(["press", "leave"])).forever();
/// let program = Program::new([lamp, person])?;
///
/// // The lamp comes first; the person does whatever it likes when nothing else can happen.
/// let model = BProgram::new(program.space(), Against::seeded(["Person"], 0));
/// let lights_up = Property::happens("the lamp lights up", |event| *event == "on");
/// let report = Checker::new(&model).property(lights_up).run()?;
/// assert_eq!(report.verdict(), Verdict::Holds);
/// assert_eq!(report.findings[0].trace.as_ref().unwrap().to_string(), "press, on");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BProgram<P: Space, S> {
    space: P,
    strategy: S,
    /// The b-threads that may say that a requirement was violated.
    may_be_violated: Vec<usize>,
    /// The b-threads that may be hot.
    may_be_hot: Vec<usize>,
    symmetries: Vec<Permutation>,
}

impl<P: Space, S: Strategy<P::Event> + Sync> BProgram<P, S> {
    /// All that the strategy may choose in the states of a program.
    pub fn new(space: P, strategy: S) -> Self {
        let program = space.program();
        let may_be_violated = program.that_may_stand(|point| point.violated().is_some());
        let may_be_hot = program.that_may_stand(SyncPoint::is_hot);
        let symmetries = Vec::new();
        Self { space, strategy, may_be_violated, may_be_hot, symmetries }
    }

    /// The states of the program.
    pub fn space(&self) -> &P {
        &self.space
    }

    /// A state as a snapshot.
    pub fn snapshot(&self, state: &P::State) -> Snapshot<P::Event> {
        self.space.snapshot(state)
    }

    /// Where a b-thread stands in a state, unless it has ended.
    pub fn sync_point(&self, state: &P::State, thread: &str) -> Option<SyncPoint<P::Event>> {
        let mut found = None;
        self.space.visit(state, &mut |name, point| {
            if name.as_str() == thread {
                found = Some(point.clone());
            }
        });
        found
    }

    /// Goes through a trace step by step, and explains each.
    ///
    /// It stops before a step that the program cannot take.
    pub fn replay(&self, trace: &Trace<P::Event>) -> Vec<StepExplanation<P::Event>> {
        replay(self.space.program(), &trace.actions)
    }
}

impl<E: Event> BProgram<ClosedSpace<E>, Random> {
    /// The same program, of which a search may look at one state for all that
    /// become each other when events go where these functions say.
    ///
    /// Only where all choices are free: priorities prefer some events to others.
    ///
    /// # Errors
    /// If the program does not stay the same under one of them.
    pub fn symmetric<F: Fn(&E) -> E>(
        mut self,
        symmetries: impl IntoIterator<Item = F>,
    ) -> Result<Self, NotSymmetric<E>> {
        let symmetries = symmetries.into_iter().map(|to| self.space.permutation(to));
        self.symmetries = symmetries.collect::<Result<_, _>>()?;
        Ok(self)
    }
}

impl<P: Space, S: Strategy<P::Event> + Sync> Model for BProgram<P, S> {
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

    fn knows(&self, who: &str) -> bool {
        self.space.program().named(who).next().is_some()
    }

    fn objection(&self) -> Option<String> {
        let unknown = self.strategy.names().iter().find(|name| !self.knows(name));
        unknown.map(|name| format!("the strategy looks for {name}, and no b-thread is called so"))
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

/// Goes through events step by step, and explains each.
fn replay<E: Event>(program: &Program<E>, events: &[E]) -> Vec<StepExplanation<E>> {
    let strategy = Follow { events: events.to_vec(), next: 0 };
    let limits = Limits { steps: events.len() as u64, ..Limits::default() };
    let mut recorder = Recorder { expected: events, steps: Vec::new(), is_lost: false };
    // The budget is the length of the trace, so the run may well be cut short.
    drop(program.start_with(strategy, limits, &mut recorder));
    recorder.steps
}

/// Chooses the events of a list one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Follow<E> {
    events: Vec<E>,
    next: usize,
}

impl<E: Event> Strategy<E> for Follow<E> {
    fn choose<'a>(&mut self, choices: &Choices<'a, E>) -> Candidate<'a, E> {
        let wanted = self.events.get(self.next);
        self.next += 1;
        let mut all = choices.all().into_iter();
        all.find(|each| Some(each.event()) == wanted).unwrap_or_else(|| choices.first())
    }
}

/// Notes down explanations while what happens is what is expected.
struct Recorder<'a, E: Event> {
    expected: &'a [E],
    steps: Vec<StepExplanation<E>>,
    /// Something else happened.
    is_lost: bool,
}

impl<E: Event> Observer<E> for Recorder<'_, E> {
    fn step(&mut self, step: &Step<'_, E>) {
        self.is_lost |= self.expected.get(self.steps.len()) != Some(step.event());
        if !self.is_lost {
            self.steps.push(step.explain());
        }
    }

    fn undone(&mut self) {
        // The steps are wanted although the budget ended them.
    }
}
