//! On small random programs the checker agrees with an enumeration of all histories.
//!
//! The enumeration steps b-threads one by one, as values, and uses neither state
//! spaces nor the store or the search of the checker.

use std::collections::BTreeSet;

use bthread::{
    AnyBThread, BThread, EventSet, FreeEnvironment, Generator, Priority, Program, Random,
    StateSpace, Strategy, SyncPoint, block, request_any, violation, wait_for,
};
use checker::{BProgram, Checker, Coverage, Order, Property, Report, Trace, Verdict};

type Word = &'static str;

const WORDS: [Word; 4] = ["a", "b", "c", "d"];

/// Which b-threads may choose freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Freedom {
    Nobody,
    Everybody,
    Environment,
}

/// All b-threads, each in its current state.
type State = Vec<AnyBThread<Word>>;

fn points(state: &State) -> Vec<(usize, SyncPoint<Word>)> {
    let point = |(number, thread): (usize, &AnyBThread<Word>)| {
        thread.sync_point().map(|point| (number, point.into_owned()))
    };
    state.iter().enumerate().filter_map(point).collect()
}

fn any(sets: &[EventSet<Word>], event: Word) -> bool {
    sets.iter().any(|set| set.contains(&event))
}

/// The events that may happen next, in order.
fn possible(state: &State, freedom: Freedom) -> Vec<Word> {
    let points = points(state);
    let is_free = |event: Word| !points.iter().any(|(_, point)| any(point.blocks(), event));
    let mut candidates: Vec<(usize, Word)> = Vec::new();
    for (number, point) in &points {
        for event in point.requests().iter().filter(|event| is_free(event)) {
            if !candidates.iter().any(|(_, other)| other == event) {
                candidates.push((*number, event));
            }
        }
    }
    let is_environment = |number: usize| state[number].name().family() == "Environment";
    match (freedom, candidates.first()) {
        (_, None) | (Freedom::Everybody, _) => {}
        (Freedom::Environment, Some((first, _))) if is_environment(*first) => {
            let wishes = |event| {
                let mut environment = points.iter().filter(|(number, _)| is_environment(*number));
                environment.any(|(_, point)| point.requests().contains(&event))
            };
            candidates.retain(|(_, event)| wishes(*event));
        }
        (Freedom::Nobody | Freedom::Environment, Some(_)) => candidates.truncate(1),
    }
    candidates.into_iter().map(|(_, event)| event).collect()
}

fn after(state: &State, event: Word) -> State {
    let mut next = state.clone();
    for (number, point) in points(state) {
        if any(point.interrupts(), event) {
            next[number].end();
        } else if point.requests().contains(&event) || any(point.waits(), event) {
            next[number].go_on(&event);
        }
    }
    next
}

fn hot(state: &State) -> BTreeSet<usize> {
    points(state)
        .into_iter()
        .filter(|(_, point)| point.is_hot())
        .map(|(number, _)| number)
        .collect()
}

/// All states, and the next state for each event, by number.
struct Graph {
    states: Vec<State>,
    edges: Vec<Vec<(Word, usize)>>,
    /// The distance of each state from the start, in events.
    depth: Vec<usize>,
    halting: Halting,
}

/// Whether a state with a violation has successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Halting {
    Never,
    AtViolations,
}

fn is_violated(state: &State) -> bool {
    points(state).iter().any(|(_, point)| point.violated().is_some())
}

const MOST_STATES: usize = 60;

impl Graph {
    /// The graph of a program, unless it is too large to enumerate.
    fn of(program: &Program<Word>, freedom: Freedom, halting: Halting) -> Option<Self> {
        let start = program.threads().to_vec();
        let mut graph = Self { states: vec![start], edges: Vec::new(), depth: vec![0], halting };
        while graph.edges.len() < graph.states.len() {
            let from = graph.edges.len();
            let state = graph.states[from].clone();
            let halts = halting == Halting::AtViolations && is_violated(&state);
            let events = if halts { Vec::new() } else { possible(&state, freedom) };
            let edges = events.into_iter().map(|event| {
                let next = after(&state, event);
                let known = graph.states.iter().position(|other| *other == next);
                let to = known.unwrap_or_else(|| {
                    graph.states.push(next);
                    graph.depth.push(graph.depth[from] + 1);
                    graph.states.len() - 1
                });
                (event, to)
            });
            let edges = edges.collect();
            graph.edges.push(edges);
            if graph.states.len() > MOST_STATES {
                return None;
            }
        }
        Some(graph)
    }

    fn is_violated(&self, state: usize) -> bool {
        is_violated(&self.states[state])
    }

    /// Terminal states, without those where a violation halts the search.
    fn ends(&self) -> impl Iterator<Item = usize> {
        let is_halted = |at| self.halting == Halting::AtViolations && self.is_violated(at);
        (0..self.states.len()).filter(move |at| self.edges[*at].is_empty() && !is_halted(*at))
    }

    /// The smallest depth of a state that passes the test.
    fn nearest(&self, states: impl Iterator<Item = usize>) -> Option<usize> {
        states.map(|state| self.depth[state]).min()
    }

    /// Whether a state is on a cycle of states that pass the test.
    fn goes_round(&self, start: usize, test: &dyn Fn(usize) -> bool) -> bool {
        let mut seen = BTreeSet::new();
        let mut stack = vec![start];
        while let Some(at) = stack.pop() {
            for (_, to) in self.edges[at].iter().filter(|(_, to)| test(*to)) {
                if *to == start {
                    return true;
                }
                if seen.insert(*to) {
                    stack.push(*to);
                }
            }
        }
        false
    }

    /// The smallest depth of a state on a cycle of states that pass the test.
    fn nearest_cycle(&self, test: &dyn Fn(usize) -> bool) -> Option<usize> {
        let states = (0..self.states.len()).filter(|at| test(*at));
        self.nearest(states.filter(|at| self.goes_round(*at, test)))
    }
}

/// Random b-threads with few sync points.
fn random_program(generator: &mut Generator) -> Program<Word> {
    let count = 2 + generator.below(3);
    let threads = (0..count).map(|number| random_thread(number, generator));
    Program::new(threads.collect::<Vec<_>>()).expect("the names differ")
}

fn random_thread(number: u64, generator: &mut Generator) -> BThread<Word> {
    let family = if generator.below(3) == 0 { "Environment" } else { "Thread" };
    let points = (0..=generator.below(2)).map(|_| random_point(generator));
    let thread = BThread::of(family, number).then(points);
    match generator.below(3) {
        0 => thread,
        1 => thread.repeat_while(random_set(generator)),
        _ => thread.forever(),
    }
}

fn random_set(generator: &mut Generator) -> EventSet<Word> {
    let bits = generator.below(15) + 1;
    EventSet::several(
        WORDS.into_iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, word)| word),
    )
}

fn random_point(generator: &mut Generator) -> SyncPoint<Word> {
    if generator.below(25) == 0 {
        return violation("it happened");
    }
    let mut point = if generator.below(2) == 0 {
        let requests = (0..=generator.below(1)).map(|_| random_word(generator));
        request_any(requests.collect::<Vec<_>>())
    } else {
        wait_for(random_set(generator))
    };
    if generator.below(3) == 0 {
        point = point.block(random_word(generator));
    }
    if generator.below(6) == 0 {
        point = point.interrupt(random_word(generator));
    }
    if generator.below(3) == 0 { point.hot() } else { point }
}

fn random_word(generator: &mut Generator) -> Word {
    WORDS[usize::try_from(generator.below(4)).expect("the index is below 4")]
}

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
        assert_eq!(search(&closed, 2, Order::BreadthFirst, halting), report);
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
fn the_checker_agrees_with_the_enumeration_of_all_histories() {
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
