//! What a b-thread of the world has seen.
//!
//! The states of a b-thread tell what it may still read, and two that differ only in what it never
//! reads again are one state. A choice may depend on all that it has seen, so for questions about
//! choices the states are told apart by that: every event at which it went on, in order.

use std::sync::Arc;

use crate::event_bits::EventBits;
use crate::thread_table::{ENDED, LocalPoint, ThreadTable};

/// A b-thread of the world whose states tell what it has seen, as far as a choice follows.
#[derive(Debug)]
pub(crate) struct WorldHistories {
    pub(crate) table: Arc<ThreadTable>,
    /// The states with a choice that depends only on what it has seen. A choice in a loop, or after
    /// one, is not among them: what was seen before it has no end.
    pub(crate) choices: Vec<u32>,
}

/// The most states of one b-thread that are told apart.
const MOST_HISTORIES: usize = 10_000;

/// The most events that they request together: each has a list of its own.
const MOST_REQUESTS: usize = 1_000_000;

/// A b-thread of the world can have seen too much to tell it all apart.
pub(crate) struct TooManyHistories;

impl WorldHistories {
    /// The histories of a b-thread; `None` if it has no choice that depends on them.
    pub(crate) fn of(table: &ThreadTable) -> Result<Option<Self>, TooManyHistories> {
        let is_choice = choices(table);
        if !is_choice.contains(&true) {
            return Ok(None);
        }
        let unfolding = Unfolding {
            table,
            leads: leading_to(table, &is_choice),
            plain: vec![None; table.states.len()],
            found: vec![0],
        };
        unfolding.unfold(&is_choice).map(Some)
    }
}

/// The states in which the b-thread chooses among several events, and that can be reached in
/// finitely many ways.
fn choices(table: &ThreadTable) -> Vec<bool> {
    let order = table.acyclic_order();
    let mut is_choice = vec![false; table.states.len()];
    for state in order {
        let point = &table.states[state as usize];
        is_choice[state as usize] = point.own_choices().len() > 1;
    }
    is_choice
}

/// The states from which a choice can be reached, and the choices.
fn leading_to(table: &ThreadTable, is_choice: &[bool]) -> Vec<bool> {
    let mut leads = is_choice.to_vec();
    for state in table.acyclic_order().into_iter().rev() {
        let mut next = table.states[state as usize].next.iter();
        let follows = next.any(|(_, target)| leads.get(*target as usize) == Some(&true));
        leads[state as usize] |= follows;
    }
    leads
}

/// Tells apart the ways to states from which a choice can be reached.
struct Unfolding<'a> {
    table: &'a ThreadTable,
    leads: Vec<bool>,
    /// The new numbers of states from which no choice can be reached.
    plain: Vec<Option<u32>>,
    /// The old states of the new ones.
    found: Vec<u32>,
}

impl Unfolding<'_> {
    fn unfold(mut self, is_choice: &[bool]) -> Result<WorldHistories, TooManyHistories> {
        let mut states = Vec::new();
        let mut choices = Vec::new();
        let mut requests = 0;
        while let Some(&old) = self.found.get(states.len()) {
            if is_choice[old as usize] {
                choices.push(u32::try_from(states.len()).unwrap_or(ENDED));
            }
            let point = &self.table.states[old as usize];
            let next = self.next(point);
            requests += point.requests.len();
            if self.found.len() > MOST_HISTORIES || requests > MOST_REQUESTS {
                return Err(TooManyHistories);
            }
            states.push(LocalPoint { next, ..point.clone() });
        }
        Ok(WorldHistories { table: Arc::new(ThreadTable { states }), choices })
    }

    /// Where events lead from a state: each to a state of its own, if a choice follows.
    fn next(&mut self, point: &LocalPoint) -> Vec<(EventBits, u32)> {
        let mut next = Vec::new();
        for (events, target) in &point.next {
            let is_told_apart = self.leads.get(*target as usize) == Some(&true);
            if !is_told_apart {
                next.push((events.clone(), self.plain(*target)));
                continue;
            }
            for event in events.iter() {
                if self.found.len() > MOST_HISTORIES {
                    return next;
                }
                next.push((events.only(event), self.fresh(*target)));
            }
        }
        next
    }

    fn fresh(&mut self, old: u32) -> u32 {
        self.found.push(old);
        u32::try_from(self.found.len() - 1).unwrap_or(ENDED)
    }

    fn plain(&mut self, old: u32) -> u32 {
        let Some(known) = self.plain.get(old as usize) else { return ENDED };
        if let Some(number) = *known {
            return number;
        }
        let number = self.fresh(old);
        self.plain[old as usize] = Some(number);
        number
    }
}
