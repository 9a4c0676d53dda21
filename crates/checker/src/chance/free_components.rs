//! Merging states between which choices can move for ever without cost.
//!
//! Among such states waiting for ever looks cheap, and the equations of the least cost have many
//! solutions. With each maximal end component of free choices merged into one state they have
//! one, because whatever never reaches the goal then costs infinitely much (de Alfaro, 1999;
//! Bertsekas and Tsitsiklis, 1991).

use super::decision_process::{Chooser, DecisionProcess, GOAL};
use super::end_components::EndComponents;
use super::solver::ProcessSolution;

/// A process with merged states.
pub(super) struct MergedProcess {
    pub(super) process: DecisionProcess,
    /// For each original state the state that it is part of.
    merged: Vec<u32>,
    /// For each choice the original one.
    origins: Vec<u32>,
}

impl MergedProcess {
    /// The process with each end component of free choices as one state; `None` if there is none.
    pub(super) fn of(process: &DecisionProcess) -> Option<Self> {
        let all: Vec<u32> = (0..).take(process.states()).collect();
        let is_free = |choice: u32| process.cost(choice) == 0;
        let components = EndComponents::new(process).maximal(&all, is_free);
        if components.is_empty() {
            return None;
        }
        let mut component_of = vec![None; process.states()];
        for (number, states) in components.iter().enumerate() {
            for state in states {
                component_of[*state as usize] = Some(number);
            }
        }
        // Merged states are numbered by their first members.
        let mut members: Vec<Vec<u32>> = Vec::new();
        let mut numbers = vec![None; components.len()];
        let mut merged = Vec::with_capacity(process.states());
        for &state in &all {
            let component = component_of[state as usize];
            let known = component.and_then(|component: usize| numbers[component]);
            let number = known.unwrap_or(members.len());
            if known.is_none() {
                members.push(Vec::new());
            }
            if let Some(component) = component {
                numbers[component] = Some(number);
            }
            members[number].push(state);
            merged.push(u32::try_from(number).unwrap_or(GOAL));
        }
        let mut made = Self { process: DecisionProcess::empty(), merged, origins: Vec::new() };
        for states in &members {
            for state in states {
                made.add_choices(process, *state);
            }
            made.process.end_state(Chooser::Minimizer);
        }
        Some(made)
    }

    fn target(&self, target: u32) -> u32 {
        self.merged.get(target as usize).copied().unwrap_or(GOAL)
    }

    /// Adds the choices of a state, except those that only move within its component for free.
    fn add_choices(&mut self, process: &DecisionProcess, state: u32) {
        for choice in process.choices_of(state) {
            if self.moves_freely(process, state, choice) {
                continue;
            }
            for (target, weight) in process.targets(choice).iter().zip(process.weights(choice)) {
                let target = self.target(*target);
                self.process.add_branch(target, *weight);
            }
            self.process.end_choice(process.cost(choice));
            self.origins.push(choice);
        }
    }

    /// Whether a choice of a state costs nothing and stays in its component.
    fn moves_freely(&self, process: &DecisionProcess, state: u32, choice: u32) -> bool {
        let own = self.target(state);
        let mut targets = process.targets(choice).iter();
        process.cost(choice) == 0 && targets.all(|target| self.target(*target) == own)
    }

    /// The solution for the original process.
    pub(super) fn unmerge(
        &self,
        process: &DecisionProcess,
        solution: &ProcessSolution,
    ) -> ProcessSolution {
        let values = self.merged.iter().map(|state| solution.values[*state as usize]).collect();
        ProcessSolution { values, choices: self.choices(process, solution) }
    }

    /// The choices that leave each component where that is cheapest, and before that come nearer to
    /// the state where it is left: all states of a component can reach each other for certain.
    fn choices(&self, process: &DecisionProcess, solution: &ProcessSolution) -> Vec<Option<u32>> {
        let owners = process.owners();
        let sources = process.sources();
        let mut chosen: Vec<Option<u32>> = vec![None; process.states()];
        let mut open = Vec::new();
        for (state, choice) in (0..).zip(&solution.choices) {
            let first = self.process.choices_of(state).start;
            if let Some(choice) = choice {
                let origin = self.origins[(first + choice) as usize];
                let owner = owners[origin as usize];
                chosen[owner as usize] = Some(origin);
                open.push(owner);
            }
        }
        let mut next = 0;
        while let Some(&state) = open.get(next) {
            next += 1;
            for &choice in sources.of(state) {
                let owner = owners[choice as usize];
                if chosen[owner as usize].is_none() && self.moves_freely(process, owner, choice) {
                    chosen[owner as usize] = Some(choice);
                    open.push(owner);
                }
            }
        }
        let states = (0..).zip(chosen);
        states.map(|(state, choice)| Some(choice? - process.choices_of(state).start)).collect()
    }
}
