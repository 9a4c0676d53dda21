//! Finding the states of a process.

use std::hash::Hash;

use hashbrown::HashTable;

use super::decision_process::{Chooser, DecisionProcess, GOAL};
use crate::store::fingerprint;

/// A process whose states were found from a start, breadth-first. State 0 is the start.
#[derive(Debug)]
pub struct ExploredProcess<S> {
    process: DecisionProcess,
    states: Vec<S>,
    numbers: HashTable<u32>,
}

/// Where a branch of a choice leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchTarget<S> {
    /// The goal is reached.
    Goal,
    /// Another state.
    State(S),
}

/// The choices of a state. A state without choices is an end.
#[derive(Debug)]
pub struct StateChoices<S> {
    chooser: Chooser,
    choices: Vec<Vec<(u32, u32, BranchTarget<S>)>>,
}

/// Why the states of a process were not found.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExploreError<E> {
    /// The choices of a state are unknown.
    #[error(transparent)]
    Choices(E),
    /// There are more states than allowed.
    #[error("there are more than {0} states")]
    TooManyStates(usize),
}

impl<S> StateChoices<S> {
    /// Says who chooses in the state; by default the maximizer does.
    pub fn chosen_by(&mut self, chooser: Chooser) {
        self.chooser = chooser;
    }

    /// Adds a choice of this cost after which chance leads to one of these successors, each as
    /// likely as its weight says.
    pub fn add(&mut self, cost: u32, branches: impl IntoIterator<Item = (u32, BranchTarget<S>)>) {
        let branches = branches.into_iter();
        self.add_priced(branches.map(|(weight, target)| (weight, cost, target)));
    }

    /// Adds a choice after which chance leads to one of these successors. Each has a weight, which
    /// says how likely it is, and a cost.
    pub fn add_priced(&mut self, branches: impl IntoIterator<Item = (u32, u32, BranchTarget<S>)>) {
        self.choices.push(branches.into_iter().collect());
    }
}

impl<S: Clone + Eq + Hash> ExploredProcess<S> {
    /// Finds all states that can be reached from a start. `expand` adds the choices of a state.
    ///
    /// # Errors
    /// If there are more than `most_states` states, or `expand` fails.
    pub fn explore<E>(
        start: S,
        most_states: usize,
        mut expand: impl FnMut(&S, &mut StateChoices<S>) -> Result<(), E>,
    ) -> Result<Self, ExploreError<E>> {
        let process = DecisionProcess::empty();
        let mut explored = Self { process, states: Vec::new(), numbers: HashTable::new() };
        explored.insert(start);
        let mut next = 0;
        while let Some(state) = explored.states.get(next) {
            let mut found = StateChoices { chooser: Chooser::default(), choices: Vec::new() };
            expand(state, &mut found).map_err(ExploreError::Choices)?;
            for branches in found.choices {
                let mut sum: u64 = 0;
                for (weight, cost, successor) in branches {
                    sum = sum.saturating_add(u64::from(weight) * u64::from(cost));
                    let target = match successor {
                        BranchTarget::Goal => GOAL,
                        BranchTarget::State(state) => explored.insert(state),
                    };
                    explored.process.add_branch(target, weight);
                }
                explored.process.end_choice(sum);
            }
            explored.process.end_state(found.chooser);
            if explored.states.len() > most_states {
                return Err(ExploreError::TooManyStates(most_states));
            }
            next += 1;
        }
        Ok(explored)
    }

    /// The number of a state, which is new if it was not known.
    fn insert(&mut self, state: S) -> u32 {
        let Self { states, numbers, .. } = self;
        let print = fingerprint(&state);
        let known = numbers.find(print, |number| states[*number as usize] == state);
        if let Some(number) = known {
            return *number;
        }
        let number = u32::try_from(states.len()).expect("fewer than 2^32 states fit into memory");
        numbers.insert_unique(print, number, |number| fingerprint(&states[*number as usize]));
        states.push(state);
        number
    }

    /// The process.
    #[must_use]
    pub fn process(&self) -> &DecisionProcess {
        &self.process
    }

    /// The number of a state, if it was found.
    #[must_use]
    pub fn number(&self, state: &S) -> Option<usize> {
        let is_it = |number: &u32| self.states[*number as usize] == *state;
        self.numbers.find(fingerprint(state), is_it).map(|number| *number as usize)
    }
}
