//! The expected cost of the way to a goal.
//!
//! Lower bounds grow from 0, one strongly connected component after another. Once they have come to
//! rest, slightly larger numbers are tried as upper bounds: they are true if no choice, or not the
//! best one, makes them larger (optimistic value iteration: Hartmanns and Kaminski, 2020).

use super::decision_process::{Chooser, DecisionProcess, Extreme, GOAL};
use super::end_components::EndComponents;
use super::free_components::MergedProcess;
use super::solver::{ProcessSolution, ProcessSolver, Rounding};

/// Bounds that move less, relatively, have come to rest.
const REST: f64 = 1e-15;

/// How much larger the upper bounds are, at first and at last.
const FIRST_EXCESS: f64 = 1e-12;
const LAST_EXCESS: f64 = 1e-3;

/// How much larger than its lower bound an exact value may be, relatively. It is checked exactly.
const GUESS: f64 = 1e-11;

impl DecisionProcess {
    /// The least or greatest expected cost of all choices on the way to the goal, from each state.
    ///
    /// It is infinite where the goal may never be reached: for the greatest, by some choices; for
    /// the least, by all.
    #[must_use]
    pub fn expected_cost(&self, extreme: Extreme) -> ProcessSolution {
        // The greatest cost is infinite wherever choices need never leave a component.
        let merged = if extreme == Extreme::Least { MergedProcess::of(self) } else { None };
        match merged {
            Some(merged) => merged.unmerge(self, &merged.process.solve_costs(extreme)),
            None => self.solve_costs(extreme),
        }
    }

    /// The greatest expected cost from each state, if nobody moves for ever without cost. It is
    /// infinite where choices can move for ever at a cost, or need not reach the goal.
    #[must_use]
    pub fn expected_cost_of_arriving(&self) -> ProcessSolution {
        match MergedProcess::of(self) {
            Some(merged) => merged.unmerge(self, &merged.process.solve_costs(Extreme::Greatest)),
            None => self.solve_costs(Extreme::Greatest),
        }
    }

    /// The expected cost, if no choices can move for ever without cost.
    fn solve_costs(&self, extreme: Extreme) -> ProcessSolution {
        let mut solver = ProcessSolver::new(self, Some(extreme.chooser()));
        solver.has_costs = true;
        solver.expect()
    }
}

impl ProcessSolver<'_> {
    fn expect(mut self) -> ProcessSolution {
        let all: Vec<u32> = (0..).take(self.process.states()).collect();
        let mut components = EndComponents::new(self.process);
        let is_finite = match self.everybody {
            Some(Chooser::Minimizer) => self.surely_possible(&all),
            _ => self.unavoidable(&all, &mut components),
        };
        for (state, is_finite) in is_finite.iter().enumerate() {
            if !is_finite {
                (self.lower[state], self.upper[state]) = (f64::INFINITY, f64::INFINITY);
            }
        }
        let finite: Vec<u32> =
            all.iter().copied().filter(|state| is_finite[*state as usize]).collect();
        for component in components.strong(&finite, |target| is_finite[target as usize]) {
            match &*component {
                [single] if !self.has_loop(*single) => self.settle_single(*single),
                several => self.iterate_costs(several),
            }
        }
        let choices = all.iter().map(|state| self.cheapest(*state)).collect();
        ProcessSolution { values: self.values(), choices }
    }

    /// The states from which every choice leads to the goal at last: those that lead to no end and to
    /// no end component.
    fn unavoidable(&self, all: &[u32], components: &mut EndComponents<'_>) -> Vec<bool> {
        let mut is_finite = vec![true; self.process.states()];
        let ends = all.iter().filter(|state| self.process.choices_of(**state).is_empty());
        let mut open: Vec<u32> = ends.copied().collect();
        open.extend(components.maximal(all, |_| true).into_iter().flatten());
        let (sources, owners) = (self.process.sources(), self.process.owners());
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut is_finite[state as usize], false) {
                let sources = sources.of(state).iter();
                open.extend(sources.map(|choice| owners[*choice as usize]));
            }
        }
        is_finite
    }

    /// The states from which some choices lead to the goal with probability 1: those from which the
    /// goal can be reached by choices that lead to such states only.
    fn surely_possible(&self, all: &[u32]) -> Vec<bool> {
        let (sources, owners) = (self.process.sources(), self.process.owners());
        let mut is_sure = vec![true; self.process.states()];
        loop {
            let stays = |choice: u32| {
                let mut targets = self.process.targets(choice).iter();
                targets.all(|target| *target == GOAL || is_sure[*target as usize])
            };
            let mut reaches = vec![false; self.process.states()];
            let mut open = sources.to_goal.clone();
            while let Some(choice) = open.pop() {
                let owner = owners[choice as usize];
                if stays(choice) && !std::mem::replace(&mut reaches[owner as usize], true) {
                    open.extend(sources.of(owner));
                }
            }
            let is_same =
                all.iter().all(|state| reaches[*state as usize] == is_sure[*state as usize]);
            if is_same {
                return is_sure;
            }
            // A state that is not sure stays so.
            for (is_sure, reaches) in is_sure.iter_mut().zip(reaches) {
                *is_sure &= reaches;
            }
        }
    }

    /// Lets the bounds of a component come close to each other.
    fn iterate_costs(&mut self, states: &[u32]) {
        while self.pay(states) && self.raise(states) > REST {}
        for &state in states {
            self.upper[state as usize] = self.lower[state as usize] * (1.0 + GUESS);
        }
        self.guess_exactly(states, &[]);
        if states.iter().all(|state| self.exact[*state as usize].is_some()) {
            return;
        }
        let larger = |excess: &f64| Some(excess * 4.0);
        let excesses = std::iter::successors(Some(FIRST_EXCESS), larger);
        for excess in excesses.take_while(|excess| *excess <= LAST_EXCESS) {
            for &state in states {
                self.upper[state as usize] =
                    (self.lower[state as usize] * (1.0 + excess)).next_up();
            }
            let is_bound = |state: &u32| {
                let best = self.best(*state, &self.upper, Rounding::Up);
                best.is_some_and(|best| best <= self.upper[*state as usize])
            };
            if states.iter().all(is_bound) {
                return;
            }
            if !self.pay(states) {
                break;
            }
            self.raise(states);
        }
        for state in states {
            self.upper[*state as usize] = f64::INFINITY;
        }
    }

    /// Raises the lower bounds once, and returns the greatest change, relatively.
    fn raise(&mut self, states: &[u32]) -> f64 {
        let mut change: f64 = 0.0;
        for &state in states {
            let lower = self.best(state, &self.lower, Rounding::Down).unwrap_or(0.0);
            let place = state as usize;
            if lower > self.lower[place] {
                change = change.max((lower - self.lower[place]) / lower);
                self.lower[place] = lower;
            }
        }
        change
    }

    fn cheapest(&self, state: u32) -> Option<u32> {
        let choices = self.process.choices_of(state);
        let begin = choices.start;
        let value = |choice: u32| self.value(choice, &self.lower, Rounding::Down);
        let order = |one: &u32, other: &u32| value(*one).total_cmp(&value(*other));
        let best = match self.everybody {
            Some(Chooser::Minimizer) => choices.min_by(order),
            _ => choices.max_by(order),
        };
        best.map(|choice| choice - begin)
    }
}
