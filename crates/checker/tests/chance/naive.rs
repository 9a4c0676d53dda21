//! A second implementation: every way to choose, and a linear system for each.

use checker::{BranchTarget, Chooser};

/// A state: who chooses, and the choices, each with weighted branches.
pub(crate) type NaiveState = (Chooser, Vec<Vec<(u32, BranchTarget<usize>)>>);

/// What the players choose in each state.
type Policy = Vec<usize>;

/// All ways in which one player can choose in its states.
fn policies(states: &[NaiveState], chooser: Chooser) -> Vec<Policy> {
    let mut policies = vec![Vec::new()];
    for (owner, choices) in states {
        let count = if *owner == chooser { choices.len().max(1) } else { 1 };
        let longer = |policy: &Policy| {
            let policy = policy.clone();
            (0..count).map(move |choice| [policy.clone(), vec![choice]].concat())
        };
        policies = policies.iter().flat_map(longer).collect();
    }
    policies
}

/// The greatest that the maximizer can attain whatever the minimizer does, from state 0.
pub(crate) fn value(states: &[NaiveState]) -> f64 {
    let (ours, theirs) =
        (policies(states, Chooser::Maximizer), policies(states, Chooser::Minimizer));
    let worst = |our: &Policy| {
        let values = theirs.iter().map(|their| reach(states, our, their));
        values.fold(f64::INFINITY, f64::min)
    };
    ours.iter().map(worst).fold(0.0, f64::max)
}

/// The probability to reach the goal from state 0 if both follow their policies.
fn reach(states: &[NaiveState], ours: &Policy, theirs: &Policy) -> f64 {
    let count = states.len();
    let row = |state: usize| -> (Vec<f64>, f64) {
        let (owner, choices) = &states[state];
        let policy = if *owner == Chooser::Maximizer { ours } else { theirs };
        let (mut to, mut goal) = (vec![0.0; count], 0.0);
        if let Some(branches) = choices.get(policy[state]) {
            let all: u32 = branches.iter().map(|(weight, _)| weight).sum();
            for (weight, target) in branches {
                let part = f64::from(*weight) / f64::from(all);
                match target {
                    BranchTarget::Goal => goal += part,
                    BranchTarget::State(state) => to[*state] += part,
                }
            }
        }
        (to, goal)
    };
    let rows: Vec<(Vec<f64>, f64)> = (0..count).map(row).collect();
    let mut reaches: Vec<bool> = rows.iter().map(|(_, goal)| *goal > 0.0).collect();
    for _ in 0..count {
        for state in 0..count {
            reaches[state] |= (0..count).any(|to| rows[state].0[to] > 0.0 && reaches[to]);
        }
    }
    // States that cannot reach the goal have the equation `x = 0`.
    let mut system: Vec<Vec<f64>> = (0..count)
        .map(|state| {
            let mut equation = vec![0.0; count + 1];
            equation[state] = 1.0;
            if reaches[state] {
                (0..count).for_each(|to| equation[to] -= rows[state].0[to]);
                equation[count] = rows[state].1;
            }
            equation
        })
        .collect();
    solve(&mut system)
}

/// The first unknown of a linear system, by elimination with pivots.
fn solve(system: &mut [Vec<f64>]) -> f64 {
    let count = system.len();
    for column in 0..count {
        let order =
            |a: &usize, b: &usize| system[*a][column].abs().total_cmp(&system[*b][column].abs());
        let pivot = (column..count).max_by(order).expect("there are rows left");
        system.swap(column, pivot);
        let pivot_row = system[column].clone();
        for (number, row) in system.iter_mut().enumerate() {
            if number != column && row[column] != 0.0 {
                let factor = row[column] / pivot_row[column];
                for (own, other) in row.iter_mut().zip(&pivot_row) {
                    *own -= factor * other;
                }
            }
        }
    }
    system[0][count] / system[0][0]
}
