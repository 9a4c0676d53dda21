//! The journal in a file, when the disk fails.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use rusqlite::{Connection, ffi};
use table::{Author, Entry, EntryBody};
use tempfile::TempDir;

use super::batch::{Append, NewLine, Write, WriteOutcome};
use super::fault_hook::{FaultHook, FaultPoint};
use super::open::open;
use super::{PreviousStop, Settings, SqliteJournal};
use crate::TableId;
use crate::journal::{Appended, BoxFuture, Journal, JournalError, Loss, NotWritten};

/// A journal into which faults can be injected.
struct FaultyDisk {
    journal: SqliteJournal,
    _folder: TempDir,
    faults: Arc<Mutex<Vec<(FaultPoint, rusqlite::Error)>>>,
}

fn failure(code: i32) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(code), None)
}

fn open_with(
    settings: &Settings,
    fault: impl Fn(FaultPoint, Option<&Connection>) -> rusqlite::Result<()> + Send + Sync + 'static,
) -> (SqliteJournal, TempDir) {
    let folder = TempDir::new().unwrap();
    let hook = FaultHook(Some(Arc::new(fault)));
    (open(folder.path(), settings, hook).unwrap().0, folder)
}

impl FaultyDisk {
    fn new() -> Self {
        let faults: Arc<Mutex<Vec<(FaultPoint, rusqlite::Error)>>> = Arc::default();
        let left = Arc::clone(&faults);
        let (journal, folder) = open_with(&Settings::default(), move |point, _| {
            let mut left = left.lock().unwrap();
            let next = left.iter().position(|(when, _)| *when == point);
            next.map_or(Ok(()), |next| Err(left.remove(next).1))
        });
        Self { journal, _folder: folder, faults }
    }

    /// Fails once at each of these points.
    fn fail(&self, points: &[FaultPoint]) {
        let faults = points.iter().map(|point| (*point, failure(ffi::SQLITE_IOERR_FSYNC)));
        self.faults.lock().unwrap().extend(faults);
    }

    async fn append(&self, after: u64) -> Result<Appended, JournalError> {
        self.journal.append(table(1), after, vec![entry(after + 1)]).await
    }

    async fn last(&self) -> u64 {
        self.journal.read(table(1), 0, 0).await.unwrap().last_version
    }
}

fn table(number: u8) -> TableId {
    TableId::new([number; 16])
}

fn entry(version: u64) -> Entry {
    Entry::new(version, version, Author::Table, EntryBody::Tied { round: 1 })
}

const fn is_not_written(answer: &Result<Appended, JournalError>) -> bool {
    matches!(answer, Err(JournalError::NotWritten(NotWritten::Failed { .. })))
}

const fn is_unknown(answer: &Result<Appended, JournalError>) -> bool {
    matches!(answer, Err(JournalError::Unknown { .. }))
}

#[tokio::test]
async fn a_batch_that_cannot_begin_was_not_written() {
    let faulty = FaultyDisk::new();
    faulty.fail(&[FaultPoint::Begin]);
    assert!(is_not_written(&faulty.append(0).await));
    assert_eq!(faulty.last().await, 0);
    assert_eq!(faulty.append(0).await, Ok(Appended::Committed));
}

#[tokio::test]
async fn a_failed_commit_that_left_nothing_was_not_written() {
    let faulty = FaultyDisk::new();
    assert_eq!(faulty.append(0).await, Ok(Appended::Committed));
    faulty.fail(&[FaultPoint::Commit]);
    assert!(is_not_written(&faulty.append(1).await));
    assert_eq!(faulty.last().await, 1);
    // The writer has cleared its cache: otherwise this would be a conflict.
    assert_eq!(faulty.append(1).await, Ok(Appended::Committed));
}

#[tokio::test]
async fn a_failed_commit_that_is_in_the_file_was_written() {
    let faulty = FaultyDisk::new();
    faulty.fail(&[FaultPoint::Committed]);
    assert_eq!(faulty.append(0).await, Ok(Appended::Committed));
    assert_eq!((faulty.last().await, faulty.append(1).await), (1, Ok(Appended::Committed)));
}

#[tokio::test]
async fn a_commit_that_may_be_lost_in_a_power_cut_is_unknown() {
    let faulty = FaultyDisk::new();
    faulty.fail(&[FaultPoint::Committed, FaultPoint::WriteBack]);
    assert!(is_unknown(&faulty.append(0).await));
    assert_eq!(faulty.append(0).await, Ok(Appended::Conflict(vec![entry(1)])));
}

#[tokio::test]
async fn a_commit_that_the_next_start_may_find_is_unknown() {
    let faulty = FaultyDisk::new();
    faulty.fail(&[FaultPoint::Commit, FaultPoint::WriteBack]);
    assert!(is_unknown(&faulty.append(0).await));
    assert_eq!(faulty.append(0).await, Ok(Appended::Committed));
}

#[tokio::test]
async fn a_commit_on_a_full_disk_was_not_written() {
    let faulty = FaultyDisk::new();
    let full = |point| (point, failure(ffi::SQLITE_FULL));
    faulty.faults.lock().unwrap().extend([FaultPoint::Commit, FaultPoint::WriteBack].map(full));
    assert_eq!(faulty.append(0).await, Err(NotWritten::DiskFull.into()));
    assert_eq!(faulty.append(0).await, Ok(Appended::Committed));
}

#[tokio::test]
async fn a_commit_is_unknown_when_the_file_cannot_be_opened_again() {
    let faulty = FaultyDisk::new();
    faulty.fail(&[
        FaultPoint::Committed,
        FaultPoint::Reopen,
        FaultPoint::Reopen,
        FaultPoint::Reopen,
    ]);
    assert!(is_unknown(&faulty.append(0).await));
    assert!(is_not_written(&faulty.append(1).await));
    assert_eq!(faulty.append(1).await, Ok(Appended::Committed));
}

#[tokio::test]
async fn after_a_failed_commit_each_write_is_answered_by_what_the_file_holds() {
    let (journal, entered, go, _folder) = held();
    let held = journal.append(table(9), 0, vec![entry(1)]);
    let appends = [1, 2, 1].map(|number| journal.append(table(number), 0, vec![entry(1)]));
    let [first, second, third] = in_one_batch(held, appends, &entered, &go, FAIL).await;
    assert_eq!((first, second), (Ok(Appended::Committed), Ok(Appended::Committed)));
    // Two equal writes cannot be told apart, so it is unknown which one was committed.
    assert_eq!(third, Ok(Appended::Committed));
}

#[tokio::test]
async fn after_a_failure_a_journal_is_not_ready_until_it_can_write() {
    let faulty = FaultyDisk::new();
    assert_eq!(faulty.journal.is_ready().await, Ok(()));
    faulty.fail(&[FaultPoint::Commit, FaultPoint::Commit]);
    assert!(is_not_written(&faulty.append(0).await));
    assert!(faulty.journal.is_ready().await.is_err());
    assert_eq!(faulty.journal.is_ready().await, Ok(()));
    assert_eq!(faulty.journal.threads.failure(), None);
}

#[tokio::test]
async fn a_full_disk_refuses_until_there_is_space_again() {
    let pages = Arc::new(AtomicU64::new(1 << 30));
    let limit = Arc::clone(&pages);
    let (journal, _folder) = open_with(&Settings::default(), move |point, connection| {
        let Some(connection) = connection.filter(|_| point == FaultPoint::Begin) else {
            return Ok(());
        };
        let limit = limit.load(Ordering::Relaxed).cast_signed();
        connection.pragma_update_and_check(None, "max_page_count", limit, |_| Ok(()))
    });
    let mut last = 0;
    pages.store(1, Ordering::Relaxed);
    let refused = loop {
        match journal.append(table(1), last, vec![entry(last + 1)]).await {
            Ok(_) => last += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(refused, NotWritten::DiskFull.into());
    let last_read = journal.read(table(1), 0, 0).await.unwrap().last_version;
    assert_eq!(last_read, last);
    pages.store(1 << 30, Ordering::Relaxed);
    assert_eq!(journal.is_ready().await, Ok(()));
    let appended = journal.append(table(1), last, vec![entry(last + 1)]).await;
    assert_eq!(appended, Ok(Appended::Committed));
}

#[tokio::test]
async fn a_salvaged_file_is_reported_as_a_loss() {
    let faulty = FaultyDisk::new();
    let mut losses = faulty.journal.losses();
    faulty.append(0).await.unwrap();
    let epoch = async || faulty.journal.read(table(1), 0, 0).await.unwrap().epoch;
    let before = epoch().await;
    faulty.faults.lock().unwrap().push((FaultPoint::Begin, failure(ffi::SQLITE_CORRUPT)));
    assert!(is_not_written(&faulty.append(1).await));
    assert_eq!(losses.next().await, Some(Loss::AnyTable));
    assert_ne!(epoch().await, before);
    assert_eq!(faulty.last().await, 1, "readable entries were saved");
}

#[tokio::test]
async fn when_the_writer_panics_all_callers_learn_of_it() {
    let (journal, folder) = open_with(&Settings::default(), |point, _| {
        assert_ne!(point, FaultPoint::Commit, "the test wants this panic");
        Ok(())
    });
    let mut losses = journal.losses();
    assert!(is_unknown(&journal.append(table(1), 0, vec![entry(1)]).await));
    assert_eq!(losses.next().await, None);
    let later = journal.append(table(1), 0, vec![entry(1)]).await;
    assert_eq!(later, Err(NotWritten::Closed.into()));
    assert!(journal.is_ready().await.is_err());
    assert!(journal.close().await.is_err());
    drop(journal);
    let (_, report) = SqliteJournal::open(folder.path(), &Settings::default()).unwrap();
    assert_eq!(report.previous_stop, PreviousStop::Unclean);
}

const PASS: u8 = 0;
const FAIL: u8 = 1;

/// A journal whose writer announces each batch, and waits until the test chooses its outcome.
fn held() -> (SqliteJournal, Receiver<()>, Sender<u8>, TempDir) {
    let ((says, entered), (go, waits)) = (channel(), channel());
    let (ending, waits) = (AtomicU8::new(PASS), Mutex::new(waits));
    let settings = Settings { waiting_writes: 4, ..Settings::default() };
    let (journal, folder) = open_with(&settings, move |point, _| {
        match point {
            FaultPoint::Begin => {
                says.send(()).unwrap();
                ending.store(waits.lock().unwrap().recv().unwrap(), Ordering::Relaxed);
            }
            FaultPoint::Committed if ending.load(Ordering::Relaxed) == FAIL => {
                return Err(failure(ffi::SQLITE_IOERR));
            }
            _ => {}
        }
        Ok(())
    });
    (journal, entered, go, folder)
}

/// Holds the first batch until all other appends are waiting, so that they share one batch; there is no
/// third one.
async fn in_one_batch<const N: usize>(
    held: BoxFuture<'_, Result<Appended, JournalError>>,
    others: [BoxFuture<'_, Result<Appended, JournalError>>; N],
    entered: &Receiver<()>,
    go: &Sender<u8>,
    ending: u8,
) -> [Result<Appended, JournalError>; N] {
    let mut all: Vec<_> = std::iter::once(held).chain(others).collect();
    let mut answers = Vec::new();
    for (number, append) in all.iter_mut().enumerate() {
        assert!(is_pending(append).await);
        if number == 0 {
            entered.recv().unwrap();
        }
    }
    go.send(PASS).unwrap();
    entered.recv().unwrap();
    go.send(ending).unwrap();
    for append in all {
        answers.push(append.await);
    }
    assert!(entered.try_recv().is_err(), "there was a third batch");
    assert_eq!(answers.remove(0), Ok(Appended::Committed));
    answers.try_into().unwrap()
}

async fn is_pending<T>(future: &mut BoxFuture<'_, T>) -> bool {
    let poll = |context: &mut std::task::Context<'_>| {
        std::task::Poll::Ready(future.as_mut().poll(context).is_pending())
    };
    std::future::poll_fn(poll).await
}

#[tokio::test]
async fn a_refused_write_does_not_affect_the_others_of_its_batch() {
    let (journal, entered, go, _folder) = held();
    let held = journal.append(table(9), 0, vec![entry(1)]);
    let places = [(1, 0), (1, 0), (2, 5), (1, 1)];
    let appends =
        places.map(|(number, after)| journal.append(table(number), after, vec![entry(after + 1)]));
    let answers = in_one_batch(held, appends, &entered, &go, PASS).await;
    let conflict = Ok(Appended::Conflict(vec![entry(1), entry(2)]));
    let ahead = Err(NotWritten::Ahead { last: 0 }.into());
    assert_eq!(answers, [Ok(Appended::Committed), conflict, ahead, Ok(Appended::Committed)]);
}

#[tokio::test]
async fn a_write_to_a_full_queue_is_refused_at_once() {
    let (journal, entered, go, _folder) = held();
    let mut held = journal.append(table(9), 0, vec![entry(1)]);
    assert!(is_pending(&mut held).await);
    entered.recv().unwrap();
    let mut waiting: Vec<_> =
        (0..4).map(|number| journal.append(table(number), 0, vec![entry(1)])).collect();
    for append in &mut waiting {
        assert!(is_pending(append).await);
    }
    let refused = journal.append(table(5), 0, vec![entry(1)]).await;
    assert_eq!(refused, Err(NotWritten::Busy.into()));
    (0..2).for_each(|_| go.send(PASS).unwrap());
    for append in waiting {
        assert_eq!(append.await, Ok(Appended::Committed));
    }
}

#[tokio::test]
async fn readers_do_not_wait_for_the_writer_and_see_only_committed_entries() {
    let (journal, entered, go, _folder) = held();
    let mut held = journal.append(table(1), 0, vec![entry(1)]);
    assert!(is_pending(&mut held).await);
    entered.recv().unwrap();
    assert_eq!(journal.read(table(1), 0, 9).await.unwrap().last_version, 0);
    go.send(PASS).unwrap();
    assert_eq!(held.await, Ok(Appended::Committed));
    assert_eq!(journal.read(table(1), 0, 9).await.unwrap().last_version, 1);
}

#[tokio::test]
async fn an_entry_of_a_newer_program_is_not_damage() {
    let faulty = FaultyDisk::new();
    assert_eq!(faulty.append(0).await, Ok(Appended::Committed));
    let line = NewLine { text: r#"{"format":9}"#.to_owned(), action: None };
    let append = Append { table: table(1), after: 1, lines: vec![line], rules: None };
    assert_eq!(faulty.journal.threads.write(Write::Append(append)).await, Ok(WriteOutcome::Done));
    for _ in 0..2 {
        let refused = faulty.journal.read(table(1), 0, 9).await;
        assert!(matches!(refused, Err(JournalError::Unreadable { .. })));
    }
    assert_eq!(faulty.last().await, 2);
}

#[tokio::test]
async fn a_file_that_is_damaged_while_in_use_is_replaced_by_what_can_be_read() {
    let settings = Settings { pages: 1, ..Settings::default() };
    let (journal, folder) = open_with(&settings, |_, _| Ok(()));
    for number in 0..50 {
        let entries = (1..=20).map(entry).collect();
        assert_eq!(journal.append(table(number), 0, entries).await, Ok(Appended::Committed));
    }
    let before = journal.threads.generation.load(Ordering::Acquire);
    let path = folder.path().join("journal.sqlite");
    let mut bytes = std::fs::read(&path).unwrap();
    let start = bytes.len() / 2;
    bytes[start..].fill(0xa5);
    let file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
    std::io::Write::write_all(&mut &file, &bytes).unwrap();
    let mut logs = Vec::new();
    for number in 0..50 {
        let log = loop {
            match journal.read(table(number), 0, 100).await {
                Ok(tail) => break tail.entries,
                Err(JournalError::NotRead { .. } | JournalError::Damaged { .. }) => {}
                Err(other) => panic!("{other}"),
            }
        };
        assert_eq!(log, (1..=20).map(entry).take(log.len()).collect::<Vec<_>>());
        logs.push(log.len());
    }
    assert!(journal.threads.generation.load(Ordering::Acquire) > before);
    assert!(logs.contains(&20) && logs.contains(&0), "{logs:?}");
    assert!(folder.path().join("journal-damaged-1.sqlite").exists());
}
