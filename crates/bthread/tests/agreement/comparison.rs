//! Performs the same commands on the reference, on open runs and on closed runs.

use std::fmt::Debug;
use std::hash::BuildHasher;

use bthread::{
    Automaton, AutomatonState, ClosedEngine, ClosedLimits, Engine, Feedback, Limits, OpenEngine,
    Program, RestoreError, Run, Snapshot, Superstep, SuperstepError, SuperstepSummary,
};
use rustc_hash::FxBuildHasher;

use crate::note::{Note, Notebook, NotingStrategy, events};
use crate::random::{Case, Command};
use crate::reference::{Reference, State};
use crate::spec::{OUTSIDE, Signal, ThreadSpec, alphabet, program};

/// The most signals that handlers may trigger in reaction to one.
pub(crate) const REACTIONS: u32 = 4;

/// A program and its automata, which all runs share.
pub(crate) struct Subject {
    program: Program<Signal>,
    roomy: Automaton<Signal>,
    cramped: Automaton<Signal>,
    /// Without a table.
    local: Automaton<Signal>,
}

impl Subject {
    pub(crate) fn new(case: &Case) -> Self {
        let program = program(&case.program).expect("the names differ");
        let close = |cap| program.close_with_cap(case.alphabet.iter().copied(), cap);
        let (roomy, cramped) = (close(10_000), close(case.cap));
        let limits = ClosedLimits { states: 0, thread_states: 10_000, listed: case.cap };
        let local = program.close_with_limits(case.alphabet.iter().copied(), limits);
        let [roomy, cramped, local] = [roomy, cramped, local].map(|each| each.expect(KNOWN));
        Self { program, roomy, cramped, local }
    }
}

const KNOWN: &str = "every b-thread starts with known signals";

/// Compares runs of a case: open runs and closed runs, each kind with its own
/// reference, because closed runs refuse unknown signals.
pub(crate) struct Comparison<'a> {
    case: &'a Case,
    open: Option<Side<OpenEngine<Signal>>>,
    closed: Option<Side<ClosedEngine<Signal>>>,
    /// For each closed run a state of the same automaton that has come elsewhere, into which that of
    /// the run is copied again and again.
    used: Vec<AutomatonState<Signal>>,
    foreign: Snapshot<Signal, NotingStrategy>,
}

impl<'a> Comparison<'a> {
    pub(crate) fn new(case: &'a Case, subject: &Subject) -> Self {
        let notebook = Notebook::default();
        let strategy = NotingStrategy::new(&case.policy, &notebook);
        let foreign = foreign(&strategy);
        let closed = |label, automaton| closed(label, automaton, &strategy, case.limits);
        let open_starts = vec![open("open", &subject.program, &strategy, case.limits)];
        let closed_starts = vec![
            closed("roomy", &subject.roomy),
            closed("roomy too", &subject.roomy),
            closed("cramped", &subject.cramped),
            closed("cramped too", &subject.cramped),
            closed("local", &subject.local),
        ];
        let open = Side::start(Reference::open(case), open_starts, &notebook);
        let closed = Side::start(Reference::closed(case), closed_starts, &notebook);
        let runners = closed.iter().flat_map(|closed| &closed.runners);
        let used = runners.map(|runner| runner.run.state()).collect();
        let mut comparison = Self { case, open, closed, used, foreign };
        comparison.agree();
        comparison
    }

    pub(crate) fn perform(&mut self, command: &Command) {
        match command {
            Command::OpenToClosed => adopt(self.closed.as_mut(), self.open.as_ref()),
            Command::ClosedToOpen => adopt(self.open.as_mut(), self.closed.as_ref()),
            _ => {
                if let Some(side) = &mut self.open {
                    side.perform(command, self.case, &self.foreign);
                }
                if let Some(side) = &mut self.closed {
                    side.perform(command, self.case, &self.foreign);
                }
            }
        }
        self.agree();
    }

    /// Whether each closed run is in a table, in words.
    pub(crate) fn table_states(&self) -> impl Iterator<Item = &'static str> {
        let runners = self.closed.iter().flat_map(|closed| &closed.runners);
        runners.map(|runner| match (runner.label, runner.run.state().is_tabled()) {
            ("roomy" | "roomy too", true) => "roomy, in a state",
            ("roomy" | "roomy too", false) => "roomy, off the table",
            ("local", true) => "local, in a state",
            ("local", false) => "local",
            (_, true) => "cramped, in a state",
            (_, false) => "cramped, off the table",
        })
    }

    /// Checks that all runs agree with their reference, and that snapshots are equal
    /// if and only if they should be.
    fn agree(&mut self) {
        if let Some(side) = &self.open {
            side.agree();
        }
        let Some(closed) = &self.closed else { return };
        closed.agree();
        for (runner, used) in closed.runners.iter().zip(&mut self.used) {
            let state = runner.run.state();
            used.clone_from(&state);
            assert_eq!(*used, state, "{} copied", runner.label);
            let strategy = NotingStrategy::new(&self.case.policy, &Notebook::default());
            let mut resumed = std::mem::replace(used, state).resume(strategy, self.case.limits);
            assert_eq!(live(&resumed), live(&runner.run), "{} resumed", runner.label);
            for event in &self.case.alphabet {
                let (own, other) = (resumed.explain(event), runner.run.explain(event));
                assert_eq!(own, other, "{} resumed", runner.label);
            }
            for event in self.case.alphabet.iter().take(2) {
                // It need not be accepted: the next state is copied over whatever is there then.
                drop(resumed.trigger(*event));
            }
            *used = resumed.state();
        }
        if let Some(open) = &self.open {
            let are_equal = open.reference.snapshot() == closed.reference.snapshot();
            assert_eq!(open.snapshot() == closed.snapshot(), are_equal, "snapshots");
        }
    }
}

/// Runs of one kind, and the reference with which all of them must agree.
struct Side<M: Engine<Event = Signal>> {
    reference: Reference,
    remembered: State,
    runners: Vec<Runner<M>>,
    notebook: Notebook,
}

struct Runner<M: Engine<Event = Signal>> {
    label: &'static str,
    start: Start<M>,
    run: Run<M, NotingStrategy>,
    remembered: Snapshot<Signal, NotingStrategy>,
}

/// Starts a run; can be called several times.
type Start<M> =
    Box<dyn Fn(&mut Notebook) -> Result<Run<M, NotingStrategy>, SuperstepError<Signal>>>;

fn open(
    label: &'static str,
    program: &Program<Signal>,
    strategy: &NotingStrategy,
    limits: Limits,
) -> (&'static str, Start<OpenEngine<Signal>>) {
    let (program, strategy) = (program.clone(), strategy.clone());
    (label, Box::new(move |notebook| program.start_with(strategy.clone(), limits, notebook)))
}

fn closed(
    label: &'static str,
    automaton: &Automaton<Signal>,
    strategy: &NotingStrategy,
    limits: Limits,
) -> (&'static str, Start<ClosedEngine<Signal>>) {
    let (automaton, strategy) = (automaton.clone(), strategy.clone());
    (label, Box::new(move |notebook| automaton.start_with(strategy.clone(), limits, notebook)))
}

/// A snapshot of another program.
fn foreign(strategy: &NotingStrategy) -> Snapshot<Signal, NotingStrategy> {
    let program =
        Program::new([bthread::BThread::new("Foreign")]).expect("the only b-thread has a name");
    let run = program.start_with(strategy.clone(), Limits::default(), &mut bthread::Unobserved);
    run.expect("the program does nothing").snapshot()
}

impl<M: Engine<Event = Signal>> Side<M> {
    /// All runs and the reference after their first superstep, unless it fails.
    fn start(
        mut reference: Reference,
        starts: Vec<(&'static str, Start<M>)>,
        notebook: &Notebook,
    ) -> Option<Self> {
        let mut notebook = notebook.clone();
        let expected = reference.start();
        let notes = reference.take_notes();
        let mut runners = Vec::new();
        for (label, start) in starts {
            let started = start(&mut notebook);
            assert_same(label, &notebook.take(), &notes);
            assert_eq!(started.as_ref().err(), expected.as_ref().err(), "{label}: start");
            if let Ok(run) = started {
                let remembered = run.snapshot();
                runners.push(Runner { label, start, run, remembered });
            }
        }
        let remembered = reference.snapshot();
        expected.is_ok().then_some(Self { reference, remembered, runners, notebook })
    }

    fn perform(
        &mut self,
        command: &Command,
        case: &Case,
        foreign: &Snapshot<Signal, NotingStrategy>,
    ) {
        match command {
            Command::Trigger(event) => self.trigger(*event),
            Command::Enqueue(event) => self.enqueue(*event),
            Command::React(event) => self.react(*event, case),
            Command::Add(threads) => self.add(threads),
            Command::Refresh => self.refresh(),
            Command::Remember => self.remember(),
            Command::Recall => self.recall(),
            Command::Foreign => {
                let refused = Err(RestoreError::AnotherProgram);
                self.each(|runner| assert_eq!(runner.run.restore(foreign), refused));
            }
            Command::OpenToClosed | Command::ClosedToOpen => {}
        }
    }

    fn each(&mut self, act: impl FnMut(&mut Runner<M>)) {
        self.runners.iter_mut().for_each(act);
    }

    fn trigger(&mut self, event: Signal) {
        let expected = self.reference.trigger(event);
        let observed = |run: &mut Run<M, NotingStrategy>, notes: &mut Notebook| {
            run.trigger_observed(event, notes)
        };
        self.act(&expected, observed, |run| run.trigger(event));
    }

    fn enqueue(&mut self, event: Signal) {
        let expected = self.reference.enqueue(event);
        let observed = |run: &mut Run<M, NotingStrategy>, notes: &mut Notebook| {
            run.enqueue_observed(event, notes)
        };
        self.act(&expected, observed, |run| run.enqueue(event));
    }

    fn add(&mut self, specs: &[ThreadSpec]) {
        let expected = self.reference.add(specs);
        let threads = || specs.iter().map(ThreadSpec::to_thread);
        let observed = |run: &mut Run<M, NotingStrategy>, notes: &mut Notebook| {
            run.add_observed(threads(), notes)
        };
        if let [spec] = specs {
            self.act(&expected, observed, |run| run.add(spec.to_thread()));
        } else {
            self.act(&expected, observed, |run| {
                collected(|events| run.add_observed(threads(), events))
            });
        }
    }

    /// Checks that every run does what the reference did, and so does an unobserved clone.
    fn act<X: Clone + Debug + PartialEq>(
        &mut self,
        expected: &Result<SuperstepSummary, X>,
        observed: impl Fn(&mut Run<M, NotingStrategy>, &mut Notebook) -> Result<SuperstepSummary, X>,
        unobserved: impl Fn(&mut Run<M, NotingStrategy>) -> Result<Superstep<Signal>, X>,
    ) {
        let notes = self.reference.take_notes();
        let superstep = expected
            .clone()
            .map(|SuperstepSummary { handled, .. }| Superstep { events: events(&notes), handled });
        for Runner { label, run, .. } in &mut self.runners {
            let mut clone = run.clone();
            assert_eq!(observed(run, &mut self.notebook), *expected, "{label}");
            assert_same(label, &self.notebook.take(), &notes);
            assert_eq!(unobserved(&mut clone), superstep, "{label}, cloned");
            self.notebook.take();
            assert_eq!(clone.snapshot(), run.snapshot(), "{label}, cloned");
        }
    }

    fn react(&mut self, event: Signal, case: &Case) {
        let expected = self.reference.react(event, &case.handlers, REACTIONS);
        let mut notes = self.reference.take_notes();
        notes.retain(|note| matches!(note, Note::Choice(_) | Note::Possible(_)));
        for Runner { label, run, .. } in &mut self.runners {
            let mut feedback = Feedback::new().limit(REACTIONS);
            for (set, answer) in &case.handlers {
                feedback = feedback.on(set.to_set(), |_, triggers| triggers.trigger(*answer));
            }
            assert_eq!(feedback.trigger(run, event), expected, "{label}: feedback");
            assert_same(label, &self.notebook.take(), &notes);
        }
    }

    fn refresh(&mut self) {
        let mut notebook = self.notebook.clone();
        self.each(|runner| {
            let snapshot = runner.run.snapshot();
            runner.run = (runner.start)(&mut notebook).expect("the same run started before");
            assert_eq!(runner.run.restore(&snapshot), Ok(()), "{}", runner.label);
            notebook.take();
        });
    }

    fn remember(&mut self) {
        self.remembered = self.reference.snapshot();
        self.each(|runner| runner.remembered = runner.run.snapshot());
    }

    fn recall(&mut self) {
        let expected = self.reference.restore(&self.remembered);
        self.each(|Runner { label, run, remembered, .. }| {
            assert_eq!(run.restore(remembered), expected, "{label}");
        });
    }

    fn agree(&self) {
        let hash = FxBuildHasher.hash_one(self.snapshot());
        for runner in &self.runners {
            runner.agree(&self.reference);
            assert_eq!(&runner.run.snapshot(), &self.snapshot(), "{}", runner.label);
            assert_eq!(FxBuildHasher.hash_one(runner.run.snapshot()), hash, "{}", runner.label);
        }
    }

    fn snapshot(&self) -> Snapshot<Signal, NotingStrategy> {
        self.runners[0].run.snapshot()
    }
}

impl<M: Engine<Event = Signal>> Runner<M> {
    fn agree(&self, reference: &Reference) {
        let Self { label, run, .. } = self;
        assert_eq!(run.status(), reference.status(), "{label}");
        assert_eq!(run.queued().copied().collect::<Vec<_>>(), reference.queue(), "{label}: queue");
        assert_eq!(live(run), reference.live(), "{label}: b-threads");
        for event in alphabet().into_iter().chain(OUTSIDE) {
            assert_eq!(run.explain(&event), reference.explain(event), "{label}");
        }
    }
}

fn live<M: Engine<Event = Signal>>(run: &Run<M, NotingStrategy>) -> Vec<(bthread::Name, String)> {
    let mut live = Vec::new();
    run.visit_live(|name, point| live.push((name.clone(), point.to_string())));
    live
}

/// Compares notes one by one: all notes of a superstep would be too many to read.
fn assert_same(label: &str, notes: &[Note], expected: &[Note]) {
    for (at, (note, expected)) in notes.iter().zip(expected).enumerate() {
        assert_eq!(note, expected, "{label}: note {at}");
    }
    assert_eq!(notes.len(), expected.len(), "{label}: number of notes");
}

/// Restores snapshots of one side on the other side.
fn adopt<M, N>(side: Option<&mut Side<M>>, other: Option<&Side<N>>)
where
    M: Engine<Event = Signal>,
    N: Engine<Event = Signal>,
{
    let (Some(side), Some(other)) = (side, other) else { return };
    let expected = side.reference.restore(&other.reference.snapshot());
    for (Runner { label, run, .. }, source) in
        side.runners.iter_mut().zip(other.runners.iter().cycle())
    {
        let snapshot = source.run.snapshot();
        assert_eq!(run.restore(&snapshot), expected, "{} to {label}", source.label);
    }
}

/// The superstep of an observed call.
fn collected<X>(
    act: impl FnOnce(&mut Vec<Signal>) -> Result<SuperstepSummary, X>,
) -> Result<Superstep<Signal>, X> {
    let mut events = Vec::new();
    let SuperstepSummary { handled, .. } = act(&mut events)?;
    Ok(Superstep { events, handled })
}
