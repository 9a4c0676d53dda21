//! Presence: the clients on a topic, as both ends keep it.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::{Error, Map, Value, from_value};

mod list;
mod tracker;

pub use list::{PresenceError, PresenceList};
pub use tracker::{PresenceTracker, TrackError};

/// The presences on a topic, by key; the payload of `presence_state`.
pub type Presences = BTreeMap<String, Presence>;

/// A user who is present, perhaps over several connections.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Presence {
    /// One for each connection.
    pub metas: Vec<PresenceMeta>,
    /// Further fields.
    #[serde(flatten)]
    pub about: Map<String, Value>,
}

/// One connection of a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct PresenceMeta {
    /// The ref of this connection, which no other one has.
    pub phx_ref: String,
    /// Its ref before the last update.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phx_ref_prev: Option<String>,
    /// Further fields.
    #[serde(flatten)]
    pub about: Map<String, Value>,
}

/// The connections that came and went; the payload of `presence_diff`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PresenceDiff {
    /// Those that came.
    pub joins: Presences,
    /// Those that went.
    pub leaves: Presences,
}

// Taking fields out of a map needs a fraction of the code that `#[serde(flatten)]` generates.
impl TryFrom<Map<String, Value>> for Presence {
    type Error = Error;

    fn try_from(mut about: Map<String, Value>) -> Result<Self, Error> {
        let metas = match about.remove("metas") {
            Some(Value::Array(metas)) => metas,
            Some(_) => return Err(Error::custom("invalid type, expected connections")),
            None => return Err(Error::missing_field("metas")),
        };
        let read = |meta| match meta {
            Value::Object(meta) => PresenceMeta::try_from(meta),
            _ => Err(Error::custom("invalid type, expected a connection")),
        };
        Ok(Self { metas: metas.into_iter().map(read).collect::<Result<_, _>>()?, about })
    }
}

impl TryFrom<Map<String, Value>> for PresenceMeta {
    type Error = Error;

    fn try_from(mut about: Map<String, Value>) -> Result<Self, Error> {
        let phx_ref = about.remove("phx_ref").ok_or_else(|| Error::missing_field("phx_ref"))?;
        let before = about.remove("phx_ref_prev").unwrap_or_default();
        Ok(Self { phx_ref: from_value(phx_ref)?, phx_ref_prev: from_value(before)?, about })
    }
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
