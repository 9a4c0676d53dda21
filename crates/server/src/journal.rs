//! The logs of tables, kept.

mod directory;
mod error;
mod losses;
mod memory;
mod sqlite;
mod subscription;
mod watchers;

use std::fmt;
use std::pin::Pin;

use table::{ActionId, Entry};

pub use self::directory::{Directory, Listing, OpenTable, Put, Status};
pub use self::error::{JournalError, NotReady, NotWritten};
pub use self::losses::{Loss, Losses};
pub use self::memory::MemoryJournal;
pub use self::sqlite::{OpenError, Report, Salvaged, Settings, SqliteJournal, Start, Statistics};
pub use self::subscription::Subscription;
use crate::TableId;

/// An answer that comes later.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// How many entries are appended or read at once at most.
pub const MOST_ENTRIES: usize = 1024;

/// How many bytes a snapshot has at most.
pub const LONGEST_SNAPSHOT: usize = 64 * 1024;

/// Keeps the log of each table. Logs only grow; whoever writes to one says after which version.
///
/// A table that nobody has written to has an empty log.
pub trait Journal: fmt::Debug + Send + Sync {
    /// Appends entries, all or none, if the log ends with the version `after`; once this says
    /// [`Appended::Committed`], they are durable.
    ///
    /// Fails as [`JournalError`] says; only [`JournalError::Unknown`] leaves open whether the
    /// entries are in the log, and so does whoever does not wait for the answer.
    fn append(
        &self,
        table: TableId,
        after: u64,
        entries: Vec<Entry>,
    ) -> Later<'_, Result<Appended, JournalError>>;

    /// The entries after a version, at most `most` of them and never more than [`MOST_ENTRIES`].
    ///
    /// Where it finds damage, the log is cut there and the error says so; what is left can be read
    /// when this has been answered.
    fn read(
        &self,
        table: TableId,
        after: u64,
        most: usize,
    ) -> Later<'_, Result<Tail, JournalError>>;

    /// The version of the first entry that an action brought about.
    fn find(
        &self,
        table: TableId,
        action: ActionId,
    ) -> Later<'_, Result<Option<u64>, JournalError>>;

    /// The entries after a version as they are committed, by whomever.
    fn subscribe(&self, table: TableId, after: u64) -> Subscription;

    /// Which logs may have lost entries, from now on: whoever holds in memory what follows from
    /// such a log reads it again.
    fn losses(&self) -> Losses;

    /// Keeps what stands for the state at a version, so that readers may begin there; an older one
    /// is forgotten, and one that is older than what is kept already is not kept.
    fn keep_snapshot(
        &self,
        table: TableId,
        snapshot: SnapshotText,
    ) -> Later<'_, Result<(), JournalError>>;

    /// The last snapshot that was kept; it is never of a version that the log does not have. To
    /// lose one is harmless.
    fn snapshot(&self, table: TableId) -> Later<'_, Result<Option<SnapshotText>, JournalError>>;

    /// The secret of this installation, from which those of its tables are derived.
    fn key(&self) -> [u8; 32];

    /// Whether entries can be written; after a failure this tries to write.
    fn is_ready(&self) -> Later<'_, Result<(), NotReady>>;

    /// Writes what was asked for so far and closes the journal, so that the next start knows that
    /// nothing was lost. What is asked for later is refused.
    fn close(&self) -> Later<'_, Result<(), JournalError>>;
}

/// What came of an append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Appended {
    /// The entries are in the log.
    Committed,
    /// Others came first: nothing was written, and this is all that the log has after the version.
    Conflict(Vec<Entry>),
}

/// A page of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// Changes whenever entries that had been acknowledged may be gone; it is below 2⁵³, so that
    /// every reader of JSON can hold it.
    pub epoch: u64,
    /// The entries, in order and without gaps.
    pub entries: Vec<Entry>,
    /// Where the whole log ends; 0 if it is empty.
    pub last_version: u64,
}

/// What stands for the state of a table at a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotText {
    /// The version.
    pub version: u64,
    /// The state, as whoever keeps it writes it; at most [`LONGEST_SNAPSHOT`] bytes.
    pub text: String,
}

/// The lines of entries that may stand after a version.
fn lines(after: u64, entries: &[Entry]) -> Result<Vec<String>, NotWritten> {
    if entries.len() > MOST_ENTRIES {
        return Err(NotWritten::TooMany);
    }
    let line = |(entry, before): (&Entry, u64)| {
        let version = before + 1;
        if entry.version != version {
            return Err(NotWritten::NotDense { version, found: entry.version });
        }
        let line = entry.write();
        if line.len() > Entry::MAX_BYTES { Err(NotWritten::TooLong { version }) } else { Ok(line) }
    };
    entries.iter().zip(after..u64::MAX).map(line).collect()
}

/// A number that was never used before, for practical purposes.
fn random_epoch() -> Result<u64, getrandom::Error> {
    Ok(getrandom::u64()? >> 11)
}
