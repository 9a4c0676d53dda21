//! Strongly connected components (Tarjan's algorithm without recursion).

use super::decision_process::{DecisionProcess, GOAL};

/// Finds strongly connected components. The memory is used again and again.
pub(super) struct StrongComponents<'a> {
    process: &'a DecisionProcess,
    /// The order in which states were met, from 1; 0 if a state was not met yet.
    met: Vec<u32>,
    /// The earliest state on the stack that can be reached.
    low: Vec<u32>,
    is_stacked: Vec<bool>,
}

/// A state whose successors are being visited.
struct SearchFrame {
    state: u32,
    choice: u32,
    branch: usize,
}

impl<'a> StrongComponents<'a> {
    pub(super) fn new(process: &'a DecisionProcess) -> Self {
        let states = process.states();
        let (met, low) = (vec![0; states], vec![0; states]);
        Self { process, met, low, is_stacked: vec![false; states] }
    }

    /// The components of some states, by choices and targets that pass the tests. A component comes
    /// after all others to which it leads. Within a component a state comes after those to which it
    /// leads, as far as there is such an order: whoever improves values in turn needs few rounds.
    pub(super) fn of(
        &mut self,
        states: &[u32],
        is_choice: impl Fn(u32) -> bool,
        is_target: impl Fn(u32) -> bool,
    ) -> Vec<Vec<u32>> {
        let (mut components, mut frames) = (Vec::new(), Vec::new());
        // The states of components that are not complete, as they were met and as they were left.
        let (mut stack, mut left) = (Vec::new(), Vec::new());
        let mut count = 0;
        for &root in states {
            if self.met[root as usize] == 0 {
                self.enter(root, &mut count, &mut stack, &mut frames);
            }
            while let Some(frame) = frames.last_mut() {
                match self.next_target(frame, &is_choice) {
                    Some(target) if target == GOAL || !is_target(target) => {}
                    Some(target) if self.met[target as usize] == 0 => {
                        self.enter(target, &mut count, &mut stack, &mut frames);
                    }
                    Some(target) => {
                        if self.is_stacked[target as usize] {
                            let met = self.met[target as usize];
                            let low = &mut self.low[frame.state as usize];
                            *low = met.min(*low);
                        }
                    }
                    None => {
                        let state = frame.state;
                        frames.pop();
                        left.push(state);
                        if let Some(begin) = self.leave(state, frames.last(), &stack) {
                            components.push(left.split_off(left.len() - (stack.len() - begin)));
                            stack.truncate(begin);
                        }
                    }
                }
            }
        }
        for state in states {
            self.met[*state as usize] = 0;
        }
        components
    }

    fn enter(
        &mut self,
        state: u32,
        count: &mut u32,
        stack: &mut Vec<u32>,
        frames: &mut Vec<SearchFrame>,
    ) {
        *count += 1;
        self.met[state as usize] = *count;
        self.low[state as usize] = *count;
        self.is_stacked[state as usize] = true;
        stack.push(state);
        frames.push(SearchFrame { state, choice: self.process.choices_of(state).start, branch: 0 });
    }

    fn next_target(
        &self,
        frame: &mut SearchFrame,
        is_choice: &impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let end = self.process.choices_of(frame.state).end;
        while frame.choice < end {
            let targets = self.process.targets(frame.choice);
            if frame.branch < targets.len() && (frame.branch > 0 || is_choice(frame.choice)) {
                frame.branch += 1;
                return Some(targets[frame.branch - 1]);
            }
            frame.choice += 1;
            frame.branch = 0;
        }
        None
    }

    /// Ends the visit of a state. If it was the first of its component, returns where the component
    /// begins on the stack.
    fn leave(&mut self, state: u32, before: Option<&SearchFrame>, stack: &[u32]) -> Option<usize> {
        let low = self.low[state as usize];
        if let Some(before) = before {
            let theirs = &mut self.low[before.state as usize];
            *theirs = low.min(*theirs);
        }
        if low != self.met[state as usize] {
            return None;
        }
        let begin = stack.iter().rposition(|member| *member == state)?;
        for member in &stack[begin..] {
            self.is_stacked[*member as usize] = false;
        }
        Some(begin)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::{BranchTarget, ExploredProcess, StateChoices};

    /// State 0 leads to 1 and 2, 1 to 2, 2 to 3 or back to 0, and 3 to itself.
    #[test]
    fn states_come_after_those_to_which_they_lead() {
        let expand = |state: &u32, found: &mut StateChoices<u32>| {
            let targets: &[u32] = match state {
                0 => &[1, 2],
                1 => &[2],
                2 => &[0, 3],
                _ => &[3],
            };
            found.add(1, targets.iter().map(|target| (1, BranchTarget::State(*target))));
            Ok::<(), Infallible>(())
        };
        let explored = ExploredProcess::explore(0, 10, expand).unwrap();
        let mut components = StrongComponents::new(explored.process());
        let found = components.of(&[0, 1, 2, 3], |_| true, |_| true);
        assert_eq!(found, [vec![3], vec![2, 1, 0]]);
        assert_eq!(components.of(&[0, 1, 2, 3], |_| true, |_| true), found, "the memory is free");
    }
}
