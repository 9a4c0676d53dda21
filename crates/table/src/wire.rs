//! The messages between clients and a server.
//!
//! Each message on the channel of a table is the payload of an event: [`FromClient`] and
//! [`FromServer`] read one by the name of its event. Unknown fields are ignored, unknown events are
//! refused by name, and a message of a client that is longer than [`MAX_MESSAGE_BYTES`] is not read at all.
//! Moves travel as text. The answers of the HTTP API that clients read are here as well, and
//! [`codes`] has every code of a refusal that comes from a table or a server.

pub mod codes;
mod emote;
mod error;
mod from_client;
mod from_server;
mod http;

pub use emote::{Emote, Emoted};
pub use error::{MAX_MESSAGE_BYTES, WireError};
pub use from_client::{FromClient, Hello, Resync};
pub use from_server::{Accepted, Entries, FromServer, GameName, MAX_ENTRIES, PROTOCOL, Welcome};
pub use http::{
    CreatedTable, FoundTable, ListedTable, ListedTables, ProblemDocument, TableBThreads, TableCode,
    TableRules, TakenSeat,
};
