//! Long runs do not grow.

#[path = "../examples/tic_tac_toe/rules.rs"]
mod rules;
#[path = "../examples/hot_and_cold/water.rs"]
mod water;

use bthread::{
    AutomatonState, BThread, Behaviour, Event, Limits, Observer, OpenRun, Priority, Program, Step,
    SyncPoint, Unobserved, request, wait_for,
};
use rules::{Move, x};

/// Counts events.
#[derive(Default)]
struct Count(u64);

impl<E: Event> Observer<E> for Count {
    fn step(&mut self, _: &Step<'_, E>) {
        self.0 += 1;
    }

    fn undone(&mut self) {
        self.0 = 0;
    }
}

const NO_LIMITS: Limits = Limits { steps: u64::MAX, queued: u32::MAX };

#[test]
fn a_superstep_of_ten_million_events_is_streamed_without_growth() {
    let size_after = |pours: u32| {
        let mut count = Count::default();
        let run = water::bath(pours).start_with(Priority, NO_LIMITS, &mut count).unwrap();
        assert_eq!(count.0, u64::from(2 * pours));
        run.engine().size()
    };
    assert_eq!(size_after(5_000_000), size_after(2));
}

#[test]
fn a_closed_superstep_of_ten_million_events_needs_two_states() {
    let automaton = water::running_taps().close(["hot", "cold"]).unwrap();
    let limits = Limits { steps: 10_000_000, ..NO_LIMITS };
    automaton.start_with(Priority, limits, &mut Unobserved).unwrap_err();
    assert_eq!(automaton.states(), 2);
}

/// Requests the numbers up to `last` in turn; each is a kind of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Counter {
    next: u64,
    last: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Number(u64);
bthread::plain_event!(Number);

impl Behaviour<Number> for Counter {
    fn sync_point(&self) -> Option<SyncPoint<Number>> {
        (self.next <= self.last).then(|| request(Number(self.next)))
    }

    fn go_on(&mut self, _: &Number) {
        self.next += 1;
    }
}

#[test]
fn a_million_unplanned_events_leave_nothing_behind() {
    let size_after = |last| {
        let counter = BThread::behaving("Counter", Counter { next: 0, last });
        let mut count = Count::default();
        let program = Program::new([counter]).unwrap();
        let run = program.start_with(Priority, NO_LIMITS, &mut count).unwrap();
        assert_eq!(count.0, last + 1);
        run.engine().size()
    };
    assert_eq!(size_after(1_000_000), size_after(10));
}

#[test]
fn ended_b_threads_that_were_added_leave_nothing_behind() {
    let size_after = |visitors: u32| {
        let nobody = || Program::new(None::<BThread<&'static str>>).unwrap().start().unwrap().0;
        let mut run = nobody();
        for number in 0..visitors {
            let visitor = BThread::of("Visitor", number % 100).then(request("hello"));
            assert_eq!(run.add(visitor).unwrap().events, ["hello"]);
        }
        assert_eq!(run.snapshot(), nobody().snapshot());
        run.engine().size()
    };
    assert!(size_after(100_000) <= size_after(1_000));
}

#[test]
fn the_state_of_tic_tac_toe_is_small() {
    let program = rules::game();
    let (mut run, _) = program.start().unwrap();
    for square in [5, 0, 7, 6, 3] {
        assert!(size(&run) <= 8 * 1024, "{} bytes open", size(&run));
        let snapshot = run.snapshot().size();
        assert!(snapshot <= 128, "{snapshot} bytes in a snapshot");
        run.trigger(x(square)).unwrap();
    }
    assert!(size_of::<AutomatonState<Move>>() <= 16);
}

fn size(run: &OpenRun<Move>) -> usize {
    run.engine().size()
}

#[test]
fn a_million_waiters_run() {
    let waiters =
        (0..1_000_000).map(|number| BThread::of("Waiter", number).then(wait_for("never")));
    let clock = BThread::new("Clock").then(wait_for("go")).then(request("tick")).forever();
    let (mut run, _) = Program::new(waiters.chain([clock])).unwrap().start().unwrap();
    for _ in 0..1_000 {
        assert_eq!(run.trigger("go").unwrap().events, ["go", "tick"]);
    }
}
