//! The errors of work inside the journal.

use crate::journal::{JournalError, NotWritten};

/// Why a read or write was not done.
#[derive(Debug)]
pub(super) enum StorageError {
    /// `SQLite` failed.
    Sql(rusqlite::Error),
    /// The journal refuses; the connection is intact.
    Journal(JournalError),
}

impl From<rusqlite::Error> for StorageError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<JournalError> for StorageError {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

impl From<NotWritten> for StorageError {
    fn from(error: NotWritten) -> Self {
        Self::Journal(error.into())
    }
}
