//! The messages of a client on the channel of a table.

use serde::{Deserialize, Serialize};

use super::Emoted;
use super::error::{MAX_MESSAGE_BYTES, WireError, read_bounded};
use crate::action::Action;
use crate::plain_json::read_move;
use crate::token::Token;

/// The payload with which a client joins the channel of a table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Hello {
    /// The token that holds the client's seat; a spectator has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<Token>,
    /// The last version that the client knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// The log of that version; see [`Welcome::epoch`](super::Welcome::epoch).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epoch: Option<String>,
}

/// A message of a client on the channel of a table.
///
/// It is serialized as the payload alone; [`FromClient::event`] is its kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum FromClient {
    /// `act`: the client sends an action. The reply is [`Accepted`](super::Accepted) or a
    /// [`Refusal`](game::Refusal).
    Act(Action),
    /// `resync`: the client asks for everything after a version. The reply is a
    /// [`Welcome`](super::Welcome).
    Resync(Resync),
    /// `emote`: the client sends an emote to the others.
    Emote(Emoted),
}

/// A request for everything after a version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resync {
    /// The last version that the client knows; without one it asks for the whole round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// The log of that version; see [`Welcome::epoch`](super::Welcome::epoch).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epoch: Option<String>,
}

impl FromClient {
    /// Reads the payload of an event.
    ///
    /// # Errors
    /// If a client sends no such event, or the payload does not fit it.
    pub fn read(event: &str, payload: &str) -> Result<Self, WireError> {
        match event {
            "act" => match read_move(payload) {
                Some(action) if payload.len() <= MAX_MESSAGE_BYTES => Ok(Self::Act(action)),
                _ => read_bounded(event, payload).map(Self::Act),
            },
            "resync" => read_bounded(event, payload).map(Self::Resync),
            "emote" => read_bounded(event, payload).map(Self::Emote),
            _ => Err(WireError::unknown(event)),
        }
    }

    /// The name of the event.
    #[must_use]
    pub const fn event(&self) -> &'static str {
        match self {
            Self::Act(_) => "act",
            Self::Resync(_) => "resync",
            Self::Emote(_) => "emote",
        }
    }
}

impl Hello {
    /// Reads the payload of a join.
    ///
    /// # Errors
    /// If it is too long or malformed.
    pub fn read(payload: &str) -> Result<Self, WireError> {
        read_bounded("phx_join", payload)
    }
}
