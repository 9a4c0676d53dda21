//! The state that the threads of a journal share with their callers.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use table::Entry;
use tokio::sync::oneshot;

use super::batch::{Append, NewLine, Write, WriteOutcome};
use super::database::{Database, is_malformed};
use super::log;
use super::queue::{PushError, Queue};
use super::reader::ReadJob;
use super::settings::Settings;
use super::storage_error::StorageError;
use super::writer::{PendingWrite, WriteResult};
use crate::TableId;
use crate::journal::losses::LossSender;
use crate::journal::{
    Appended, CompactedSize, DeleteOutcome, JournalError, JournalMetrics, MAX_ENTRIES,
    MAX_RULES_BYTES, MAX_SNAPSHOT_BYTES, NotWritten, RulesDigest, SnapshotText, Tail, lines,
};

/// What may be done to the file of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// It is read and written, and damage is mended.
    ReadAndWrite,
    /// It is read, and damage is reported.
    ReadOnly,
}

/// The queues to the threads of a journal, and the state that the threads report to their callers.
pub(super) struct JournalThreads {
    access: Access,
    pub(super) writes: Queue<PendingWrite>,
    pub(super) reads: Queue<ReadJob>,
    pub(super) losses: LossSender,
    pub(super) metrics: JournalMetrics,
    /// Increases whenever readers must open the file again.
    pub(super) generation: AtomicU64,
    pub(super) is_closing: AtomicBool,
    /// Why the last write failed, until one succeeds.
    failure: Mutex<Option<String>>,
}

impl fmt::Debug for JournalThreads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JournalThreads").field("failure", &self.failure).finish_non_exhaustive()
    }
}

impl JournalThreads {
    pub(super) fn new(settings: &Settings, access: Access) -> Self {
        Self {
            access,
            writes: Queue::new(settings.waiting_writes),
            reads: Queue::new(settings.waiting_reads),
            losses: LossSender::default(),
            metrics: JournalMetrics::default(),
            generation: AtomicU64::new(0),
            is_closing: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    pub(super) fn set_failure(&self, failure: Option<String>) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = failure;
    }

    pub(super) fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Refuses all requests from now on, and drops those that are waiting.
    pub(super) fn end(&self) {
        self.set_failure(Some("the journal is closed".to_owned()));
        self.writes.abandon();
        self.reads.abandon();
        self.losses.close();
    }

    /// Sends a write to the writer, and waits for its result.
    pub(super) async fn write(&self, write: Write) -> WriteResult {
        let (result, receiver) = oneshot::channel();
        self.writes.push(PendingWrite { write, result }).map_err(|error| match error {
            PushError::Full => NotWritten::Busy,
            PushError::Closed => NotWritten::Closed,
        })?;
        let panicked = |_| JournalError::Unknown { why: "the writer has panicked".to_owned() };
        receiver.await.map_err(panicked)?
    }

    /// Sends a query to a reader, and waits for its result.
    async fn ask<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Database) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, StorageError> {
        let (result, receiver) = oneshot::channel();
        let job: ReadJob = Box::new(move |database| {
            let found = database.map_err(StorageError::from).and_then(query);
            // The caller may have given up.
            drop(result.send(found));
        });
        self.reads.push(job).map_err(|error| match error {
            PushError::Full => {
                JournalError::NotRead { why: "too many reads are waiting".to_owned() }
            }
            PushError::Closed => JournalError::closed(),
        })?;
        receiver.await.unwrap_or_else(|_closed| Err(JournalError::closed().into()))
    }

    /// Sends a query to a reader, and waits for its result. Damage that the reader finds is cut off
    /// before the caller learns of it, unless the file is only read.
    pub(super) async fn query<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Database) -> Result<T, StorageError> + Send + 'static,
    ) -> Result<T, JournalError> {
        let generation = self.generation.load(Ordering::Acquire);
        match self.ask(query).await {
            Ok(found) => Ok(found),
            Err(StorageError::Journal(JournalError::Damaged { table, .. }))
                if self.access == Access::ReadAndWrite =>
            {
                Err(self.cut(table).await)
            }
            Err(StorageError::Journal(error)) => Err(error),
            Err(StorageError::Sql(error)) => {
                if is_malformed(&error) && self.access == Access::ReadOnly {
                    return Err(JournalError::NotRead { why: malformed_to_read(&error) });
                }
                if is_malformed(&error) {
                    // Whatever comes of it, the caller must read again.
                    drop(self.write(Write::Salvage(generation)).await);
                }
                Err(JournalError::NotRead { why: error.to_string() })
            }
        }
    }

    async fn cut(&self, table: TableId) -> JournalError {
        match self.write(Write::Cut(table)).await {
            Ok(WriteOutcome::Cut(version)) => {
                tracing::error!(table = %table.short(), version, "a damaged log was cut");
                JournalError::Damaged { table, version }
            }
            Ok(_) => {
                // It was cut for another caller, or the disk returns other bytes now.
                JournalError::NotRead { why: "it was damaged; read it again".to_owned() }
            }
            Err(error) => JournalError::NotRead { why: error.to_string() },
        }
    }

    pub(super) async fn read(
        &self,
        table: TableId,
        after: u64,
        limit: usize,
    ) -> Result<Tail, JournalError> {
        let limit = limit.min(MAX_ENTRIES);
        self.query(move |database| log::read(database, table, after, limit)).await
    }

    /// Like [`Self::read`], but damage stays where it is.
    pub(super) async fn inspect(
        &self,
        table: TableId,
        after: u64,
        limit: usize,
    ) -> Result<Tail, JournalError> {
        let limit = limit.min(MAX_ENTRIES);
        let read = move |database: &Database| log::read(database, table, after, limit);
        self.ask(read).await.map_err(|error| match error {
            StorageError::Journal(error) => error,
            StorageError::Sql(error) => JournalError::NotRead { why: error.to_string() },
        })
    }

    /// Deletes a table. The entries of a long log are erased in several writes, so that others are
    /// written in between.
    pub(super) async fn delete(
        &self,
        table: TableId,
        last: u64,
    ) -> Result<DeleteOutcome, JournalError> {
        match self.write(Write::Delete(table, last)).await? {
            WriteOutcome::NoTable => Ok(DeleteOutcome::NoTable),
            WriteOutcome::Conflict => Ok(DeleteOutcome::Touched),
            WriteOutcome::Cut(version) => Err(JournalError::Damaged { table, version }),
            WriteOutcome::More => {
                // The table is gone already: if this fails, the writer erases the rest when it is idle.
                while self.write(Write::Erase).await == Ok(WriteOutcome::More) {}
                Ok(DeleteOutcome::Deleted)
            }
            _ => Ok(DeleteOutcome::Deleted),
        }
    }

    pub(super) async fn compact(&self) -> Result<CompactedSize, JournalError> {
        match self.write(Write::Compact).await? {
            WriteOutcome::Compacted(size) => Ok(size),
            _ => Ok(CompactedSize::default()),
        }
    }

    /// All entries of a log after a version.
    async fn rest(&self, table: TableId, mut after: u64) -> Result<Vec<Entry>, JournalError> {
        let mut entries = Vec::new();
        loop {
            let tail = self.read(table, after, MAX_ENTRIES).await?;
            let Some(last) = tail.entries.last() else { return Ok(entries) };
            after = last.version;
            entries.extend(tail.entries);
            if after >= tail.last_version {
                return Ok(entries);
            }
        }
    }

    pub(super) async fn append(
        &self,
        table: TableId,
        after: u64,
        entries: Vec<Entry>,
    ) -> Result<Appended, JournalError> {
        let lines = lines::encode(after, &entries)?;
        let lines = entries.iter().zip(lines).map(|(entry, text)| NewLine::new(entry, text));
        let first = entries.first().filter(|_| after == 0);
        let rules = first.and_then(RulesDigest::named_in);
        let append = Append { table, after, lines: lines.collect(), rules };
        match self.write(Write::Append(append)).await? {
            WriteOutcome::Conflict => match self.rest(table, after).await {
                Err(JournalError::NotRead { why }) => Err(NotWritten::Failed { why }.into()),
                rest => rest.map(Appended::Conflict),
            },
            WriteOutcome::Cut(version) => Err(JournalError::Damaged { table, version }),
            _ => Ok(Appended::Committed),
        }
    }

    pub(super) async fn keep_rules(&self, text: String) -> Result<RulesDigest, JournalError> {
        if text.len() > MAX_RULES_BYTES {
            return Err(NotWritten::RulesTooLong.into());
        }
        let digest = RulesDigest::of(&text);
        self.write(Write::KeepRules(text)).await.map(|_| digest)
    }

    pub(super) async fn keep_snapshot(
        &self,
        table: TableId,
        snapshot: SnapshotText,
    ) -> Result<(), JournalError> {
        if snapshot.text.len() > MAX_SNAPSHOT_BYTES {
            return Err(NotWritten::SnapshotTooLong.into());
        }
        match self.write(Write::KeepSnapshot(table, snapshot)).await? {
            WriteOutcome::Cut(version) => Err(JournalError::Damaged { table, version }),
            _ => Ok(()),
        }
    }
}

/// Why a file that is only read cannot be read any further, and what to do.
pub(super) fn malformed_to_read(error: &rusqlite::Error) -> String {
    format!(
        "the file is malformed ({error}). Nothing was changed: put back a backup, or start a server on the \
         folder, which saves what can be read and keeps the malformed file"
    )
}
