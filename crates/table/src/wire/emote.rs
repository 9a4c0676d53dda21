//! The emotes of players.

use game::Seat;
use serde::{Deserialize, Serialize};

/// A fixed phrase from one player to the others. It is not logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Emote {
    /// At the beginning.
    Hello,
    /// Before a game.
    GoodLuck,
    /// After a good move.
    WellPlayed,
    /// During a long turn.
    Thinking,
    /// After a bad move.
    Oops,
    /// At the end.
    Thanks,
}

/// An emote and its speaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Emoted {
    /// The emote.
    pub emote: Emote,
    /// The speaker; the server fills it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
}
