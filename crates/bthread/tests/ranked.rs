//! A run that keeps its requests in the order of their priorities chooses as one that lists them
//! for each choice.

use std::fmt::{Debug, Write as _};

use bthread::{
    BThread, Behaviour, Candidate, Choices, ClosedLimits, Engine, EventSet, Generator, Limits,
    Program, Run, Strategy, SyncPoint, SyncPointPriority, Unobserved, block, request, request_any,
    wait_for,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Number(u32);

bthread::plain_event!(Number);

/// The numbers that b-threads speak of.
const SPOKEN: u32 = 24;

/// Chooses as [`SyncPointPriority`] does, from a list of everything that can happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ListedPriority(SyncPointPriority);

impl Strategy<Number> for ListedPriority {
    fn choose<'a>(&mut self, choices: &Choices<'a, Number>) -> Candidate<'a, Number> {
        self.0.choose(choices)
    }
}

fn below(generator: &mut Generator, bound: u32) -> u32 {
    u32::try_from(generator.below(bound.into())).expect("it is below 2^32")
}

/// Some of the numbers, in any order, perhaps with repetitions.
fn some(generator: &mut Generator, most: u32) -> Vec<Number> {
    let count = 1 + below(generator, most);
    (0..count).map(|_| Number(below(generator, SPOKEN))).collect()
}

fn set(generator: &mut Generator) -> EventSet<Number> {
    EventSet::several(some(generator, 3))
}

fn point(generator: &mut Generator) -> SyncPoint<Number> {
    let point = match generator.below(8) {
        0 => wait_for(set(generator)),
        1 => block(set(generator)).wait_for(set(generator)),
        2 => request_any(some(generator, 3)).block(!EventSet::several(some(generator, 20))),
        3 => request_any(some(generator, 3)).interrupt(set(generator)),
        _ => request_any(some(generator, 4)),
    };
    match generator.below(4) {
        0 => point,
        _ => point.at_priority(i32::try_from(generator.below(5)).expect("it is small") - 2),
    }
}

/// Requests a number a few times, at a priority that falls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Countdown {
    left: u32,
    number: Number,
}

impl Behaviour<Number> for Countdown {
    fn sync_point(&self) -> Option<SyncPoint<Number>> {
        let priority = i32::try_from(self.left).expect("it is small");
        (self.left > 0).then(|| request(self.number).at_priority(priority))
    }

    fn go_on(&mut self, _: &Number) {
        self.left -= 1;
    }
}

/// A b-thread with a script or a state.
fn thread(generator: &mut Generator, number: u32) -> bthread::AnyBThread<Number> {
    if generator.below(6) == 0 {
        let behaviour =
            Countdown { left: below(generator, 4), number: Number(below(generator, SPOKEN)) };
        return BThread::behaving(format!("Countdown({number})").as_str(), behaviour);
    }
    let points: Vec<_> = (0..=generator.below(4)).map(|_| point(generator)).collect();
    BThread::of("Script", number).then(points).into()
}

/// What somebody does to a run.
enum Deed {
    Trigger(Number),
    Enqueue(Number),
    Add(bthread::AnyBThread<Number>),
}

/// A run does these deeds. What follows, in words.
fn perform<M, S>(mut run: Run<M, S>, deeds: &[Deed]) -> Vec<String>
where
    M: Engine<Event = Number>,
    S: Strategy<Number>,
{
    let told = |run: &Run<M, S>, happened: &dyn Debug| {
        let mut told = format!("{:?} {happened:?}", run.status());
        run.visit_live(|name, point| {
            write!(told, ", {name} {point}").expect("a String can be written to");
        });
        told
    };
    let mut all = vec![told(&run, &())];
    for deed in deeds {
        let happened: Box<dyn Debug> = match deed {
            Deed::Trigger(number) => Box::new(run.trigger(*number)),
            Deed::Enqueue(number) => Box::new(run.enqueue(*number)),
            Deed::Add(thread) => Box::new(run.add(thread.clone())),
        };
        all.push(told(&run, &happened));
    }
    all
}

/// The most events of a superstep. Some programs need more: then it is undone.
const LIMITS: Limits = Limits { steps: 60, queued: 100 };

#[test]
fn ranked_requests_are_chosen_as_listed_ones_open_and_closed() {
    let mut lengths = 0;
    for seed in 0..400 {
        let generator = &mut Generator::seeded(seed);
        let count = 1 + below(generator, 70);
        let program = Program::new((0..count).map(|number| thread(generator, number)));
        let program = program.expect("the names differ");
        let deeds: Vec<Deed> = (0..12)
            .map(|number| match generator.below(4) {
                0 => Deed::Add(thread(generator, 1_000 + number)),
                1 => Deed::Enqueue(Number(below(generator, SPOKEN))),
                _ => Deed::Trigger(Number(below(generator, SPOKEN))),
            })
            .collect();
        let listed = ListedPriority(SyncPointPriority::seeded(seed));
        let ranked = SyncPointPriority::seeded(seed);
        let expected = program.start_with(listed, LIMITS, &mut Unobserved);
        let expected = expected.map(|run| perform(run, &deeds));
        lengths += expected.iter().flatten().map(String::len).sum::<usize>();
        let open = program.start_with(ranked.clone(), LIMITS, &mut Unobserved);
        assert_eq!(open.map(|run| perform(run, &deeds)), expected, "open, seed {seed}");
        for (states, thread_states, listed) in
            [(10_000, 10_000, 512), (0, 10_000, 512), (3, 2, 512), (0, 10_000, 2)]
        {
            let limits = ClosedLimits { states, thread_states, listed };
            let automaton = program.close_with_limits((0..SPOKEN).map(Number), limits);
            let automaton = automaton.expect("all numbers are known");
            let closed = automaton.start_with(ranked.clone(), LIMITS, &mut Unobserved);
            let closed = closed.map(|run| perform(run, &deeds));
            assert_eq!(closed, expected, "{limits:?}, seed {seed}");
        }
    }
    assert!(lengths > 100_000, "little happens: {lengths}");
}
