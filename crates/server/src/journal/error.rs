//! The errors of journals.

use table::EntryError;

use crate::TableId;

/// Why a journal did not do what it was asked to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Nothing was written; the caller may retry.
    #[error("Nothing was written: {0}")]
    NotWritten(#[from] NotWritten),
    /// The outcome of the write is unknown; the caller must read the log to find out.
    #[error("It is not known whether this was written: {why}")]
    Unknown {
        /// What went wrong.
        why: String,
    },
    /// Entries were changed after they had been written. They and all later ones were moved aside; the
    /// entries before them are the log now, in a new epoch.
    #[error(
        "The log of table {}… was damaged: entry {version} and all after it were removed",
        table.short()
    )]
    Damaged {
        /// The table.
        table: TableId,
        /// The first entry that is no longer in the log.
        version: u64,
    },
    /// An entry is intact, but this program does not know its format.
    #[error("The log of table {}… cannot be read by this program: {error}", table.short())]
    Unreadable {
        /// The table.
        table: TableId,
        /// The problem of the entry.
        error: EntryError,
    },
    /// The journal could not be read. Nothing was changed.
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
    /// The disk is full.
    #[error("the disk is full")]
    DiskFull,
    /// Too many writes are waiting.
    #[error("too many writes are waiting; try again")]
    Busy,
    /// The journal is closed.
    #[error("the journal is closed")]
    Closed,
    /// The version of an entry does not follow its predecessor's.
    #[error("entry {version} was expected, not {found}")]
    NotDense {
        /// The expected version.
        version: u64,
        /// The version of the entry.
        found: u64,
    },
    /// An entry is too long.
    #[error("entry {version} is longer than {limit} bytes", limit = table::Entry::MAX_BYTES)]
    TooLong {
        /// Its version.
        version: u64,
    },
    /// There are too many entries for one append.
    #[error("one append has at most {limit} entries", limit = super::MAX_ENTRIES)]
    TooMany,
    /// The log ends before the given version: the caller knows entries that are not in it.
    #[error("the log ends with version {last}")]
    Ahead {
        /// The last version of the log.
        last: u64,
    },
    /// A snapshot is too long.
    #[error("a snapshot has at most {limit} bytes", limit = super::MAX_SNAPSHOT_BYTES)]
    SnapshotTooLong,
    /// Entries of this kind are not written yet.
    #[error("entries of the kind {kind} are not written until all servers can read them")]
    Held {
        /// The kind.
        kind: &'static str,
    },
    /// A text of rules is too long.
    #[error("a text of rules has at most {limit} bytes", limit = super::MAX_RULES_BYTES)]
    RulesTooLong,
    /// The game of a new table names a text of rules that is not kept.
    #[error("the rules of the table are not kept: keep their text first")]
    NoRules,
    /// The journal failed to write.
    #[error("{why}")]
    Failed {
        /// What went wrong.
        why: String,
    },
}

/// The journal cannot write at the moment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The journal cannot write: {why}")]
pub struct NotReady {
    /// What went wrong.
    pub why: String,
}

impl JournalError {
    /// The error of a read from a closed journal.
    pub(crate) fn closed() -> Self {
        Self::NotRead { why: "it is closed".to_owned() }
    }
}
