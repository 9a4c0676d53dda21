//! How fast the checker is; every benchmark asserts the counts that it times.

#[path = "../tests/bpjs_tic_tac_toe/program.rs"]
mod bpjs;
#[path = "../../bthread/examples/dining_philosophers/table.rs"]
mod table;

use bthread::{Random, Ranked};
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
    let model = BProgram::new(space.expect("all moves are known"), Ranked::seeded(0));
    bencher.counter(ItemsCount::new(5_194_u32)).bench_local(|| {
        let report = search(Checker::new(&model).property(Property::requirement("NoXWin")));
        assert_eq!((report.states, report.edges), (5_194, 5_193));
    });
}

/// Dining philosophers; items are states.
#[divan::bench(args = [(8, 1), (10, 1), (10, 2), (11, 1), (11, 2)], sample_count = 5, sample_size = 1)]
fn dining_philosophers(bencher: Bencher<'_, '_>, (seats, threads): (u8, usize)) {
    let space = table::philosophers(seats).closed_space(table::actions(seats));
    let model = BProgram::new(space.expect("all actions are known"), Random::seeded(0));
    let run = || search(Checker::new(&model).property(Property::no_stuck_state()).threads(threads));
    let states = run().states;
    bencher.counter(ItemsCount::new(states)).bench_local(|| {
        let report = run();
        assert_eq!((report.states, report.stuck), (states, 1));
    });
}

fn search<M: Model>(checker: Checker<'_, M>) -> Report<M::Action> {
    checker.collect_all().run().expect("the model knows what follows")
}
