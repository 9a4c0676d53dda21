//! The entries of a log as they are committed.

use std::fmt;

use table::Entry;
use tokio::sync::watch;

use super::{JournalError, Later, Tail};
use crate::TableId;

/// Reads the page of a log after a version.
type Pages = Box<dyn Fn(u64) -> Later<'static, Result<Tail, JournalError>> + Send + Sync>;

/// The entries of a log after a version, in order and without gaps, as they are committed.
///
/// It holds no entries: it is told that there are new ones and reads them when it is asked.
pub struct Subscription {
    table: TableId,
    after: u64,
    epoch: Option<u64>,
    pages: Pages,
    changes: watch::Receiver<u64>,
}

impl Subscription {
    pub(super) fn new(
        table: TableId,
        after: u64,
        changes: watch::Receiver<u64>,
        pages: Pages,
    ) -> Self {
        Self { table, after, epoch: None, pages, changes }
    }

    /// The same, for a reader that knows the log of this epoch: that of its first page otherwise.
    #[must_use]
    pub fn in_epoch(self, epoch: u64) -> Self {
        Self { epoch: Some(epoch), ..self }
    }

    /// Waits for the next entries; there is at least one.
    ///
    /// It may be dropped while it waits: no entry is lost.
    ///
    /// # Errors
    /// If the journal cannot be read or is closed, or if the log is no longer the one that the
    /// reader began with: [`JournalError::NewEpoch`].
    pub async fn next(&mut self) -> Result<Vec<Entry>, JournalError> {
        loop {
            // Before the read, so that what is committed during it is seen as a change.
            self.changes.mark_unchanged();
            let tail = (self.pages)(self.after).await?;
            let is_known = self.epoch.is_none_or(|epoch| epoch == tail.epoch);
            if !is_known || tail.last_version < self.after {
                return Err(JournalError::NewEpoch { table: self.table, epoch: tail.epoch });
            }
            self.epoch = Some(tail.epoch);
            if let Some(last) = tail.entries.last() {
                self.after = last.version;
                return Ok(tail.entries);
            }
            if self.changes.changed().await.is_err() {
                return Err(JournalError::closed());
            }
        }
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription")
            .field("table", &self.table)
            .field("after", &self.after)
            .field("epoch", &self.epoch)
            .finish_non_exhaustive()
    }
}
