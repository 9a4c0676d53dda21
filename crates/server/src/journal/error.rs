//! What goes wrong with a journal.

use table::EntryError;

use crate::TableId;

/// Why a journal did not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Nothing was written; the same may be asked for again.
    #[error("Nothing was written: {0}")]
    NotWritten(#[from] NotWritten),
    /// It may have been written and it may not; the log must be read to know.
    #[error("Nobody knows whether it was written: {why}")]
    Unknown {
        /// What went wrong.
        why: String,
    },
    /// Entries were found to be other than they were written. They and what follows them were moved
    /// aside; what comes before them is the log now, in a new epoch.
    #[error("The log of table {table} was damaged from entry {version} on, and ends before it now")]
    Damaged {
        /// The table.
        table: TableId,
        /// The first entry that is no longer in the log.
        version: u64,
    },
    /// The log is not the one that the reader began with.
    #[error("The log of table {table} is another one than before; it must be read from the start")]
    NewEpoch {
        /// The table.
        table: TableId,
        /// The epoch of its log now.
        epoch: u64,
    },
    /// An entry is as it was written, but not known here.
    #[error("The log of table {table} cannot be read here: {error}")]
    Unreadable {
        /// The table.
        table: TableId,
        /// What is wrong with the entry.
        error: EntryError,
    },
    /// The journal did not answer. Nothing was changed.
    #[error("The journal could not be read: {why}")]
    NotRead {
        /// What went wrong.
        why: String,
    },
}

/// Why nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotWritten {
    /// There is no space.
    #[error("the disk is full")]
    DiskFull,
    /// More is waiting to be written than may wait.
    #[error("too much is waiting to be written; try again")]
    Busy,
    /// The journal is closed.
    #[error("the journal is closed")]
    Closed,
    /// An entry does not stand where its version says.
    #[error("entry {version} was expected, not {found}")]
    NotDense {
        /// The version that belongs there.
        version: u64,
        /// The version that stands there.
        found: u64,
    },
    /// An entry is longer than any may be.
    #[error("entry {version} is longer than {limit} bytes", limit = table::Entry::MAX_BYTES)]
    TooLong {
        /// Its version.
        version: u64,
    },
    /// These are more entries than may be appended at once.
    #[error("at most {limit} entries are appended at once", limit = super::MOST_ENTRIES)]
    TooMany,
    /// The log ends before the given version: whoever asks knows entries that are not in it.
    #[error("the log ends with version {last}")]
    Ahead {
        /// Where the log ends.
        last: u64,
    },
    /// A snapshot is longer than any may be.
    #[error("a snapshot has at most {limit} bytes", limit = super::LONGEST_SNAPSHOT)]
    SnapshotTooLong,
    /// The journal cannot write.
    #[error("{why}")]
    Failed {
        /// What went wrong.
        why: String,
    },
}

/// Why nothing can be written at the moment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The journal cannot write: {why}")]
pub struct NotReady {
    /// What went wrong.
    pub why: String,
}

impl JournalError {
    /// The answer of a journal that is closed to whoever wants to read.
    pub(crate) fn closed() -> Self {
        Self::NotRead { why: "it is closed".to_owned() }
    }
}
