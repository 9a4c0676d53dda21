//! Markov decision processes, and games of two players with chance.

/// States with choices, and for each choice the states to which chance may lead, with weights: a
/// Markov decision process. If some states belong to a minimizer it is a game of two players.
///
/// It is made by [`ExploredProcess::explore`](crate::ExploredProcess::explore).
#[derive(Debug)]
pub struct DecisionProcess {
    choosers: Vec<Chooser>,
    /// Where the choices of each state begin, and where those of the last one end.
    first_choices: Vec<u32>,
    /// Where the branches of each choice begin, and where those of the last one end.
    first_branches: Vec<u32>,
    /// The sum of the weights of each choice.
    totals: Vec<u64>,
    /// The sum of the costs of its branches, each times its weight.
    costs: Vec<u64>,
    targets: Vec<u32>,
    weights: Vec<u32>,
}

/// What a player wants who chooses in a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chooser {
    /// The goal, as likely as possible.
    #[default]
    Maximizer,
    /// The goal, as unlikely as possible.
    Minimizer,
}

/// Which of the numbers that choices can attain is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The least: all choices are made by a minimizer.
    Least,
    /// The greatest: all choices are made by a maximizer.
    Greatest,
}

impl Extreme {
    pub(super) const fn chooser(self) -> Chooser {
        match self {
            Self::Least => Chooser::Minimizer,
            Self::Greatest => Chooser::Maximizer,
        }
    }
}

/// The target of a branch that reaches the goal.
pub(super) const GOAL: u32 = u32::MAX;

const FITS: &str = "fewer than 2^32 branches fit into memory";

impl DecisionProcess {
    pub(super) fn empty() -> Self {
        Self {
            choosers: Vec::new(),
            first_choices: vec![0],
            first_branches: vec![0],
            totals: Vec::new(),
            costs: Vec::new(),
            targets: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Adds a branch to the choice that is being added.
    pub(super) fn add_branch(&mut self, target: u32, weight: u32) {
        if weight > 0 {
            self.targets.push(target);
            self.weights.push(weight);
        }
    }

    /// Ends the choice that is being added, with the sum of its costs, each times its weight. A choice
    /// without branches is none.
    pub(super) fn end_choice(&mut self, cost: u64) {
        let begin = self.first_branches.last().copied().unwrap_or(0) as usize;
        if self.targets.len() > begin {
            let total = self.weights[begin..].iter().map(|weight| u64::from(*weight)).sum();
            self.totals.push(total);
            self.costs.push(cost);
            self.first_branches.push(u32::try_from(self.targets.len()).expect(FITS));
        }
    }

    /// Ends the state that is being added.
    pub(super) fn end_state(&mut self, chooser: Chooser) {
        self.choosers.push(chooser);
        self.first_choices.push(u32::try_from(self.costs.len()).expect(FITS));
    }

    /// The number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.choosers.len()
    }

    /// The number of choices of all states.
    #[must_use]
    pub fn choices(&self) -> usize {
        self.costs.len()
    }

    pub(super) fn chooser(&self, state: u32) -> Chooser {
        self.choosers[state as usize]
    }

    /// The choices of a state.
    pub(super) fn choices_of(&self, state: u32) -> std::ops::Range<u32> {
        self.first_choices[state as usize]..self.first_choices[state as usize + 1]
    }

    fn branches(&self, choice: u32) -> std::ops::Range<usize> {
        let begin = self.first_branches[choice as usize] as usize;
        begin..self.first_branches[choice as usize + 1] as usize
    }

    /// The states to which chance may lead after a choice, with `GOAL` for the goal.
    pub(super) fn targets(&self, choice: u32) -> &[u32] {
        &self.targets[self.branches(choice)]
    }

    /// The weights of those states.
    pub(super) fn weights(&self, choice: u32) -> &[u32] {
        &self.weights[self.branches(choice)]
    }

    /// The sum of the costs of a choice, each times its weight.
    pub(super) fn cost(&self, choice: u32) -> u64 {
        self.costs[choice as usize]
    }

    pub(super) fn total(&self, choice: u32) -> u64 {
        self.totals[choice as usize]
    }

    /// The state of each choice.
    pub(super) fn owners(&self) -> Vec<u32> {
        let states = 0..u32::try_from(self.states()).expect(FITS);
        let mut owners = Vec::with_capacity(self.choices());
        for state in states {
            owners.extend(self.choices_of(state).map(|_| state));
        }
        owners
    }

    /// For each state the choices that may lead to it, and those that may reach the goal.
    pub(super) fn sources(&self) -> ProcessSources {
        let mut counts = vec![0_u32; self.states() + 1];
        let mut to_goal = Vec::new();
        let choices = 0..u32::try_from(self.choices()).expect(FITS);
        for choice in choices.clone() {
            for target in self.targets(choice) {
                match *target {
                    GOAL => to_goal.push(choice),
                    state => counts[state as usize + 1] += 1,
                }
            }
        }
        for place in 1..counts.len() {
            counts[place] += counts[place - 1];
        }
        let mut next = counts.clone();
        let mut sources = vec![0; self.targets.len() - to_goal.len()];
        for choice in choices {
            for target in self.targets(choice).iter().filter(|target| **target != GOAL) {
                let place = &mut next[*target as usize];
                sources[*place as usize] = choice;
                *place += 1;
            }
        }
        ProcessSources { first: counts, choices: sources, to_goal }
    }
}

/// The choices that may lead to each state, and to the goal.
pub(super) struct ProcessSources {
    first: Vec<u32>,
    choices: Vec<u32>,
    pub(super) to_goal: Vec<u32>,
}

impl ProcessSources {
    pub(super) fn of(&self, state: u32) -> &[u32] {
        let range = self.first[state as usize] as usize..self.first[state as usize + 1] as usize;
        &self.choices[range]
    }
}
