//! What servers tell each other beside the logs.

use game::Seat;
use serde::{Deserialize, Serialize};
use table::wire::Emote;

use crate::TableId;

/// What a server tells the others about a table. It is not recorded, and may be lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerNotice {
    /// The number of the server, which it has drawn at its start.
    pub server: u64,
    /// The table.
    pub table: TableId,
    /// What it tells.
    pub body: NoticeBody,
}

/// What a server tells about a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoticeBody {
    /// The connections of this server: the seat of each, or none for a spectator.
    Present(Vec<Option<Seat>>),
    /// The server has just loaded the table, and asks who is there.
    WhoIsThere,
    /// The holder of a seat sent an emote.
    Emoted(Seat, Emote),
}
