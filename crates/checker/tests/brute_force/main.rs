//! On small random programs the checker agrees with an enumeration of all states.
//!
//! The enumeration steps b-threads one by one, as values, and uses neither state
//! spaces nor the store or the search of the checker.

mod fairness;
mod graph;
mod random_program;

use bthread::{
    BThread, FreeEnvironment, Generator, Priority, Program, Random, StateSpace, Strategy,
    SyncPoint, block, request_any,
};
use checker::{BProgram, Checker, Coverage, Order, Property, Report, Trace, Verdict};

use graph::{Freedom, Graph, Halting, hot, points};
use random_program::random_program;

type Word = &'static str;

const WORDS: [Word; 4] = ["a", "b", "c", "d"];

/// The length of the trace of a finding, if there is one, up to the start of its cycle.
fn length(report: &Report<Word>, property: &str) -> Option<usize> {
    let finding = report.finding(property).expect("the property was checked");
    let is_found = finding.trace.is_some();
    let is_sure = report.finding("no violation").is_some_and(|it| it.cases == 0);
    match finding.verdict {
        Verdict::Violated => assert!(is_found),
        Verdict::Holds => assert!(!is_found),
        Verdict::Unknown => assert!(!is_found && !is_sure, "only a halted search may be unsure"),
    }
    let Trace { actions, cycle_from } = finding.trace.as_ref()?;
    Some(
        cycle_from.map_or(actions.len(), |from| usize::try_from(from).expect("the trace is short")),
    )
}

fn search<P: StateSpace<Event = Word>, S: Strategy<Word> + Sync>(
    model: &BProgram<P, S>,
    threads: usize,
    order: Order,
    halting: Halting,
) -> Report<Word> {
    let checker = Checker::new(model)
        .property(Property::never("no d", |event| *event == "d"))
        .property(Property::no_stuck_state())
        .property(Property::no_violation())
        .property(Property::no_hot_end())
        .property(Property::no_hot_thread_cycle())
        .property(Property::no_hot_system_cycle())
        .property(Property::requirement("Thread(0)"))
        .collect_all();
    let checker = match halting {
        Halting::Never => checker,
        Halting::AtViolations => checker.halt_at_violations(),
    };
    // Most of these programs have few states, which also several threads must visit.
    let checker = checker.least_shared_batch(2);
    checker.threads(threads).order(order).run().expect("all words are known")
}

/// Compares the report of the checker with the graph.
fn compare(graph: &Graph, report: &Report<Word>, program: &Program<Word>) {
    let halts = |at| graph.halting == Halting::AtViolations && graph.is_violated(at);
    let is_halted = (0..graph.states.len()).any(halts);
    let halted = [Coverage::Complete, Coverage::HaltedAtViolations][usize::from(is_halted)];
    assert_eq!(report.coverage, halted);
    assert_eq!(report.states, graph.states.len() as u64);
    assert_eq!(report.edges, graph.edges.iter().map(Vec::len).sum::<usize>() as u64);
    assert_eq!(report.depth, graph.depth.iter().copied().max().unwrap_or(0) as u64);
    assert_eq!(report.terminal, graph.ends().count() as u64);
    let all = 0..graph.states.len();
    let is_stuck = |at: &usize| {
        points(&graph.states[*at]).iter().any(|(_, point)| !point.requests().is_empty())
    };
    let stuck = graph.nearest(graph.ends().filter(is_stuck));
    let with_d = all.clone().filter(|at| graph.edges[*at].iter().any(|(event, _)| *event == "d"));
    let d = graph.nearest(with_d).map(|depth| depth + 1);
    let violated = graph.nearest(all.filter(|at| graph.is_violated(*at)));
    let hot_end = graph.nearest(graph.ends().filter(|at| !hot(&graph.states[*at]).is_empty()));
    let cycle_of =
        |number: usize| graph.nearest_cycle(&|at| hot(&graph.states[at]).contains(&number));
    let thread_cycle = (0..program.threads().len()).filter_map(cycle_of).min();
    let system_cycle = graph.nearest_cycle(&|at| !hot(&graph.states[at]).is_empty());
    let expected = [
        ("no d", d),
        ("no stuck state", stuck),
        ("no violation", violated),
        ("no hot end", hot_end),
        ("no hot b-thread cycle", thread_cycle),
        ("no hot system cycle", system_cycle),
    ];
    for (property, expected) in expected {
        assert_eq!(length(report, property), expected, "{property} of\n{program}");
    }
    compare_requirement(graph, report, program);
}

/// A requirement is violated by a report of its b-thread, a hot end, or a hot cycle.
fn compare_requirement(graph: &Graph, report: &Report<Word>, program: &Program<Word>) {
    let Some(number) = program.threads().iter().position(|thread| thread.name().is("Thread(0)"))
    else {
        return;
    };
    let stands = |at: usize, test: fn(&SyncPoint<Word>) -> bool| {
        points(&graph.states[at]).iter().any(|(own, point)| *own == number && test(point))
    };
    let says_so = (0..graph.states.len()).any(|at| stands(at, |point| point.violated().is_some()));
    let hot_end = graph.ends().any(|at| stands(at, SyncPoint::is_hot));
    let cycle = graph.nearest_cycle(&|at| hot(&graph.states[at]).contains(&number)).is_some();
    assert_eq!(length(report, "Thread(0)").is_some(), says_so || hot_end || cycle, "{program}");
}

/// Checks a program with every kind of search; returns whether the program was small enough.
fn check<S: Strategy<Word> + Sync>(program: &Program<Word>, freedom: Freedom, strategy: S) -> bool {
    let open = BProgram::new(program.space(), strategy.clone());
    let closed = BProgram::new(program.closed_space(WORDS).expect("all words are known"), strategy);
    for halting in [Halting::Never, Halting::AtViolations] {
        let Some(graph) = Graph::of(program, freedom, halting) else { return false };
        let report = search(&open, 1, Order::BreadthFirst, halting);
        compare(&graph, &report, program);
        assert_eq!(search(&closed, 1, Order::BreadthFirst, halting), report);
        for threads in [2, 3] {
            assert_eq!(search(&closed, threads, Order::BreadthFirst, halting), report);
        }
        let deep = search(&closed, 1, Order::DepthFirst, halting);
        assert_eq!(verdicts(&deep), verdicts(&report));
        assert_eq!((deep.states, deep.edges), (report.states, report.edges));
        for trace in report.findings.iter().filter_map(|finding| finding.trace.as_ref()) {
            assert_eq!(open.replay(trace).len(), trace.actions.len(), "every trace can be played");
        }
    }
    true
}

fn verdicts(report: &Report<Word>) -> Vec<Verdict> {
    report.findings.iter().map(|finding| finding.verdict).collect()
}

#[test]
fn the_checker_agrees_with_the_enumeration_of_all_states() {
    let mut generator = Generator::seeded(2_026);
    let mut small = 0;
    for _ in 0..3_000 {
        let program = random_program(&mut generator);
        small += u32::from(check(&program, Freedom::Nobody, Priority));
        small += u32::from(check(&program, Freedom::Everybody, Random::seeded(0)));
        if program.named("Environment").next().is_some() {
            small += u32::from(check(
                &program,
                Freedom::Environment,
                FreeEnvironment::seeded(["Environment"], 0),
            ));
        }
    }
    assert!(small > 8_000, "{small} programs were small enough");
}

#[test]
fn random_programs_violate_every_property_often_enough() {
    let mut generator = Generator::seeded(7);
    let mut broken = [0_u32; 7];
    for _ in 0..500 {
        let program = random_program(&mut generator);
        let model = BProgram::exhaustive(program.space());
        let report = search(&model, 1, Order::BreadthFirst, Halting::Never);
        for (count, finding) in broken.iter_mut().zip(&report.findings) {
            *count += u32::from(finding.verdict == Verdict::Violated);
        }
    }
    assert!(broken.iter().all(|count| (25..475).contains(count)), "{broken:?}");
}

#[test]
fn a_program_whose_requests_are_blocked_has_one_terminal_state() {
    let program = Program::new([
        BThread::new("Wants").then(request_any(["a", "b"])),
        BThread::new("Wall").then(block(["a", "b"])),
    ]);
    let graph = Graph::of(&program.unwrap(), Freedom::Everybody, Halting::Never).unwrap();
    assert_eq!((graph.states.len(), graph.ends().count()), (1, 1));
}
