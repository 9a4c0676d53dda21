//! The state of a run as a value that can be stored.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};

use super::TextRun;
use crate::built::BuiltText;
use crate::thread_table::ENDED;

/// The state of a run: how far each b-thread has come, the result and the scores.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSnapshot {
    /// The name of the text, with its parameters.
    text: String,
    /// Tells texts of one name apart.
    fingerprint: String,
    /// For each b-thread in the order of the text, the number of its state; none if it has ended.
    states: Vec<Option<u32>>,
    /// The event that was the result.
    result: Option<u32>,
    scores: Vec<i32>,
}

/// A snapshot does not belong to the text that runs. Nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the snapshot is of another text, or of another version of this one")]
pub struct NotASnapshot;

impl TextRun {
    /// The state of the run.
    #[must_use]
    pub fn snapshot(&self) -> RunSnapshot {
        let known = |state: &u32| (*state != ENDED).then_some(*state);
        RunSnapshot {
            text: self.text.name(),
            fingerprint: fingerprint(&self.text),
            states: self.states.iter().map(known).collect(),
            result: self.result,
            scores: self.scores.clone(),
        }
    }

    /// Goes on from a snapshot.
    ///
    /// # Errors
    /// If the snapshot is of another text; nothing changes.
    pub fn restore(&mut self, snapshot: &RunSnapshot) -> Result<(), NotASnapshot> {
        let RunSnapshot { text, fingerprint: print, states, result, scores } = snapshot;
        let is_state = |(state, thread): (&Option<u32>, &crate::built::BuiltThread)| {
            state.is_none_or(|state| (state as usize) < thread.table.states.len())
        };
        let fits = *text == self.text.name()
            && *print == fingerprint(&self.text)
            && states.len() == self.states.len()
            && scores.len() == self.scores.len()
            && result.is_none_or(|event| event < self.text.0.names.events())
            && states.iter().zip(self.text.threads()).all(is_state);
        if !fits {
            return Err(NotASnapshot);
        }
        self.states = states.iter().map(|state| state.unwrap_or(ENDED)).collect();
        self.result = *result;
        self.scores.clone_from(scores);
        Ok(())
    }
}

/// Tells texts apart: the names of events and b-threads, and what each b-thread does.
fn fingerprint(text: &BuiltText) -> String {
    let mut hasher = FxHasher::default();
    text.events().for_each(|event| event.as_str().hash(&mut hasher));
    for thread in text.threads() {
        thread.name.as_str().hash(&mut hasher);
        for point in &thread.table.states {
            point.requests.hash(&mut hasher);
            for (events, target) in &point.next {
                (events, target).hash(&mut hasher);
            }
            for set in point.blocks.iter().chain(&point.interrupts) {
                set.bits.hash(&mut hasher);
            }
        }
    }
    format!("{:016x}", hasher.finish())
}
