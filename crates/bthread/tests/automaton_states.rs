//! States of closed runs as values that can be stepped and compared.

#[path = "../examples/tic_tac_toe/rules.rs"]
mod rules;

use bthread::{
    Automaton, AutomatonState, BThread, ClosedRun, Explanations, Generator, Limits, Priority,
    Program, SuperstepError, SuperstepSummary, TriggerError, Unobserved, request, wait_for,
};
use rules::{Move, game};

/// A table for all states, one that is soon full, and one for the start only.
const CAPS: [u32; 3] = [u32::MAX, 50, 1];

fn automaton(cap: u32) -> Automaton<Move> {
    game().close_with_cap(rules::alphabet(), cap).expect("all moves are known")
}

fn run_at(state: &AutomatonState<Move>) -> ClosedRun<Move> {
    state.clone().resume(Priority, Limits::default())
}

fn numbers(automaton: &Automaton<Move>) -> impl Iterator<Item = (u32, &Move)> {
    (0..).zip(automaton.alphabet())
}

/// Calls `look` with the states of random games.
fn walk(cap: u32, games: u32, mut look: impl FnMut(&AutomatonState<Move>)) {
    let automaton = automaton(cap);
    let mut generator = Generator::seeded(11);
    for _ in 0..games {
        let (run, _) = automaton.start().expect("the opening ends");
        let mut state = run.state();
        // The same win can be triggered again and again.
        for _ in 0..12 {
            look(&state);
            let free: Vec<u32> = numbers(&automaton)
                .map(|(number, _)| number)
                .filter(|number| state.unblocked(number / 64) >> (number % 64) & 1 == 1)
                .collect();
            let Some(last) = free.len().checked_sub(1) else { break };
            let chosen = generator.below(last as u64 + 1);
            let number = free[usize::try_from(chosen).expect("the index is below a length")];
            let limits = Limits::default();
            state.trigger_observed(number, limits, &mut Unobserved).expect("no b-thread blocks it");
        }
    }
}

#[test]
fn unblocked_events_are_those_that_a_run_allows() {
    for cap in CAPS {
        walk(cap, 30, |state| {
            let run = run_at(state);
            for (number, event) in numbers(state.automaton()) {
                let is_free = state.unblocked(number / 64) >> (number % 64) & 1 == 1;
                assert_eq!(is_free, run.allows(event), "{event}");
                assert_eq!(state.blockers(number), run.explain(event).blocked_by, "{event}");
            }
            assert_eq!(state.unblocked(0) >> state.automaton().alphabet().len(), 0);
            assert_eq!(state.unblocked(1), 0);
        });
    }
}

/// The result of a trigger, with all explanations.
type Triggered = Option<(Explanations<Move>, SuperstepSummary)>;

fn triggered(state: &AutomatonState<Move>, event: &Move) -> (Triggered, AutomatonState<Move>) {
    let mut run = run_at(state);
    let mut explained = Explanations::default();
    let happened = run.trigger_observed(event.clone(), &mut explained).ok();
    (happened.map(|happened| (explained, happened)), run.state())
}

#[test]
fn an_event_changes_a_state_as_it_changes_a_run() {
    for cap in CAPS {
        walk(cap, 30, |state| {
            for (number, event) in numbers(state.automaton()) {
                let (expected, after) = triggered(state, event);
                let (mut tried, mut explained) = (state.clone(), Explanations::default());
                let happened =
                    tried.trigger_observed(number, Limits::default(), &mut explained).ok();
                assert_eq!(happened.map(|happened| (explained, happened)), expected, "{event}");
                assert_eq!(tried, after, "{event}");
            }
        });
    }
}

#[test]
fn following_the_table_has_the_same_result() {
    let mut followed = 0;
    for cap in CAPS {
        walk(cap, 30, |state| {
            for (number, event) in numbers(state.automaton()) {
                let (expected, after) = triggered(state, event);
                let (mut tried, mut explained) = (state.clone(), Explanations::default());
                if let Some(happened) = tried.follow(number, &mut explained) {
                    followed += 1;
                    assert_eq!(Some((explained, happened.summary)), expected, "{event}");
                    assert_eq!(tried, after, "{event}");
                    assert_eq!(happened.first_unblocked, after.unblocked(0), "{event}");
                } else {
                    assert_eq!(explained, Explanations::default(), "{event}");
                    assert_eq!(tried, *state, "{event}");
                    assert!(expected.is_none() || cap < u32::MAX, "{event} is in the table");
                }
            }
        });
    }
    assert!(followed > 1_000, "{followed}");
}

#[test]
fn states_are_equal_if_their_snapshots_are() {
    let mut seen: Vec<AutomatonState<Move>> = Vec::new();
    for cap in [u32::MAX, 3] {
        walk(cap, 2, |state| seen.push(state.clone()));
    }
    assert!(
        seen.iter().any(AutomatonState::is_tabled) && !seen.iter().all(AutomatonState::is_tabled)
    );
    let snapshots: Vec<_> = seen.iter().map(|state| run_at(state).snapshot()).collect();
    let mut equal = 0;
    for (a, snapshot) in seen.iter().zip(&snapshots) {
        for (b, other) in seen.iter().zip(&snapshots) {
            assert_eq!(a == b, snapshot == other);
            equal += usize::from(a == b);
        }
    }
    assert!(equal > seen.len(), "also in different automata");
}

#[test]
fn a_refused_or_endless_event_leaves_a_state_as_it_was() {
    let loops = Program::new([
        BThread::new("Gate").then(wait_for("go").block("again")),
        BThread::new("Loop").then(request("again")).forever(),
    ]);
    let automaton =
        loops.expect("the names differ").close(["go", "again"]).expect("both events are known");
    let (run, _) = automaton.start().expect("the opening ends");
    let mut state = run.state();
    let before = state.clone();
    let limits = Limits { steps: 10, ..Limits::default() };
    for _ in 0..3 {
        assert_eq!(state.follow(0, &mut Unobserved), None);
        let endless = state.trigger_observed(0, limits, &mut Unobserved);
        let expected = SuperstepError::Endless { budget: 10, next: "again" };
        assert_eq!(endless, Err(TriggerError::Superstep(expected)));
        assert_eq!(state, before);
    }
}
