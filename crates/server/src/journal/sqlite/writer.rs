//! The one thread that writes.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::ErrorCode;
use tokio::sync::oneshot;

use super::batch::{self, Statements, Write, Written};
use super::database::{Database, QUIET, is_malformed, write_back};
use super::folder::Folder;
use super::heads::Heads;
use super::problem::Problem;
use super::salvage::salvage;
use super::{Hook, Moment, Settings, Shared};
use crate::TableId;
use crate::journal::{JournalError, NotWritten};

/// Something to be written, and who waits for it.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) write: Write,
    pub(super) answer: oneshot::Sender<Answer>,
}

/// What is said to whoever waits.
pub(super) type Answer = Result<Written, JournalError>;

/// Takes what waits, writes it in one transaction, and answers when it is durable.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) shared: Arc<Shared>,
    pub(super) folder: Folder,
    pub(super) settings: Settings,
    pub(super) hook: Hook,
    /// None where the file could not be opened again after a failure.
    pub(super) database: Option<Database>,
    pub(super) heads: Heads,
    /// How many pages of the write-ahead log are in the file as well.
    pub(super) written_back: i64,
    pub(super) readers: Vec<JoinHandle<()>>,
    pub(super) ended: Option<oneshot::Sender<Result<(), JournalError>>>,
}

/// Where so many came while one batch was written, many more are on their way, and a commit costs
/// nearly the same for all of them: it is worth waiting a little for enough. If they do not come, it
/// was not.
const BUSY: usize = 32;
const STILL_BUSY: usize = 64;
const ENOUGH: usize = 400;
const PATIENCE: Duration = Duration::from_millis(6);

/// Why a batch was not written, as far as is known.
enum Failure {
    /// It was never committed.
    Before(rusqlite::Error),
    /// The commit failed.
    Commit(rusqlite::Error),
}

impl Writer {
    /// Writes until the queue is closed and empty.
    pub(super) fn run(mut self) {
        let (most, mut is_busy) = (self.settings.batch.max(1), false);
        loop {
            let jobs = &self.shared.jobs;
            let jobs =
                if is_busy { jobs.take_enough(most, ENOUGH, PATIENCE) } else { jobs.take(most) };
            if jobs.is_empty() {
                break;
            }
            is_busy = jobs.len() >= if is_busy { STILL_BUSY } else { BUSY };
            self.serve(jobs);
            self.write_back_if_due();
            if self.shared.jobs.rests(QUIET) {
                self.forget_pages();
            }
        }
        let ended = self.stop();
        let waiting = self.ended.take();
        // The folder is free before anybody hears that the journal is closed.
        drop(self);
        if let Some(waiting) = waiting {
            drop(waiting.send(ended));
        }
    }

    fn serve(&mut self, jobs: Vec<Job>) {
        let alarm = Alarm(Arc::clone(&self.shared));
        let files = self.shared.files.load(Ordering::Acquire);
        if jobs.iter().any(|job| matches!(job.write, Write::Salvage(seen) if seen == files)) {
            self.salvage("a page could not be read".to_owned());
        }
        if jobs.iter().any(|job| matches!(job.write, Write::Cut(_))) {
            // What the disk holds counts, not what was read from it earlier.
            self.forget_pages();
        }
        self.reopen_if_closed();
        let answers = match self.attempt(&jobs) {
            Ok(answers) => answers,
            Err(Failure::Before(error)) => self.after_failure(&jobs, &error),
            Err(Failure::Commit(error)) => self.after_failed_commit(&jobs, &error),
        };
        self.tell(&jobs, &answers);
        for (job, answer) in jobs.into_iter().zip(answers) {
            // Who no longer waits does not want to know.
            drop(job.answer.send(answer));
        }
        drop(alarm);
    }

    /// Writes a batch; whoever is refused does not hold up the others.
    fn attempt(&mut self, jobs: &[Job]) -> Result<Vec<Answer>, Failure> {
        let Some(database) = &self.database else {
            let closed = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CANTOPEN);
            return Err(Failure::Before(rusqlite::Error::SqliteFailure(closed, None)));
        };
        let connection = &database.connection;
        let changes = connection.total_changes();
        self.hook.call(Moment::Begin, Some(connection)).map_err(Failure::Before)?;
        connection.execute_batch("BEGIN IMMEDIATE").map_err(Failure::Before)?;
        let mut statements = Statements::prepare(connection).map_err(Failure::Before)?;
        let mut answers = Vec::with_capacity(jobs.len());
        for job in jobs {
            let (statements, heads) = (&mut statements, &mut self.heads);
            answers.push(match batch::apply(database, statements, heads, &job.write) {
                Ok(written) => Ok(written),
                Err(Problem::Journal(error)) => Err(error),
                Err(Problem::Sql(error)) => return Err(Failure::Before(error)),
            });
        }
        self.hook.call(Moment::Commit, Some(connection)).map_err(Failure::Commit)?;
        connection
            .prepare_cached("COMMIT")
            .and_then(|mut commit| commit.execute([]))
            .map_err(Failure::Commit)?;
        self.hook.call(Moment::Committed, Some(connection)).map_err(Failure::Commit)?;
        self.shared.batches.fetch_add(1, Ordering::Relaxed);
        self.shared.writes.fetch_add(jobs.len() as u64, Ordering::Relaxed);
        if connection.total_changes() != changes {
            self.shared.set_trouble(None);
        }
        Ok(answers)
    }

    /// Nothing was written: says so to everybody, and begins anew with what the file holds.
    fn after_failure(&mut self, jobs: &[Job], error: &rusqlite::Error) -> Vec<Answer> {
        tracing::warn!(%error, "a batch was not written");
        self.shared.set_trouble(Some(error.to_string()));
        self.begin_anew(error);
        jobs.iter().map(|_| Err(not_written(error).into())).collect()
    }

    /// Nobody knows what was written: closes the file, opens it again and looks.
    fn after_failed_commit(&mut self, jobs: &[Job], error: &rusqlite::Error) -> Vec<Answer> {
        tracing::error!(%error, "a commit failed");
        self.shared.set_trouble(Some(error.to_string()));
        self.begin_anew(error);
        let Some(database) = &self.database else {
            return jobs.iter().map(|_| Err(unknown(error))).collect();
        };
        // What a failed sync left behind can be read and still be lost with the power; and what cannot
        // be read may stand in the write-ahead log all the same, and be found by the next start. When
        // the log was written back and emptied, the file holds what was synced, and nothing else.
        let hooked = self.hook.call(Moment::WriteBack, Some(&database.connection));
        let is_settled = hooked.and_then(|()| write_back(&database.connection)).is_ok();
        jobs.iter().map(|job| found(database, &job.write, is_settled, error)).collect()
    }

    /// Forgets everything and opens the file again.
    fn begin_anew(&mut self, error: &rusqlite::Error) {
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
        let hooked = self.hook.call(Moment::Reopen, None);
        match hooked.and_then(|()| Database::to_write(&self.folder.database())) {
            Ok(database) => self.database = Some(database),
            Err(error) if is_malformed(&error) => self.salvage(error.to_string()),
            Err(error) => tracing::error!(%error, "the journal cannot be opened again"),
        }
    }

    /// Gives the file up and goes on with what can be read of it.
    fn salvage(&mut self, why: String) {
        self.heads.clear();
        self.database = None;
        match salvage(&self.folder, why) {
            Ok(_) => self.database = Database::to_write(&self.folder.database()).ok(),
            Err(error) => tracing::error!(%error, "the journal could not be salvaged"),
        }
        self.shared.files.fetch_add(1, Ordering::AcqRel);
        self.shared.watchers.tell_all_cut();
    }

    /// Tells those who watch what has changed.
    fn tell(&self, jobs: &[Job], answers: &[Answer]) {
        let grown = |(job, answer): (&Job, &Answer)| match (&job.write, answer) {
            (Write::Append(append), Ok(Written::Done)) => {
                Some((append.table, append.after + append.lines.len() as u64))
            }
            _ => None,
        };
        let cut = |(job, answer): (&Job, &Answer)| match answer {
            Ok(Written::Cut(version)) => Some((table(&job.write)?, version - 1)),
            _ => None,
        };
        let cuts: Vec<_> = jobs.iter().zip(answers).filter_map(cut).collect();
        let has_looked = |job: &Job| matches!(job.write, Write::Cut(_));
        if !cuts.is_empty() || jobs.iter().any(has_looked) {
            // Readers must not go on with pages that they have read before.
            self.shared.files.fetch_add(1, Ordering::AcqRel);
        }
        self.shared.watchers.tell(jobs.iter().zip(answers).filter_map(grown));
        for (table, version) in cuts {
            self.shared.watchers.tell_cut(table, version);
        }
    }

    fn forget_pages(&self) {
        if let Some(database) = &self.database {
            database.forget_pages();
        }
    }

    /// Writes the write-ahead log back into the file when it has grown long, while nobody waits.
    fn write_back_if_due(&mut self) {
        let Some(database) = &self.database else { return };
        let pages = |mode: &str| -> rusqlite::Result<i64> {
            let statement = format!("PRAGMA wal_checkpoint({mode})");
            database.connection.prepare_cached(&statement)?.query_row([], |row| row.get(1))
        };
        let written_back = pages("NOOP").and_then(|long| {
            // It begins anew with the next write if nobody reads it at that moment. Where that never
            // happens, it is not written back once more for each batch, but readers are waited for.
            let start = if long < self.written_back { 0 } else { self.written_back };
            let most = i64::from(self.settings.pages.max(1));
            match long {
                _ if long < start + most => Ok(start),
                _ if long < 4 * most => pages("PASSIVE"),
                _ => pages("RESTART"),
            }
        });
        match written_back {
            Ok(pages) => self.written_back = pages,
            Err(error) => {
                tracing::warn!(%error, "the write-ahead log could not be written back");
                self.shared.set_trouble(Some(error.to_string()));
                self.begin_anew(&error);
            }
        }
    }

    /// Ends the readers and closes the file; if that was asked for, marks that nothing was lost.
    fn stop(&mut self) -> Result<(), JournalError> {
        self.shared.questions.abandon();
        for reader in self.readers.drain(..) {
            drop(reader.join());
        }
        self.shared.watchers.close();
        let is_closing = self.shared.is_closing.load(Ordering::Acquire);
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
    /// However the thread ends, nobody waits for an answer that will never come.
    fn drop(&mut self) {
        self.shared.end();
    }
}

/// Closes everything when the thread panics, before those who wait for the batch hear of it.
struct Alarm(Arc<Shared>);

impl Drop for Alarm {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end();
        }
    }
}

/// What the file says of something whose commit failed.
fn found(database: &Database, write: &Write, is_settled: bool, error: &rusqlite::Error) -> Answer {
    let Write::Append(append) = write else { return Err(unknown(error)) };
    match batch::look(&database.connection, append) {
        // There was no room for the mark that makes a commit of what was written before it.
        Ok(None) if not_written(error) == NotWritten::DiskFull => Err(NotWritten::DiskFull.into()),
        Ok(None | Some(Written::Done)) if !is_settled => Err(unknown(error)),
        Ok(None) => Err(not_written(error).into()),
        Ok(Some(written)) => Ok(written),
        Err(_) => Err(unknown(error)),
    }
}

fn table(write: &Write) -> Option<TableId> {
    match write {
        Write::Append(append) => Some(append.table),
        Write::Keep(table, _) | Write::Cut(table) => Some(*table),
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
