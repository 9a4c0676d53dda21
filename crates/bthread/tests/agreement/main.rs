//! Random programs on which the reference, open and closed runs agree.

mod comparison;
mod many;
mod note;
mod random;
mod reference;
mod reference_thread;
mod sample_behaviour;
mod spec;
mod statistics;

use bthread::{Limits, OutsideAlphabet, SuperstepError, TriggerError};
use proptest::prelude::{ProptestConfig, Strategy, proptest};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::comparison::{Comparison, Subject};
use crate::note::PolicySpec;
use crate::random::{Case, Command, case, crowded_case};
use crate::sample_behaviour::SampleBehaviour;
use crate::spec::{BodySpec, Colour, SetSpec, Signal, ThreadSpec, program};
use crate::statistics::Statistics;

/// Performs the commands of a case forwards and backwards in turns, so that runs with different
/// histories share automata.
fn check(case: &Case, statistics: &mut Statistics) {
    let subject = Subject::new(case);
    let mut forwards = Comparison::new(case, &subject);
    let mut backwards = Comparison::new(case, &subject);
    for (command, other) in case.commands.iter().zip(case.commands.iter().rev()) {
        forwards.perform(command);
        backwards.perform(other);
        forwards.table_states().for_each(|place| statistics.add(place));
    }
}

/// At least this many cases; the variable `PROPTEST_CASES` asks for more.
fn config(cases: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases.max(cases), failure_persistence: None, ..usual }
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn open_and_closed_runs_agree_with_the_reference(case in case()) {
        check(&case, &mut Statistics::default());
    }
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn runs_agree_when_crowds_of_b_threads_come_and_go(case in crowded_case()) {
        check(&case, &mut Statistics::default());
    }
}

/// Things that must be frequent, or the agreement would mean little.
const INTERESTING: [&str; 29] = [
    "busy start",
    "did not start",
    "finished",
    "waiting",
    "stuck",
    "refused",
    "unhandled",
    "followed",
    "followed for long",
    "choice",
    "open choice",
    "several requested",
    "several went on",
    "interrupted",
    "lost to blockers",
    "kept",
    "no longer blocked",
    "queue full",
    "endless",
    "undone",
    "name taken",
    "newcomer acted",
    "unknown",
    "requested the unknown",
    "roomy, in a state",
    "roomy, off the table",
    "cramped, in a state",
    "cramped, off the table",
    "local",
];

#[test]
fn random_programs_do_interesting_things() {
    let mut runner = TestRunner::deterministic();
    let mut statistics = Statistics::default();
    for _ in 0..1_000 {
        let tree = case().new_tree(&mut runner).expect("cases are never rejected");
        statistics.count_case(&tree.current());
        check(&tree.current(), &mut statistics);
    }
    for word in INTERESTING {
        assert!(statistics.count(word) >= 15, "{word} is rare: {statistics:#?}");
    }
}

const TRIGGERED: Signal = Signal { colour: Colour::Red, number: 0 };
const ANSWER: Signal = Signal { colour: Colour::Green, number: 0 };
const OTHER: Signal = Signal { colour: Colour::Red, number: 1 };

/// A b-thread that answers red0 with green0, which is outside of the alphabet, and one
/// that counts, so that every signal leads to a new state.
fn case_with_an_unknown_answer() -> Case {
    let of = SetSpec::Kind(Colour::Red);
    let echo =
        SampleBehaviour::Echo { heard: None, of: SetSpec::One(TRIGGERED), until: SetSpec::Nothing };
    let tally = SampleBehaviour::Tally { heard: 0, of, every: 9, request: OTHER };
    let thread = |name: &str, behaviour| ThreadSpec {
        name: name.into(),
        body: BodySpec::Behaviour(behaviour),
    };
    Case {
        program: vec![thread("Echo", echo), thread("Tally", tally)],
        alphabet: vec![TRIGGERED, OTHER],
        policy: PolicySpec::First,
        limits: Limits::default(),
        cap: 1,
        handlers: Vec::new(),
        commands: [OTHER, TRIGGERED, OTHER, TRIGGERED].map(Command::Trigger).into(),
    }
}

#[test]
fn an_open_run_goes_on_to_an_answer_outside_the_alphabet() {
    let case = case_with_an_unknown_answer();
    check(&case, &mut Statistics::default());
    let program = program(&case.program).expect("the names differ");
    let (mut run, _) = program.start().expect("nothing is requested");
    assert_eq!(run.trigger(TRIGGERED).expect("no b-thread blocks it").events, [TRIGGERED, ANSWER]);
}

#[test]
fn a_closed_run_refuses_an_answer_outside_the_alphabet_on_and_off_the_table() {
    let case = case_with_an_unknown_answer();
    let program = program(&case.program).expect("the names differ");
    let outside = OutsideAlphabet { event: ANSWER, requested_by: Some("Echo".into()) };
    let refused = TriggerError::Superstep(SuperstepError::OutsideAlphabet(outside));
    // If the table has room for one state, the first signal leads off the table.
    for (cap, others, is_tabled) in [(1, 0, true), (1, 1, false), (100, 0, true), (100, 1, true)] {
        let automaton = program
            .close_with_cap(case.alphabet.clone(), cap)
            .expect("the start requests only known signals");
        let (mut run, _) = automaton.start().expect("nothing is requested");
        for _ in 0..others {
            run.trigger(OTHER).expect("no b-thread blocks it");
        }
        let before = run.snapshot();
        for _ in 0..2 {
            assert_eq!(run.state().is_tabled(), is_tabled);
            assert_eq!(run.trigger(TRIGGERED), Err(refused.clone()));
            assert_eq!(run.snapshot(), before);
        }
    }
}
