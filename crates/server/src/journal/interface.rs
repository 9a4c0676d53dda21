//! The interface of journals.

use std::fmt;
use std::future::ready;
use std::time::Duration;

pub use futures_util::future::BoxFuture;
use table::{ActionId, Entry};

use super::{
    Arrivals, CompactedSize, DeleteOutcome, JournalError, JournalMetrics, LogSummary, Losses,
    NotReady, Notices, Questions, RulesDigest, ServerNotice,
};
use crate::TableId;

/// The largest number of entries in one append or read.
pub const MAX_ENTRIES: usize = 1024;

/// The largest number of bytes of a snapshot.
pub const MAX_SNAPSHOT_BYTES: usize = 64 * 1024;

/// The largest number of bytes of a text of rules.
pub const MAX_RULES_BYTES: usize = 64 * 1024;

/// The largest number of tables in one page.
pub const MAX_TABLES: usize = 256;

/// Keeps the log of each table. Logs only grow, and every append names the version that it follows.
///
/// A table that was never written to has an empty log.
pub trait Journal: fmt::Debug + Send + Sync {
    /// Appends entries, all or none, if the log ends with the version `after`. Once this returns
    /// [`Appended::Committed`], they are durable.
    ///
    /// After any error but [`JournalError::Unknown`], the entries are not in the log. If the future is
    /// dropped, they may be in the log or not.
    ///
    /// A first entry whose game names a text of rules is refused if the text is not kept.
    fn append(
        &self,
        table: TableId,
        after: u64,
        entries: Vec<Entry>,
    ) -> BoxFuture<'_, Result<Appended, JournalError>>;

    /// Reads at most `limit` entries after a version, and never more than [`MAX_ENTRIES`].
    ///
    /// If the log is damaged, it is cut before the damage and an error is returned; the next read
    /// returns the rest.
    fn read(
        &self,
        table: TableId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Tail, JournalError>>;

    /// Like [`Journal::read`], but leaves a damaged log as it is: only the error tells of the damage.
    fn inspect(
        &self,
        table: TableId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Tail, JournalError>>;

    /// The version of the first entry of an action.
    fn find(
        &self,
        table: TableId,
        action: ActionId,
    ) -> BoxFuture<'_, Result<Option<u64>, JournalError>>;

    /// The logs that may lose entries from now on. A caller that holds state in memory reloads it.
    fn losses(&self) -> Losses;

    /// What any server appends or deletes from now on. A journal that only one server has open tells nothing.
    fn arrivals(&self) -> Arrivals {
        Arrivals::none()
    }

    /// Whether other servers may have the journal open, so that there are arrivals.
    fn is_shared(&self) -> bool {
        false
    }

    /// Tells all servers, this one too, something that is not recorded: it arrives soon or never.
    fn announce(&self, notice: ServerNotice) {
        drop(notice);
    }

    /// What servers announce from now on.
    fn notices(&self) -> Notices {
        Notices::none()
    }

    /// The questions that other servers ask this name from now on, until the receiver is dropped; none if no
    /// other server can ask. A name has letters and digits only.
    fn answer_questions(&self, name: &str) -> BoxFuture<'_, Option<Questions>> {
        let _ = name;
        Box::pin(ready(None))
    }

    /// Asks the server that answers to a name; returns none if there is no such server, or if it does not
    /// answer in time. Nothing is recorded.
    fn ask(&self, name: &str, question: String, time: Duration) -> BoxFuture<'_, Option<String>> {
        drop((name, question, time));
        Box::pin(ready(None))
    }

    /// Saves a snapshot of the state at a version, so that readers may begin there. It replaces an
    /// older snapshot; it is ignored if there is a newer one.
    fn keep_snapshot(
        &self,
        table: TableId,
        snapshot: SnapshotText,
    ) -> BoxFuture<'_, Result<(), JournalError>>;

    /// The last snapshot, if there is one. Its version is never beyond the end of the log. A lost
    /// snapshot does no harm.
    fn snapshot(&self, table: TableId)
    -> BoxFuture<'_, Result<Option<SnapshotText>, JournalError>>;

    /// Keeps a text of rules under its digest, once, and returns the digest. The text is durable before
    /// the first entry of a table that names it, and is removed with the last table that names it. As
    /// long as no table names it, it may be removed at any time.
    fn keep_rules(&self, text: String) -> BoxFuture<'_, Result<RulesDigest, JournalError>>;

    /// The text of rules with this digest, if it is kept. A text that was changed is an error.
    fn rules(&self, digest: RulesDigest) -> BoxFuture<'_, Result<Option<String>, JournalError>>;

    /// The tables that have a log, in the order of their ids: at most `limit` after the given one, and
    /// never more than [`MAX_TABLES`]. An empty page is the end.
    ///
    /// A table that is created or deleted between two pages may be in the list or not.
    fn tables(
        &self,
        after: Option<TableId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<LogSummary>, JournalError>>;

    /// The number of bytes of all entries of a table.
    fn size(&self, table: TableId) -> BoxFuture<'_, Result<u64, JournalError>>;

    /// Deletes a table if its log ends with the version `last`: the log, the snapshot, the record in the
    /// directory with its code, and the text of its rules if no other table names it. Once this returns [`DeleteOutcome::Deleted`], nothing of the table
    /// can be read again. A long log is erased in small steps, with the appends of other tables in between.
    ///
    /// A version of 0 deletes the record of a table that has no log.
    fn delete(
        &self,
        table: TableId,
        last: u64,
    ) -> BoxFuture<'_, Result<DeleteOutcome, JournalError>>;

    /// Returns the space of deleted tables to the system, where the journal has to be asked for it.
    /// Appends wait until it is done.
    fn compact(&self) -> BoxFuture<'_, Result<CompactedSize, JournalError>>;

    /// The secret key of this installation, from which the secrets of its tables are derived.
    fn key(&self) -> [u8; 32];

    /// Measurements for operators. A journal that measures nothing returns empty ones.
    fn metrics(&self) -> JournalMetrics {
        JournalMetrics::default()
    }

    /// The number of requests that wait for the journal.
    fn waiting(&self) -> usize {
        0
    }

    /// Whether entries can be written. After a failure, this tries a write.
    fn is_ready(&self) -> BoxFuture<'_, Result<(), NotReady>>;

    /// Completes all pending writes and closes the journal, so that the next start knows that nothing
    /// was lost. Later requests are refused.
    fn close(&self) -> BoxFuture<'_, Result<(), JournalError>>;
}

/// The outcome of an append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Appended {
    /// The entries are in the log.
    Committed,
    /// Other entries came first: nothing was written. These are all entries after the given version.
    Conflict(Vec<Entry>),
}

/// A page of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The epoch changes whenever acknowledged entries may have been lost. It is below 2⁵³, so that it
    /// fits into a number of JSON.
    pub epoch: u64,
    /// The entries, in order and without gaps.
    pub entries: Vec<Entry>,
    /// The last version of the whole log; 0 if it is empty.
    pub last_version: u64,
}

/// The state of a table at a version, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotText {
    /// The version.
    pub version: u64,
    /// The state, at most [`MAX_SNAPSHOT_BYTES`] bytes. The journal does not interpret it.
    pub text: String,
}
