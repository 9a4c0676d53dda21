//! What every journal does for its operator: listing, deleting, compacting.

use server::{
    Appended, DeleteOutcome, Directory, Journal, LogSummary, MAX_TABLES, NotWritten, OpenTable,
    PutOutcome, SnapshotText, TableId,
};

use crate::directory::open;
use crate::fixtures::{TestJournal, action, entries, entry, fill, log, table};

/// All tables, in pages of this size.
async fn all(journal: &dyn Journal, page: usize) -> Vec<LogSummary> {
    let mut all: Vec<LogSummary> = Vec::new();
    loop {
        let after = all.last().map(|summary| summary.id);
        let some = journal.tables(after, page).await.expect("the journal can be read");
        assert!(some.len() <= page.min(MAX_TABLES));
        if some.is_empty() {
            return all;
        }
        all.extend(some);
    }
}

async fn ids(journal: &dyn Journal) -> Vec<TableId> {
    all(journal, 100).await.iter().map(|summary| summary.id).collect()
}

pub(crate) async fn tables_are_listed_in_pages(journal: &dyn Journal) {
    assert_eq!(all(journal, 10).await, []);
    for number in [7, 0, 255, 3] {
        fill(journal, table(number), u64::from(number) + 1).await;
    }
    let summary = |number: u8| {
        let version = u64::from(number) + 1;
        // The entries of these tests are written at the time of their version.
        LogSummary { id: table(number), version, touched_at: Some(version) }
    };
    let expected = [0, 3, 7, 255].map(summary);
    for page in [1, 2, 3, 4, 100, usize::MAX] {
        assert_eq!(all(journal, page).await, expected);
    }
    let touched = journal.append(table(0), 1, vec![entry(2, 0)]).await;
    assert_eq!(touched, Ok(Appended::Committed));
    let first = all(journal, 1).await[0];
    assert_eq!(first, LogSummary { version: 2, touched_at: Some(2), ..summary(0) });
}

pub(crate) async fn pages_of_tables_are_bounded(journal: &dyn Journal) {
    let id = |number: usize| {
        let mut bits = [0; 16];
        bits[..8].copy_from_slice(&(number as u64).to_be_bytes());
        TableId::new(bits)
    };
    for number in 0..MAX_TABLES + 5 {
        fill(journal, id(number), 1).await;
    }
    let page = journal.tables(None, usize::MAX).await.expect("the journal can be read");
    assert_eq!(page.len(), MAX_TABLES);
    assert_eq!(all(journal, usize::MAX).await.len(), MAX_TABLES + 5);
}

pub(crate) async fn the_size_of_a_log_is_that_of_its_entries(journal: &dyn Journal) {
    fill(journal, table(1), 5).await;
    fill(journal, table(2), 1).await;
    let size = |last| entries(1..=last).iter().map(|entry| entry.write().len() as u64).sum();
    assert_eq!(journal.size(table(1)).await, Ok(size(5)));
    assert_eq!(journal.size(table(2)).await, Ok(size(1)));
    assert_eq!(journal.size(table(3)).await, Ok(0));
}

pub(crate) async fn an_intact_log_is_inspected_as_it_is_read(journal: &dyn Journal) {
    fill(journal, table(1), 5).await;
    for (number, after, limit) in [(1, 0, 10), (1, 3, 10), (1, 0, 2), (2, 0, 10)] {
        let read = journal.read(table(number), after, limit).await;
        assert_eq!(journal.inspect(table(number), after, limit).await, read);
    }
}

/// A table with everything that a table can have.
async fn furnish(journal: &dyn Journal, directory: &dyn Directory, number: u8, code: &str) {
    let mut log = entries(1..=5);
    log[1].action = Some(action("a", 1));
    assert_eq!(journal.append(table(number), 0, log).await, Ok(Appended::Committed));
    let snapshot = SnapshotText { version: 4, text: "four".to_owned() };
    assert_eq!(journal.keep_snapshot(table(number), snapshot).await, Ok(()));
    assert_eq!(directory.put(open(number, code)).await, Ok(PutOutcome::Done));
}

pub(crate) async fn a_deleted_table_is_gone(subject: Box<dyn TestJournal>) {
    let (journal, directory) = (subject.journal(), subject.directory());
    furnish(&*journal, &*directory, 1, "red fox").await;
    furnish(&*journal, &*directory, 2, "blue cat").await;
    assert_eq!(journal.delete(table(1), 5).await, Ok(DeleteOutcome::Deleted));
    check_gone(&*journal, &*directory).await;
    drop((journal, directory));
    if let Some(again) = subject.reopened() {
        check_gone(&*again.journal(), &*again.directory()).await;
        begin_again(&*again.journal(), &*again.directory()).await;
    }
}

/// Checks that nothing of the first table is left, and everything of the second.
async fn check_gone(journal: &dyn Journal, directory: &dyn Directory) {
    let tail = journal.read(table(1), 0, 10).await.expect("the journal can be read");
    assert_eq!((tail.entries, tail.last_version), (Vec::new(), 0));
    assert_eq!(journal.find(table(1), action("a", 1)).await, Ok(None));
    assert_eq!(journal.snapshot(table(1)).await, Ok(None));
    assert_eq!(journal.size(table(1)).await, Ok(0));
    assert_eq!(directory.by_code("red fox", 0).await, Ok(None));
    assert_eq!(directory.by_id(table(1)).await, Ok(None));
    assert_eq!(ids(journal).await, [table(2)]);
    // A writer that knows the table does not begin a new one.
    let late = journal.append(table(1), 5, entries(6..=6)).await;
    assert_eq!(late, Err(NotWritten::Ahead { last: 0 }.into()));
    for last in [0, 5] {
        assert_eq!(journal.delete(table(1), last).await, Ok(DeleteOutcome::NoTable));
    }
    assert_eq!(log(journal, table(2)).await.len(), 5);
    assert_eq!(journal.find(table(2), action("a", 1)).await, Ok(Some(2)));
    assert!(journal.snapshot(table(2)).await.is_ok_and(|snapshot| snapshot.is_some()));
    assert_eq!(directory.by_code("blue cat", 0).await, Ok(Some(open(2, "blue cat"))));
}

/// Its id and its code can be used again.
async fn begin_again(journal: &dyn Journal, directory: &dyn Directory) {
    fill(journal, table(1), 2).await;
    assert_eq!(directory.put(open(3, "red fox")).await, Ok(PutOutcome::Done));
    assert_eq!(log(journal, table(1)).await, entries(1..=2));
    assert_eq!(journal.snapshot(table(1)).await, Ok(None));
}

pub(crate) async fn a_table_with_other_entries_is_not_deleted(journal: &dyn Journal) {
    fill(journal, table(1), 5).await;
    for last in [0, 4, 6] {
        assert_eq!(journal.delete(table(1), last).await, Ok(DeleteOutcome::Touched));
    }
    assert_eq!(log(journal, table(1)).await, entries(1..=5));
    assert_eq!(journal.append(table(1), 5, entries(6..=6)).await, Ok(Appended::Committed));
}

pub(crate) async fn a_record_without_a_log_is_deleted(subject: Box<dyn TestJournal>) {
    let (journal, directory) = (subject.journal(), subject.directory());
    assert_eq!(directory.put(open(1, "red fox")).await, Ok(PutOutcome::Done));
    assert_eq!(journal.delete(table(1), 0).await, Ok(DeleteOutcome::Deleted));
    assert_eq!(directory.by_id(table(1)).await, Ok(None));
    assert_eq!(journal.delete(table(1), 0).await, Ok(DeleteOutcome::NoTable));
}

pub(crate) async fn a_long_log_is_deleted_as_a_whole(subject: Box<dyn TestJournal>) {
    let journal = subject.journal();
    fill(&*journal, table(1), 1000).await;
    fill(&*journal, table(2), 5).await;
    assert_eq!(journal.append(table(1), 1000, entries(1001..=2000)).await, Ok(Appended::Committed));
    assert_eq!(journal.delete(table(1), 2000).await, Ok(DeleteOutcome::Deleted));
    fill(&*journal, table(1), 3).await;
    fill(&*journal, table(3), 2).await;
    drop(journal);
    let again = subject.reopened();
    let Some(journal) = again.as_ref().map(|again| again.journal()) else { return };
    for (number, last) in [(1, 3), (2, 5), (3, 2)] {
        assert_eq!(log(&*journal, table(number)).await, entries(1..=last));
    }
}

pub(crate) async fn records_are_listed_in_pages(directory: &dyn Directory) {
    let record =
        |number: u8| OpenTable { is_listed: number > 3, ..open(number, &number.to_string()) };
    for number in [9, 1, 5, 3] {
        assert_eq!(directory.put(record(number)).await, Ok(PutOutcome::Done));
    }
    assert_eq!(directory.by_id(table(5)).await, Ok(Some(record(5))));
    assert_eq!(directory.by_id(table(2)).await, Ok(None));
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = directory.records(after, 3).await.expect("the journal can be read");
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        found.extend(page);
    }
    assert_eq!(found, [1, 3, 5, 9].map(record));
}

pub(crate) async fn a_compacted_journal_has_the_same_tables(subject: Box<dyn TestJournal>) {
    let (journal, directory) = (subject.journal(), subject.directory());
    for number in 0..40 {
        furnish(&*journal, &*directory, number, &number.to_string()).await;
    }
    for number in (0..40).filter(|number| number % 4 != 1) {
        assert_eq!(journal.delete(table(number), 5).await, Ok(DeleteOutcome::Deleted));
    }
    let (key, before) = (journal.key(), all(&*journal, 9).await);
    let epoch = crate::fixtures::epoch(&*journal, table(1)).await;
    let size = journal.compact().await.expect("the journal is compacted");
    assert!(size.after <= size.before);
    assert_eq!((journal.key(), all(&*journal, 9).await), (key, before));
    assert_eq!(crate::fixtures::epoch(&*journal, table(1)).await, epoch);
    for number in (0..40).filter(|number| number % 4 == 1) {
        assert_eq!(log(&*journal, table(number)).await.len(), 5);
        assert_eq!(journal.find(table(number), action("a", 1)).await, Ok(Some(2)));
        assert!(journal.snapshot(table(number)).await.is_ok_and(|snapshot| snapshot.is_some()));
        assert!(directory.by_id(table(number)).await.is_ok_and(|record| record.is_some()));
        let appended = journal.append(table(number), 5, entries(6..=6)).await;
        assert_eq!(appended, Ok(Appended::Committed));
    }
    drop((journal, directory));
    let Some(again) = subject.reopened() else { return };
    assert_eq!(log(&*again.journal(), table(1)).await.len(), 6);
    assert_eq!(all(&*again.journal(), 100).await.len(), 10);
}
