//! Deleting tables from a file.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use server::{Appended, DeleteOutcome, Journal, PreviousStop};
use tempfile::TempDir;

use crate::fixtures::{FileJournal, entries, entry, fill, log, table};
use crate::sqlite::poll_once;

/// The number of rows of a table in the file of a journal.
fn rows(folder: &TempDir, of: &str) -> i64 {
    let file = Connection::open(folder.path().join("journal.sqlite"));
    let file = file.expect("the file can be opened");
    let count = file.query_row(&format!("SELECT count(*) FROM {of}"), [], |row| row.get(0));
    count.expect("the rows can be counted")
}

#[tokio::test]
async fn a_deleted_table_leaves_no_row() {
    let subject = FileJournal::new();
    fill(&*subject.journal, table(1), 5).await;
    fill(&*subject.journal, table(2), 1000).await;
    for (number, last) in [(1, 5), (2, 1000)] {
        let deleted = subject.journal.delete(table(number), last).await;
        assert_eq!(deleted, Ok(DeleteOutcome::Deleted));
    }
    let folder = subject.closed().await;
    for of in ["entries", "tables", "known", "snapshots", "directory", "damaged"] {
        assert_eq!(rows(&folder, of), 0, "{of}");
    }
}

/// A folder in which a table with 1000 entries was being deleted when the server was killed, beside one
/// with 5 entries.
async fn interrupted() -> TempDir {
    let subject = FileJournal::new();
    fill(&*subject.journal, table(1), 1000).await;
    fill(&*subject.journal, table(2), 5).await;
    let mut deletion = subject.journal.delete(table(1), 1000);
    assert_eq!(poll_once(&mut deletion).await, None);
    drop(deletion);
    subject.killed()
}

#[tokio::test]
async fn a_deletion_that_was_interrupted_is_completed_at_the_next_start() {
    let folder = interrupted().await;
    assert_eq!((rows(&folder, "entries"), rows(&folder, "known")), (1005, 1));
    let (again, report) = FileJournal::within(folder);
    assert_eq!(report.previous_stop, PreviousStop::Unclean);
    assert_eq!(log(&*again.journal, table(1)).await, []);
    assert_eq!(log(&*again.journal, table(2)).await, entries(1..=5));
    let end = Instant::now() + Duration::from_secs(10);
    while rows(&again.folder, "entries") > 5 {
        assert!(Instant::now() < end, "the entries are not erased");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let folder = again.closed().await;
    assert_eq!((rows(&folder, "entries"), rows(&folder, "tables")), (5, 1));
}

fn spoil(path: &Path, change: impl Fn(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).expect("the file can be read");
    change(&mut bytes);
    std::fs::write(path, bytes).expect("the file can be written");
}

#[tokio::test]
async fn a_salvage_does_not_bring_a_deleted_table_back() {
    let folder = interrupted().await;
    let path = folder.path().join("journal.sqlite");
    Connection::open(&path)
        .unwrap()
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    spoil(&path, |bytes| bytes[16..24].fill(0));
    let (again, report) = FileJournal::within(folder);
    let salvaged = report.salvaged.expect("the file was malformed");
    assert_eq!((salvaged.tables, salvaged.entries, salvaged.lost), (1, 5, 0));
    assert_eq!(log(&*again.journal, table(1)).await, []);
    assert_eq!(log(&*again.journal, table(2)).await, entries(1..=5));
}

#[tokio::test]
async fn a_table_that_was_lost_is_not_taken_for_a_deleted_one() {
    let subject = FileJournal::new();
    fill(&*subject.journal, table(1), 5).await;
    let folder = subject.closed().await;
    let file = Connection::open(folder.path().join("journal.sqlite")).unwrap();
    assert_eq!(file.execute("DELETE FROM tables", []).unwrap(), 1);
    drop(file);
    let (again, _) = FileJournal::within(folder);
    assert!(again.journal.read(table(1), 0, 9).await.is_err(), "the twin of a deleted table");
}

#[tokio::test]
async fn the_number_of_a_deleted_table_is_used_again_without_harm() {
    let subject = FileJournal::new();
    for round in 0..5 {
        fill(&*subject.journal, table(round), 300).await;
        let late = subject.journal.append(table(round), 300, vec![entry(301, 0)]).await;
        assert_eq!(late, Ok(Appended::Committed));
        let deleted = subject.journal.delete(table(round), 301).await;
        assert_eq!(deleted, Ok(DeleteOutcome::Deleted));
    }
    fill(&*subject.journal, table(9), 4).await;
    assert_eq!(log(&*subject.journal, table(9)).await, entries(1..=4));
}

#[tokio::test]
async fn inspecting_a_damaged_log_does_not_change_it() {
    let subject = FileJournal::new();
    fill(&*subject.journal, table(1), 5).await;
    let folder = subject.closed().await;
    let file = Connection::open(folder.path().join("journal.sqlite")).unwrap();
    let change = "UPDATE entries SET line = replace(line, 'tied', 'died') WHERE version = 3";
    assert_eq!(file.execute(change, []).unwrap(), 1);
    drop(file);
    let (again, _) = FileJournal::within(folder);
    let damaged = Err(server::JournalError::Damaged { table: table(1), version: 3 });
    for _ in 0..2 {
        assert_eq!(again.journal.inspect(table(1), 0, 9).await, damaged);
    }
    let end = again.journal.inspect(table(1), 0, 2).await.unwrap();
    assert_eq!(end.last_version, 5, "nothing was cut off");
    assert_eq!(again.journal.read(table(1), 0, 9).await, damaged);
    assert_eq!(log(&*again.journal, table(1)).await, entries(1..=2), "a read cuts it");
}
