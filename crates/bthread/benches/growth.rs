//! How the cost of the engine grows. Every benchmark runs at n, 2n, 4n and 8n, says which growth it
//! expects, and asserts the answer that it times.

use bthread::{
    BThread, Behaviour, EventSet, Limits, Priority, Program, SyncPoint, SyncPointPriority,
    Unobserved, block, request, request_any, wait_for,
};
use divan::Bencher;

fn main() {
    divan::main();
}

/// A number as an event, of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Number(u32);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl bthread::Event for Number {
    type Kind = &'static str;

    fn kind(&self) -> &'static str {
        "numbers"
    }
}

const NO_LIMITS: Limits = Limits { steps: u64::MAX, queued: u32::MAX };

/// n b-threads request an event each, at a priority. The requests stay in order while b-threads move,
/// so n steps are little more than linear, open and closed.
mod ranked_requesters {
    use super::{BThread, Bencher, NO_LIMITS, Number, Program, SyncPointPriority, request};

    const COUNTS: [u32; 5] = [250, 500, 1_000, 2_000, 4_000];

    fn program(count: u32) -> Program<Number> {
        let thread =
            |number| BThread::of("Requester", number).then(request(Number(number)).at_priority(1));
        Program::new((0..count).map(thread)).expect("the names differ")
    }

    #[divan::bench(args = COUNTS, sample_count = 3, sample_size = 1)]
    fn open(bencher: Bencher<'_, '_>, count: u32) {
        let program = program(count);
        bencher.bench_local(|| {
            let mut events: Vec<Number> = Vec::new();
            let strategy = SyncPointPriority::seeded(1);
            program.start_with(strategy, NO_LIMITS, &mut events).expect("every request is granted");
            assert_eq!(events.len(), count as usize);
        });
    }

    #[divan::bench(args = COUNTS, sample_count = 3, sample_size = 1)]
    fn closed(bencher: Bencher<'_, '_>, count: u32) {
        let automaton = program(count).close((0..count).map(Number)).expect("all are known");
        bencher.bench_local(|| {
            let mut events: Vec<Number> = Vec::new();
            let strategy = SyncPointPriority::seeded(1);
            automaton
                .start_with(strategy, NO_LIMITS, &mut events)
                .expect("every request is granted");
            assert_eq!(events.len(), count as usize);
        });
    }
}

/// Half of n queued events stay blocked, and the other half leaves: linear.
#[divan::bench(args = [5_000, 10_000, 20_000, 40_000], sample_count = 3, sample_size = 1)]
fn queue_with_blocked_events(bencher: Bencher<'_, '_>, count: u32) {
    let first_half = EventSet::several((0..count / 2).map(Number));
    let second_half = EventSet::several((count / 2..count).map(Number));
    let go = Number(count);
    let program = Program::new([
        BThread::new("Wall").then(block(first_half)),
        BThread::new("Gate").then(wait_for(go).block(second_half)),
    ]);
    let program = program.expect("the names differ");
    let mut full = program.start_with(Priority, NO_LIMITS, &mut Unobserved).expect("it waits");
    for number in 0..count {
        full.enqueue(Number(number)).expect("the queue has no limit");
    }
    bencher.with_inputs(|| full.clone()).bench_local_values(|mut run| {
        let happened = run.trigger_observed(go, &mut Unobserved).expect("it is not blocked");
        assert_eq!(
            (happened.steps, run.queued().len()),
            (u64::from(count / 2) + 1, count as usize / 2)
        );
    });
}

/// The intersection of n listed sets, made one by one and used once: linear.
#[divan::bench(args = [200, 400, 800, 1_600], sample_count = 3, sample_size = 1)]
fn intersections(bencher: Bencher<'_, '_>, count: u32) {
    let sets: Vec<_> = (0..count).map(|_| EventSet::several([0, 1].map(Number))).collect();
    bencher.bench_local(|| {
        let all = sets.iter().cloned().reduce(|all, set| all & set).expect("there are some");
        let program = Program::new([BThread::new("Guard").then(block(all))]);
        let (run, _) = program.expect("there is one").start().expect("nothing is requested");
        assert!(!run.allows(&Number(1)) && run.allows(&Number(2)));
    });
}

/// One b-thread requests any of n events, of which only the last one is not blocked, a hundred times:
/// it depends little on n.
mod request_any_of_many {
    use super::{
        BThread, Bencher, EventSet, Limits, Number, Priority, Program, Unobserved, block,
        request_any, wait_for,
    };
    use bthread::{SuperstepError, TriggerError};

    const STEPS: u64 = 100;

    fn program(count: u32) -> Program<Number> {
        let blocked = EventSet::several((0..count - 1).map(Number)).named("all but the last");
        let program = Program::new([
            BThread::new("Wall").then(block(blocked)),
            BThread::new("Gate").then(wait_for(Number(count)).block(Number(count - 1))),
            BThread::new("Any").then(request_any((0..count).map(Number))).forever(),
        ]);
        program.expect("the names differ")
    }

    #[divan::bench(args = [12_500, 25_000, 50_000, 100_000], sample_count = 5, sample_size = 1)]
    fn open(bencher: Bencher<'_, '_>, count: u32) {
        let limits = Limits { steps: STEPS, ..Limits::default() };
        let run = program(count).start_with(Priority, limits, &mut Unobserved);
        let mut run = run.expect("the gate is closed");
        let endless = SuperstepError::Endless { budget: STEPS, next: Number(count - 1) };
        let endless = Err(TriggerError::Superstep(endless));
        bencher.bench_local(|| {
            assert_eq!(run.trigger_observed(Number(count), &mut Unobserved), endless);
        });
    }

    #[divan::bench(args = [12_500, 25_000, 50_000, 100_000], sample_count = 5, sample_size = 1)]
    fn closed(bencher: Bencher<'_, '_>, count: u32) {
        let limits = Limits { steps: STEPS, ..Limits::default() };
        let automaton = program(count).close((0..=count).map(Number)).expect("all are known");
        let run = automaton.start_with(Priority, limits, &mut Unobserved);
        let mut run = run.expect("the gate is closed");
        let endless = SuperstepError::Endless { budget: STEPS, next: Number(count - 1) };
        let endless = Err(TriggerError::Superstep(endless));
        bencher.bench_local(|| {
            assert_eq!(run.trigger_observed(Number(count), &mut Unobserved), endless);
        });
    }
}

/// A counter of n steps: linear, and closed no slower than open.
mod counter {
    use super::{BThread, Behaviour, Bencher, NO_LIMITS, Number, Priority, Program, SyncPoint};
    use super::{Unobserved, request};

    const COUNTS: [u32; 5] = [125_000, 250_000, 500_000, 1_000_000, 10_000_000];

    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Counter {
        left: u32,
    }

    impl Behaviour<Number> for Counter {
        fn sync_point(&self) -> Option<SyncPoint<Number>> {
            (self.left > 0).then(|| request(Number(self.left % 2)))
        }

        fn go_on(&mut self, _: &Number) {
            self.left -= 1;
        }
    }

    fn program(left: u32) -> Program<Number> {
        let counter = BThread::behaving("Counter", Counter { left });
        Program::new([counter]).expect("there is one")
    }

    #[divan::bench(args = COUNTS, sample_count = 3, sample_size = 1)]
    fn open(bencher: Bencher<'_, '_>, count: u32) {
        let program = program(count);
        bencher.bench_local(|| {
            program.start_with(Priority, NO_LIMITS, &mut Unobserved).expect("it ends");
        });
    }

    #[divan::bench(args = COUNTS, sample_count = 3, sample_size = 1)]
    fn closed(bencher: Bencher<'_, '_>, count: u32) {
        let program = program(count);
        let automaton = program.close([0, 1].map(Number)).expect("both are known");
        bencher.bench_local(|| {
            automaton.start_with(Priority, NO_LIMITS, &mut Unobserved).expect("it ends");
        });
    }
}

/// A thousand events in a closed run to which n b-threads were added that they do not concern: it
/// does not depend on n.
#[divan::bench(args = [1_000, 2_000, 4_000, 8_000], sample_count = 5, sample_size = 1)]
fn added_b_threads(bencher: Bencher<'_, '_>, count: u32) {
    let clock = BThread::new("Clock").then(wait_for(Number(0))).then(request(Number(1))).forever();
    let program = Program::new([clock]).expect("there is one");
    let automaton = program.close((0..count + 2).map(Number)).expect("all are known");
    let (mut run, _) = automaton.start().expect("it waits");
    let others =
        (0..count).map(|number| BThread::of("Other", number).then(wait_for(Number(number + 2))));
    run.add_observed(others, &mut Unobserved).expect("they wait");
    bencher.bench_local(|| {
        for _ in 0..1_000 {
            assert_eq!(run.trigger_observed(Number(0), &mut Unobserved).map(|it| it.steps), Ok(2));
        }
    });
}
