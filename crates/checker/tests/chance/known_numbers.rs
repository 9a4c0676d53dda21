//! Processes whose numbers everybody knows.

use std::convert::Infallible;

use checker::BranchTarget::{self, Goal, State};
use checker::{ExploreError, ExploredProcess, Extreme, Fraction, StateChoices};

type Branches<S> = Vec<(u32, BranchTarget<S>)>;

/// Explores a process in which each step costs 1.
pub(crate) fn explored<S: Clone + Eq + std::hash::Hash>(
    start: S,
    choices: impl Fn(&S) -> Vec<Branches<S>>,
) -> ExploredProcess<S> {
    let expand = |state: &S, found: &mut StateChoices<S>| {
        for branches in choices(state) {
            found.add(1, branches);
        }
        Ok::<(), Infallible>(())
    };
    ExploredProcess::explore(start, 1_000_000, expand).expect("there are few states")
}

fn fraction(above: u64, below: u64) -> Option<Fraction> {
    Fraction::new(above, below)
}

fn probability<S: Clone + Eq + std::hash::Hash>(
    process: &ExploredProcess<S>,
    extreme: Extreme,
) -> Option<Fraction> {
    process.process().probability(extreme).value(0).exact
}

/// One branch for each value, all equally likely.
fn fair<S>(targets: impl IntoIterator<Item = BranchTarget<S>>) -> Branches<S> {
    targets.into_iter().map(|target| (1, target)).collect()
}

#[test]
fn a_gambler_with_three_coins_of_five_gets_rich_three_times_out_of_five() {
    let purse = |coins: &u32| match coins {
        0 => vec![],
        4 => vec![fair([Goal, State(3)])],
        coins => vec![fair([State(coins + 1), State(coins - 1)])],
    };
    let process = explored(3, purse);
    assert_eq!(probability(&process, Extreme::Least), fraction(3, 5));
    assert_eq!(probability(&process, Extreme::Greatest), fraction(3, 5));
}

#[test]
fn a_gambler_with_many_coins_is_bounded_exactly() {
    let goal = 60;
    let purse = |coins: &u32| match *coins {
        0 => vec![],
        coins if coins + 1 == goal => vec![fair([Goal, State(coins - 1)])],
        coins => vec![fair([State(coins + 1), State(coins - 1)])],
    };
    let process = explored(7, purse);
    assert_eq!(probability(&process, Extreme::Greatest), fraction(7, goal.into()));
}

/// The die of Knuth and Yao: seven states of a coin make six faces.
fn die(goal: impl Fn(u32) -> bool) -> ExploredProcess<u32> {
    let face = |face: u32| if goal(face) { Goal } else { State(10 + face) };
    explored(0, move |state: &u32| {
        let [heads, tails] = match state {
            0 => [State(1), State(2)],
            1 => [State(3), State(4)],
            2 => [State(5), State(6)],
            3 => [State(1), face(1)],
            4 => [face(2), face(3)],
            5 => [face(4), face(5)],
            6 => [face(6), State(2)],
            _ => return vec![],
        };
        vec![fair([heads, tails])]
    })
}

#[test]
fn a_coin_makes_a_fair_die_in_eleven_thirds_flips() {
    for face in 1..=6 {
        let process = die(|each| each == face);
        assert_eq!(probability(&process, Extreme::Least), fraction(1, 6), "face {face}");
    }
    let process = die(|_| true);
    for extreme in [Extreme::Least, Extreme::Greatest] {
        assert_eq!(process.process().expected_cost(extreme).value(0).exact, fraction(11, 3));
    }
}

#[test]
fn a_face_that_may_not_come_takes_for_ever() {
    let process = die(|face| face == 1);
    let cost = process.process().expected_cost(Extreme::Least).value(0);
    assert!(cost.lower.is_infinite(), "{cost}");
}

#[test]
fn the_shooter_wins_at_craps_244_times_out_of_495() {
    // The state 0 is the first roll; others are the point to make.
    let ways = |sum: u32| 6 - sum.abs_diff(7);
    let process = explored(0, |point: &u32| {
        let after = |sum: u32| match (*point, sum) {
            (0, 7 | 11) => Goal,
            (0, 2 | 3 | 12) => State(99),
            (0, point) => State(point),
            (point, sum) if point == sum => Goal,
            (_, 7) => State(99),
            (point, _) => State(point),
        };
        let rolls = (2..=12).map(|sum| (ways(sum), after(sum)));
        if *point == 99 { vec![] } else { vec![rolls.collect()] }
    });
    assert_eq!(probability(&process, Extreme::Greatest), fraction(244, 495));
}

#[test]
fn a_player_who_changes_the_door_gets_the_car_two_times_out_of_three() {
    // The prize, and the first choice. Only what the player does not know is left to chance.
    let process = explored((0, 0), |&(prize, first): &(u32, u32)| match (prize, first) {
        (0, _) => vec![fair((1..=3).map(|prize| State((prize, 0))))],
        (9, _) => vec![],
        (prize, 0) => (1..=3).map(|first| vec![(1, State((prize, first)))]).collect(),
        (prize, first) if prize == first => vec![vec![(1, State((9, 9)))]],
        _ => vec![vec![(1, Goal)]],
    });
    // A player who saw the prize would win always or never.
    assert_eq!(probability(&process, Extreme::Greatest), fraction(1, 1));
    assert_eq!(probability(&process, Extreme::Least), fraction(0, 1));
    let process = explored((0, 0), |&(prize, first): &(u32, u32)| match (prize, first) {
        (0, 0) => (1..=3).map(|first| vec![(1, State((0, first)))]).collect(),
        (0, first) => vec![fair((1..=3).map(|prize| State((prize, first))))],
        (9, _) => vec![],
        (prize, first) if prize == first => vec![vec![(1, State((9, 9)))]],
        _ => vec![vec![(1, Goal)]],
    });
    assert_eq!(probability(&process, Extreme::Greatest), fraction(2, 3));
    assert_eq!(probability(&process, Extreme::Least), fraction(2, 3));
}

#[test]
fn in_an_end_component_the_best_way_out_counts_and_waiting_is_worth_nothing() {
    // States 0 and 1 lead to each other for ever; 0 can bet 1/3, and 1 can bet 2/3.
    let process = explored(0, |state: &u32| match state {
        0 => vec![vec![(1, State(1))], vec![(1, Goal), (2, State(9))]],
        1 => vec![vec![(1, State(0))], vec![(2, Goal), (1, State(9))]],
        _ => vec![],
    });
    let greatest = process.process().probability(Extreme::Greatest);
    assert_eq!(greatest.value(0).exact, fraction(2, 3));
    // The choices that attain it do not wait for ever.
    assert_eq!([greatest.choice(0), greatest.choice(1)], [Some(0), Some(1)]);
    let least = process.process().probability(Extreme::Least);
    assert_eq!(least.value(0).exact, fraction(0, 1));
    assert_eq!([least.choice(0), least.choice(1)], [Some(0), Some(0)]);
    // The way takes two steps if it is taken, and for ever if not.
    assert!(process.process().expected_cost(Extreme::Greatest).value(0).lower.is_infinite());
    assert!(process.process().expected_cost(Extreme::Least).value(0).lower.is_infinite());
}

#[test]
fn a_way_that_can_be_chosen_has_a_least_cost_and_may_have_no_greatest() {
    // A short way of three steps on average, a long one of five, and waiting.
    let process = explored(0, |state: &u32| match state {
        0 => vec![vec![(1, State(1))], vec![(1, State(2))], vec![(1, State(0))]],
        1 => vec![vec![(1, Goal), (1, State(1))]],
        2 => vec![vec![(1, Goal), (3, State(2))]],
        _ => vec![],
    });
    let least = process.process().expected_cost(Extreme::Least);
    assert_eq!((least.value(0).exact, least.choice(0)), (fraction(3, 1), Some(0)));
    assert!(process.process().expected_cost(Extreme::Greatest).value(0).lower.is_infinite());
}

#[test]
fn waiting_without_cost_does_not_hide_the_least_cost_of_leaving() {
    // States 0 and 1 lead to each other for nothing. Leaving costs 5 from 0, and from 1 it costs 2
    // and leads back to 0 every other time, so that it costs 4 on average.
    let expand = |state: &u32, found: &mut StateChoices<u32>| {
        if *state == 0 {
            found.add(0, [(1, State(1))]);
            found.add(5, [(1, Goal)]);
        } else {
            found.add(0, [(1, State(0))]);
            found.add(2, [(1, Goal), (1, State(0))]);
        }
        Ok::<(), Infallible>(())
    };
    let process = ExploredProcess::explore(0, 10, expand).expect("there are two states");
    let least = process.process().expected_cost(Extreme::Least);
    assert_eq!([least.value(0).exact, least.value(1).exact], [fraction(4, 1); 2]);
    // The choices that attain it leave from the other state.
    assert_eq!([least.choice(0), least.choice(1)], [Some(0), Some(1)]);
    assert!(process.process().expected_cost(Extreme::Greatest).value(0).lower.is_infinite());
}

#[test]
fn a_number_that_is_no_simple_fraction_has_bounds_that_enclose_it() {
    // A walk whose weights have no common factors.
    let weights = [(7919, 104_729), (611_953, 15_485), (97, 1_299_709), (32_452, 86_028)];
    let process = explored(0, |state: &u32| {
        let Some((up, down)) = weights.get(*state as usize) else { return vec![] };
        let higher = if *state == 3 { Goal } else { State(state + 1) };
        let lower = if *state == 0 { State(9) } else { State(state - 1) };
        vec![vec![(*up, higher), (*down, lower)]]
    });
    let value = process.process().probability(Extreme::Least).value(0);
    // The ratio of the sums of products of `down / up`, in a hundred bits.
    assert!(value.width() <= 1e-9, "{value}");
    let ratios: Vec<f64> =
        weights.iter().map(|(up, down)| f64::from(*down) / f64::from(*up)).collect();
    let (mut product, mut sum) = (1.0, 1.0);
    for ratio in ratios {
        product *= ratio;
        sum += product;
    }
    let known = 1.0 / sum;
    assert!((value.lower - known).abs() < 1e-9, "{value} {known}");
    assert!(value.lower <= known + 1e-15 && value.upper >= known - 1e-15, "{value} {known}");
}

#[test]
fn too_many_states_are_refused() {
    let expand = |state: &u64, found: &mut StateChoices<u64>| {
        found.add(1, [(1, State(state + 1))]);
        Ok::<(), Infallible>(())
    };
    let refused = ExploredProcess::explore(0, 100, expand).map(|_| ()).unwrap_err();
    assert_eq!(refused, ExploreError::TooManyStates(100));
    assert_eq!(refused.to_string(), "there are more than 100 states");
}
