//! Why a table on a server cannot be shown.

use game::Refusal;
use table::FoldError;

/// Why a table on a server cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionError {
    /// There is no such table.
    NoTable,
    /// The server lets nobody in at the moment. The session keeps retrying.
    Unavailable(Refusal),
    /// The server speaks another version of the protocol.
    OtherProtocol,
    /// This page does not know the game, or the game hides something.
    UnsupportedGame(String),
    /// The server sent something that makes no sense.
    Unreadable,
}

impl From<FoldError> for SessionError {
    fn from(_contradiction: FoldError) -> Self {
        Self::Unreadable
    }
}
