//! Small random processes, compared with a second implementation.

use std::convert::Infallible;

use checker::{
    BranchTarget, Chooser, ExploredProcess, Extreme, ProcessSolution, StateChoices, ValueBounds,
};
use proptest::prelude::*;

use crate::naive::{NaiveState, value};

const STATES: usize = 5;

fn state() -> impl Strategy<Value = NaiveState> {
    let target = prop_oneof![
        1 => Just(BranchTarget::Goal),
        5 => (0..STATES).prop_map(BranchTarget::State),
    ];
    let branches = prop::collection::vec((1..4_u32, target), 1..4);
    let chooser = prop_oneof![Just(Chooser::Maximizer), Just(Chooser::Minimizer)];
    (chooser, prop::collection::vec(branches, 0..4))
}

fn explored(states: &[NaiveState]) -> ExploredProcess<usize> {
    let expand = |state: &usize, found: &mut StateChoices<usize>| {
        let (chooser, choices) = &states[*state];
        found.chosen_by(*chooser);
        for branches in choices {
            found.add(1, branches.iter().copied());
        }
        Ok::<(), Infallible>(())
    };
    ExploredProcess::explore(0, STATES, expand).expect("there are few states")
}

fn owned_by(states: &[NaiveState], chooser: Chooser) -> Vec<NaiveState> {
    states.iter().map(|(_, choices)| (chooser, choices.clone())).collect()
}

#[track_caller]
fn compare(found: ValueBounds, known: f64) {
    let is_inside = found.lower <= known + 1e-9 && known - 1e-9 <= found.upper;
    assert!(is_inside && found.width() <= 1e-9, "{found:?} is not {known}");
}

/// The process in which some choices are made as a solution says.
fn following(
    explored: &ExploredProcess<usize>,
    states: &[NaiveState],
    solution: &ProcessSolution,
) -> Vec<NaiveState> {
    let follow = |(state, (chooser, choices)): (usize, &NaiveState)| {
        let number = explored.number(&state);
        let choice = number.and_then(|number| solution.choice(number));
        let kept = choice.and_then(|choice| choices.get(choice)).cloned();
        (*chooser, kept.into_iter().collect())
    };
    states.iter().enumerate().map(follow).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn random_processes_have_the_values_of_the_second_implementation(
        states in prop::collection::vec(state(), STATES)
    ) {
        let process = explored(&states);
        let (least, greatest) = (
            process.process().probability(Extreme::Least),
            process.process().probability(Extreme::Greatest),
        );
        let (minimized, maximized) =
            (owned_by(&states, Chooser::Minimizer), owned_by(&states, Chooser::Maximizer));
        compare(least.value(0), value(&minimized));
        compare(greatest.value(0), value(&maximized));
        // The choices attain the values.
        compare(least.value(0), value(&following(&process, &minimized, &least)));
        compare(greatest.value(0), value(&following(&process, &maximized, &greatest)));
    }

    #[test]
    fn random_games_have_the_values_of_the_second_implementation(
        states in prop::collection::vec(state(), STATES)
    ) {
        let game = explored(&states).process().game_value();
        compare(game.value(0), value(&states));
    }
}
