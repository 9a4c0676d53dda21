//! The probability that a goal is reached.
//!
//! Interval iteration: lower bounds grow from 0 and upper bounds sink from 1, one strongly connected
//! component after another, those first to which others lead. States from which the maximizer cannot
//! reach the goal are worth 0. In an end component the maximizer could stay for ever, and its upper
//! bounds would never sink: there they are not greater than that of the best choice that leaves it.
//! (Haddad and Monmege, 2018; with a minimizer: Kelmendi, Krämer, Křetínský and Weininger, 2018.)

use super::decision_process::{Chooser, DecisionProcess, Extreme, ProcessSources};
use super::end_components::EndComponents;
use super::fraction::Fraction;
use super::solver::{EndComponentExits, ProcessSolution, ProcessSolver, Rounding};

/// The bounds of a component are close enough. Others build on them, so it is much less than what
/// is promised.
const CLOSE: f64 = 1e-13;

/// Bounds that move less have come to rest.
const REST: f64 = 1e-17;

/// How often a minimizer's choices are looked at again.
const SWEEPS: u32 = 8;

impl DecisionProcess {
    /// The least or greatest probability to reach the goal from each state, whoever is to choose.
    #[must_use]
    pub fn probability(&self, extreme: Extreme) -> ProcessSolution {
        ProcessSolver::new(self, Some(extreme.chooser())).reach()
    }

    /// The probability to reach the goal from each state if maximizer and minimizer choose as well
    /// as possible.
    #[must_use]
    pub fn game_value(&self) -> ProcessSolution {
        ProcessSolver::new(self, None).reach()
    }
}

impl ProcessSolver<'_> {
    fn reach(mut self) -> ProcessSolution {
        let sources = self.process.sources();
        let owners = self.process.owners();
        let is_hopeful = self.hopeful(&sources, &owners);
        let mut states = Vec::new();
        for (number, is_hopeful) in (0..).zip(&is_hopeful) {
            if *is_hopeful {
                self.upper[number as usize] = 1.0;
                states.push(number);
            } else {
                self.exact[number as usize] = Some(Fraction::ZERO);
            }
        }
        let mut components = EndComponents::new(self.process);
        for component in components.strong(&states, |target| is_hopeful[target as usize]) {
            match &*component {
                [single] if !self.has_loop(*single) => self.settle_single(*single),
                several => self.iterate(several, &mut components),
            }
        }
        let choices = self.attaining(&sources, &owners, &is_hopeful);
        ProcessSolution { values: self.values(), choices }
    }

    /// The states from which the maximizer can reach the goal with a positive probability, whatever
    /// the minimizer does.
    fn hopeful(&self, sources: &ProcessSources, owners: &[u32]) -> Vec<bool> {
        let mut is_hopeful = vec![false; self.process.states()];
        let mut is_seen = vec![false; self.process.choices()];
        // How many choices of a minimizer do not lead there.
        let mut left: Vec<u32> = (0..self.process.states())
            .map(|state| {
                let state = u32::try_from(state).expect("states have numbers of 32 bits");
                self.process.choices_of(state).len().try_into().unwrap_or(u32::MAX)
            })
            .collect();
        let mut open = sources.to_goal.clone();
        while let Some(choice) = open.pop() {
            let owner = owners[choice as usize];
            if std::mem::replace(&mut is_seen[choice as usize], true) || is_hopeful[owner as usize]
            {
                continue;
            }
            left[owner as usize] -= 1;
            if self.chooser(owner) == Chooser::Maximizer || left[owner as usize] == 0 {
                is_hopeful[owner as usize] = true;
                open.extend(sources.of(owner));
            }
        }
        is_hopeful
    }

    /// Lets the bounds of a component come close to each other.
    fn iterate(&mut self, states: &[u32], components: &mut EndComponents<'_>) {
        let mut parts = EndComponentExits::of(self, components, states, |_| true);
        let of_minimizer = |state: &u32| self.chooser(*state) == Chooser::Minimizer;
        let is_mixed = parts.iter().any(|part| part.states.iter().any(of_minimizer));
        let mut sweeps = 0;
        while self.pay(states) {
            let change = self.sweep(states).max(self.leave_in_time(&parts));
            let gap = |state: &u32| self.upper[*state as usize] - self.lower[*state as usize];
            if states.iter().map(gap).fold(0.0, f64::max) <= CLOSE || change <= REST {
                break;
            }
            sweeps += 1;
            if is_mixed && sweeps % SWEEPS == 0 {
                parts = self.simple_parts(states, components);
            }
        }
        if !is_mixed {
            self.guess_exactly(states, &parts);
        }
    }

    /// Improves the bounds of all states once, and returns the greatest change.
    fn sweep(&mut self, states: &[u32]) -> f64 {
        let mut change: f64 = 0.0;
        for &state in states {
            let lower = self.best(state, &self.lower, Rounding::Down).unwrap_or(0.0);
            let upper = self.best(state, &self.upper, Rounding::Up).unwrap_or(0.0);
            let place = state as usize;
            if lower > self.lower[place] {
                change = change.max(lower - self.lower[place]);
                self.lower[place] = lower;
            }
            if upper < self.upper[place] {
                change = change.max(self.upper[place] - upper);
                self.upper[place] = upper;
            }
        }
        change
    }

    /// In an end component a minimizer can stay, so a maximizer who never leaves gets nothing. Returns
    /// the greatest change.
    fn leave_in_time(&mut self, parts: &[EndComponentExits]) -> f64 {
        let mut change: f64 = 0.0;
        for part in parts {
            let exits = part.exits.iter();
            let best = exits.map(|choice| self.value(*choice, &self.upper, Rounding::Up));
            let best = best.fold(0.0, f64::max);
            for state in &part.states {
                let upper = &mut self.upper[*state as usize];
                change = change.max(*upper - best);
                *upper = upper.min(best);
            }
        }
        change
    }

    /// The end components that remain if the minimizer makes only choices that look best.
    fn simple_parts(
        &self,
        states: &[u32],
        components: &mut EndComponents<'_>,
    ) -> Vec<EndComponentExits> {
        let mut is_worse = vec![false; self.process.choices()];
        for &state in states.iter().filter(|state| self.chooser(**state) == Chooser::Minimizer) {
            let best = self.best(state, &self.lower, Rounding::Up).unwrap_or(0.0);
            for choice in self.process.choices_of(state) {
                let value = self.value(choice, &self.lower, Rounding::Down);
                is_worse[choice as usize] = value > best + CLOSE;
            }
        }
        EndComponentExits::of(self, components, states, |choice| !is_worse[choice as usize])
    }

    /// For each state the place of a choice that attains its value. A maximizer's choices also come
    /// nearer to the goal, because many choices look best from within an end component.
    fn attaining(
        &self,
        sources: &ProcessSources,
        owners: &[u32],
        is_hopeful: &[bool],
    ) -> Vec<Option<u32>> {
        let states = 0..u32::try_from(self.process.states()).expect("states have 32 bits");
        let is_hopeless = |target: &u32| is_hopeful.get(*target as usize) == Some(&false);
        let mut chosen: Vec<Option<u32>> = states
            .map(|state| {
                let mut choices = self.process.choices_of(state);
                let first = choices.clone().next();
                match (is_hopeful[state as usize], self.chooser(state)) {
                    (true, Chooser::Maximizer) => None,
                    (true, Chooser::Minimizer) => choices.min_by(|one, other| {
                        let value = |choice: u32| self.value(choice, &self.upper, Rounding::Up);
                        value(*one).total_cmp(&value(*other))
                    }),
                    (false, _) => choices
                        .find(|choice| self.process.targets(*choice).iter().all(is_hopeless))
                        .or(first),
                }
            })
            .collect();
        let mut open = std::collections::VecDeque::from(sources.to_goal.clone());
        let mut is_near = vec![false; self.process.states()];
        while let Some(choice) = open.pop_front() {
            let owner = owners[choice as usize];
            let is_best = if let Some(best) = chosen[owner as usize] {
                best == choice
            } else {
                self.value(choice, &self.upper, Rounding::Up) >= self.lower[owner as usize]
            };
            if is_best && !std::mem::replace(&mut is_near[owner as usize], true) {
                chosen[owner as usize] = Some(choice);
                open.extend(sources.of(owner));
            }
        }
        let begin = |state: usize| self.process.choices_of(u32::try_from(state).unwrap_or(0)).start;
        let places = chosen.into_iter().enumerate();
        places.map(|(state, choice)| Some(choice? - begin(state))).collect()
    }
}
