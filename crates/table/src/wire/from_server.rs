//! The messages of a server on the channel of a table.

use game::{AnyGame, Seat};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Emoted;
use super::error::{WireError, read};
use crate::entry::Entry;
use crate::plain_json::push_entry;
use crate::table_snapshot::TableSnapshot;
use crate::table_state::{FoldError, TableState};
use crate::view::TableView;

/// The version of the protocol. A client with another one must be updated.
pub const PROTOCOL: u32 = 1;

/// The most entries in one message; a client that needs more asks for the next ones.
pub const MAX_ENTRIES: usize = 100;

/// The state of a table: the reply to a join or a resync.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Welcome<View = TableView> {
    /// The protocol of the server.
    pub protocol: u32,
    /// The version of the game's rules when the table was created.
    pub rules: u32,
    /// The name of this log. It changes when entries may have been lost, as after a backup was
    /// restored; a client that knows another log starts over.
    pub epoch: String,
    /// The client's seat; a spectator has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub seat: Option<Seat>,
    /// The server's clock in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub now: Option<u64>,
    /// How long a player must be without a connection before their round can be claimed, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub claim_after: Option<u64>,
    /// The number of entries in the log.
    pub version: u64,
    /// The table as this client may see it.
    pub view: View,
    /// The state before the entries, unless the client knows it. A game with hidden information has
    /// none, because a client could not fold from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub start: Option<TableSnapshot>,
    /// The entries after that, at most 100.
    pub entries: Vec<Entry>,
}

/// The part of a [`TableView`] that a client needs before it can fold entries: such a client reads a
/// `Welcome<GameName>`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameName {
    /// The game, with its parameters.
    pub game: String,
}

/// New entries, in order and without gaps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Entries<View = TableView> {
    /// The entries.
    pub entries: Vec<Entry>,
    /// The table after them; on channels only if the game has hidden information or is written as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub view: Option<Box<View>>,
}

/// The reply to an action that is in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Accepted {
    /// The version of its first entry.
    pub version: u64,
}

/// A message that the server pushes on the channel of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromServer<View = TableView> {
    /// `entries`: new entries.
    Entries(Entries<View>),
    /// `emote`: an emote of a player.
    Emote(Emoted),
}

impl<View: DeserializeOwned> FromServer<View> {
    /// Reads the payload of an event, however long it is: a client trusts its server.
    ///
    /// # Errors
    /// If a server pushes no such event, or the payload does not fit it.
    pub fn read(event: &str, payload: &str) -> Result<Self, WireError> {
        match event {
            "entries" => read(event, payload).map(Self::Entries),
            "emote" => read(event, payload).map(Self::Emote),
            _ => Err(WireError::unknown(event)),
        }
    }
}

impl<View: Serialize> Entries<View> {
    /// The payload of `entries`.
    ///
    /// # Panics
    /// Never: every message serializes.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = String::with_capacity(256);
        self.push_to(&mut text);
        text
    }

    /// Appends the payload of `entries` to a text.
    ///
    /// # Panics
    /// Never: every message serializes.
    pub fn push_to(&self, text: &mut String) {
        text.push_str("{\"entries\":[");
        for (place, entry) in self.entries.iter().enumerate() {
            if place > 0 {
                text.push(',');
            }
            push_entry(text, entry);
        }
        text.push(']');
        if let Some(view) = &self.view {
            text.push_str(",\"view\":");
            text.push_str(&serde_json::to_string(view).expect("a view serializes"));
        }
        text.push('}');
    }
}

impl<View> Welcome<View> {
    /// The state after all entries of this message.
    ///
    /// # Errors
    /// If the message has no start, or the entries do not follow from it.
    pub fn state(&self, game: AnyGame) -> Result<TableState, FoldError> {
        let start = self.start.as_ref();
        let start = start.ok_or(FoldError::Beginning { version: self.version })?;
        let mut state = TableState::restore(game, start)?;
        self.entries.iter().try_for_each(|entry| state.fold(entry))?;
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORFEITED: &str = r#"{"format":1,"version":5,"at":1005,"who":{"seat":1},"kind":"forfeited","seat":1,"round":1,"why":"resigned"}"#;

    #[test]
    fn a_resignation_survives_a_round_trip() {
        let message = format!(r#"{{"entries":[{FORFEITED}]}}"#);
        let read = FromServer::<TableView>::read("entries", &message).unwrap();
        let FromServer::Entries(entries) = read else { panic!("{message}") };
        assert_eq!(entries.write(), message);
    }

    #[test]
    fn a_client_that_folds_entries_reads_only_the_name_of_the_game() {
        let text = r#"{"protocol":1,"rules":1,"epoch":"5f3a","version":0,"view":{"game":"wild","version":4},"entries":[]}"#;
        let welcome: Welcome<GameName> = serde_json::from_str(text).unwrap();
        assert_eq!(welcome.view.game, "wild");
        assert!(serde_json::from_str::<Welcome>(text).is_err(), "the rest of the view is missing");
    }
}
