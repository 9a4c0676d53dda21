//! The journal in a file, without damage.

use std::fs;

use server::{Appended, Journal, OpenError, PreviousStop, Settings, SqliteJournal};

use crate::conformance::conformance;
use crate::fixtures::{FileJournal, entries, entry, epoch, fill, log, table};
use crate::rules::conformance_with_rules;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_journal_in_a_file_conforms() {
    conformance(|| Box::new(FileJournal::new())).await;
    conformance_with_rules(|| Box::new(FileJournal::new())).await;
}

#[tokio::test]
async fn a_journal_that_was_closed_keeps_its_epoch() {
    let first = FileJournal::new();
    fill(&*first.journal, table(1), 5).await;
    let (key, before) = (first.journal.key(), epoch(&*first.journal, table(1)).await);
    let (again, report) = FileJournal::within(first.closed().await);
    assert_eq!((report.previous_stop, report.is_key_new), (PreviousStop::Clean, false));
    assert_eq!(report.to_string(), "The journal was closed properly.");
    assert_eq!((again.journal.key(), epoch(&*again.journal, table(1)).await), (key, before));
}

#[tokio::test]
async fn a_journal_that_was_not_closed_begins_a_new_epoch() {
    let first = FileJournal::new();
    fill(&*first.journal, table(1), 5).await;
    let (key, before) = (first.journal.key(), epoch(&*first.journal, table(1)).await);
    let (again, report) = FileJournal::within(first.killed());
    assert_eq!((report.previous_stop, report.is_key_new), (PreviousStop::Unclean, false));
    assert_eq!(log(&*again.journal, table(1)).await, entries(1..=5));
    assert_eq!(again.journal.key(), key);
    assert_ne!(epoch(&*again.journal, table(1)).await, before);
}

#[tokio::test]
async fn a_journal_that_was_restored_from_a_backup_begins_a_new_epoch() {
    let first = FileJournal::new();
    fill(&*first.journal, table(1), 5).await;
    let before = epoch(&*first.journal, table(1)).await;
    let folder = first.closed().await;
    let (file, mark) = (folder.path().join("journal.sqlite"), folder.path().join("journal.closed"));
    let backup = [fs::read(&file).unwrap(), fs::read(&mark).unwrap()];
    let (again, _) = FileJournal::within(folder);
    again.journal.append(table(1), 5, vec![entry(6, 0)]).await.unwrap();
    let folder = again.closed().await;
    fs::remove_file(&file).unwrap();
    fs::write(file, &backup[0]).unwrap();
    fs::write(mark, &backup[1]).unwrap();
    let (restored, report) = FileJournal::within(folder);
    assert_eq!(report.previous_stop, PreviousStop::Unclean);
    assert_eq!(log(&*restored.journal, table(1)).await, entries(1..=5));
    assert_ne!(epoch(&*restored.journal, table(1)).await, before);
}

#[tokio::test]
async fn two_journals_cannot_use_one_folder() {
    let first = FileJournal::new();
    let second = SqliteJournal::open(first.folder.path(), &Settings::default());
    let refusal = second.unwrap_err();
    assert!(matches!(refusal, OpenError::InUse { .. }));
    let sentence = "is in use: another server keeps its journal there";
    assert!(refusal.to_string().ends_with(sentence));
    let (_, report) = FileJournal::within(first.killed());
    assert_eq!(report.previous_stop, PreviousStop::Unclean);
}

#[tokio::test]
async fn a_file_of_a_newer_program_is_refused_and_not_changed() {
    let folder = FileJournal::new().closed().await;
    let path = folder.path().join("journal.sqlite");
    let newer = rusqlite::Connection::open(&path).unwrap();
    newer.pragma_update(None, "user_version", 1_000).unwrap();
    let version = 1_000_i64.to_le_bytes();
    newer.execute("UPDATE facts SET value = ?1 WHERE name = 'version'", [version]).unwrap();
    drop(newer);
    let before = fs::read(&path).unwrap();
    let refusal = SqliteJournal::open(folder.path(), &Settings::default()).unwrap_err();
    assert!(matches!(refusal, OpenError::Newer { found: 1_000, .. }));
    assert_eq!(fs::read(&path).unwrap(), before);
    assert!(folder.path().join("journal.closed").exists());
}

#[tokio::test]
async fn pending_writes_are_completed_when_a_journal_is_closed() {
    let first = FileJournal::new();
    let journal = &first.journal;
    let appends = (0..50).map(|number| journal.append(table(number), 0, entries(1..=2)));
    let mut appends: Vec<_> = appends.collect();
    let mut polled = Vec::new();
    for append in &mut appends {
        // Started, and not awaited.
        polled.push(poll_once(append).await);
    }
    journal.close().await.unwrap();
    for (append, polled) in appends.into_iter().zip(polled) {
        let appended = match polled {
            Some(appended) => appended,
            None => append.await,
        };
        assert_eq!(appended, Ok(Appended::Committed));
    }
    let folder = first.killed();
    let (again, _) = FileJournal::within(folder);
    for number in 0..50 {
        assert_eq!(log(&*again.journal, table(number)).await, entries(1..=2));
    }
}

/// Polls a future once.
pub(crate) async fn poll_once<T>(future: &mut server::BoxFuture<'_, T>) -> Option<T> {
    std::future::poll_fn(|context| {
        std::task::Poll::Ready(match future.as_mut().poll(context) {
            std::task::Poll::Ready(answer) => Some(answer),
            std::task::Poll::Pending => None,
        })
    })
    .await
}

#[cfg(unix)]
#[tokio::test]
async fn a_restored_backup_becomes_readable_by_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let backup = FileJournal::new().closed().await;
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("a/journal");
    drop(SqliteJournal::open(&folder, &Settings::default()).unwrap());
    assert_eq!(mode(&folder), 0o700, "a new folder is for its owner");
    for name in ["journal.sqlite", "journal-damaged-1.sqlite", "notes.txt"] {
        fs::copy(backup.path().join("journal.sqlite"), folder.join(name)).unwrap();
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o644)).unwrap();
    }
    let (journal, _) = SqliteJournal::open(&folder, &Settings::default()).unwrap();
    fill(&journal, table(1), 5).await;
    for name in ["journal.sqlite", "journal.sqlite-wal", "journal-damaged-1.sqlite"] {
        assert_eq!(mode(&folder.join(name)), 0o600, "{name}");
    }
    assert_eq!(mode(&folder.join("notes.txt")), 0o644, "this is not ours");
}

#[cfg(unix)]
#[tokio::test]
async fn only_its_owner_can_read_a_journal() {
    use std::os::unix::fs::PermissionsExt as _;

    let first = FileJournal::new();
    fill(&*first.journal, table(1), 5).await;
    for name in ["journal.sqlite", "journal.sqlite-wal"] {
        let file = fs::metadata(first.folder.path().join(name)).unwrap();
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }
}
