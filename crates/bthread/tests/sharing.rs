//! Many threads of the operating system share one automaton.

#[path = "../examples/tic_tac_toe/rules.rs"]
mod rules;

use bthread::{Automaton, AutomatonState, ClosedRun, Generator, Limits, Priority, Unobserved};
use rules::{Move, game, x};

/// Plays games with random X moves, and returns them as text.
fn play(automaton: &Automaton<Move>, seed: u64, games: u32) -> Vec<String> {
    let mut generator = Generator::seeded(seed);
    (0..games).map(|_| play_one(automaton, &mut generator)).collect()
}

fn play_one(automaton: &Automaton<Move>, generator: &mut Generator) -> String {
    let (mut run, _) = automaton.start().expect("the opening ends");
    let mut events = Vec::new();
    for _ in 0..30 {
        let square = u8::try_from(generator.below(9)).expect("the number is below 9");
        if let Ok(superstep) = run.trigger(x(square)) {
            events.extend(superstep.events);
        }
    }
    events.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn automaton(cap: u32) -> Automaton<Move> {
    game().close_with_cap(rules::alphabet(), cap).expect("all moves are known")
}

#[test]
fn threads_that_build_the_same_automaton_play_as_if_alone() {
    for cap in [u32::MAX, 100] {
        let shared = automaton(cap);
        let alone: Vec<_> = (0..4).map(|seed| play(&automaton(cap), seed, 500)).collect();
        let together: Vec<_> = std::thread::scope(|scope| {
            let shared = &shared;
            let start = |seed| scope.spawn(move || play(shared, seed, 500));
            let threads = [0, 1, 2, 3].map(start);
            threads.map(|thread| thread.join().expect("the thread does not panic")).into()
        });
        assert_eq!(alone, together);
        assert!(shared.states() <= cap);
    }
}

#[test]
fn the_number_of_states_does_not_depend_on_the_order_of_games() {
    let (one, other) = (automaton(u32::MAX), automaton(u32::MAX));
    play(&one, 1, 3_000);
    play(&one, 2, 3_000);
    play(&other, 2, 3_000);
    play(&other, 1, 3_000);
    assert_eq!(one.states(), other.states());
}

#[test]
fn a_run_resumes_from_the_state_of_another_run() {
    let (mut run, _) = automaton(u32::MAX).start().unwrap();
    run.trigger(x(5)).unwrap();
    let state: AutomatonState<Move> = run.state();
    let mut resumed: ClosedRun<Move> = state.resume(Priority, Limits::default());
    for square in [0, 7, 6, 3] {
        assert_eq!(resumed.trigger(x(square)), run.trigger(x(square)));
    }
    assert_eq!(resumed.snapshot(), run.snapshot());
}

#[test]
fn a_run_resumes_from_a_state_off_the_table_too() {
    let (mut run, _) = automaton(1).start().unwrap();
    assert!(run.state().is_tabled());
    run.trigger(x(5)).unwrap();
    assert!(!run.state().is_tabled());
    let mut resumed = run.state().resume(Priority, Limits::default());
    resumed.trigger_observed(x(0), &mut Unobserved).unwrap();
    run.trigger(x(0)).unwrap();
    assert_eq!(resumed.snapshot(), run.snapshot());
}
