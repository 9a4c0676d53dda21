//! Random programs on which the reference, open and closed runs agree.

mod census;
mod habit;
mod life;
mod note;
mod random;
mod reference;
mod spec;
mod stage;

use bthread::{Limits, OutsideAlphabet, SuperstepError, TriggerError};
use proptest::prelude::{ProptestConfig, Strategy, proptest};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::census::Census;
use crate::habit::Habit;
use crate::note::PolicySpec;
use crate::random::{Case, Command, case, crowded_case};
use crate::spec::{BodySpec, Colour, SetSpec, Signal, ThreadSpec, program};
use crate::stage::{Cast, Stage};

/// Plays a case forth and back in turns, so that runs with different histories share automata.
fn check(case: &Case, census: &mut Census) {
    let cast = Cast::new(case);
    let mut forth = Stage::new(case, &cast);
    let mut back = Stage::new(case, &cast);
    for (command, other) in case.commands.iter().zip(case.commands.iter().rev()) {
        forth.play(command);
        back.play(other);
        forth.places().for_each(|place| census.add(place));
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn open_and_closed_runs_agree_with_the_reference(case in case()) {
        check(&case, &mut Census::default());
    }
}

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn runs_agree_when_crowds_of_b_threads_come_and_go(case in crowded_case()) {
        check(&case, &mut Census::default());
    }
}

/// What must not be rare, or agreement would mean little.
const INTERESTING: [&str; 28] = [
    "busy start",
    "did not start",
    "finished",
    "waiting",
    "stuck",
    "refused",
    "unheard",
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
    "came to request the unknown",
    "roomy, in a state",
    "roomy, off the table",
    "cramped, in a state",
    "cramped, off the table",
];

#[test]
fn random_programs_do_interesting_things() {
    let mut runner = TestRunner::deterministic();
    let mut census = Census::default();
    for _ in 0..1_000 {
        let tree = case().new_tree(&mut runner).expect("cases are never rejected");
        census.play(&tree.current());
        check(&tree.current(), &mut census);
    }
    for word in INTERESTING {
        assert!(census.count(word) >= 15, "{word} is rare: {census:#?}");
    }
}

const TRIGGERED: Signal = Signal { colour: Colour::Red, number: 0 };
const ANSWER: Signal = Signal { colour: Colour::Green, number: 0 };
const OTHER: Signal = Signal { colour: Colour::Red, number: 1 };

/// A b-thread that answers red0 with green0, which is not in the alphabet, and
/// one that counts, so that every signal leads to another state.
fn case_with_an_unknown_answer() -> Case {
    let of = SetSpec::Kind(Colour::Red);
    let echo = Habit::Echo { heard: None, of: SetSpec::One(TRIGGERED), until: SetSpec::Nothing };
    let tally = Habit::Tally { heard: 0, of, every: 9, request: OTHER };
    let thread = |name: &str, habit| ThreadSpec { name: name.into(), body: BodySpec::Habit(habit) };
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
    check(&case, &mut Census::default());
    let program = program(&case.program).expect("names differ");
    let (mut run, _) = program.start().expect("nothing is requested");
    assert_eq!(run.trigger(TRIGGERED).expect("nobody blocks it").events, [TRIGGERED, ANSWER]);
}

#[test]
fn a_closed_run_refuses_an_answer_outside_the_alphabet_on_and_off_the_table() {
    let case = case_with_an_unknown_answer();
    let program = program(&case.program).expect("names differ");
    let outside = OutsideAlphabet { event: ANSWER, requested_by: Some("Echo".into()) };
    let refused = TriggerError::Superstep(SuperstepError::OutsideAlphabet(outside));
    // Where one state is all there may be, the first signal leads off the table.
    for (cap, others, is_tabled) in [(1, 0, true), (1, 1, false), (100, 0, true), (100, 1, true)] {
        let automaton = program.close_with_cap(case.alphabet.clone(), cap).expect("it is known");
        let (mut run, _) = automaton.start().expect("nothing is requested");
        for _ in 0..others {
            run.trigger(OTHER).expect("nobody blocks it");
        }
        let before = run.snapshot();
        for _ in 0..2 {
            assert_eq!(run.state().is_tabled(), is_tabled);
            assert_eq!(run.trigger(TRIGGERED), Err(refused.clone()));
            assert_eq!(run.snapshot(), before);
        }
    }
}
