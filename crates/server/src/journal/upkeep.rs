//! Listing, deleting and compacting.

use serde::{Deserialize, Serialize};

use super::{Journal, JournalError};
use crate::TableId;

/// A log in the list of all logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogSummary {
    /// The table.
    pub id: TableId,
    /// The last version.
    pub version: u64,
    /// When the last entry was written, in milliseconds since 1970. A table counts as untouched since
    /// then: every action of a player adds an entry, and looking on does not. None if the entry is
    /// damaged.
    pub touched_at: Option<u64>,
}

/// The outcome of deleting a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeleteOutcome {
    /// The table is gone.
    Deleted,
    /// There is no such table.
    NoTable,
    /// The log has other entries by now: nothing was changed.
    Touched,
}

/// The size of a journal before and after it was compacted, in bytes; 0 if it is not in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompactedSize {
    /// Before.
    pub before: u64,
    /// After.
    pub after: u64,
}

/// How often a table is deleted that others write to, or whose log is damaged and has to be cut first.
const ATTEMPTS: usize = 5;

/// Deletes a table, whatever is in its log.
///
/// # Errors
/// If the journal cannot be read or written.
pub async fn delete_at_any_version(
    journal: &dyn Journal,
    table: TableId,
) -> Result<DeleteOutcome, JournalError> {
    for _ in 0..ATTEMPTS {
        // Only the version is read: the entries need not be readable.
        let last = journal.read(table, 0, 0).await?.last_version;
        match journal.delete(table, last).await {
            Ok(DeleteOutcome::Touched) | Err(JournalError::Damaged { .. }) => {}
            deleted => return deleted,
        }
    }
    Ok(DeleteOutcome::Touched)
}
