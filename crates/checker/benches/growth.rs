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

    /// The whole search, and then the way to the last cell, of n steps.
    #[divan::bench(args = CELLS, sample_count = 3, sample_size = 1)]
    fn trace(bencher: Bencher<'_, '_>, cells: u32) {
        let space = maze::corridor(cells).closed_space(maze::events(cells));
        let model = BProgram::exhaustive(space.expect("all are known"));
        let last = maze::last_cell(cells);
        bencher.bench_local(|| {
            let end = Property::happens("the end is reached", move |event| *event == last);
            let report = Checker::new(&model).property(end).run().expect("all are known");
            let trace = report.findings[0].trace.as_ref().expect("the last cell is reached");
            assert_eq!(trace.actions.len(), cells as usize);
        });
    }
}

/// A corridor of n cells, with a b-thread more for each cell, which stands still nearly always.
mod standing {
    use super::{BProgram, Bencher, Checker, Property, Verdict, maze};

    const CELLS: [u32; 4] = [1_250, 2_500, 5_000, 10_000];

    /// The b-threads have a state, of which each state of the program has 32 bits.
    #[divan::bench(args = [312, 625, 1_250, 2_500], sample_count = 3, sample_size = 1)]
    fn behaviours(bencher: Bencher<'_, '_>, cells: u32) {
        let program = maze::corridor_with(cells, |cell| [maze::Sensor::of(cell)]);
        let space = program.closed_space(maze::events(cells)).expect("all are known");
        let model = BProgram::exhaustive(space);
        bencher.bench_local(|| {
            let checker = Checker::new(&model).property(Property::no_violation());
            let report = checker.run().expect("all successors are known");
            assert_eq!((report.states, report.verdict()), (u64::from(cells) + 1, Verdict::Holds));
        });
    }

    /// The b-threads are requirements, and each is a property.
    #[divan::bench(args = CELLS, sample_count = 3, sample_size = 1)]
    fn requirements(bencher: Bencher<'_, '_>, cells: u32) {
        let program = maze::corridor_with(cells, |cell| [maze::closed_behind(cells, cell)]);
        let space = program.closed_space(maze::events(2 * cells)).expect("all are known");
        let model = BProgram::exhaustive(space);
        bencher.bench_local(|| {
            let properties =
                (0..cells).map(|cell| Property::requirement(format!("Closed({cell})")));
            let checker = Checker::new(&model).properties(properties);
            let report = checker.run().expect("all successors are known");
            assert_eq!((report.states, report.verdict()), (u64::from(cells) + 1, Verdict::Holds));
        });
    }
}

/// Fairness in a ring of n states, in each of which one of three hot requests can be granted: linear.
#[divan::bench(args = [12_500, 25_000, 50_000, 100_000], sample_count = 3, sample_size = 1)]
fn fair_cycles(bencher: Bencher<'_, '_>, states: u32) {
    // Two counters that go round in a and b, and wishes that nobody grants or that all rounds grant.
    let side = states.isqrt();
    let round =
        |name, event: &'static str| BThread::new(name).then(request(event).times(side)).forever();
    let wish = |name, event: &'static str| BThread::new(name).then(request(event).hot()).forever();
    let threads = [round("Across", "a"), round("Down", "b"), wish("A", "a"), wish("B", "b")];
    let space = Program::new(threads).expect("the names differ").closed_space(["a", "b"]);
    let model = BProgram::exhaustive(space.expect("both are known"));
    bencher.bench_local(|| {
        let property = Property::no_hot_thread_cycle().fair();
        let report = Checker::new(&model).property(property).run().expect("all are known");
        assert_eq!(report.states, u64::from(side * side));
        // A hot request that is granted is hot again.
        let finding = &report.findings[0];
        assert_eq!(finding.verdict, Verdict::Violated);
        let trace = finding.trace.as_ref().expect("there is one");
        assert!(trace.actions.len() <= 2 * states as usize);
    });
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
