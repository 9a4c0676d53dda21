//! How the cost of the checker grows. Every benchmark runs at n, 2n, 4n and 8n, says which growth it
//! expects, and asserts the counts that it times.

#[path = "maze/program.rs"]
mod maze;
#[path = "../../bthread/examples/dining_philosophers/table.rs"]
mod table;

use bthread::{BThread, Program, request, wait_for};
use checker::{BProgram, Checker, Property, Verdict};
use divan::Bencher;

fn main() {
    divan::main();
}

/// A corridor of n cells, a b-thread each. A state has a bit for each cell, so storing the n states
/// is quadratic, with a small factor.
mod corridor {
    use super::{BProgram, Bencher, Checker, Property, maze};

    const CELLS: [u32; 4] = [1_250, 2_500, 5_000, 10_000];

    #[divan::bench(args = CELLS, sample_count = 3, sample_size = 1)]
    fn building(bencher: Bencher<'_, '_>, cells: u32) {
        let program = maze::corridor(cells);
        bencher.bench_local(|| program.closed_space(maze::events(cells)).expect("all are known"));
    }

    #[divan::bench(args = CELLS, sample_count = 3, sample_size = 1)]
    fn checking(bencher: Bencher<'_, '_>, cells: u32) {
        let space = maze::corridor(cells).closed_space(maze::events(cells));
        let model = BProgram::exhaustive(space.expect("all are known"));
        bencher.bench_local(|| {
            let checker = Checker::new(&model).property(Property::no_stuck_state());
            let report = checker.run().expect("all successors are known");
            assert_eq!(report.states, u64::from(cells) + 1);
        });
    }
}

/// One requirement for each of n hot b-threads, over 2,001 states: linear.
#[divan::bench(args = [100, 200, 400, 800], sample_count = 3, sample_size = 1)]
fn hot_requirements(bencher: Bencher<'_, '_>, count: u32) {
    let steps = BThread::new("Steps").then(request("step").times(2_000)).then(request("end"));
    let hot = |number| BThread::of("Hot", number).then(wait_for("end").hot());
    let program = Program::new(std::iter::once(steps).chain((0..count).map(hot)));
    let space = program.expect("the names differ").closed_space(["step", "end"]);
    let model = BProgram::exhaustive(space.expect("both are known"));
    bencher.bench_local(|| {
        let properties = (0..count).map(|number| Property::requirement(format!("Hot({number})")));
        let report = Checker::new(&model).properties(properties).run().expect("all are known");
        assert_eq!((report.states, report.verdict()), (2_002, Verdict::Holds));
    });
}

/// Dining philosophers with n states, on one thread and on two: linear.
mod philosophers {
    use super::{BProgram, Bencher, Checker, Property, table};

    const STATES: [u32; 4] = [46_763, 154_450, 510_116, 1_684_801];

    #[divan::bench(args = STATES, sample_count = 5, sample_size = 1)]
    fn one_thread(bencher: Bencher<'_, '_>, states: u32) {
        dine(bencher, states, 1);
    }

    #[divan::bench(args = STATES, sample_count = 5, sample_size = 1)]
    fn two_threads(bencher: Bencher<'_, '_>, states: u32) {
        dine(bencher, states, 2);
    }

    fn dine(bencher: Bencher<'_, '_>, states: u32, threads: usize) {
        let seats = (9..).zip(STATES).find(|(_, known)| *known == states);
        let (seats, _) = seats.expect("the number of states is known");
        let space = table::philosophers(seats).closed_space(table::actions(seats));
        let model = BProgram::exhaustive(space.expect("all actions are known"));
        bencher.bench_local(|| {
            let checker = Checker::new(&model).property(Property::no_stuck_state());
            let report = checker.threads(threads).collect_all().run();
            let report = report.expect("all successors are known");
            assert_eq!((report.states, report.stuck), (states.into(), 1));
        });
    }
}
