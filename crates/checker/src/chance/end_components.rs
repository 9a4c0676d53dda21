//! End components: states that choices need never leave.

use super::decision_process::DecisionProcess;
use super::strong_components::StrongComponents;

/// Finds maximal end components. The memory is used again and again.
pub(super) struct EndComponents<'a> {
    process: &'a DecisionProcess,
    strong: StrongComponents<'a>,
    /// The part that each state belongs to at present.
    parts: Vec<u32>,
    last_part: u32,
}

impl<'a> EndComponents<'a> {
    pub(super) fn new(process: &'a DecisionProcess) -> Self {
        let strong = StrongComponents::new(process);
        Self { process, strong, parts: vec![0; process.states()], last_part: 0 }
    }

    /// The strongly connected components of some states, each after those to which it leads.
    pub(super) fn strong(
        &mut self,
        states: &[u32],
        is_target: impl Fn(u32) -> bool,
    ) -> Vec<Vec<u32>> {
        self.strong.of(states, |_| true, is_target)
    }

    /// The maximal end components among some states, by choices that pass the test.
    pub(super) fn maximal(
        &mut self,
        states: &[u32],
        is_choice: impl Fn(u32) -> bool,
    ) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        let mut open = vec![states.to_vec()];
        while let Some(states) = open.pop() {
            self.last_part += 1;
            let part = self.last_part;
            for state in &states {
                self.parts[*state as usize] = part;
            }
            let Self { process, strong, parts, .. } = self;
            let stays = |choice: u32| {
                let mut targets = process.targets(choice).iter();
                is_choice(choice)
                    && targets.all(|target| parts.get(*target as usize) == Some(&part))
            };
            let can_stay = |state: &u32| process.choices_of(*state).any(&stays);
            let rest: Vec<u32> = states.iter().copied().filter(can_stay).collect();
            if rest.is_empty() {
                continue;
            }
            if rest.len() < states.len() {
                open.push(rest);
                continue;
            }
            let mut components = strong.of(&states, stays, |_| true);
            match components.len() {
                1 => found.append(&mut components),
                _ => open.append(&mut components),
            }
        }
        found
    }
}
