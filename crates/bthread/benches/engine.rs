//! Speed and memory of the engine. Every benchmark asserts the answer that it times.

#[path = "../examples/tic_tac_toe/rules.rs"]
mod rules;
#[path = "../examples/hot_and_cold/water.rs"]
mod water;

use bthread::{
    Automaton, AutomatonState, BThread, Engine, Event, Limits, Observer, Priority, Program, Run,
    Step, SuperstepError, TriggerError, Unobserved, block, interrupt, request, wait_for,
};
use divan::Bencher;
use divan::counter::ItemsCount;
use rules::{Mark, Move, x};

fn main() {
    print_sizes();
    divan::main();
}

/// Three b-threads; items are events.
mod hot_and_cold {
    use super::{Bencher, Count, ItemsCount, Limits, Priority, SuperstepError, water};

    const EVENTS: u64 = 100_000;

    #[divan::bench]
    fn open(bencher: Bencher<'_, '_>) {
        let program = water::running_taps();
        bencher.counter(ItemsCount::new(EVENTS)).bench_local(|| {
            assert_eq!(
                stopped_at(EVENTS, |limits, count| program.start_with(Priority, limits, count)),
                EVENTS
            );
        });
    }

    #[divan::bench]
    fn closed(bencher: Bencher<'_, '_>) {
        let automaton = water::running_taps().close(["hot", "cold"]).expect("both are known");
        bencher.counter(ItemsCount::new(EVENTS)).bench_local(|| {
            assert_eq!(
                stopped_at(EVENTS, |limits, count| automaton.start_with(Priority, limits, count)),
                EVENTS
            );
        });
        assert_eq!(automaton.states(), 2);
    }

    /// Starts a run that only its limit stops, and counts its events.
    fn stopped_at<R>(
        budget: u64,
        start: impl FnOnce(Limits, &mut Count) -> Result<R, SuperstepError<&'static str>>,
    ) -> u64 {
        let mut count = Count::default();
        let endless = start(Limits { steps: budget, ..Limits::default() }, &mut count);
        let next = "hot";
        assert_eq!(endless.err(), Some(SuperstepError::Endless { budget, next }));
        count.0
    }
}

/// The 45 b-threads of tic-tac-toe, a fresh run for each game; items are games.
mod full_game {
    use super::{
        Automaton, Bencher, Engine, ItemsCount, Limits, Mark, Move, Priority, Run, Unobserved,
        rules, x,
    };

    const GAMES: u32 = 100;
    const X_MOVES: [u8; 5] = [5, 0, 7, 6, 3];

    #[divan::bench]
    fn open(bencher: Bencher<'_, '_>) {
        let program = rules::game();
        bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
            for _ in 0..GAMES {
                let (run, _) = program.start().expect("the opening ends");
                play(run);
            }
        });
    }

    #[divan::bench]
    fn closed(bencher: Bencher<'_, '_>) {
        let automaton = automaton();
        bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
            for _ in 0..GAMES {
                let (run, _) = automaton.start().expect("the opening ends");
                play(run);
            }
        });
    }

    /// As `closed`, without lists of events.
    #[divan::bench]
    fn closed_unobserved(bencher: Bencher<'_, '_>) {
        let automaton = automaton();
        bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
            for _ in 0..GAMES {
                let limits = Limits::default();
                let run = automaton.start_with(Priority, limits, &mut Unobserved);
                let mut run = run.expect("the opening ends");
                let happened = X_MOVES.map(|at| run.trigger_observed(x(at), &mut Unobserved));
                let steps = happened.map(|happened| happened.expect("the square is free").steps);
                assert_eq!(steps, [2; 5]);
            }
        });
    }

    fn automaton() -> Automaton<Move> {
        rules::game().close(rules::alphabet()).expect("all moves are known")
    }

    fn play<M: Engine<Event = Move>>(mut run: Run<M>) {
        let mut last = None;
        for square in X_MOVES {
            last = run.trigger(x(square)).expect("the square is free").events.pop();
        }
        assert_eq!(last, Some(Move::Win(Mark::X, [0, 3, 6])));
    }
}

/// One b-thread ticks beside uninvolved ones; items are ticks.
mod uninvolved {
    use super::{
        BThread, Bencher, Count, ItemsCount, Limits, Priority, Program, SuperstepError,
        TriggerError, Unobserved, block, interrupt, request, wait_for,
    };

    const TICKS: u64 = 10_000;

    /// The others wait for an event that never happens.
    #[divan::bench(args = [10, 10_000, 1_000_000])]
    fn waiters(bencher: Bencher<'_, '_>, count: u32) {
        tick_beside(bencher, count, |number| BThread::of("Waiter", number).then(wait_for("never")));
    }

    /// The others request an event that is blocked, with higher priority.
    #[divan::bench(args = [10, 10_000, 1_000_000])]
    fn blocked_requesters(bencher: Bencher<'_, '_>, count: u32) {
        tick_beside(bencher, count, |number| {
            BThread::of("Requester", number).then(request("never"))
        });
    }

    fn tick_beside(
        bencher: Bencher<'_, '_>,
        count: u32,
        other: impl Fn(u32) -> BThread<&'static str>,
    ) {
        let clock = [
            BThread::new("Clock").then(request("tick")).then(request("tock")).forever(),
            BThread::new("Gate").then(block("tick").wait_for("go")).then(interrupt("never")),
            BThread::new("Wall").then(block("never")),
        ];
        let program = Program::new((0..count).map(other).chain(clock)).expect("the names differ");
        let limits = Limits { steps: TICKS, ..Limits::default() };
        let run = program.start_with(Priority, limits, &mut Unobserved);
        let mut run = run.expect("the gate is closed");
        bencher.counter(ItemsCount::new(TICKS)).bench_local(|| {
            let mut count = Count::default();
            let endless = run.trigger_observed("go", &mut count);
            let (budget, next) = (TICKS, "tock");
            assert_eq!(
                endless,
                Err(TriggerError::Superstep(SuperstepError::Endless { budget, next }))
            );
            assert_eq!(count.0, TICKS);
        });
    }
}

/// Ten million events in one superstep, streamed to an observer; items are events.
mod long_superstep {
    use super::{Bencher, Count, ItemsCount, Limits, Priority, water};

    const POURS: u32 = 5_000_000;

    #[divan::bench(sample_count = 5, sample_size = 1)]
    fn open(bencher: Bencher<'_, '_>) {
        let program = water::bath(POURS);
        let limits = Limits { steps: u64::MAX, ..Limits::default() };
        bencher.counter(ItemsCount::new(2 * POURS)).bench_local(|| {
            let mut count = Count::default();
            let run = program.start_with(Priority, limits, &mut count);
            let size = run.expect("the water runs out").engine().size();
            assert_eq!(count.0, u64::from(2 * POURS));
            assert!(size < 2_000, "{size} bytes");
        });
    }
}

/// Counts events, including those that are undone.
#[derive(Default)]
struct Count(u64);

impl<E: Event> Observer<E> for Count {
    fn step(&mut self, _: &Step<'_, E>) {
        self.0 += 1;
    }

    fn undone(&mut self) {}
}

/// Prints the size of a state of tic-tac-toe, without the shared program, in the middle
/// of a game. It uses standard error because tools read the list of benchmarks from
/// standard output.
fn print_sizes() {
    let program = rules::game();
    let (mut run, _) = program.start().expect("the opening ends");
    run.trigger(x(5)).expect("the square is free");
    run.trigger(x(0)).expect("the square is free");
    eprintln!("bytes of an open engine:      {}", run.engine().size());
    eprintln!("bytes of an automaton state:  {}", size_of::<AutomatonState<Move>>());
    eprintln!("bytes of a snapshot:          {}", run.snapshot().size());
}
