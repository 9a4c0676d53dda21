//! What keeps a piece of work from being done.

use crate::journal::{JournalError, NotWritten};

/// Why something was not done: SQLite could not, or we would not.
#[derive(Debug)]
pub(super) enum Problem {
    /// SQLite says so.
    Sql(rusqlite::Error),
    /// We say so; the connection goes on.
    Journal(JournalError),
}

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<JournalError> for Problem {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

impl From<NotWritten> for Problem {
    fn from(error: NotWritten) -> Self {
        Self::Journal(error.into())
    }
}
