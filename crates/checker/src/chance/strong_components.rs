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
    /// after all others to which it leads.
    pub(super) fn of(
        &mut self,
        states: &[u32],
        is_choice: impl Fn(u32) -> bool,
        is_target: impl Fn(u32) -> bool,
    ) -> Vec<Vec<u32>> {
        let (mut components, mut stack, mut frames) = (Vec::new(), Vec::new(), Vec::new());
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
                        components.extend(self.leave(state, frames.last(), &mut stack));
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

    /// Ends the visit of a state, and returns its component if it was the first of it.
    fn leave(
        &mut self,
        state: u32,
        before: Option<&SearchFrame>,
        stack: &mut Vec<u32>,
    ) -> Option<Vec<u32>> {
        let low = self.low[state as usize];
        if let Some(before) = before {
            let theirs = &mut self.low[before.state as usize];
            *theirs = low.min(*theirs);
        }
        if low != self.met[state as usize] {
            return None;
        }
        let begin = stack.iter().rposition(|member| *member == state)?;
        let component = stack.split_off(begin);
        for member in &component {
            self.is_stacked[*member as usize] = false;
        }
        Some(component)
    }
}
