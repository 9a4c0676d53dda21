//! A journal in a file.

mod batch;
mod chain;
mod cut;
mod database;
mod directory;
#[cfg(test)]
mod faults;
mod folder;
mod heads;
mod log;
mod open;
mod problem;
mod queue;
mod reader;
mod salvage;
mod writer;

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use table::{ActionId, Entry};
use tokio::sync::oneshot;

use self::batch::{Append, NewLine, Write, Written};
use self::database::{Database, Key, is_malformed};
pub use self::open::{OpenError, Report, Salvaged, Start};
use self::problem::Problem;
use self::queue::{NotQueued, Queue};
use self::reader::Question;
use self::writer::{Answer, Job};
use super::watchers::Watchers;
use super::{
    Appended, Directory, Journal, JournalError, LONGEST_SNAPSHOT, Later, Listing, Losses,
    MOST_ENTRIES, NotReady, NotWritten, OpenTable, Put, SnapshotText, Status, Subscription, Tail,
    lines,
};
use crate::TableId;

/// A journal in a file that belongs to this process alone, with nothing to install.
///
/// One thread writes: it takes what waits, commits it at once and answers when it is durable.
/// Others read and never wait for it. Dropping the journal without [`Journal::close`] loses nothing
/// that was acknowledged, but the next start cannot know that and begins a new epoch.
#[derive(Debug)]
pub struct SqliteJournal {
    shared: Arc<Shared>,
    key: Secret,
    writer: Option<JoinHandle<()>>,
    ended: Mutex<Option<oneshot::Receiver<Result<(), JournalError>>>>,
}

/// How a journal in a file shares its work out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many writes are committed at once at most.
    pub batch: usize,
    /// How many writes may wait; more are refused.
    pub waiting_writes: usize,
    /// How many reads may wait; more are refused.
    pub waiting_reads: usize,
    /// How many threads read.
    pub readers: usize,
    /// How many pages the write-ahead log has before it is written back, in pages of 4096 bytes.
    pub pages: u32,
    /// Of how many tables the writer remembers where their logs end.
    pub remembered: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            batch: 1024,
            waiting_writes: 8192,
            waiting_reads: 8192,
            readers: 2,
            pages: 8192,
            remembered: 16_384,
        }
    }
}

/// What a journal in a file has done since it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// How many batches were committed.
    pub batches: u64,
    /// How many writes they held.
    pub writes: u64,
}

struct Secret(Key);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a secret")
    }
}

/// What the threads and those who ask them have in common.
struct Shared {
    jobs: Queue<Job>,
    questions: Queue<Question>,
    watchers: Watchers,
    /// How many times readers had to begin with the file anew.
    files: AtomicU64,
    is_closing: AtomicBool,
    batches: AtomicU64,
    writes: AtomicU64,
    /// Why the last write failed, until one succeeds.
    trouble: Mutex<Option<String>>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("trouble", &self.trouble).finish_non_exhaustive()
    }
}

/// When something can go wrong that tests want to go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// A batch begins.
    Begin,
    /// Now the commit begins.
    Commit,
    /// The commit is done, and nobody knows.
    Committed,
    /// The file is written back after a commit failed.
    WriteBack,
    /// The file is opened again.
    Reopen,
}

/// What tests let go wrong, or do with the connection of the writer.
type Fault = dyn Fn(Moment, Option<&Connection>) -> rusqlite::Result<()> + Send + Sync;

/// What is called when something can go wrong.
#[derive(Clone, Default)]
struct Hook(Option<Arc<Fault>>);

impl Hook {
    fn call(&self, moment: Moment, connection: Option<&Connection>) -> rusqlite::Result<()> {
        self.0.as_ref().map_or(Ok(()), |hook| hook(moment, connection))
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "something" } else { "nothing" })
    }
}

impl SqliteJournal {
    /// Opens the journal in a folder, which is made if it is not there. How long this takes does
    /// not depend on how much the journal holds, unless the file is malformed: then what can be
    /// read is saved, and the report says so.
    ///
    /// It waits for the disk: an asynchronous program calls it where that does no harm.
    ///
    /// # Errors
    /// If another process uses the folder, if a newer program wrote the file, if the disk is full, or if
    /// the folder cannot be read or written.
    pub fn open(folder: &Path, settings: &Settings) -> Result<(Self, Report), OpenError> {
        open::open(folder, settings, Hook::default()).map_err(|error| error.in_folder(folder))
    }

    /// What it has done so far.
    pub fn statistics(&self) -> Statistics {
        let Shared { batches, writes, .. } = &*self.shared;
        let [batches, writes] = [batches, writes].map(|count| count.load(Ordering::Relaxed));
        Statistics { batches, writes }
    }
}

impl Drop for SqliteJournal {
    /// Waits until what was asked for is written and the folder is free for others.
    fn drop(&mut self) {
        self.shared.jobs.close();
        if let Some(writer) = self.writer.take() {
            // A writer that died has said so to everybody who waited for it.
            drop(writer.join());
        }
    }
}

impl Shared {
    fn set_trouble(&self, trouble: Option<String>) {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
    }

    fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Refuses everything from now on, and drops what waits.
    fn end(&self) {
        self.set_trouble(Some("the journal is closed".to_owned()));
        self.jobs.abandon();
        self.questions.abandon();
        self.watchers.close();
    }

    /// Lets the writer do something.
    async fn write(&self, write: Write) -> Answer {
        let (answer, answered) = oneshot::channel();
        self.jobs.push(Job { write, answer }).map_err(|reason| match reason {
            NotQueued::Full => NotWritten::Busy,
            NotQueued::Closed => NotWritten::Closed,
        })?;
        let died = |_| JournalError::Unknown { why: "the writer has died".to_owned() };
        answered.await.map_err(died)?
    }

    /// Asks a reader. What it finds to be damaged is dealt with before anybody hears of it.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Database) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, JournalError> {
        let (answer, answered) = oneshot::channel();
        let files = self.files.load(Ordering::Acquire);
        let question: Question = Box::new(move |database| {
            let found = database.map_err(Problem::from).and_then(question);
            // Who no longer waits does not want to know.
            drop(answer.send(found));
        });
        self.questions.push(question).map_err(|reason| match reason {
            NotQueued::Full => JournalError::NotRead { why: "too many want to read".to_owned() },
            NotQueued::Closed => JournalError::closed(),
        })?;
        let Ok(found) = answered.await else { return Err(JournalError::closed()) };
        match found {
            Ok(found) => Ok(found),
            Err(Problem::Journal(JournalError::Damaged { table, .. })) => {
                Err(self.cut(table).await)
            }
            Err(Problem::Journal(error)) => Err(error),
            Err(Problem::Sql(error)) => {
                if is_malformed(&error) {
                    // Whatever comes of it, whoever asked must ask again.
                    drop(self.write(Write::Salvage(files)).await);
                }
                Err(JournalError::NotRead { why: error.to_string() })
            }
        }
    }

    async fn cut(&self, table: TableId) -> JournalError {
        match self.write(Write::Cut(table)).await {
            Ok(Written::Cut(version)) => {
                tracing::error!(%table, version, "a damaged log was cut");
                JournalError::Damaged { table, version }
            }
            Ok(_) => {
                // Somebody else has had it cut, or the disk now says something else.
                JournalError::NotRead { why: "what was read was damaged; ask again".to_owned() }
            }
            Err(error) => JournalError::NotRead { why: error.to_string() },
        }
    }

    async fn read(&self, table: TableId, after: u64, most: usize) -> Result<Tail, JournalError> {
        self.ask(move |database| log::read(database, table, after, most.min(MOST_ENTRIES))).await
    }

    /// All that a log has after a version.
    async fn rest(&self, table: TableId, mut after: u64) -> Result<Vec<Entry>, JournalError> {
        let mut entries = Vec::new();
        loop {
            let tail = self.read(table, after, MOST_ENTRIES).await?;
            let Some(last) = tail.entries.last() else { return Ok(entries) };
            after = last.version;
            entries.extend(tail.entries);
            if after >= tail.last_version {
                return Ok(entries);
            }
        }
    }

    async fn append(
        &self,
        table: TableId,
        after: u64,
        entries: Vec<Entry>,
    ) -> Result<Appended, JournalError> {
        let lines = lines(after, &entries)?;
        let lines = entries.iter().zip(lines).map(|(entry, text)| NewLine::new(entry, text));
        let append = Append { table, after, lines: lines.collect() };
        match self.write(Write::Append(append)).await? {
            Written::Conflict => match self.rest(table, after).await {
                Err(JournalError::NotRead { why }) => Err(NotWritten::Failed { why }.into()),
                rest => rest.map(Appended::Conflict),
            },
            Written::Cut(version) => Err(JournalError::Damaged { table, version }),
            Written::Done | Written::CodeTaken => Ok(Appended::Committed),
        }
    }

    async fn keep(&self, table: TableId, snapshot: SnapshotText) -> Result<(), JournalError> {
        if snapshot.text.len() > LONGEST_SNAPSHOT {
            return Err(NotWritten::SnapshotTooLong.into());
        }
        match self.write(Write::Keep(table, snapshot)).await? {
            Written::Cut(version) => Err(JournalError::Damaged { table, version }),
            _ => Ok(()),
        }
    }
}

impl Journal for SqliteJournal {
    fn append(
        &self,
        table: TableId,
        after: u64,
        entries: Vec<Entry>,
    ) -> Later<'_, Result<Appended, JournalError>> {
        Box::pin(self.shared.append(table, after, entries))
    }

    fn read(
        &self,
        table: TableId,
        after: u64,
        most: usize,
    ) -> Later<'_, Result<Tail, JournalError>> {
        Box::pin(self.shared.read(table, after, most))
    }

    fn find(
        &self,
        table: TableId,
        action: ActionId,
    ) -> Later<'_, Result<Option<u64>, JournalError>> {
        Box::pin(self.shared.ask(move |database| log::find(database, table, &action)))
    }

    fn subscribe(&self, table: TableId, after: u64) -> Subscription {
        let shared = Arc::clone(&self.shared);
        let pages = move |after| -> Later<'static, _> {
            let shared = Arc::clone(&shared);
            Box::pin(async move { shared.read(table, after, MOST_ENTRIES).await })
        };
        Subscription::new(table, after, self.shared.watchers.watch(table), Box::new(pages))
    }

    fn losses(&self) -> Losses {
        self.shared.watchers.losses()
    }

    fn keep_snapshot(
        &self,
        table: TableId,
        snapshot: SnapshotText,
    ) -> Later<'_, Result<(), JournalError>> {
        Box::pin(self.shared.keep(table, snapshot))
    }

    fn snapshot(&self, table: TableId) -> Later<'_, Result<Option<SnapshotText>, JournalError>> {
        Box::pin(self.shared.ask(move |database| log::snapshot(database, table)))
    }

    fn key(&self) -> [u8; 32] {
        self.key.0
    }

    fn is_ready(&self) -> Later<'_, Result<(), NotReady>> {
        Box::pin(async {
            let is_closing = self.shared.is_closing.load(Ordering::Acquire);
            if !is_closing && self.shared.trouble().is_none() {
                return Ok(());
            }
            let probe = self.shared.write(Write::Probe).await;
            probe.map(drop).map_err(|error| NotReady { why: error.to_string() })
        })
    }

    fn close(&self) -> Later<'_, Result<(), JournalError>> {
        Box::pin(async {
            self.shared.is_closing.store(true, Ordering::Release);
            self.shared.jobs.close();
            let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(ended) = ended else { return Ok(()) };
            let died = |_| JournalError::Unknown { why: "the writer has died".to_owned() };
            ended.await.map_err(died)?
        })
    }
}

impl Directory for SqliteJournal {
    fn put(&self, table: OpenTable) -> Later<'_, Result<Put, JournalError>> {
        Box::pin(async {
            Ok(match self.shared.write(Write::Put(table)).await? {
                Written::CodeTaken => Put::CodeTaken,
                _ => Put::Done,
            })
        })
    }

    fn by_code(&self, code: &str) -> Later<'_, Result<Option<OpenTable>, JournalError>> {
        let code = code.to_owned();
        Box::pin(self.shared.ask(move |database| directory::by_code(&database.connection, &code)))
    }

    fn listed(&self, listing: Listing) -> Later<'_, Result<Vec<OpenTable>, JournalError>> {
        Box::pin(self.shared.ask(move |database| directory::listed(&database.connection, &listing)))
    }

    fn seats(
        &self,
        table: TableId,
        free: u8,
        status: Status,
    ) -> Later<'_, Result<(), JournalError>> {
        let write = Write::Seats(table, free, status);
        Box::pin(async move { self.shared.write(write).await.map(drop) })
    }

    fn remove(&self, table: TableId) -> Later<'_, Result<(), JournalError>> {
        Box::pin(async move { self.shared.write(Write::Remove(table)).await.map(drop) })
    }
}
