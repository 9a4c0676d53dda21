//! The state spaces of random programs agree: open, by tables of a small alphabet, and from state to
//! state of a large one.

use std::collections::VecDeque;
use std::sync::Arc;

use bthread::{
    AnyBThread, BThread, Behaviour, EventSet, FreeEnvironment, Generator, Name, Priority, Program,
    Random, Snapshot, StateSpace, Strategy, SyncPoint, SyncPointPriority, block, request_any,
    wait_for,
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

/// A script of more sync points has no list of steps, and its positions take more than a byte.
const LONG: u32 = 254;

/// Some of the numbers, in any order, perhaps with repetitions.
fn some(generator: &mut Generator, most: u64) -> Vec<Number> {
    let count = 1 + generator.below(most);
    let number = |_| Number(u32::try_from(generator.below(SPOKEN.into())).expect("it is small"));
    (0..count).map(number).collect()
}

/// Some of the numbers: listed, as a predicate, or as what others are not.
fn set(generator: &mut Generator, most: u64) -> EventSet<Number> {
    let listed = some(generator, most);
    match generator.below(6) {
        0 => EventSet::matching_any(format!("{listed:?}"), move |number| listed.contains(number)),
        1 => !EventSet::several((0..SPOKEN).map(Number).filter(|each| !listed.contains(each))),
        _ => EventSet::several(listed),
    }
}

fn point(generator: &mut Generator) -> SyncPoint<Number> {
    let point = match generator.below(4) {
        0 => wait_for(set(generator, 3)),
        1 => block(set(generator, 2)).wait_for(set(generator, 3)),
        _ => request_any(some(generator, 3)),
    };
    let point = match generator.below(6) {
        0 => point.interrupt(set(generator, 1)),
        1 => point.start_over(set(generator, 1)),
        _ => point,
    };
    match generator.below(3) {
        0 => point.at_priority(i32::try_from(generator.below(3)).expect("it is small")),
        _ => point,
    }
}

/// Goes on to a sync point that depends on the event, or ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Jumping {
    points: Arc<[SyncPoint<Number>]>,
    at: usize,
}

impl Behaviour<Number> for Jumping {
    fn sync_point(&self) -> Option<SyncPoint<Number>> {
        self.points.get(self.at).cloned()
    }

    fn go_on(&mut self, event: &Number) {
        self.at = (self.at + 1 + event.0 as usize) % (self.points.len() + 1);
    }
}

fn program(generator: &mut Generator) -> Program<Number> {
    let threads = 1 + generator.below(5);
    let thread = |number| -> AnyBThread<Number> {
        let family = if number % 2 == 0 { "Environment" } else { "Rule" };
        let mut points = (0..=generator.below(4)).map(|_| point(generator)).collect::<Vec<_>>();
        if generator.below(4) == 0 {
            // A state cannot start over.
            points.retain(|point| point.restarts().is_empty());
            let jumping = Jumping { points: points.into(), at: 0 };
            return BThread::behaving(Name::of(family, number), jumping);
        }
        if generator.below(8) == 0 {
            points = points.iter().cloned().cycle().take(LONG as usize + 2).collect();
        }
        let script = BThread::of(family, number).then(points);
        let script = match generator.below(3) {
            0 => script,
            1 => script.times(u32::try_from(2 + generator.below(3)).expect("it is small")),
            _ => script.forever(),
        };
        script.into()
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
    steps_of_some(space, strategy, explores, STATES)
}

fn steps_of_some<S: Strategy<Number> + Sync>(
    space: &impl StateSpace<Event = Number>,
    strategy: &S,
    explores: bool,
    states: usize,
) -> Steps {
    let mut explore = space.explore(strategy);
    let mut seen = FxHashSet::from_iter([space.start()]);
    let mut waiting = VecDeque::from([space.start()]);
    let mut steps = Vec::new();
    while let Some(state) = waiting.pop_front().filter(|_| steps.len() < states) {
        let mut here = Vec::new();
        let mut show = |event: &Number, next| here.push((*event, next));
        if explores {
            explore(&state, &mut show).expect("all numbers are known");
        } else {
            space.successors(&state, strategy, &mut show).expect("all numbers are known");
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

#[test]
fn spaces_agree_on_all_positions_of_a_script_that_is_longer_than_a_byte() {
    let steps_of = |number: u32| request_any([Number(number)]).times(LONG + 10);
    let program = Program::new([
        BThread::new("Long").then(steps_of(0)).then(request_any([Number(1)])),
        BThread::new("Gate").then(wait_for(Number(1))).then(request_any([Number(2)])),
    ]);
    let program = program.expect("the names differ");
    let all = LONG as usize + 13;
    let expected = steps_of_some(&program.space(), &Priority, false, usize::MAX);
    assert_eq!(expected.len(), all);
    for events in [SPOKEN, MANY] {
        let closed = program.closed_space((0..events).map(Number)).expect("all are known");
        for explores in [false, true] {
            assert!(steps_of_some(&closed, &Priority, explores, usize::MAX) == expected);
        }
    }
}

/// What stands in a state: the b-threads that pass a test, with their sync points.
type Standing = Vec<(Name, Option<SyncPoint<Number>>)>;

/// What a b-thread may be watched for: a test of where it stands.
type PointTest = fn(Option<&SyncPoint<Number>>) -> bool;

#[test]
fn watching_b_threads_from_state_to_state_finds_those_that_a_look_at_all_of_them_finds() {
    let tests: [PointTest; 2] =
        [|point| point.is_none(), |point| point.is_some_and(|point| !point.requests().is_empty())];
    let mut generator = Generator::seeded(18);
    let mut found = [0; 2];
    for _ in 0..100 {
        let program = program(&mut generator);
        let threads: Vec<usize> =
            (0..program.threads().len()).filter(|each| each % 3 != 1).collect();
        let (open, closed) = (program.space(), program.closed_space((0..SPOKEN).map(Number)));
        let closed = closed.expect("all numbers are known");
        let mut states = vec![closed.start()];
        for place in 0..40 {
            let mut next = Vec::new();
            let Some(state) = states.get(place).cloned() else { break };
            let show = &mut |_: &Number, to| next.push(to);
            closed.successors(&state, &Random::seeded(0), show).expect("all numbers are known");
            states.extend(next);
        }
        for (test, found) in tests.into_iter().zip(&mut found) {
            let mut watch = closed.watch(&threads, test);
            // Backwards, so that the states that follow each other differ in more than one step.
            for state in states.iter().rev() {
                let (mut watched, mut looked_at): (Standing, Standing) = (Vec::new(), Vec::new());
                watch(state, &mut |name, point| watched.push((name.clone(), point.cloned())));
                open.watch(&threads, test)(&closed.snapshot(state), &mut |name, point| {
                    looked_at.push((name.clone(), point.cloned()));
                });
                assert_eq!(watched, looked_at, "{program}");
                *found += watched.len();
            }
        }
    }
    assert!(found.iter().all(|count| *count > 300), "{found:?}");
}
