//! Compacting a file.

use std::fs;
use std::sync::Arc;

use server::{Appended, DeleteOutcome, Journal, JournalError, NotWritten, PreviousStop};

use crate::fixtures::{FileJournal, entries, entry, epoch, fill, log, table};

/// A journal with one table left of many.
async fn hollow() -> FileJournal {
    let subject = FileJournal::new();
    for number in 0..60 {
        fill(&*subject.journal, table(number), 200).await;
    }
    for number in 1..60 {
        let deleted = subject.journal.delete(table(number), 200).await;
        assert_eq!(deleted, Ok(DeleteOutcome::Deleted));
    }
    subject
}

#[tokio::test]
async fn compacting_returns_the_space_of_deleted_tables() {
    let subject = hollow().await;
    let before = epoch(&*subject.journal, table(0)).await;
    let size = subject.journal.compact().await.unwrap();
    assert!(size.after * 10 < size.before, "{size:?}");
    let again = subject.journal.compact().await.unwrap();
    assert_eq!(again.after, again.before, "there is nothing left to return");
    let folder = subject.closed().await;
    assert_eq!(fs::metadata(folder.path().join("journal.sqlite")).unwrap().len(), size.after);
    let (again, report) = FileJournal::within(folder);
    assert_eq!((report.previous_stop, report.salvaged), (PreviousStop::Clean, None));
    assert_eq!(log(&*again.journal, table(0)).await, entries(1..=200));
    assert_eq!(epoch(&*again.journal, table(0)).await, before);
}

#[cfg(unix)]
#[tokio::test]
async fn a_compacted_file_is_private() {
    use std::os::unix::fs::PermissionsExt as _;

    let subject = hollow().await;
    subject.journal.compact().await.unwrap();
    fill(&*subject.journal, table(1), 5).await;
    for name in ["journal.sqlite", "journal.sqlite-wal"] {
        let file = fs::metadata(subject.folder.path().join(name)).unwrap();
        assert_eq!(file.permissions().mode() & 0o777, 0o600, "{name}");
    }
}

#[tokio::test]
async fn a_journal_that_cannot_be_compacted_goes_on() {
    let subject = hollow().await;
    let path = subject.folder.path().join("journal-compacting.sqlite");
    fs::create_dir(&path).unwrap();
    let refused = subject.journal.compact().await;
    let failed = matches!(refused, Err(JournalError::NotWritten(NotWritten::Failed { .. })));
    assert!(failed, "{refused:?}");
    assert_eq!(log(&*subject.journal, table(0)).await, entries(1..=200));
    fill(&*subject.journal, table(1), 5).await;
    fs::remove_dir(path).unwrap();
    assert!(subject.journal.compact().await.is_ok());
    assert_eq!(log(&*subject.journal, table(1)).await, entries(1..=5));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_journal_is_compacted_while_it_is_written_and_read() {
    let subject = hollow().await;
    let writers: Vec<_> = (100..108).map(|number| tokio::spawn(play(&subject, number))).collect();
    for _ in 0..20 {
        subject.journal.compact().await.unwrap();
    }
    for writer in writers {
        writer.await.unwrap();
    }
    let folder = subject.closed().await;
    let (again, report) = FileJournal::within(folder);
    assert_eq!(report.salvaged, None);
    for number in 100..108 {
        assert_eq!(log(&*again.journal, table(number)).await, entries(1..=200));
    }
}

/// Appends one entry after the other, and reads each before the next.
fn play(subject: &FileJournal, number: u8) -> impl Future<Output = ()> + use<> {
    let journal = Arc::clone(&subject.journal);
    async move {
        for after in 0..200 {
            let appended = journal.append(table(number), after, vec![entry(after + 1, 0)]).await;
            assert_eq!(appended, Ok(Appended::Committed));
            let tail = journal.read(table(number), after, 9).await.expect("the log can be read");
            assert_eq!(tail.entries, vec![entry(after + 1, 0)]);
        }
    }
}

#[tokio::test]
async fn a_compaction_that_was_interrupted_leaves_nothing_behind() {
    let folder = hollow().await.closed().await;
    let rest = folder.path().join("journal-compacting.sqlite");
    fs::write(&rest, "half of a file").unwrap();
    let (again, report) = FileJournal::within(folder);
    assert_eq!((report.previous_stop, report.salvaged), (PreviousStop::Clean, None));
    assert!(!rest.exists());
    assert_eq!(log(&*again.journal, table(0)).await, entries(1..=200));
}
