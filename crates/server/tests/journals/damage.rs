//! The journal in a file, under damage.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use server::{
    Appended, Journal, JournalError, Loss, PreviousStop, Settings, SnapshotText, SqliteJournal,
    TableId, Tail,
};
use table::Entry;
use tempfile::TempDir;

use crate::fixtures::{FileJournal, action, entries, entry, fill, log, table};

const TABLES: u8 = 12;

/// The log of a table. The lengths of logs differ, and some entries have actions.
fn written(number: u8) -> Vec<Entry> {
    let made = |version| {
        let client = format!("client{number}");
        let action = (version % 2 == 0).then(|| action(&client, version));
        Entry { action, ..entry(version, number.into()) }
    };
    (1..=3 * u64::from(number) + 1).map(made).collect()
}

/// Writes the logs in turn, one entry at a time, so that they share pages.
async fn write(journal: &dyn Journal, versions: Range<usize>) {
    for version in versions {
        for number in 1..=TABLES {
            if let Some(entry) = written(number).get(version) {
                let appended = journal.append(table(number), version as u64, vec![entry.clone()]);
                assert_eq!(appended.await, Ok(Appended::Committed));
            }
        }
    }
}

/// The log of a table after all damage was cut off.
async fn settled(journal: &dyn Journal, table: TableId) -> Tail {
    for _ in 0..9 {
        match journal.read(table, 0, 1000).await {
            Ok(tail) => return tail,
            Err(JournalError::Damaged { .. } | JournalError::NotRead { .. }) => {}
            Err(other) => unreachable!("{other}"),
        }
    }
    unreachable!("every attempt found new damage")
}

/// Like [`settled`], and appends one more entry.
async fn settled_and_appended(journal: &dyn Journal, table: TableId) -> Tail {
    for _ in 0..9 {
        let tail = settled(journal, table).await;
        let next = vec![entry(tail.last_version + 1, 99)];
        match journal.append(table, tail.last_version, next).await {
            Ok(Appended::Committed) => return tail,
            Err(JournalError::Damaged { .. } | JournalError::NotWritten(_)) => {}
            other => unreachable!("{other:?}"),
        }
    }
    unreachable!("every attempt found new damage")
}

/// Checks that every log is a prefix of the written log, is in a new epoch if entries are gone, and can
/// be appended to. Returns the number of lost entries.
async fn check(journal: &dyn Journal, epochs: &[u64], place: &str) -> usize {
    let mut gone = 0;
    for (number, epoch) in (1..=TABLES).zip(epochs) {
        let tail = settled_and_appended(journal, table(number)).await;
        let written = written(number);
        assert_eq!(tail.entries, written[..tail.entries.len()], "{place}");
        assert_eq!(tail.last_version, tail.entries.len() as u64, "{place}");
        let is_whole = tail.entries.len() == written.len();
        assert!(is_whole || tail.epoch != *epoch, "{place}: table {number} lost entries");
        gone += written.len() - tail.entries.len();
    }
    gone
}

async fn epochs(journal: &dyn Journal) -> Vec<u64> {
    let mut epochs = Vec::new();
    for number in 1..=TABLES {
        epochs.push(settled(journal, table(number)).await.epoch);
    }
    epochs
}

fn database(folder: &TempDir) -> PathBuf {
    folder.path().join("journal.sqlite")
}

fn wal(folder: &TempDir) -> PathBuf {
    folder.path().join("journal.sqlite-wal")
}

/// Changes bytes without changing the time of the file, as a failing disk does.
fn rot(path: &Path, offset: usize, bytes: &[u8]) {
    let modified = fs::metadata(path)
        .and_then(|file| file.modified())
        .expect("the file has a modification time");
    let mut file = OpenOptions::new().write(true).open(path).expect("the file exists");
    file.seek(SeekFrom::Start(offset as u64)).expect("the file is long enough");
    file.write_all(bytes).expect("the file can be written");
    file.set_modified(modified).expect("the modification time can be set");
}

/// A folder with a journal that was closed, and the epochs of its logs.
async fn folder_of(file: &[u8]) -> (TempDir, Vec<u64>) {
    let folder = TempDir::new().expect("a temporary folder can be created");
    fs::write(database(&folder), file).expect("the file can be written");
    let (subject, _) = FileJournal::within(folder);
    let epochs = epochs(&*subject.journal).await;
    (subject.closed().await, epochs)
}

async fn whole_file() -> Vec<u8> {
    let [_, whole] = half_and_whole_file().await;
    whole
}

/// The file when half of the entries were written, and later when all were.
async fn half_and_whole_file() -> [Vec<u8>; 2] {
    let subject = FileJournal::new();
    let versions = written(TABLES).len();
    write(&*subject.journal, 0..versions / 2).await;
    let folder = subject.closed().await;
    let half = fs::read(database(&folder)).expect("the file can be read");
    let (subject, _) = FileJournal::within(folder);
    write(&*subject.journal, versions / 2..versions).await;
    let snapshot = SnapshotText { version: 3, text: "the state".repeat(100) };
    subject.journal.keep_snapshot(table(2), snapshot).await.expect("the snapshot is stored");
    let folder = subject.closed().await;
    [half, fs::read(database(&folder)).expect("the file can be read")]
}

#[tokio::test]
async fn flipped_bytes_leave_valid_prefixes_in_a_new_epoch() {
    let file = whole_file().await;
    let (mut harmful, mut places) = (0, 0);
    // Many bytes of the header, on which everything depends, and samples of the rest.
    for offset in (0..120).step_by(3).chain((120..file.len()).step_by(701)) {
        let (folder, epochs) = folder_of(&file).await;
        let byte = fs::read(database(&folder)).expect("the file can be read")[offset];
        rot(&database(&folder), offset, &[byte ^ (1 << (offset % 8))]);
        let (subject, _) = FileJournal::within(folder);
        let gone = check(&*subject.journal, &epochs, &format!("byte {offset}")).await;
        harmful += usize::from(gone > 0);
        places += 1;
    }
    // Otherwise this test would prove nothing.
    assert!(harmful > places / 20, "{harmful} of {places} flipped bytes were harmful");
}

#[tokio::test]
async fn lost_or_misplaced_pages_leave_valid_prefixes_in_a_new_epoch() {
    let [half, whole] = half_and_whole_file().await;
    let pages: Vec<&[u8]> = whole.chunks(4096).collect();
    let mut harmful = 0;
    for (number, offset) in (0..whole.len()).step_by(4096).enumerate() {
        let (empty, other) = ([0; 4096], pages[(number + 1) % pages.len()]);
        // The old page, as if the later write had been lost.
        let stale = half.chunks(4096).nth(number);
        for page in [Some(empty.as_slice()), Some(other), stale].into_iter().flatten() {
            let (folder, epochs) = folder_of(&whole).await;
            rot(&database(&folder), offset, page);
            let (subject, _) = FileJournal::within(folder);
            let place = format!("page {number}, which begins with {:?}", &page[..8]);
            harmful += check(&*subject.journal, &epochs, &place).await;
        }
    }
    assert!(harmful > 0);
}

#[tokio::test]
async fn a_truncated_file_leaves_valid_prefixes() {
    let file = whole_file().await;
    for length in (1..file.len()).step_by(1777) {
        let (folder, epochs) = folder_of(&file).await;
        let kept = File::options().write(true).open(database(&folder)).expect("the file exists");
        kept.set_len(length as u64).expect("the file can be truncated");
        let (subject, report) = FileJournal::within(folder);
        assert_eq!(report.previous_stop, PreviousStop::Unclean);
        let gone = check(&*subject.journal, &epochs, &format!("length {length}")).await;
        assert!(gone > 0);
    }
}

/// The files of a journal that was killed, whose write-ahead log is written back after `pages` pages.
async fn files_of_a_killed_journal(pages: u32) -> ([Vec<u8>; 2], Vec<u64>) {
    let folder = TempDir::new().expect("a temporary folder can be created");
    let settings = Settings { pages, ..Settings::default() };
    let (journal, _) = SqliteJournal::open(folder.path(), &settings).expect("the journal opens");
    write(&journal, 0..written(TABLES).len()).await;
    let epochs = epochs(&journal).await;
    let files = [database(&folder), wal(&folder)];
    (files.map(|path| fs::read(path).expect("the file can be read")), epochs)
}

/// Nothing is written back, a part is, and everything is.
const PAGES: [u32; 3] = [u32::MAX, 200, 1];

async fn check_wal(file: &[u8], log: &[u8], epochs: &[u64], place: &str) -> usize {
    let folder = TempDir::new().expect("a temporary folder can be created");
    fs::write(database(&folder), file).expect("the file can be written");
    fs::write(wal(&folder), log).expect("the file can be written");
    let (subject, report) = FileJournal::within(folder);
    assert_ne!(report.previous_stop, PreviousStop::Clean);
    check(&*subject.journal, epochs, place).await
}

#[tokio::test]
async fn flipped_bytes_in_the_write_ahead_log_leave_valid_prefixes() {
    let mut harmful = 0;
    for pages in PAGES {
        let ([file, log], epochs) = files_of_a_killed_journal(pages).await;
        assert_eq!(check_wal(&file, &log, &epochs, "nothing").await, 0);
        let step = log.len() / 40;
        for offset in (0..64).step_by(5).chain((64..log.len()).step_by(step)) {
            let mut log = log.clone();
            log[offset] ^= 1 << (offset % 8);
            let place = format!("{pages} pages, byte {offset}");
            harmful += check_wal(&file, &log, &epochs, &place).await;
        }
    }
    assert!(harmful > 0);
}

#[tokio::test]
async fn a_truncated_write_ahead_log_leaves_valid_prefixes() {
    for pages in PAGES {
        let ([file, log], epochs) = files_of_a_killed_journal(pages).await;
        for length in (0..log.len()).step_by(log.len() / 30) {
            let place = format!("{pages} pages, length {length}");
            let gone = check_wal(&file, &log[..length], &epochs, &place).await;
            assert!(gone > 0 || pages < u32::MAX, "{place}: nothing is gone");
        }
    }
}

#[tokio::test]
async fn sqlite_alone_does_not_notice_a_truncated_write_ahead_log() {
    let ([file, log], _) = files_of_a_killed_journal(u32::MAX).await;
    let count = |log: &[u8]| -> (String, i64) {
        let folder = TempDir::new().unwrap();
        fs::write(database(&folder), &file).unwrap();
        fs::write(wal(&folder), log).unwrap();
        let raw = Connection::open(database(&folder)).unwrap();
        let verdict = raw.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        (verdict, raw.query_row("SELECT count(*) FROM entries", [], |row| row.get(0)).unwrap())
    };
    let (whole, half) = (count(&log), count(&log[..log.len() / 2]));
    assert_eq!((whole.0.as_str(), half.0.as_str()), ("ok", "ok"));
    assert!(half.1 < whole.1);
}

/// Changes the third entry of the fifth table, in all its copies: pages that were split keep entries that
/// were moved to other pages.
fn rot_an_entry(folder: &TempDir) {
    let line = written(5)[2].write();
    let file = fs::read(database(folder)).expect("the file can be read");
    let windows = file.windows(line.len()).enumerate();
    for (start, _) in windows.filter(|(_, window)| *window == line.as_bytes()) {
        rot(&database(folder), start + line.len() - 2, b"4");
    }
}

#[tokio::test]
async fn a_changed_entry_and_what_follows_it_are_moved_aside() {
    let (folder, before) = folder_of(&whole_file().await).await;
    rot_an_entry(&folder);
    let (subject, report) = FileJournal::within(folder);
    assert_eq!((report.previous_stop, report.salvaged), (PreviousStop::Clean, None));
    let journal = &subject.journal;
    let damaged = journal.read(table(5), 0, 100).await;
    assert_eq!(damaged, Err(JournalError::Damaged { table: table(5), version: 3 }));
    let tail = journal.read(table(5), 0, 100).await.unwrap();
    assert_eq!((tail.entries, tail.last_version), (written(5)[..2].to_vec(), 2));
    assert_ne!(tail.epoch, before[4]);
    assert_eq!(check(&**journal, &before, "the fifth table").await, written(5).len() - 2);
    let folder = subject.closed().await;
    let raw = Connection::open(database(&folder)).unwrap();
    let aside: i64 = raw.query_row("SELECT count(*) FROM damaged", [], |row| row.get(0)).unwrap();
    assert_eq!(aside, 14);
}

#[tokio::test]
async fn a_long_log_is_cut_as_a_whole_and_goes_on() {
    let subject = FileJournal::new();
    for number in 1..=3 {
        fill(&*subject.journal, table(number), 100).await;
    }
    let folder = subject.closed().await;
    change(&folder, "UPDATE entries SET line = '{}' WHERE number = 2 AND version = 20");
    let (subject, _) = FileJournal::within(folder);
    let damaged = subject.journal.read(table(2), 0, 100).await;
    assert_eq!(damaged, Err(JournalError::Damaged { table: table(2), version: 20 }));
    assert_eq!(log(&*subject.journal, table(2)).await, entries(1..=19));
    let appended = subject.journal.append(table(2), 19, entries(20..=100)).await;
    assert_eq!(appended, Ok(Appended::Committed));
    for number in 1..=3 {
        assert_eq!(log(&*subject.journal, table(number)).await, entries(1..=100));
    }
    let folder = subject.closed().await;
    let raw = Connection::open(database(&folder)).unwrap();
    let aside: i64 = raw.query_row("SELECT count(*) FROM damaged", [], |row| row.get(0)).unwrap();
    assert_eq!(aside, 81);
}

#[tokio::test]
async fn a_record_that_names_a_version_that_no_log_has_reached_keeps_nobody_waiting() {
    let (folder, _) = folder_of(&whole_file().await).await;
    change(&folder, "UPDATE tables SET last = 1 << 50 WHERE number = 5");
    let (subject, _) = FileJournal::within(folder);
    let bytes: usize = written(5).iter().map(|entry| entry.write().len()).sum();
    assert_eq!(subject.journal.size(table(5)).await, Ok(bytes as u64));
    assert_eq!(subject.journal.find(table(5), action("another", 1)).await, Ok(None));
    let damaged = subject.journal.delete(table(5), 1 << 50).await;
    assert_eq!(damaged, Err(JournalError::Damaged { table: table(5), version: 17 }));
    assert_eq!(log(&*subject.journal, table(5)).await, written(5));
}

#[tokio::test]
async fn a_salvage_moves_entries_after_a_gap_aside() {
    let subject = FileJournal::new();
    for number in 1..=2 {
        fill(&*subject.journal, table(number), 100).await;
    }
    let folder = subject.closed().await;
    change(&folder, "DELETE FROM entries WHERE number = 2 AND version BETWEEN 20 AND 60");
    rot(&database(&folder), 0, &[0xa5; 4096]);
    let (subject, report) = FileJournal::within(folder);
    let salvaged = report.salvaged.unwrap();
    assert_eq!((salvaged.tables, salvaged.entries, salvaged.lost), (2, 119, 40));
    assert_eq!(log(&*subject.journal, table(2)).await, entries(1..=19));
    let appended = subject.journal.append(table(2), 19, entries(20..=100)).await;
    assert_eq!(appended, Ok(Appended::Committed));
    assert_eq!(log(&*subject.journal, table(2)).await, entries(1..=100));
    assert_eq!(log(&*subject.journal, table(1)).await, entries(1..=100));
}

#[tokio::test]
async fn sqlite_alone_does_not_notice_a_changed_entry() {
    let (folder, _) = folder_of(&whole_file().await).await;
    rot_an_entry(&folder);
    let raw = Connection::open(database(&folder)).unwrap();
    let verdict: String = raw.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
    let select =
        "SELECT line FROM entries JOIN tables USING (number) WHERE id = ?1 AND version = 3";
    let changed: String = raw.query_row(select, [[5_u8; 16]], |row| row.get(0)).unwrap();
    let changed = Entry::read(&changed, 3).unwrap();
    assert_eq!(changed, Entry { body: entry(3, 4).body, ..written(5)[2].clone() });
}

#[tokio::test]
async fn a_cut_log_is_reported_as_a_loss() {
    let (folder, _) = folder_of(&whole_file().await).await;
    rot_an_entry(&folder);
    let (subject, _) = FileJournal::within(folder);
    let mut losses = subject.journal.losses();
    subject.journal.read(table(4), 0, 100).await.unwrap();
    subject.journal.read(table(5), 0, 100).await.unwrap_err();
    assert_eq!(losses.next().await, Some(Loss::Table(table(5))));
    subject.closed().await;
    assert_eq!(losses.next().await, None);
}

/// Changes the file behind the journal's back.
fn change(folder: &TempDir, statement: &str) {
    let raw = Connection::open(database(folder)).expect("the database opens");
    assert!(raw.execute(statement, []).expect("the statement is valid SQL") > 0);
}

#[tokio::test]
async fn a_read_notices_missing_last_entries() {
    let (folder, before) = folder_of(&whole_file().await).await;
    change(&folder, "DELETE FROM entries WHERE number = 5 AND version > 9");
    let (subject, _) = FileJournal::within(folder);
    let damaged = subject.journal.read(table(5), 0, 100).await;
    assert_eq!(damaged, Err(JournalError::Damaged { table: table(5), version: 10 }));
    assert_eq!(check(&*subject.journal, &before, "the end").await, 7);
}

#[tokio::test]
async fn an_append_notices_missing_last_entries() {
    let (folder, _) = folder_of(&whole_file().await).await;
    change(&folder, "DELETE FROM entries WHERE number = 5 AND version > 9");
    let (subject, _) = FileJournal::within(folder);
    let damaged = subject.journal.append(table(5), 16, vec![entry(17, 0)]).await;
    assert_eq!(damaged, Err(JournalError::Damaged { table: table(5), version: 10 }));
    assert_eq!(log(&*subject.journal, table(5)).await, written(5)[..9]);
}

#[tokio::test]
async fn a_snapshot_is_lost_with_the_entries_that_it_was_made_of() {
    let subject = FileJournal::new();
    fill(&*subject.journal, table(1), 9).await;
    let snapshot = SnapshotText { version: 5, text: "the state".to_owned() };
    subject.journal.keep_snapshot(table(1), snapshot.clone()).await.unwrap();
    let (subject, _) = FileJournal::within(subject.closed().await);
    assert_eq!(subject.journal.snapshot(table(1)).await, Ok(Some(snapshot)));
    let folder = subject.closed().await;
    change(&folder, "UPDATE entries SET line = '{}' WHERE version = 4");
    let (subject, _) = FileJournal::within(folder);
    assert!(subject.journal.read(table(1), 0, 100).await.is_err());
    assert_eq!(subject.journal.snapshot(table(1)).await, Ok(None));
    assert_eq!(log(&*subject.journal, table(1)).await.len(), 3);
}

#[tokio::test]
async fn a_changed_snapshot_is_ignored() {
    let subject = FileJournal::new();
    fill(&*subject.journal, table(1), 9).await;
    let snapshot = SnapshotText { version: 5, text: "the state".to_owned() };
    subject.journal.keep_snapshot(table(1), snapshot).await.unwrap();
    let folder = subject.closed().await;
    change(&folder, "UPDATE snapshots SET text = 'another'");
    let (subject, _) = FileJournal::within(folder);
    assert_eq!(subject.journal.snapshot(table(1)).await, Ok(None));
}

#[tokio::test]
async fn a_file_that_is_no_database_is_moved_aside() {
    let subject = FileJournal::new();
    fill(&*subject.journal, table(1), 9).await;
    let folder = subject.closed().await;
    fs::write(database(&folder), "a letter to my aunt".repeat(1000)).unwrap();
    let (subject, report) = FileJournal::within(folder);
    let salvaged = report.salvaged.unwrap();
    assert_eq!((salvaged.entries, salvaged.has_key, report.is_key_new), (0, false, true));
    assert!(fs::read_to_string(&salvaged.aside).unwrap().starts_with("a letter"));
    assert_eq!(salvaged.aside.file_name().unwrap(), "journal-damaged-1.sqlite");
    assert_eq!(log(&*subject.journal, table(1)).await, []);
}

#[tokio::test]
async fn a_lost_first_page_costs_nothing() {
    let file = whole_file().await;
    let (folder, before) = folder_of(&file).await;
    let mut file = OpenOptions::new().write(true).open(database(&folder)).unwrap();
    file.write_all(&[0xa5; 4096]).unwrap();
    let (subject, report) = FileJournal::within(folder);
    let salvaged = report.salvaged.unwrap();
    let entries: usize = (1..=TABLES).map(|number| written(number).len()).sum();
    assert_eq!((salvaged.tables, salvaged.entries), (TABLES.into(), entries as u64));
    assert!(salvaged.has_key && !report.is_key_new);
    assert_eq!(check(&*subject.journal, &before, "the first page").await, 0);
}

#[tokio::test]
async fn a_file_that_was_emptied_is_no_new_journal() {
    let folder = TempDir::new().unwrap();
    let open = || SqliteJournal::open(folder.path(), &Settings::default());
    let (journal, _) = open().unwrap();
    write(&journal, 0..2).await;
    journal.close().await.unwrap();
    drop(journal);
    let path = folder.path().join("journal.sqlite");
    File::create(&path).unwrap();
    for _ in 0..2 {
        let refused = [
            open().unwrap_err().to_string(),
            SqliteJournal::problems(folder.path()).unwrap_err().to_string(),
        ];
        for why in refused {
            assert!(why.contains("is damaged: it is empty"), "{why}");
            assert!(why.contains("Put back a backup"), "{why}");
        }
        assert_eq!(fs::metadata(&path).unwrap().len(), 0, "nothing was changed");
    }
}
