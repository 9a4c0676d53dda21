//! A journal in a file.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use table::{ActionId, Entry};
use tokio::sync::oneshot;

use super::batch::{Write, WriteOutcome};
use super::fault_hook::FaultHook;
use super::journal_threads::JournalThreads;
use super::open::{create, is_in, open, open_to_read, problems};
use super::{OpenError, OpenReport, Settings, directory, listing, log, rules};
use crate::TableId;
use crate::journal::installation_key::InstallationKey;
use crate::journal::{
    Appended, BoxFuture, CompactedSize, DeleteOutcome, Directory, Journal, JournalError,
    JournalMetrics, Listing, LogSummary, Losses, NotReady, OpenTable, PutOutcome, RulesDigest,
    SnapshotText, TableStatus, Tail,
};

/// A journal in a file that belongs to this process alone, with nothing to install.
///
/// One thread writes: it commits all waiting writes together, and answers when they are durable.
/// Other threads read, and never wait for it. If the journal is dropped without [`Journal::close`],
/// nothing that was acknowledged is lost, but the next start cannot know that and begins a new epoch.
#[derive(Debug)]
pub struct SqliteJournal {
    pub(super) threads: Arc<JournalThreads>,
    pub(super) key: InstallationKey,
    pub(super) writer: Option<JoinHandle<()>>,
    pub(super) ended: Mutex<Option<oneshot::Receiver<Result<(), JournalError>>>>,
}

impl SqliteJournal {
    /// Opens the journal in a folder, which is created if it does not exist. The time that this takes
    /// does not depend on the size of the journal, unless the file is malformed: then everything
    /// readable is saved to a new file, and the report says so.
    ///
    /// This blocks on the disk.
    ///
    /// # Errors
    /// If another process uses the folder, if a newer program wrote the file, if the disk is full, or if
    /// the folder cannot be read or written.
    pub fn open(folder: &Path, settings: &Settings) -> Result<(Self, OpenReport), OpenError> {
        open(folder, settings, FaultHook::default()).map_err(|error| error.in_folder(folder))
    }

    /// Opens the journal in a folder for reading. Nothing is changed: not even the epoch, if it was not
    /// closed properly. Only a file in an older form is brought up to date first.
    ///
    /// This blocks on the disk.
    ///
    /// # Errors
    /// If the file is malformed, or as for [`SqliteJournal::open`].
    pub fn open_to_read(folder: &Path, settings: &Settings) -> Result<Self, OpenError> {
        open_to_read(folder, settings).map_err(|error| error.in_folder(folder))
    }

    /// Creates an empty journal with the key of another one, so that tables can be copied into it.
    ///
    /// # Errors
    /// If there is a journal in the folder already, or as for [`SqliteJournal::open`].
    pub fn create(folder: &Path, settings: &Settings, key: [u8; 32]) -> Result<Self, OpenError> {
        create(folder, &InstallationKey(key)).map_err(|error| error.in_folder(folder))?;
        Ok(Self::open(folder, settings)?.0)
    }

    /// Whether there is a journal in a folder.
    #[must_use]
    pub fn is_in(folder: &Path) -> bool {
        is_in(folder)
    }

    /// The problems of the file of a journal, each in a sentence. Nothing is changed: opening a journal
    /// with such a problem would salvage it.
    ///
    /// # Errors
    /// As for [`SqliteJournal::open`], except if the file is malformed.
    pub fn problems(folder: &Path) -> Result<Vec<String>, OpenError> {
        problems(folder).map_err(|error| error.in_folder(folder))
    }

    /// A write that is refused if another table has the code.
    async fn put_write(&self, write: Write) -> Result<PutOutcome, JournalError> {
        Ok(match self.threads.write(write).await? {
            WriteOutcome::CodeTaken => PutOutcome::CodeTaken,
            _ => PutOutcome::Done,
        })
    }
}

impl Drop for SqliteJournal {
    /// Waits until all pending writes are done and the folder is free for others.
    fn drop(&mut self) {
        self.threads.writes.close();
        if let Some(writer) = self.writer.take() {
            // A writer that panicked has already failed all its callers.
            drop(writer.join());
        }
    }
}

impl Journal for SqliteJournal {
    fn metrics(&self) -> JournalMetrics {
        self.threads.metrics.clone()
    }

    fn waiting(&self) -> usize {
        self.threads.writes.len() + self.threads.reads.len()
    }

    fn append(
        &self,
        table: TableId,
        after: u64,
        entries: Vec<Entry>,
    ) -> BoxFuture<'_, Result<Appended, JournalError>> {
        Box::pin(self.threads.append(table, after, entries))
    }

    fn read(
        &self,
        table: TableId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Tail, JournalError>> {
        Box::pin(self.threads.read(table, after, limit))
    }

    fn inspect(
        &self,
        table: TableId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Tail, JournalError>> {
        Box::pin(self.threads.inspect(table, after, limit))
    }

    fn find(
        &self,
        table: TableId,
        action: ActionId,
    ) -> BoxFuture<'_, Result<Option<u64>, JournalError>> {
        Box::pin(self.threads.query(move |database| log::find(database, table, &action)))
    }

    fn losses(&self) -> Losses {
        self.threads.losses.subscribe()
    }

    fn keep_snapshot(
        &self,
        table: TableId,
        snapshot: SnapshotText,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        Box::pin(self.threads.keep_snapshot(table, snapshot))
    }

    fn snapshot(
        &self,
        table: TableId,
    ) -> BoxFuture<'_, Result<Option<SnapshotText>, JournalError>> {
        Box::pin(self.threads.query(move |database| log::snapshot(database, table)))
    }

    fn keep_rules(&self, text: String) -> BoxFuture<'_, Result<RulesDigest, JournalError>> {
        Box::pin(self.threads.keep_rules(text))
    }

    fn rules(&self, digest: RulesDigest) -> BoxFuture<'_, Result<Option<String>, JournalError>> {
        Box::pin(self.threads.query(move |database| rules::read(database, digest)))
    }

    fn tables(
        &self,
        after: Option<TableId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<LogSummary>, JournalError>> {
        Box::pin(self.threads.query(move |database| listing::tables(database, after, limit)))
    }

    fn size(&self, table: TableId) -> BoxFuture<'_, Result<u64, JournalError>> {
        Box::pin(self.threads.query(move |database| listing::size(database, table)))
    }

    fn delete(
        &self,
        table: TableId,
        last: u64,
    ) -> BoxFuture<'_, Result<DeleteOutcome, JournalError>> {
        Box::pin(self.threads.delete(table, last))
    }

    fn compact(&self) -> BoxFuture<'_, Result<CompactedSize, JournalError>> {
        Box::pin(self.threads.compact())
    }

    fn key(&self) -> [u8; 32] {
        self.key.0
    }

    fn is_ready(&self) -> BoxFuture<'_, Result<(), NotReady>> {
        Box::pin(async {
            let is_closing = self.threads.is_closing.load(Ordering::Acquire);
            if !is_closing && self.threads.failure().is_none() {
                return Ok(());
            }
            let probe = self.threads.write(Write::Probe).await;
            probe.map(drop).map_err(|error| NotReady { why: error.to_string() })
        })
    }

    fn close(&self) -> BoxFuture<'_, Result<(), JournalError>> {
        Box::pin(async {
            self.threads.is_closing.store(true, Ordering::Release);
            self.threads.writes.close();
            let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(ended) = ended else { return Ok(()) };
            let panicked = |_| JournalError::Unknown { why: "the writer has panicked".to_owned() };
            ended.await.map_err(panicked)?
        })
    }
}

impl Directory for SqliteJournal {
    fn put(&self, table: OpenTable) -> BoxFuture<'_, Result<PutOutcome, JournalError>> {
        Box::pin(self.put_write(Write::Put(table)))
    }

    fn by_id(&self, table: TableId) -> BoxFuture<'_, Result<Option<OpenTable>, JournalError>> {
        Box::pin(self.threads.query(move |database: &_| directory::by_id(database, table)))
    }

    fn by_code(
        &self,
        code: &str,
        now: u64,
    ) -> BoxFuture<'_, Result<Option<OpenTable>, JournalError>> {
        let code = code.to_owned();
        let find = move |database: &_| directory::by_code(database, &code, now);
        Box::pin(self.threads.query(find))
    }

    fn set_code(
        &self,
        table: TableId,
        code: &str,
        until: u64,
    ) -> BoxFuture<'_, Result<PutOutcome, JournalError>> {
        Box::pin(self.put_write(Write::SetCode(table, code.to_owned(), until)))
    }

    fn listed(&self, listing: Listing) -> BoxFuture<'_, Result<Vec<OpenTable>, JournalError>> {
        let list = move |database: &_| directory::listed(database, &listing);
        Box::pin(self.threads.query(list))
    }

    fn records(
        &self,
        after: Option<TableId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<OpenTable>, JournalError>> {
        Box::pin(self.threads.query(move |database| directory::records(database, after, limit)))
    }

    fn seats(
        &self,
        table: TableId,
        free: u8,
        status: TableStatus,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let write = Write::Seats(table, free, status);
        Box::pin(async move { self.threads.write(write).await.map(drop) })
    }

    fn set_deadline(
        &self,
        table: TableId,
        deadline: Option<u64>,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let write = Write::SetDeadline(table, deadline);
        Box::pin(async move { self.threads.write(write).await.map(drop) })
    }

    fn deadlines(&self) -> BoxFuture<'_, Result<Vec<(u64, TableId)>, JournalError>> {
        Box::pin(self.threads.query(directory::deadlines))
    }
}
