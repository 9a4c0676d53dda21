//! What a person should hear about and cannot see on the board.

use game::{Refusal, Seat};
use table::RolledBack;
use table::wire::Emote;

/// What a person should hear about and cannot see on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableNotice {
    /// One of the person's own actions was refused.
    Refused(Refusal),
    /// A sentence about the table.
    News(String),
    /// A player sent a short message.
    Emote(Seat, Emote),
}

impl From<RolledBack> for TableNotice {
    fn from(rolled_back: RolledBack) -> Self {
        Self::Refused(rolled_back.refusal)
    }
}
