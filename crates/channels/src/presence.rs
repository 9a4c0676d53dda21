//! Who is here: states, differences, and how the two ends keep them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

mod list;
mod tracker;

pub use list::{PresenceChange, PresenceError, PresenceList};
pub use tracker::{PresenceTracker, TrackError};

/// Who is on a topic, by key; the payload of `presence_state`.
pub type Presences = BTreeMap<String, Presence>;

/// Somebody who is here, perhaps several times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// One for each connection.
    pub metas: Vec<Meta>,
    /// What else the server says of this key.
    #[serde(flatten)]
    pub about: Map<String, Value>,
}

/// One connection of somebody who is here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// What tells it from all others.
    pub phx_ref: String,
    /// What it was called before its particulars changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phx_ref_prev: Option<String>,
    /// Its particulars.
    #[serde(flatten)]
    pub about: Map<String, Value>,
}

/// Who came and who went; the payload of `presence_diff`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PresenceDiff {
    /// Who came.
    pub joins: Presences,
    /// Who went.
    pub leaves: Presences,
}

impl Presence {
    fn has(&self, phx_ref: &str) -> bool {
        self.metas.iter().any(|meta| meta.phx_ref == phx_ref)
    }

    /// The same with only those connections that `other` does not have.
    fn without(&self, other: &Self) -> Self {
        let metas = self.metas.iter().filter(|meta| !other.has(&meta.phx_ref)).cloned().collect();
        Self { metas, about: self.about.clone() }
    }
}
