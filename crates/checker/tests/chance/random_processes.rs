//! Small random processes, compared with a second implementation.

use std::convert::Infallible;

use checker::{
    BranchTarget, Chooser, ExploredProcess, Extreme, ProcessSolution, StateChoices, ValueBounds,
};
use proptest::prelude::*;

use crate::naive::{NaiveState, expected, value};

const STATES: usize = 5;

/// The most choices of a state.
const MOST_CHOICES: usize = 3;

fn state() -> impl Strategy<Value = NaiveState> {
    let target = prop_oneof![
        1 => Just(BranchTarget::Goal),
        5 => (0..STATES).prop_map(BranchTarget::State),
    ];
    let branches = prop::collection::vec((1..4_u32, target), 1..4);
    let chooser = prop_oneof![Just(Chooser::Maximizer), Just(Chooser::Minimizer)];
    (chooser, prop::collection::vec(branches, 0..=MOST_CHOICES))
}

fn explored(states: &[NaiveState]) -> ExploredProcess<usize> {
    explored_with(states, &vec![vec![1; MOST_CHOICES]; STATES])
}

/// The process whose choices have these costs.
fn explored_with(states: &[NaiveState], costs: &[Vec<u32>]) -> ExploredProcess<usize> {
    let expand = |state: &usize, found: &mut StateChoices<usize>| {
        let (chooser, choices) = &states[*state];
        found.chosen_by(*chooser);
        for (branches, cost) in choices.iter().zip(&costs[*state]) {
            found.add(*cost, branches.iter().copied());
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
    fn random_processes_cost_what_the_second_implementation_says(
        states in prop::collection::vec(state(), STATES),
        // Most choices are free, so that many processes can wait for ever without cost.
        costs in prop::collection::vec(
            prop::collection::vec(prop_oneof![3 => Just(0_u32), 2 => 1..4_u32], MOST_CHOICES),
            STATES,
        ),
    ) {
        let process = explored_with(&states, &costs);
        for extreme in [Extreme::Least, Extreme::Greatest] {
            let found = process.process().expected_cost(extreme);
            let known = expected(&states, &costs, extreme);
            if known.is_infinite() {
                assert!(found.value(0).lower.is_infinite(), "{extreme:?}: {}", found.value(0));
                continue;
            }
            compare(found.value(0), known);
            // The choices attain the value.
            let followed = following(&process, &states, &found);
            let costs: Vec<Vec<u32>> = (0..STATES)
                .map(|state| {
                    let number = process.number(&state);
                    let choice = number.and_then(|number| found.choice(number));
                    choice.map(|choice| costs[state][choice]).into_iter().collect()
                })
                .collect();
            compare(found.value(0), expected(&followed, &costs, extreme));
        }
    }

    #[test]
    fn random_games_have_the_values_of_the_second_implementation(
        states in prop::collection::vec(state(), STATES)
    ) {
        let game = explored(&states).process().game_value();
        compare(game.value(0), value(&states));
    }
}
