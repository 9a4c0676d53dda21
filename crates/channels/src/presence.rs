//! Who is here: states, differences, and how the two ends keep them.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::{Error, Map, Value, from_value};

mod list;
mod tracker;

pub use list::{PresenceChange, PresenceError, PresenceList};
pub use tracker::{PresenceTracker, TrackError};

/// Who is on a topic, by key; the payload of `presence_state`.
pub type Presences = BTreeMap<String, Presence>;

/// Somebody who is here, perhaps several times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct Presence {
    /// One for each connection.
    pub metas: Vec<PresenceMeta>,
    /// What else the server says of this key.
    #[serde(flatten)]
    pub about: Map<String, Value>,
}

/// One connection of somebody who is here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct PresenceMeta {
    /// What tells it from all others.
    pub phx_ref: String,
    /// What it was called before its particulars changed.
    #[serde(skip_serializing_if = "Option::is_none")]
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

// Fields that are taken out of a map need a fraction of the code that `#[serde(flatten)]` generates
// to read them.
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
