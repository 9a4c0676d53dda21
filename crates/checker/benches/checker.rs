//! Speed of the checker. Every benchmark asserts the counts that it times.

#[path = "../tests/bpjs_tic_tac_toe/program.rs"]
mod bpjs;
#[path = "../../bthread/examples/dining_philosophers/table.rs"]
mod table;

use bthread::{BThread, ClosedStateSpace, Program, Random, request};
use checker::{BProgram, Checker, Model, Property, Report};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// The 244 b-threads of a tic-tac-toe; items are states.
#[divan::bench]
fn bpjs_tic_tac_toe(bencher: Bencher<'_, '_>) {
    let space = bpjs::program(bpjs::Diagonals::One).closed_space(bpjs::alphabet());
    let model = BProgram::by_sync_point_priority(space.expect("all moves are known"));
    bencher.counter(ItemsCount::new(5_194_u32)).bench_local(|| {
        let report = search(
            Checker::new(&model).property(Property::requirement("NoXWin")).halt_at_violations(),
        );
        assert_eq!((report.states, report.edges), (5_194, 5_193));
    });
}

/// Two independent counters up to a thousand; items are states.
#[divan::bench(args = [1, 2], sample_count = 10, sample_size = 1)]
fn two_counters(bencher: Bencher<'_, '_>, threads: usize) {
    let counter = |name| BThread::new(name).then(request(name)).times(999);
    let program = Program::new(["a", "b"].map(counter)).expect("the names differ");
    let space = program.closed_space(["a", "b"]).expect("both are known");
    let model = BProgram::exhaustive(space);
    bencher.counter(ItemsCount::new(1_000_000_u32)).bench_local(|| {
        let report = search(Checker::new(&model).threads(threads));
        assert_eq!((report.states, report.edges), (1_000_000, 2 * 999 * 1_000));
    });
}

/// Dining philosophers; items are states.
#[divan::bench(
    args = [(10, 1), (10, 2), (11, 1), (11, 2), (12, 1), (12, 2)],
    sample_count = 5,
    sample_size = 1
)]
fn dining_philosophers(bencher: Bencher<'_, '_>, (seats, threads): (u8, usize)) {
    let model = philosophers(seats);
    let counter = ItemsCount::new(known_counts(seats).0);
    bencher.counter(counter).bench_local(|| dine(&model, seats, threads));
}

/// Two searches side by side, which share nothing: what two threads in one search could reach at
/// best. Items are the states of both.
#[divan::bench(args = [11, 12], sample_count = 5, sample_size = 1)]
fn two_searches_of_philosophers(bencher: Bencher<'_, '_>, seats: u8) {
    let models = [philosophers(seats), philosophers(seats)];
    let counter = ItemsCount::new(2 * known_counts(seats).0);
    bencher.counter(counter).bench_local(|| {
        std::thread::scope(|scope| {
            for model in &models {
                scope.spawn(move || dine(model, seats, 1));
            }
        });
    });
}

/// The numbers of states and edges.
fn known_counts(seats: u8) -> (u64, u64) {
    match seats {
        10 => (154_450, 1_116_130),
        11 => (510_116, 4_054_985),
        _ => (1_684_801, 14_610_252),
    }
}

type Philosophers = BProgram<ClosedStateSpace<table::Action>, Random>;

fn philosophers(seats: u8) -> Philosophers {
    let space = table::philosophers(seats).closed_space(table::actions(seats));
    BProgram::exhaustive(space.expect("all actions are known"))
}

fn dine(model: &Philosophers, seats: u8, threads: usize) {
    let checker = Checker::new(model).property(Property::no_stuck_state());
    let report = search(checker.threads(threads));
    let (states, edges) = known_counts(seats);
    assert_eq!((report.states, report.edges, report.stuck), (states, edges, 1));
}

fn search<M: Model>(checker: Checker<'_, M>) -> Report<M::Action> {
    checker.collect_all().run().expect("all successors are known")
}
