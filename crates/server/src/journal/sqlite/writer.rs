//! The thread that writes.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::ErrorCode;
use tokio::sync::oneshot;

use super::batch::{self, Statements, Write, WriteOutcome};
use super::compaction::compact;
use super::database::{Database, IDLE_TIME, is_malformed, write_back};
use super::deletion::erase;
use super::fault_hook::{FaultHook, FaultPoint};
use super::folder::Folder;
use super::heads::Heads;
use super::journal_threads::JournalThreads;
use super::salvage::salvage;
use super::storage_error::StorageError;
use super::{OpenError, Settings};
use crate::TableId;
use crate::journal::{JournalError, Loss, NotWritten};

/// A write, and where its result goes.
#[derive(Debug)]
pub(super) struct PendingWrite {
    pub(super) write: Write,
    pub(super) result: oneshot::Sender<WriteResult>,
}

/// The result of a write.
pub(super) type WriteResult = Result<WriteOutcome, JournalError>;

/// Writes all waiting requests in one transaction, and answers them when they are durable.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) threads: Arc<JournalThreads>,
    pub(super) folder: Folder,
    pub(super) settings: Settings,
    pub(super) hook: FaultHook,
    /// None if the file could not be opened again after a failure.
    pub(super) database: Option<Database>,
    pub(super) heads: Heads,
    /// The number of pages of the write-ahead log that are in the file as well.
    pub(super) written_back: i64,
    pub(super) readers: Vec<JoinHandle<()>>,
    pub(super) ended: Option<oneshot::Sender<Result<(), JournalError>>>,
}

/// When `BUSY` writes came during one batch, many more are likely to follow, and one commit for all of
/// them costs little more: the writer then waits up to `BATCH_WAIT` for `ENOUGH`. It stops waiting once
/// fewer than `STILL_BUSY` come.
const BUSY: usize = 32;
const STILL_BUSY: usize = 64;
const ENOUGH: usize = 400;
const BATCH_WAIT: Duration = Duration::from_millis(6);

/// Where a batch failed.
enum BatchFailure {
    /// Before the commit.
    Before(rusqlite::Error),
    /// During the commit.
    Commit(rusqlite::Error),
}

impl Writer {
    /// Writes until the queue is closed and empty, then closes the file.
    pub(super) fn run(mut self) {
        let (limit, mut is_busy) = (self.settings.batch.max(1), false);
        self.threads.metrics.size.set(self.folder.size());
        self.erase();
        loop {
            let queue = &self.threads.writes;
            let writes = if is_busy {
                queue.take_enough(limit, ENOUGH, BATCH_WAIT)
            } else {
                queue.take(limit)
            };
            if writes.is_empty() {
                break;
            }
            is_busy = writes.len() >= if is_busy { STILL_BUSY } else { BUSY };
            self.serve(writes);
            self.write_back_if_due();
            if self.threads.writes.is_idle_for(IDLE_TIME) {
                self.erase();
                self.free_pages();
            }
        }
        let ended = self.stop();
        let waiting = self.ended.take();
        // The folder is unlocked before the caller learns that the journal is closed.
        drop(self);
        if let Some(waiting) = waiting {
            drop(waiting.send(ended));
        }
    }

    /// Performs a batch of writes, and answers them.
    fn serve(&mut self, writes: Vec<PendingWrite>) {
        let guard = PanicGuard(Arc::clone(&self.threads));
        let generation = self.threads.generation.load(Ordering::Acquire);
        let must_salvage = |pending: &PendingWrite| matches!(pending.write, Write::Salvage(seen) if seen == generation);
        if writes.iter().any(must_salvage) {
            self.salvage("a page could not be read".to_owned());
        }
        if writes.iter().any(|pending| matches!(pending.write, Write::Cut(_))) {
            // The check must read the disk, and not pages that were read earlier.
            self.free_pages();
        }
        let compacted = writes
            .iter()
            .any(|pending| matches!(pending.write, Write::Compact))
            .then(|| self.compact());
        self.reopen_if_closed();
        let mut results = match self.attempt(&writes) {
            Ok(results) => results,
            Err(BatchFailure::Before(error)) => self.after_failure(&writes, &error),
            Err(BatchFailure::Commit(error)) => self.after_failed_commit(&writes, &error),
        };
        if let Some(compacted) = compacted {
            for (pending, result) in writes.iter().zip(&mut results) {
                if matches!(pending.write, Write::Compact) {
                    result.clone_from(&compacted);
                }
            }
        }
        self.report_losses(&writes, &results);
        for (pending, result) in writes.into_iter().zip(results) {
            // The caller may have given up.
            drop(pending.result.send(result));
        }
        drop(guard);
    }

    /// Commits a batch. A write that is refused does not affect the others.
    fn attempt(&mut self, writes: &[PendingWrite]) -> Result<Vec<WriteResult>, BatchFailure> {
        let Some(database) = &self.database else {
            let closed = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CANTOPEN);
            return Err(BatchFailure::Before(rusqlite::Error::SqliteFailure(closed, None)));
        };
        let connection = &database.connection;
        let changes = connection.total_changes();
        self.hook.call(FaultPoint::Begin, Some(connection)).map_err(BatchFailure::Before)?;
        connection.execute_batch("BEGIN IMMEDIATE").map_err(BatchFailure::Before)?;
        let mut statements = Statements::prepare(connection).map_err(BatchFailure::Before)?;
        let mut results = Vec::with_capacity(writes.len());
        for pending in writes {
            let (statements, heads) = (&mut statements, &mut self.heads);
            results.push(match batch::apply(database, statements, heads, &pending.write) {
                Ok(written) => Ok(written),
                Err(StorageError::Journal(error)) => Err(error),
                Err(StorageError::Sql(error)) => return Err(BatchFailure::Before(error)),
            });
        }
        let metrics = &self.threads.metrics;
        metrics.batch_writes.observe(f64::from(u32::try_from(writes.len()).unwrap_or(u32::MAX)));
        let started = Instant::now();
        self.hook.call(FaultPoint::Commit, Some(connection)).map_err(BatchFailure::Commit)?;
        connection
            .prepare_cached("COMMIT")
            .and_then(|mut commit| commit.execute([]))
            .map_err(BatchFailure::Commit)?;
        metrics.commit_seconds.observe(started.elapsed().as_secs_f64());
        metrics.size.set(self.folder.size());
        self.hook.call(FaultPoint::Committed, Some(connection)).map_err(BatchFailure::Commit)?;
        if connection.total_changes() != changes {
            self.threads.set_failure(None);
        }
        Ok(results)
    }

    /// The results of a batch that was not written. The file is opened again.
    fn after_failure(
        &mut self,
        writes: &[PendingWrite],
        error: &rusqlite::Error,
    ) -> Vec<WriteResult> {
        tracing::warn!(%error, "a batch was not written");
        self.threads.set_failure(Some(error.to_string()));
        self.start_over(error);
        writes.iter().map(|_| Err(not_written(error).into())).collect()
    }

    /// The results of a batch whose commit failed. Its outcome is unknown, so the file is opened again and
    /// searched for the entries.
    fn after_failed_commit(
        &mut self,
        writes: &[PendingWrite],
        error: &rusqlite::Error,
    ) -> Vec<WriteResult> {
        tracing::error!(%error, "a commit failed");
        self.threads.set_failure(Some(error.to_string()));
        self.start_over(error);
        let Some(database) = &self.database else {
            return writes.iter().map(|_| Err(unknown(error))).collect();
        };
        // After a failed sync, readable entries may still be lost in a power cut, and the next start may
        // find entries in the write-ahead log that cannot be read now. Once the log is written back and
        // truncated, the file holds exactly the synced entries.
        let hooked = self.hook.call(FaultPoint::WriteBack, Some(&database.connection));
        let is_settled = hooked.and_then(|()| write_back(&database.connection)).is_ok();
        writes.iter().map(|pending| found(database, &pending.write, is_settled, error)).collect()
    }

    /// Clears all caches and opens the file again.
    fn start_over(&mut self, error: &rusqlite::Error) {
        self.heads.clear();
        self.database = None;
        if is_malformed(error) {
            self.salvage(error.to_string());
        }
        self.reopen_if_closed();
    }

    fn reopen_if_closed(&mut self) {
        if self.database.is_some() {
            return;
        }
        let hooked = self.hook.call(FaultPoint::Reopen, None);
        match hooked.and_then(|()| Database::to_write(&self.folder.database())) {
            Ok(database) => self.database = Some(database),
            Err(error) if is_malformed(&error) => self.salvage(error.to_string()),
            Err(error) => tracing::error!(%error, "the journal cannot be opened again"),
        }
    }

    /// Replaces the file by what can be read of it.
    fn salvage(&mut self, why: String) {
        self.heads.clear();
        self.database = None;
        match salvage(&self.folder, why) {
            Ok(_) => self.database = Database::to_write(&self.folder.database()).ok(),
            Err(error) => tracing::error!(%error, "the journal could not be salvaged"),
        }
        self.threads.generation.fetch_add(1, Ordering::AcqRel);
        self.threads.losses.send(Loss::AnyTable);
    }

    /// Replaces the file by one without free space.
    fn compact(&mut self) -> WriteResult {
        self.reopen_if_closed();
        let Some(old) = self.database.take() else { return Err(NotWritten::Closed.into()) };
        self.heads.clear();
        let compacted = compact(&self.folder, old);
        self.reopen_if_closed();
        self.written_back = 0;
        // Readers must open the new file.
        self.threads.generation.fetch_add(1, Ordering::AcqRel);
        compacted.map(WriteOutcome::Compacted).map_err(|error| {
            tracing::warn!(%error, "the journal was not compacted");
            match error {
                OpenError::Sql(error) => not_written(&error).into(),
                other => NotWritten::Failed { why: other.to_string() }.into(),
            }
        })
    }

    /// Erases entries of deleted tables while no write is waiting. They are left over if the server was
    /// killed before all were erased.
    fn erase(&self) {
        let Some(database) = &self.database else { return };
        while self.threads.writes.is_idle_for(Duration::ZERO) {
            match erase(&database.connection) {
                Ok(WriteOutcome::More) => {}
                Ok(_) => return,
                Err(error) => return tracing::warn!(%error, "deleted entries are not erased yet"),
            }
        }
    }

    /// Reports logs that were cut.
    fn report_losses(&self, writes: &[PendingWrite], results: &[WriteResult]) {
        let cut = |(pending, result): (&PendingWrite, &WriteResult)| match result {
            Ok(WriteOutcome::Cut(_)) => table(&pending.write),
            _ => None,
        };
        let cuts: Vec<_> = writes.iter().zip(results).filter_map(cut).collect();
        let is_check = |pending: &PendingWrite| matches!(pending.write, Write::Cut(_));
        if !cuts.is_empty() || writes.iter().any(is_check) {
            // Readers must not use pages that they have read before.
            self.threads.generation.fetch_add(1, Ordering::AcqRel);
        }
        for table in cuts {
            self.threads.losses.send(Loss::Table(table));
        }
    }

    fn free_pages(&self) {
        if let Some(database) = &self.database {
            database.free_pages();
        }
    }

    /// Writes the write-ahead log back when it has grown long, while no caller waits.
    fn write_back_if_due(&mut self) {
        let Some(database) = &self.database else { return };
        let pages = |mode: &str| -> rusqlite::Result<i64> {
            let statement = format!("PRAGMA wal_checkpoint({mode})");
            database.connection.prepare_cached(&statement)?.query_row([], |row| row.get(1))
        };
        let written_back = pages("NOOP").and_then(|length| {
            // SQLite restarts the log with the next write if it has no reader at that moment. If that never
            // happens, the log is not written back for each batch, but the writer waits for readers.
            let start = if length < self.written_back { 0 } else { self.written_back };
            let limit = i64::from(self.settings.pages.max(1));
            match length {
                _ if length < start + limit => Ok(start),
                _ if length < 4 * limit => pages("PASSIVE"),
                _ => pages("RESTART"),
            }
        });
        match written_back {
            Ok(pages) => self.written_back = pages,
            Err(error) => {
                tracing::warn!(%error, "the write-ahead log could not be written back");
                self.threads.set_failure(Some(error.to_string()));
                self.start_over(&error);
            }
        }
    }

    /// Ends the readers and closes the file. If the journal was closed properly, leaves the mark of that.
    fn stop(&mut self) -> Result<(), JournalError> {
        self.threads.reads.abandon();
        for reader in self.readers.drain(..) {
            drop(reader.join());
        }
        self.threads.losses.close();
        let is_closing = self.threads.is_closing.load(Ordering::Acquire);
        let Some(database) = self.database.take().filter(|_| is_closing) else {
            return Err(NotWritten::Closed.into());
        };
        let failed = |why: String| JournalError::from(NotWritten::Failed { why });
        write_back(&database.connection).map_err(|error| failed(error.to_string()))?;
        database.connection.close().map_err(|(_, error)| failed(error.to_string()))?;
        self.folder.leave_mark().map_err(|error| failed(error.to_string()))
    }
}

impl Drop for Writer {
    /// However the thread ends, no caller waits for ever.
    fn drop(&mut self) {
        self.threads.end();
    }
}

/// Closes the queues when the thread panics, before the callers of the batch learn of it.
struct PanicGuard(Arc<JournalThreads>);

impl Drop for PanicGuard {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end();
        }
    }
}

/// The result of a write whose commit failed, as the file shows it.
fn found(
    database: &Database,
    write: &Write,
    is_settled: bool,
    error: &rusqlite::Error,
) -> WriteResult {
    let Write::Append(append) = write else { return Err(unknown(error)) };
    match batch::outcome_in_file(&database.connection, append) {
        // There was no space for the commit record, without which the entries before it do not count.
        Ok(None) if not_written(error) == NotWritten::DiskFull => Err(NotWritten::DiskFull.into()),
        Ok(None | Some(WriteOutcome::Done)) if !is_settled => Err(unknown(error)),
        Ok(None) => Err(not_written(error).into()),
        Ok(Some(written)) => Ok(written),
        Err(_) => Err(unknown(error)),
    }
}

fn table(write: &Write) -> Option<TableId> {
    match write {
        Write::Append(append) => Some(append.table),
        Write::KeepSnapshot(table, _) | Write::Cut(table) | Write::Delete(table, _) => Some(*table),
        _ => None,
    }
}

fn not_written(error: &rusqlite::Error) -> NotWritten {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => NotWritten::DiskFull,
        _ => NotWritten::Failed { why: error.to_string() },
    }
}

fn unknown(error: &rusqlite::Error) -> JournalError {
    JournalError::Unknown { why: error.to_string() }
}
