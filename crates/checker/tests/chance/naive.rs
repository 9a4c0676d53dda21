//! A second implementation: every way to choose, and a linear system for each.

use checker::{BranchTarget, Chooser, Extreme};

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
    let rows = rows(states, ours, theirs);
    let reaches = reaching(&rows);
    // States that cannot reach the goal have the equation `x = 0`.
    let equation = |(state, row): (usize, &NaiveRow)| {
        if reaches[state] { equation(state, row, row.goal) } else { zero(state, rows.len()) }
    };
    let mut system: Vec<Vec<f64>> = rows.iter().enumerate().map(equation).collect();
    solve(&mut system)
}

/// The least or greatest expected cost from state 0 to the goal, whoever chooses. `costs` has the
/// costs of the choices of each state.
pub(crate) fn expected(states: &[NaiveState], costs: &[Vec<u32>], extreme: Extreme) -> f64 {
    let states: Vec<NaiveState> =
        states.iter().map(|(_, choices)| (Chooser::Maximizer, choices.clone())).collect();
    let all = policies(&states, Chooser::Maximizer);
    let each = all.iter().map(|policy| expected_by(&states, costs, policy));
    match extreme {
        Extreme::Least => each.fold(f64::INFINITY, f64::min),
        Extreme::Greatest => each.fold(0.0, f64::max),
    }
}

/// The expected cost from state 0 by one policy: infinite if the goal may never be reached.
fn expected_by(states: &[NaiveState], costs: &[Vec<u32>], policy: &Policy) -> f64 {
    let rows = rows(states, policy, policy);
    let reaches = reaching(&rows);
    let mut is_visited = vec![false; rows.len()];
    let mut open = vec![0];
    while let Some(state) = open.pop() {
        if !reaches[state] {
            return f64::INFINITY;
        }
        if !std::mem::replace(&mut is_visited[state], true) {
            open.extend((0..rows.len()).filter(|to| rows[state].to[*to] > 0.0));
        }
    }
    let equation = |(state, row): (usize, &NaiveRow)| {
        let cost = costs[state].get(policy[state]).map_or(0.0, |cost| f64::from(*cost));
        if is_visited[state] { equation(state, row, cost) } else { zero(state, rows.len()) }
    };
    let mut system: Vec<Vec<f64>> = rows.iter().enumerate().map(equation).collect();
    solve(&mut system)
}

/// The probabilities of a state's successors, and of the goal.
struct NaiveRow {
    to: Vec<f64>,
    goal: f64,
}

/// Where each state leads if both follow their policies.
fn rows(states: &[NaiveState], ours: &Policy, theirs: &Policy) -> Vec<NaiveRow> {
    let row = |(state, (owner, choices)): (usize, &NaiveState)| {
        let policy = if *owner == Chooser::Maximizer { ours } else { theirs };
        let mut row = NaiveRow { to: vec![0.0; states.len()], goal: 0.0 };
        if let Some(branches) = choices.get(policy[state]) {
            let all: u32 = branches.iter().map(|(weight, _)| weight).sum();
            for (weight, target) in branches {
                let part = f64::from(*weight) / f64::from(all);
                match target {
                    BranchTarget::Goal => row.goal += part,
                    BranchTarget::State(state) => row.to[*state] += part,
                }
            }
        }
        row
    };
    states.iter().enumerate().map(row).collect()
}

/// Which states can reach the goal.
fn reaching(rows: &[NaiveRow]) -> Vec<bool> {
    let count = rows.len();
    let mut reaches: Vec<bool> = rows.iter().map(|row| row.goal > 0.0).collect();
    for _ in 0..count {
        for state in 0..count {
            reaches[state] |= (0..count).any(|to| rows[state].to[to] > 0.0 && reaches[to]);
        }
    }
    reaches
}

/// The equation `x = the mean of its successors + constant`.
fn equation(state: usize, row: &NaiveRow, constant: f64) -> Vec<f64> {
    let mut equation = zero(state, row.to.len());
    row.to.iter().zip(&mut equation).for_each(|(part, own)| *own -= part);
    equation[row.to.len()] = constant;
    equation
}

/// The equation `x = 0`.
fn zero(state: usize, count: usize) -> Vec<f64> {
    let mut equation = vec![0.0; count + 1];
    equation[state] = 1.0;
    equation
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
