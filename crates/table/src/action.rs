//! The actions of clients.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use game::{MoveText, Seat};
use serde::de::Error as _;
use serde::{Deserialize, Serialize, Serializer};

use crate::digest::Digest;
use crate::fields::{Fielded, Fields, deserialize_fielded};
use crate::player_name::PlayerName;
use crate::table_state::TableState;
use crate::token::Token;

/// The id of an action: the client's own id and a counter, such as `client:7`. An action is applied
/// once, however often it arrives.
// A table writes an id several times for each move and copies it more often, so it is kept as text
// that copies share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = String, pattern = "^[A-Za-z0-9_-]{1,32}:(0|[1-9][0-9]*)$"))]
#[serde(try_from = "String")]
pub struct ActionId(Arc<str>);

/// The text is not the id of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an action is called CLIENT:COUNTER, as in a1b2:7; a client has at most 32 letters and digits"
)]
pub struct NotAnActionId;

/// A request of a client to act at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Action {
    /// The id that the client gave it.
    pub id: ActionId,
    /// The action itself.
    #[serde(flatten)]
    pub body: ActionBody,
}

/// What a client can do at a table. Each action names the round and ply that it is meant for, or
/// else a version, so that a late duplicate does nothing in a later state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "action", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ActionBody {
    /// Take a seat, or come back to it.
    Join {
        /// The seat; without one, the first free seat.
        #[serde(skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        /// The name of the player.
        name: PlayerName,
        /// The digest of the token that will hold the seat.
        token: Digest,
        /// The last version that the server has confirmed to the client.
        version: u64,
    },
    /// Make a move.
    Play {
        /// The round.
        round: u32,
        /// The number of moves and draws before it in the round.
        ply: u32,
        /// The move.
        #[serde(rename = "move")]
        chosen: MoveText,
    },
    /// Give up the round, or acknowledge that it is lost.
    Forfeit {
        /// The round.
        round: u32,
        /// The number of moves and draws before it in the round.
        ply: u32,
    },
    /// Agree that the round is a tie.
    Tie {
        /// The round.
        round: u32,
        /// The number of moves and draws before it in the round.
        ply: u32,
    },
    /// Begin the next round.
    NextRound {
        /// The round that is over.
        round: u32,
        /// The number of moves and draws before it in the round.
        ply: u32,
    },
    /// Claim the round, because the player of the seat in turn is absent. The server knows whether that
    /// is so.
    Claim {
        /// The absent seat.
        seat: Seat,
        /// The round.
        round: u32,
        /// The number of moves, draws and takebacks before it in the round.
        ply: u32,
    },
    /// Ask to take back the own last move, with everything after it.
    AskTakeback {
        /// The round.
        round: u32,
        /// The number of moves, draws and takebacks before it in the round.
        ply: u32,
    },
    /// Agree that the other player takes the last move back.
    GrantTakeback {
        /// The round.
        round: u32,
        /// The number of moves, draws and takebacks before it in the round.
        ply: u32,
    },
    /// Do not agree.
    DeclineTakeback {
        /// The round.
        round: u32,
        /// The number of moves, draws and takebacks before it in the round.
        ply: u32,
    },
    /// Offer the own seat to another device, until the next own move or the end of the round.
    OfferSeat {
        /// The digest of the secret that the other device must show.
        secret: Digest,
        /// The last version that the server has confirmed to the client.
        version: u64,
    },
    /// Take over a seat that its player offered. Everything else that held the seat holds it no longer.
    TakeOver {
        /// The secret.
        secret: Token,
        /// The digest of the token that will hold the seat.
        token: Digest,
    },
    /// End the table between two rounds, which reveals its seed.
    End {
        /// The last version that the server has confirmed to the client.
        version: u64,
    },
    /// Leave the table; the seat stays taken.
    Leave {
        /// The last version that the server has confirmed to the client.
        version: u64,
    },
}

deserialize_fielded!(Action);

impl Fielded for Action {
    const EXPECTED: &'static str = "an action";
    const NAMES: &'static [&'static str] =
        &["id", "action", "seat", "name", "token", "version", "round", "ply", "move", "secret"];

    fn of(fields: &mut Fields) -> Result<Self, serde_json::Error> {
        Ok(Self { id: fields.take("id")?, body: ActionBody::of(fields)? })
    }
}

impl ActionBody {
    const KINDS: [&'static str; 13] = [
        "join",
        "play",
        "forfeit",
        "tie",
        "next_round",
        "leave",
        "claim",
        "ask_takeback",
        "grant_takeback",
        "decline_takeback",
        "offer_seat",
        "take_over",
        "end",
    ];

    /// Reads the fields of an action by its kind.
    fn of(fields: &mut Fields) -> Result<Self, serde_json::Error> {
        let kind: String = fields.take("action")?;
        if kind == "join" {
            return Ok(Self::Join {
                seat: fields.take_any("seat")?,
                name: fields.take("name")?,
                token: fields.take("token")?,
                version: fields.take("version")?,
            });
        }
        match kind.as_str() {
            "leave" => return Ok(Self::Leave { version: fields.take("version")? }),
            "end" => return Ok(Self::End { version: fields.take("version")? }),
            "offer_seat" => {
                let (secret, version) = (fields.take("secret")?, fields.take("version")?);
                return Ok(Self::OfferSeat { secret, version });
            }
            "take_over" => {
                let (secret, token) = (fields.take("secret")?, fields.take("token")?);
                return Ok(Self::TakeOver { secret, token });
            }
            _ => {}
        }
        if !Self::KINDS.contains(&kind.as_str()) {
            return Err(serde_json::Error::unknown_variant(&kind, &Self::KINDS));
        }
        let (round, ply) = (fields.take("round")?, fields.take("ply")?);
        Ok(match kind.as_str() {
            "play" => Self::Play { round, ply, chosen: fields.take("move")? },
            "forfeit" => Self::Forfeit { round, ply },
            "tie" => Self::Tie { round, ply },
            "claim" => Self::Claim { seat: fields.take("seat")?, round, ply },
            "ask_takeback" => Self::AskTakeback { round, ply },
            "grant_takeback" => Self::GrantTakeback { round, ply },
            "decline_takeback" => Self::DeclineTakeback { round, ply },
            _ => Self::NextRound { round, ply },
        })
    }

    /// Whether it is meant for a later round and ply, or a later version, than these.
    #[must_use]
    pub fn is_ahead_of(&self, (round, ply): (u32, u32), version: u64) -> bool {
        match self {
            Self::Play { round: then, ply: meant, .. }
            | Self::Forfeit { round: then, ply: meant }
            | Self::Tie { round: then, ply: meant }
            | Self::NextRound { round: then, ply: meant }
            | Self::Claim { round: then, ply: meant, .. }
            | Self::AskTakeback { round: then, ply: meant }
            | Self::GrantTakeback { round: then, ply: meant }
            | Self::DeclineTakeback { round: then, ply: meant } => (*then, *meant) > (round, ply),
            Self::Join { version: meant, .. }
            | Self::Leave { version: meant }
            | Self::OfferSeat { version: meant, .. }
            | Self::End { version: meant } => *meant > version,
            Self::TakeOver { .. } => false,
        }
    }
}

/// The client that acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The holder of a seat.
    Seat(Seat),
    /// A client with a token, which may hold a seat.
    Token(Digest),
    /// Any other client.
    Stranger,
}

impl Actor {
    /// The seat of the client in this state.
    #[must_use]
    pub fn seat(self, state: &TableState) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Token(token) => state.holder(token),
            Self::Stranger => None,
        }
    }
}

impl ActionId {
    /// The most bytes of a client's id.
    const LONGEST: usize = 32;

    /// The id of a client's action with this number.
    ///
    /// # Errors
    /// If the client's id is not 1 to 32 letters, digits, `-` or `_`.
    pub fn new(client: &str, counter: u64) -> Result<Self, NotAnActionId> {
        format!("{client}:{counter}").parse()
    }

    /// The id as a text, which needs no escapes in JSON.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ActionId {
    type Err = NotAnActionId;

    fn from_str(text: &str) -> Result<Self, NotAnActionId> {
        let (client, counter) = text.split_once(':').ok_or(NotAnActionId)?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let fits = (1..=Self::LONGEST).contains(&client.len());
        // Numbers have no leading zeros, so equal ids have equal texts.
        let is_number = counter == "0" || counter.starts_with(|digit| matches!(digit, '1'..='9'));
        if !fits || !client.bytes().all(is_plain) || !is_number || counter.parse::<u64>().is_err() {
            return Err(NotAnActionId);
        }
        Ok(Self(text.into()))
    }
}

impl TryFrom<String> for ActionId {
    type Error = NotAnActionId;

    fn try_from(text: String) -> Result<Self, NotAnActionId> {
        text.parse()
    }
}

impl Serialize for ActionId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

impl fmt::Display for ActionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_out_as_they_went_in() {
        for text in ["a:0", "a1b2-_Z:18446744073709551615"] {
            assert_eq!(text.parse::<ActionId>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let long = format!("{}:1", "a".repeat(33));
        for text in [
            "",
            "a",
            ":1",
            "a:",
            "a:01",
            "a:-1",
            "a:+1",
            "a:00",
            "a:1 ",
            "a:18446744073709551616",
            "a b:1",
            "ä:1",
            "a:1:2",
            &long,
        ] {
            assert_eq!(text.parse::<ActionId>(), Err(NotAnActionId), "{text}");
        }
    }
}
