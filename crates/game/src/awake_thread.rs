//! The b-threads that are awake.

use bthread::{Event, EventSet, Name, SyncPoint};
use serde::{Deserialize, Serialize};

/// A b-thread that has not ended, and its sync point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AwakeThread {
    /// Its name.
    pub thread: String,
    /// Whether it is a strategy. Otherwise it is a rule.
    pub is_strategy: bool,
    /// The events that it requests, the most wanted first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<String>,
    /// The sets of events that it waits for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<String>,
    /// The sets of events that it blocks.
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
