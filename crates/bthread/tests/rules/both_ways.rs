//! Running a program in both engines.

use bthread::{
    AddError, AnyBThread, BThread, Engine, EnqueueError, EventExplanation, Explanations, Limits,
    Observer, Priority, Program, Run, Status, StepExplanation, Superstep, SuperstepError,
    TriggerError, Unobserved,
};

/// The type of the events in these tests.
pub(crate) type Word = &'static str;

/// A run, open or closed.
pub(crate) trait AnyRun {
    fn trigger(&mut self, event: Word) -> Result<Superstep<Word>, TriggerError<Word>>;
    fn explain_trigger(&mut self, event: Word) -> Vec<StepExplanation<Word>>;
    fn stream(&mut self, event: Word, log: &mut Log) -> Result<u64, TriggerError<Word>>;
    fn enqueue(&mut self, event: Word) -> Result<Superstep<Word>, EnqueueError<Word>>;
    fn add_any(&mut self, thread: AnyBThread<Word>) -> Result<Superstep<Word>, AddError<Word>>;
    fn status(&self) -> Status;
    fn explain(&self, event: Word) -> EventExplanation<Word>;
    fn live(&self) -> Vec<String>;
    fn queued(&self) -> Vec<Word>;
}

impl<M: Engine<Event = Word>> AnyRun for Run<M> {
    fn trigger(&mut self, event: Word) -> Result<Superstep<Word>, TriggerError<Word>> {
        self.trigger(event)
    }

    fn explain_trigger(&mut self, event: Word) -> Vec<StepExplanation<Word>> {
        let mut explained = Explanations::default();
        self.trigger_observed(event, &mut explained).expect("no b-thread blocks it");
        explained.steps
    }

    fn stream(&mut self, event: Word, log: &mut Log) -> Result<u64, TriggerError<Word>> {
        self.trigger_observed(event, log).map(|happened| happened.steps)
    }

    fn enqueue(&mut self, event: Word) -> Result<Superstep<Word>, EnqueueError<Word>> {
        self.enqueue(event)
    }

    fn add_any(&mut self, thread: AnyBThread<Word>) -> Result<Superstep<Word>, AddError<Word>> {
        self.add(thread)
    }

    fn status(&self) -> Status {
        self.status()
    }

    fn explain(&self, event: Word) -> EventExplanation<Word> {
        self.explain(&event)
    }

    fn live(&self) -> Vec<String> {
        let mut live = Vec::new();
        self.visit_live(|name, point| live.push(format!("{name}: {point}")));
        live
    }

    fn queued(&self) -> Vec<Word> {
        self.queued().copied().collect()
    }
}

/// The notes of an observer.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Log(pub(crate) Vec<String>);

impl Observer<Word> for Log {
    fn step(&mut self, step: &bthread::Step<'_, Word>) {
        self.0.push(step.event().to_string());
    }

    fn undone(&mut self) {
        self.0.push("undone".to_owned());
    }
}

/// All events of these tests.
pub(crate) const ALPHABET: [Word; 8] = ["a", "b", "c", "d", "go", "stop", "win", "lose"];

/// Runs a check on an open run, on a closed run, and on a closed run whose table has
/// room for one state.
pub(crate) fn both_ways(
    threads: impl IntoIterator<Item = BThread<Word>>,
    check: impl Fn(&mut dyn AnyRun, Vec<Word>),
) {
    let program = Program::new(threads).expect("the program is sound");
    let (mut open, opening) = program.start().expect("the opening ends");
    check(&mut open, opening.events);
    for cap in [u32::MAX, 1] {
        let automaton = program.close_with_cap(ALPHABET, cap).expect("all events are known");
        let (mut closed, opening) = automaton.start().expect("the opening ends");
        check(&mut closed, opening.events);
    }
}

/// As [`both_ways`], with these limits.
pub(crate) fn both_ways_within(
    limits: Limits,
    threads: impl IntoIterator<Item = BThread<Word>>,
    check: impl Fn(Result<&mut dyn AnyRun, SuperstepError<Word>>),
) {
    let program = Program::new(threads).expect("the program is sound");
    let mut open = program.start_with(Priority, limits, &mut Unobserved);
    check(open.as_mut().map(|run| -> &mut dyn AnyRun { run }).map_err(|error| error.clone()));
    for cap in [u32::MAX, 1] {
        let automaton = program.close_with_cap(ALPHABET, cap).expect("all events are known");
        let mut closed = automaton.start_with(Priority, limits, &mut Unobserved);
        check(closed.as_mut().map(|run| -> &mut dyn AnyRun { run }).map_err(|error| error.clone()));
    }
}
