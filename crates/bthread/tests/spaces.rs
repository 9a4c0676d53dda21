//! The state spaces of random programs agree: open, by tables of a small alphabet, and from state to
//! state of a large one.

use std::collections::VecDeque;

use bthread::{
    BThread, EventSet, FreeEnvironment, Generator, Priority, Program, Random, Snapshot, StateSpace,
    Strategy, SyncPoint, SyncPointPriority, block, request_any, wait_for,
};
use rustc_hash::FxHashSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Number(u32);

bthread::plain_event!(Number);

/// The numbers that b-threads speak of.
const SPOKEN: u32 = 6;

/// More events than a table has room for.
const MANY: u32 = 70;

/// The most states that are compared of one program.
const STATES: usize = 200;

/// Some of the numbers, in any order, perhaps with repetitions.
fn some(generator: &mut Generator, most: u64) -> Vec<Number> {
    let count = 1 + generator.below(most);
    let number = |_| Number(u32::try_from(generator.below(SPOKEN.into())).expect("it is small"));
    (0..count).map(number).collect()
}

fn point(generator: &mut Generator) -> SyncPoint<Number> {
    let point = match generator.below(4) {
        0 => wait_for(EventSet::several(some(generator, 3))),
        1 => block(EventSet::several(some(generator, 2)))
            .wait_for(EventSet::several(some(generator, 3))),
        _ => request_any(some(generator, 3)),
    };
    let point = match generator.below(6) {
        0 => point.interrupt(EventSet::several(some(generator, 1))),
        1 => point.start_over(EventSet::several(some(generator, 1))),
        _ => point,
    };
    match generator.below(3) {
        0 => point.at_priority(i32::try_from(generator.below(3)).expect("it is small")),
        _ => point,
    }
}

fn program(generator: &mut Generator) -> Program<Number> {
    let threads = 1 + generator.below(5);
    let thread = |number| {
        let family = if number % 2 == 0 { "Environment" } else { "Rule" };
        let points = (0..=generator.below(4)).map(|_| point(generator)).collect::<Vec<_>>();
        let script = BThread::of(family, number).then(points);
        match generator.below(3) {
            0 => script,
            1 => script.times(u32::try_from(2 + generator.below(3)).expect("it is small")),
            _ => script.forever(),
        }
    };
    Program::new((0..threads).map(thread).collect::<Vec<_>>()).expect("the names differ")
}

/// What can happen in each state, and where it leads.
type Steps = Vec<(Snapshot<Number>, Vec<(Number, Snapshot<Number>)>)>;

/// The steps of the first states, found again from the start or by an explorer that goes on.
fn steps<S: Strategy<Number> + Sync>(
    space: &impl StateSpace<Event = Number>,
    strategy: &S,
    explores: bool,
) -> Steps {
    let mut explore = space.explore(strategy);
    let mut seen = FxHashSet::from_iter([space.start()]);
    let mut waiting = VecDeque::from([space.start()]);
    let mut steps = Vec::new();
    while let Some(state) = waiting.pop_front().filter(|_| steps.len() < STATES) {
        let mut here = Vec::new();
        let mut show = |event: &Number, next| here.push((*event, next));
        if explores {
            explore(&state, &mut show).expect("no superstep is endless");
        } else {
            space.successors(&state, strategy, &mut show).expect("no superstep is endless");
        }
        for (_, next) in &here {
            if seen.insert(next.clone()) {
                waiting.push_back(next.clone());
            }
        }
        let here = here.into_iter().map(|(event, next)| (event, space.snapshot(&next))).collect();
        steps.push((space.snapshot(&state), here));
    }
    steps
}

/// The number of steps that the state spaces agree on.
fn compare<S: Strategy<Number> + Sync>(program: &Program<Number>, strategy: &S) -> usize {
    let expected = steps(&program.space(), strategy, false);
    for events in [SPOKEN, MANY] {
        let closed = program.closed_space((0..events).map(Number)).expect("all are known");
        for explores in [false, true] {
            let found = steps(&closed, strategy, explores);
            assert_eq!(found, expected, "{events} events: {program:?}");
        }
    }
    expected.iter().map(|(_, here)| here.len()).sum()
}

#[test]
fn open_and_closed_spaces_have_the_same_steps_in_the_same_order() {
    let mut generator = Generator::seeded(17);
    let mut counts = [0; 4];
    for _ in 0..200 {
        let program = program(&mut generator);
        counts[0] += compare(&program, &Priority);
        counts[1] += compare(&program, &Random::seeded(0));
        counts[2] += compare(&program, &SyncPointPriority::seeded(0));
        counts[3] += compare(&program, &FreeEnvironment::seeded(["Environment"], 0));
    }
    assert!(counts.iter().all(|count| *count > 300), "{counts:?}");
    assert!(counts[1] > counts[2] && counts[2] > counts[0], "{counts:?}");
}
