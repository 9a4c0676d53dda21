//! Random programs and random commands.

use bthread::Limits;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::select;

use crate::note::PolicySpec;
use crate::sample_behaviour::SampleBehaviour;
use crate::spec::{
    BodySpec, COLOURS, Colour, NUMBERS, OUTSIDE, PointSpec, RepeatSpec, SetSpec, Signal, Test,
    ThreadSpec, alphabet,
};

/// A program and commands for it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) program: Vec<ThreadSpec>,
    /// All known signals, in any order.
    pub(crate) alphabet: Vec<Signal>,
    pub(crate) policy: PolicySpec,
    pub(crate) limits: Limits,
    /// The capacity of the smaller automaton.
    pub(crate) cap: u32,
    /// A signal to trigger for every signal of a set.
    pub(crate) handlers: Vec<(SetSpec, Signal)>,
    pub(crate) commands: Vec<Command>,
}

/// One command for a run.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    Trigger(Signal),
    Enqueue(Signal),
    /// Triggers a signal and lets the handlers react.
    React(Signal),
    Add(Vec<ThreadSpec>),
    /// Continues in a fresh run, from a snapshot.
    Refresh,
    Remember,
    /// Goes back to the last snapshot that was remembered.
    Recall,
    OpenToClosed,
    ClosedToOpen,
    /// Tries to restore the snapshot of another program.
    Foreign,
}

/// Any program and a few commands.
pub(crate) fn case() -> impl Strategy<Value = Case> {
    case_of(vec(command(), 1..20))
}

/// A program to which whole crowds of b-threads are added.
pub(crate) fn crowded_case() -> impl Strategy<Value = Case> {
    let command = prop_oneof![crowd().prop_map(Command::Add), command()];
    case_of(vec(command, 8..20))
}

fn case_of(commands: impl Strategy<Value = Vec<Command>>) -> impl Strategy<Value = Case> {
    let handlers = vec((set(), signal()), 0..3);
    let alphabet = Just(alphabet()).prop_shuffle();
    (program(), alphabet, policy(), limits(), 1_u32..6, handlers, commands).prop_map(
        |(program, alphabet, policy, limits, cap, handlers, commands)| Case {
            program,
            alphabet,
            policy,
            limits,
            cap,
            handlers,
            commands,
        },
    )
}

fn policy() -> impl Strategy<Value = PolicySpec> {
    let environment = prop_oneof![
        6 => (0..10).prop_map(|number| format!("Thread({number})")),
        1 => Just("Newcomer".to_owned()),
        1 => Just("Thread".to_owned()),
    ];
    prop_oneof![
        Just(PolicySpec::First),
        any::<u64>().prop_map(PolicySpec::Random),
        any::<u64>().prop_map(PolicySpec::SyncPointPriority),
        (vec(environment, 0..4), any::<u64>())
            .prop_map(|(environment, seed)| PolicySpec::FreeEnvironment(environment, seed)),
    ]
}

/// Limits so small that supersteps are endless and queues are full.
fn limits() -> impl Strategy<Value = Limits> {
    let steps = prop_oneof![12 => Just(40), 1 => 0_u64..6];
    (steps, 0_u32..5).prop_map(|(steps, queued)| Limits { steps, queued })
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        12 => any_signal().prop_map(Command::Trigger),
        6 => any_signal().prop_map(Command::Enqueue),
        1 => any_signal().prop_map(Command::React),
        3 => vec(newcomer(), 1..3).prop_map(Command::Add),
        1 => Just(Command::Refresh),
        1 => Just(Command::Remember),
        1 => Just(Command::Recall),
        1 => Just(Command::OpenToClosed),
        1 => Just(Command::ClosedToOpen),
        1 => Just(Command::Foreign),
    ]
}

fn program() -> impl Strategy<Value = Vec<ThreadSpec>> {
    let body = prop_oneof![
        5 => script(signal()),
        2 => sample_behaviour().prop_map(BodySpec::Behaviour),
    ];
    vec(body, 0..14).prop_map(|bodies| {
        let named = bodies.into_iter().enumerate();
        named.map(|(number, body)| ThreadSpec { name: format!("Thread({number})"), body }).collect()
    })
}

/// A b-thread to add. There are few names, so that some are taken, and scripts may
/// request signals outside of the alphabet.
fn newcomer() -> impl Strategy<Value = ThreadSpec> {
    let body = prop_oneof![
        5 => script(any_signal()),
        2 => sample_behaviour().prop_map(BodySpec::Behaviour),
    ];
    let name = prop_oneof![
        8 => (0..4).prop_map(|number| format!("Newcomer({number})")),
        1 => (0..3).prop_map(|number| format!("Thread({number})")),
    ];
    (name, body).prop_map(|(name, body)| ThreadSpec { name, body })
}

/// Many b-threads that mostly end at the same signal, and some that stay.
fn crowd() -> impl Strategy<Value = Vec<ThreadSpec>> {
    let stayer = signal().prop_map(SetSpec::One).prop_map(waiter);
    let body = prop_oneof![9 => Just(waiter(SetSpec::Everything)), 1 => stayer];
    (0..4, vec(body, 30..60)).prop_map(|(crowd, bodies)| {
        let name = |number| format!("Crowd({crowd}, {number})");
        let named = bodies.into_iter().enumerate();
        named.map(|(number, body)| ThreadSpec { name: name(number), body }).collect()
    })
}

fn waiter(set: SetSpec) -> BodySpec {
    BodySpec::Script(vec![PointSpec { waits: vec![set], ..PointSpec::default() }], RepeatSpec::Once)
}

/// Loops wait before they request, otherwise nearly every superstep would be endless.
fn script(
    signal: impl Strategy<Value = Signal> + Clone + 'static,
) -> impl Strategy<Value = BodySpec> {
    let waiting = point(vec(signal.clone(), 0..1));
    let asking = point(vec(signal.clone(), 1..4));
    let any = point(vec(signal, 0..3));
    let finite =
        prop_oneof![2 => Just(RepeatSpec::Once), 1 => (0_u32..4).prop_map(RepeatSpec::Times)];
    let endless = prop_oneof![
        6 => Just(RepeatSpec::Forever),
        3 => set().prop_map(RepeatSpec::While),
        1 => (0_usize..3).prop_map(RepeatSpec::ForeverAfter),
        1 => (0_usize..3, 0_usize..3, set())
            .prop_map(|(before, inside, set)| RepeatSpec::Inside(before, inside, set)),
    ];
    let alternating = (waiting.clone(), asking).prop_map(|(waiting, asking)| vec![waiting, asking]);
    prop_oneof![
        3 => (vec(any.clone(), 1..5), finite),
        4 => (alternating, endless.clone()),
        3 => (vec(waiting, 1..4), endless.clone()),
        1 => (vec(any, 0..4), endless),
    ]
    .prop_map(|(points, repeat)| BodySpec::Script(points, repeat))
}

/// Most b-threads wait for much and block little, so that many events have consequences.
fn point(
    requests: impl Strategy<Value = Vec<Signal>> + 'static,
) -> impl Strategy<Value = PointSpec> + Clone {
    let waited = prop_oneof![2 => wide_set(), 1 => set()];
    let waits = prop_oneof![1 => vec(waited.clone(), 0..1), 9 => vec(waited, 1..3)];
    let blocked = prop_oneof![3 => narrow_set(), 1 => set()];
    let blocks = prop_oneof![4 => vec(blocked.clone(), 0..1), 1 => vec(blocked, 1..3)];
    let interrupts = prop_oneof![6 => vec(set(), 0..1), 1 => vec(set(), 1..3)];
    let restarts = prop_oneof![8 => vec(set(), 0..1), 1 => vec(set(), 1..3)];
    let priority = option::weighted(0.3, -2..3);
    (requests, waits, blocks, interrupts, restarts, proptest::bool::weighted(0.1), priority)
        .prop_map(|(requests, waits, blocks, interrupts, restarts, is_hot, priority)| PointSpec {
            requests,
            waits,
            blocks,
            interrupts,
            restarts,
            is_hot,
            priority,
        })
        .boxed()
}

fn sample_behaviour() -> impl Strategy<Value = SampleBehaviour> {
    prop_oneof![
        2 => (0_u8..5, signal()).prop_map(|(left, request)| SampleBehaviour::Countdown { left, request }),
        2 => (set(), 2_u32..5, signal())
            .prop_map(|(of, every, request)| SampleBehaviour::Tally { heard: 0, of, every, request }),
        2 => (set(), set()).prop_map(|(of, until)| SampleBehaviour::Echo { heard: None, of, until }),
        2 => (colour(), 0..NUMBERS, 1..NUMBERS + 2)
            .prop_map(|(colour, at, top)| SampleBehaviour::Climber { colour, at, top }),
        2 => (wide_set(), 1_u8..4)
            .prop_map(|(of, enough)| SampleBehaviour::Grudge { seen: Vec::new(), of, enough }),
        2 => (any::<bool>(), wide_set(), narrow_set())
            .prop_map(|(is_on, toggle, blocks)| SampleBehaviour::Switch { is_on, toggle, blocks }),
    ]
}

fn set() -> impl Strategy<Value = SetSpec> + Clone {
    let leaf = prop_oneof![2 => narrow_set(), 3 => wide_set()];
    leaf.prop_recursive(2, 6, 3, |set| {
        let pair = (set.clone().prop_map(Box::new), set.clone().prop_map(Box::new));
        prop_oneof![
            1 => vec(set.clone(), 0..4).prop_map(SetSpec::Union),
            1 => pair.clone().prop_map(|(left, right)| SetSpec::Or(left, right)),
            2 => pair.prop_map(|(left, right)| SetSpec::And(left, right)),
            1 => set.clone().prop_map(|set| SetSpec::Not(Box::new(set))),
            1 => set.prop_map(|set| SetSpec::Named(Box::new(set))),
        ]
    })
}

fn narrow_set() -> impl Strategy<Value = SetSpec> + Clone {
    prop_oneof![
        6 => any_signal().prop_map(SetSpec::One),
        3 => vec(any_signal(), 0..4).prop_map(SetSpec::Several),
        2 => (test(), any_colour()).prop_map(|(test, colour)| SetSpec::Matching(test, vec![colour])),
        1 => Just(SetSpec::Nothing),
    ]
}

fn wide_set() -> impl Strategy<Value = SetSpec> + Clone {
    prop_oneof![
        4 => any_colour().prop_map(SetSpec::Kind),
        3 => colours().prop_map(SetSpec::Kinds),
        3 => (test(), colours())
            .prop_map(|(test, colours)| SetSpec::Matching(test, colours)),
        2 => test().prop_map(SetSpec::MatchingAny),
        1 => Just(SetSpec::Everything),
    ]
}

fn test() -> impl Strategy<Value = Test> + Clone {
    prop_oneof![Just(Test::Odd), (0..NUMBERS).prop_map(Test::AtLeast)]
}

fn colour() -> impl Strategy<Value = Colour> + Clone {
    select(&COLOURS[..])
}

fn any_colour() -> impl Strategy<Value = Colour> + Clone {
    prop_oneof![12 => colour(), 1 => Just(Colour::Grey)]
}

fn colours() -> impl Strategy<Value = Vec<Colour>> + Clone {
    prop_oneof![8 => vec(any_colour(), 1..4), 1 => Just(Vec::new())]
}

fn signal() -> impl Strategy<Value = Signal> + Clone {
    (colour(), 0..NUMBERS).prop_map(|(colour, number)| Signal { colour, number })
}

fn any_signal() -> impl Strategy<Value = Signal> + Clone {
    prop_oneof![20 => signal(), 1 => select(&OUTSIDE[..])]
}
