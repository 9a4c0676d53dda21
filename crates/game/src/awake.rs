//! Which b-threads are awake.

use bthread::{Event, EventSet, Name, SyncPoint};
use serde::{Deserialize, Serialize};

/// A b-thread that has not ended, and what it says at its sync point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AwakeThread {
    /// Its name.
    pub thread: String,
    /// Whether it is a strategy; otherwise it is a rule.
    pub is_strategy: bool,
    /// What it wants to happen, the dearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<String>,
    /// What it waits for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<String>,
    /// What it does not let happen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<String>,
}

impl AwakeThread {
    pub(crate) fn new<E: Event>(name: &Name, point: &SyncPoint<E>, is_strategy: bool) -> Self {
        let sets = |sets: &[EventSet<E>]| sets.iter().map(ToString::to_string).collect();
        Self {
            thread: name.to_string(),
            is_strategy,
            requests: point.requests().iter().map(ToString::to_string).collect(),
            waits: sets(point.waits()),
            blocks: sets(point.blocks()),
        }
    }
}
