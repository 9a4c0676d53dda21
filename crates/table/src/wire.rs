//! What clients and server say to each other about a table.
//!
//! Each message is the payload of an event on the channel of the table: its kind is the name of the
//! event. Unknown fields are ignored, unknown kinds refused by name, and nothing longer than
//! [`LONGEST`] is looked at. Moves travel as text.

use game::{AnyGame, Seat};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::entry::{Entry, WRITABLE};
use crate::snapshot::Snapshot;
use crate::state::{FoldError, State};
use crate::token::Token;
use crate::view::TableView;

/// Which protocol this is; a client of another one must be renewed.
pub const PROTOCOL: u32 = 1;

/// How many bytes a message from a client has at most.
pub const LONGEST: usize = 16 * 1024;

/// How many entries one message holds at most; who needs more asks for the next ones.
pub const MOST_ENTRIES: usize = 100;

/// What a client says when it joins the channel of a table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Hello {
    /// What holds its seat; who has none looks on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<Token>,
    /// The last version that it knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// Of which log that is; see [`Welcome::epoch`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epoch: Option<String>,
}

/// What the server says to who joins, and to who wants to be told again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// The protocol of the server.
    pub protocol: u32,
    /// Which rules of the game were known when the table was created.
    pub rules: u32,
    /// Which log this is: it is called something else when entries may have been lost, as after a
    /// backup was restored. Who knows another log starts over.
    pub epoch: String,
    /// The seat of who joins; who has none looks on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// What the clock of the server says, in milliseconds since 1970, where somebody has one at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<u64>,
    /// How many entries there are.
    pub version: u64,
    /// How the table stands, as this client may see it.
    pub view: TableView,
    /// From where the entries go on, if that is not what the client knows: nothing where the game
    /// hides something, because nobody could go on from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Snapshot>,
    /// What came after that, or as much of it as one message holds.
    pub entries: Vec<Entry>,
}

/// What happened, in order and without gaps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entries {
    /// The entries.
    pub entries: Vec<Entry>,
    /// How the table stands after them, where the game hides something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Box<TableView>>,
}

/// What the server says to an action that is in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// Where it begins.
    pub version: u64,
}

/// What players can say to each other. It is not written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Emote {
    /// At the beginning.
    Hello,
    /// Before a game.
    GoodLuck,
    /// After a good move.
    WellPlayed,
    /// It takes a while.
    Thinking,
    /// After a bad move.
    Oops,
    /// At the end.
    Thanks,
}

/// What a client can say on the channel of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromClient {
    /// `act`: it wants something done; the answer is [`Accepted`] or a [`Refusal`](game::Refusal).
    Act(Action),
    /// `resync`: it wants to be told what comes after this version; the answer is a [`Welcome`].
    Resync(Resync),
    /// `emote`: it says something to the others.
    Emote(Emoted),
}

/// A client wants to be told again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resync {
    /// The last version that it knows; the whole round if it knows none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
    /// Of which log that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epoch: Option<String>,
}

/// Somebody says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Emoted {
    /// What.
    pub emote: Emote,
    /// Who says it: that adds the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
}

/// What the server can say on the channel of a table without being asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromServer {
    /// `entries`: something happened.
    Entries(Entries),
    /// `emote`: somebody says something.
    Emote(Emoted),
}

/// Why a message is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// It is of a kind that is not known here.
    #[error("a message of the kind {0:?} is not known here")]
    UnknownKind(String),
    /// It is longer than any message.
    #[error("a message has at most {most} bytes", most = LONGEST)]
    TooLong,
    /// It is not what its kind should be.
    #[error("the message {kind} cannot be read: {why}")]
    Unreadable {
        /// Its kind.
        kind: String,
        /// What is wrong with it.
        why: String,
    },
}

impl FromClient {
    /// Reads what a client says.
    ///
    /// # Errors
    /// If it is nothing that a client can say.
    pub fn read(event: &str, payload: &str) -> Result<Self, WireError> {
        match event {
            "act" => read(event, payload).map(Self::Act),
            "resync" => read(event, payload).map(Self::Resync),
            "emote" => read(event, payload).map(Self::Emote),
            _ => Err(unknown(event)),
        }
    }

    /// The name of the event, and its payload.
    #[must_use]
    pub fn write(&self) -> (&'static str, String) {
        match self {
            Self::Act(action) => ("act", write(action)),
            Self::Resync(resync) => ("resync", write(resync)),
            Self::Emote(emoted) => ("emote", write(emoted)),
        }
    }
}

impl FromServer {
    /// Reads what the server says, which may be long.
    ///
    /// # Errors
    /// If it is nothing that a server can say.
    pub fn read(event: &str, payload: &str) -> Result<Self, WireError> {
        match event {
            "entries" => understand(event, payload).map(Self::Entries),
            "emote" => understand(event, payload).map(Self::Emote),
            _ => Err(unknown(event)),
        }
    }

    /// The name of the event, and its payload.
    #[must_use]
    pub fn write(&self) -> (&'static str, String) {
        match self {
            Self::Entries(entries) => ("entries", entries.write()),
            Self::Emote(emoted) => ("emote", write(emoted)),
        }
    }
}

impl Entries {
    /// The payload of `entries`.
    ///
    /// # Panics
    /// Never: it holds nothing that could not be written.
    #[must_use]
    pub fn write(&self) -> String {
        let Self { entries, view } = self;
        let mut payload = Vec::with_capacity(16 + entries.len() * Entry::USUAL);
        payload.extend_from_slice(br#"{"entries":["#);
        for (place, entry) in entries.iter().enumerate() {
            if place > 0 {
                payload.push(b',');
            }
            entry.write_to(&mut payload);
        }
        payload.push(b']');
        if let Some(view) = view {
            payload.extend_from_slice(br#","view":"#);
            serde_json::to_writer(&mut payload, view).expect(WRITABLE);
        }
        payload.push(b'}');
        String::from_utf8(payload).expect("it was made of texts")
    }
}

impl Hello {
    /// Reads what a client says when it joins.
    ///
    /// # Errors
    /// If it is not that.
    pub fn read(payload: &str) -> Result<Self, WireError> {
        read("phx_join", payload)
    }
}

impl Welcome {
    /// The state from which this client goes on.
    ///
    /// # Errors
    /// If there is nothing to begin with, or the entries do not follow.
    pub fn state(&self, game: AnyGame) -> Result<State, FoldError> {
        let start = self.start.as_ref();
        let start = start.ok_or(FoldError::Beginning { version: self.version })?;
        let mut state = State::restore(game, start)?;
        self.entries.iter().try_for_each(|entry| state.fold(entry))?;
        Ok(state)
    }
}

fn unknown(event: &str) -> WireError {
    WireError::UnknownKind(event.chars().take(64).collect())
}

fn read<T: DeserializeOwned>(kind: &str, payload: &str) -> Result<T, WireError> {
    if payload.len() > LONGEST {
        return Err(WireError::TooLong);
    }
    understand(kind, payload)
}

fn understand<T: DeserializeOwned>(kind: &str, payload: &str) -> Result<T, WireError> {
    let unreadable = |error: serde_json::Error| WireError::Unreadable {
        kind: kind.to_owned(),
        why: error.to_string(),
    };
    serde_json::from_str(payload).map_err(unreadable)
}

fn write<T: Serialize>(message: &T) -> String {
    serde_json::to_string(message).expect("a message holds texts and numbers")
}

#[cfg(test)]
mod tests {
    use game::Viewer;

    use super::*;
    use crate::{Author, Digest, EntryBody, Options};

    #[test]
    fn a_player_who_gives_up_is_understood() {
        let line = r#"{"format":1,"version":5,"at":1005,"who":{"seat":1},"kind":"forfeited","seat":1,"round":1,"why":"resigned"}"#;
        let message = format!(r#"{{"entries":[{line}]}}"#);
        let read = FromServer::read("entries", &message).unwrap();
        assert_eq!(read.write(), ("entries", message.clone()));
        let FromServer::Entries(Entries { entries, .. }) = read else { panic!("{message}") };
        assert_eq!(entries[0].write(), line);
    }

    #[test]
    fn entries_are_written_as_serde_would_write_them() {
        let line = r#"{"format":1,"version":5,"at":1005,"who":{"seat":1},"kind":"left","seat":1}"#;
        let plain = Entry::read(line, 5).unwrap();
        let line = r#"{"format":1,"version":5,"at":1005,"who":"table","kind":"played","seat":1,"round":1,"ply":1,"move":"b2","explanation":{"sentence":"It is \"so\""}}"#;
        let explained = Entry::read(line, 5).unwrap();
        let created = EntryBody::Created {
            game: "tic-tac-toe".to_owned(),
            rules: 1,
            options: Options::default(),
            commitment: Digest::of(b""),
        };
        let created = Entry::new(1, 1, Author::Table, created);
        let state = State::begin(AnyGame::new(games::tic_tac_toe::game()), &created).unwrap();
        let view = state.view(Viewer::Spectator);
        for entries in [vec![], vec![plain.clone()], vec![explained, plain]] {
            for view in [None, Some(Box::new(view.clone()))] {
                let entries = Entries { entries: entries.clone(), view };
                assert_eq!(entries.write(), serde_json::to_string(&entries).unwrap());
            }
        }
    }
}
