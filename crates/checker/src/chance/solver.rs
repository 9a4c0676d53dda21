//! Bounds for the values of a process, one strongly connected component after another.

use bthread::sorting::sort;

use super::decision_process::{Chooser, DecisionProcess, GOAL};
use super::end_components::EndComponents;
use super::fraction::Fraction;
use super::value_bounds::ValueBounds;

/// The values of all states of a process, and the choices that attain them.
#[derive(Debug)]
pub struct ProcessSolution {
    pub(super) values: Vec<ValueBounds>,
    /// For each state the place among its choices.
    pub(super) choices: Vec<Option<u32>>,
}

impl ProcessSolution {
    /// The value of a state.
    #[must_use]
    pub fn value(&self, state: usize) -> ValueBounds {
        self.values[state]
    }

    /// The place, among the choices of a state in the order in which they were added, of one that
    /// attains its value within the bounds. `None` if the state has no choice.
    #[must_use]
    pub fn choice(&self, state: usize) -> Option<usize> {
        self.choices[state].map(|choice| choice as usize)
    }
}

/// Which way a number is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    Down,
    Up,
}

/// What every part of a solution needs.
pub(super) struct ProcessSolver<'a> {
    pub(super) process: &'a DecisionProcess,
    /// The chooser in all states, unless each state has its own.
    pub(super) everybody: Option<Chooser>,
    /// Whether choices have costs. If not, the goal is worth 1.
    pub(super) has_costs: bool,
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
    pub(super) exact: Vec<Option<Fraction>>,
    /// How many branches may still be looked at.
    pub(super) work: u64,
}

/// The most branches that are looked at: less than a minute.
const MOST_WORK: u64 = 20_000_000_000;

/// The largest component whose values are guessed and checked exactly.
const MOST_EXACT: usize = 10_000;

/// Smaller numbers are rounded to 0 or to this, so that products never underflow.
const LEAST: f64 = 1e-280;

impl<'a> ProcessSolver<'a> {
    pub(super) fn new(process: &'a DecisionProcess, everybody: Option<Chooser>) -> Self {
        let states = process.states();
        Self {
            process,
            everybody,
            has_costs: false,
            lower: vec![0.0; states],
            upper: vec![0.0; states],
            exact: vec![None; states],
            work: MOST_WORK,
        }
    }

    pub(super) fn chooser(&self, state: u32) -> Chooser {
        self.everybody.unwrap_or_else(|| self.process.chooser(state))
    }

    /// The value of a choice, given the values of states, rounded one way.
    #[expect(clippy::cast_precision_loss, reason = "the margin covers the rounded total")]
    pub(super) fn value(&self, choice: u32, values: &[f64], rounding: Rounding) -> f64 {
        let (targets, weights) = (self.process.targets(choice), self.process.weights(choice));
        let total = self.process.total(choice) as f64;
        let (goal, mut sum) =
            if self.has_costs { (0.0, self.process.cost(choice) as f64) } else { (1.0, 0.0) };
        for (target, weight) in targets.iter().zip(weights) {
            let value = if *target == GOAL { goal } else { values[*target as usize] };
            sum += value * f64::from(*weight);
        }
        // All terms are positive, so each of the operations adds at most half an epsilon, relatively.
        let margin = (targets.len() + 6) as f64 * f64::EPSILON;
        let value = sum / total;
        match rounding {
            Rounding::Down if value < LEAST => 0.0,
            Rounding::Down => value * (1.0 - margin),
            Rounding::Up if value > 0.0 => (value * (1.0 + margin)).max(LEAST),
            Rounding::Up => 0.0,
        }
    }

    /// The exact value of a choice, if those of its targets are known and it fits.
    fn exact_value(&self, choice: u32, values: &[Option<Fraction>]) -> Option<Fraction> {
        let (targets, weights) = (self.process.targets(choice), self.process.weights(choice));
        let total = self.process.total(choice);
        let (goal, mut sum) = if self.has_costs {
            (Fraction::ZERO, Fraction::new(self.process.cost(choice), 1)?)
        } else {
            (Fraction::ONE, Fraction::ZERO)
        };
        for (target, weight) in targets.iter().zip(weights) {
            let value = if *target == GOAL { goal } else { values[*target as usize]? };
            sum = sum.plus(value, *weight)?;
        }
        sum.over(total)
    }

    /// The value of the best choice of a state, rounded one way; `None` if it has no choice.
    pub(super) fn best(&self, state: u32, values: &[f64], rounding: Rounding) -> Option<f64> {
        let each =
            self.process.choices_of(state).map(|choice| self.value(choice, values, rounding));
        match self.chooser(state) {
            Chooser::Maximizer => each.reduce(f64::max),
            Chooser::Minimizer => each.reduce(f64::min),
        }
    }

    /// The exact value of the best choice. Choices of a minimizer that lead to infinity do not count.
    pub(super) fn best_exact(&self, state: u32, values: &[Option<Fraction>]) -> Option<Fraction> {
        let is_finite = |choice: &u32| {
            let mut targets = self.process.targets(*choice).iter();
            targets.all(|target| *target == GOAL || self.lower[*target as usize].is_finite())
        };
        let choices = self.process.choices_of(state).filter(is_finite);
        let mut best: Option<Fraction> = None;
        for choice in choices {
            let value = self.exact_value(choice, values)?;
            best = Some(match (best, self.chooser(state)) {
                (None, _) => value,
                (Some(best), Chooser::Maximizer) => best.max(value),
                (Some(best), Chooser::Minimizer) => best.min(value),
            });
        }
        best
    }

    /// The best exact value among some choices of a maximizer.
    fn greatest_exact(&self, choices: &[u32], values: &[Option<Fraction>]) -> Option<Fraction> {
        let values = choices.iter().map(|choice| self.exact_value(*choice, values));
        values.collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// Computes the value of a state none of whose choices leads back to it.
    pub(super) fn settle_single(&mut self, state: u32) {
        self.lower[state as usize] = self.best(state, &self.lower, Rounding::Down).unwrap_or(0.0);
        let upper = self.best(state, &self.upper, Rounding::Up).unwrap_or(0.0);
        self.upper[state as usize] = if self.has_costs { upper } else { upper.min(1.0) };
        self.exact[state as usize] = self.best_exact(state, &self.exact);
        self.tighten(&[state]);
    }

    /// Whether a choice of a state may lead back to the state itself.
    pub(super) fn has_loop(&self, state: u32) -> bool {
        let mut choices = self.process.choices_of(state);
        choices.any(|choice| self.process.targets(choice).contains(&state))
    }

    /// Guesses the exact values of a component whose bounds are close, and keeps them if they solve
    /// its equations, which have one solution. `exits` are for each end component, which all
    /// belongs to the maximizer, its states and the choices that leave it.
    pub(super) fn guess_exactly(&mut self, states: &[u32], exits: &[EndComponentExits]) {
        if states.len() > MOST_EXACT {
            return;
        }
        for &state in states {
            let (lower, upper) = (self.lower[state as usize], self.upper[state as usize]);
            let guess = Fraction::simplest_between(lower, upper);
            self.exact[state as usize] = guess.filter(|_| upper - lower < 1e-6);
        }
        let is_solved = |state: &u32| {
            let value = self.exact[*state as usize];
            value.is_some() && value == self.best_exact(*state, &self.exact)
        };
        let is_left = |part: &EndComponentExits| {
            let best = self.greatest_exact(&part.exits, &self.exact);
            part.states.iter().all(|state| self.exact[*state as usize] == best)
        };
        if states.iter().all(is_solved) && exits.iter().all(is_left) {
            self.tighten(states);
        } else {
            for state in states {
                self.exact[*state as usize] = None;
            }
        }
    }

    /// Sets the bounds of states whose values are known exactly.
    fn tighten(&mut self, states: &[u32]) {
        for &state in states {
            if let Some(exact) = self.exact[state as usize] {
                (self.lower[state as usize], self.upper[state as usize]) = exact.bounds();
            }
        }
    }

    /// Pays for a look at all branches of some states. Returns whether enough work was left.
    pub(super) fn pay(&mut self, states: &[u32]) -> bool {
        let branches = |state: &u32| {
            let choices = self.process.choices_of(*state);
            choices.map(|choice| self.process.targets(choice).len() as u64 + 1).sum::<u64>()
        };
        let cost = states.iter().map(branches).sum();
        let left = self.work.checked_sub(cost);
        self.work = left.unwrap_or(0);
        left.is_some()
    }

    pub(super) fn values(&self) -> Vec<ValueBounds> {
        let bounds = self.lower.iter().zip(&self.upper).zip(&self.exact);
        bounds
            .map(|((lower, upper), exact)| ValueBounds {
                lower: *lower,
                upper: *upper,
                exact: *exact,
            })
            .collect()
    }
}

/// An end component, and the choices of its maximizer that leave it.
pub(super) struct EndComponentExits {
    pub(super) states: Vec<u32>,
    pub(super) exits: Vec<u32>,
}

impl EndComponentExits {
    /// The end components among some states by choices that pass the test, with their exits.
    pub(super) fn of(
        solver: &ProcessSolver<'_>,
        components: &mut EndComponents<'_>,
        states: &[u32],
        is_choice: impl Fn(u32) -> bool,
    ) -> Vec<Self> {
        let found = components.maximal(states, is_choice).into_iter();
        found
            .map(|mut states| {
                sort(&mut states);
                let leaves = |choice: &u32| {
                    let mut targets = solver.process.targets(*choice).iter();
                    targets.any(|target| states.binary_search(target).is_err())
                };
                let of_maximizer = |state: &&u32| solver.chooser(**state) == Chooser::Maximizer;
                let choices = states.iter().filter(of_maximizer);
                let choices = choices.flat_map(|state| solver.process.choices_of(*state));
                let exits = choices.filter(leaves).collect();
                Self { states, exits }
            })
            .collect()
    }
}
