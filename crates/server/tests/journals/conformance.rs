//! What every journal does.

use server::{
    Appended, Journal, JournalError, MAX_ENTRIES, MAX_SNAPSHOT_BYTES, NotWritten, SnapshotText,
};
use table::Entry;

use crate::fixtures::{TestJournal, action, entries, entry, epoch, fill, log, table};
use crate::{directory, races, upkeep};

/// Checks everything that a journal must do, each on a new journal.
pub(crate) async fn conformance(make: impl Fn() -> Box<dyn TestJournal>) {
    an_unknown_table_has_an_empty_log(make().journal().as_ref()).await;
    entries_are_read_as_they_were_appended(make().journal().as_ref()).await;
    a_conflict_returns_all_missing_entries(make().journal().as_ref()).await;
    a_writer_ahead_of_the_log_learns_where_it_ends(make().journal().as_ref()).await;
    refused_entries_change_nothing(make().journal().as_ref()).await;
    pages_are_bounded(make().journal().as_ref()).await;
    actions_are_found_in_their_own_table(make().journal().as_ref()).await;
    snapshots_are_kept(make().journal().as_ref()).await;
    a_closed_journal_refuses(make().journal().as_ref()).await;
    races::one_of_many_writers_wins_each_version(&make().journal()).await;
    directory::tables_are_found_by_their_codes(make().directory().as_ref()).await;
    directory::codes_are_unique(make().directory().as_ref()).await;
    directory::codes_end(make().directory().as_ref()).await;
    directory::deadlines_come_in_order(make().directory().as_ref()).await;
    directory::listed_tables_come_newest_first(make().directory().as_ref()).await;
    upkeep::tables_are_listed_in_pages(make().journal().as_ref()).await;
    upkeep::pages_of_tables_are_bounded(make().journal().as_ref()).await;
    upkeep::the_size_of_a_log_is_that_of_its_entries(make().journal().as_ref()).await;
    upkeep::an_intact_log_is_inspected_as_it_is_read(make().journal().as_ref()).await;
    upkeep::a_deleted_table_is_gone(make()).await;
    upkeep::a_table_with_other_entries_is_not_deleted(make().journal().as_ref()).await;
    upkeep::a_record_without_a_log_is_deleted(make()).await;
    upkeep::a_long_log_is_deleted_as_a_whole(make()).await;
    upkeep::records_are_listed_in_pages(make().directory().as_ref()).await;
    upkeep::a_compacted_journal_has_the_same_tables(make()).await;
    committed_entries_outlive_the_journal(make()).await;
}

async fn an_unknown_table_has_an_empty_log(journal: &dyn Journal) {
    let tail = journal.read(table(1), 0, 10).await.expect("the journal can be read");
    assert_eq!((tail.entries, tail.last_version), (Vec::new(), 0));
    assert_eq!(journal.read(table(1), 7, 10).await.expect("the journal can be read").entries, []);
    assert_eq!(journal.find(table(1), action("a", 1)).await, Ok(None));
    assert_eq!(journal.snapshot(table(1)).await, Ok(None));
    assert_eq!(journal.is_ready().await, Ok(()));
}

async fn entries_are_read_as_they_were_appended(journal: &dyn Journal) {
    let before = epoch(journal, table(1)).await;
    fill(journal, table(1), 5).await;
    fill(journal, table(2), 2).await;
    assert_eq!(journal.append(table(1), 5, entries(6..=7)).await, Ok(Appended::Committed));
    assert_eq!(journal.append(table(1), 7, Vec::new()).await, Ok(Appended::Committed));
    let tail = journal.read(table(1), 3, 10).await.expect("the journal can be read");
    assert_eq!((tail.entries, tail.last_version), (entries(4..=7), 7));
    assert_eq!(log(journal, table(2)).await, entries(1..=2));
    assert_eq!(epoch(journal, table(1)).await, before);
    assert!(before < 1 << 53);
}

async fn a_conflict_returns_all_missing_entries(journal: &dyn Journal) {
    let last = MAX_ENTRIES as u64;
    fill(journal, table(1), last).await;
    let appended = journal.append(table(1), last, entries(last + 1..=last + 3)).await;
    assert_eq!(appended, Ok(Appended::Committed));
    for after in [0, 1, last - 1, last + 2] {
        let appended = journal.append(table(1), after, vec![entry(after + 1, 9)]).await;
        assert_eq!(appended, Ok(Appended::Conflict(entries(after + 1..=last + 3))));
    }
    assert_eq!(log(journal, table(1)).await, entries(1..=last + 3));
}

async fn a_writer_ahead_of_the_log_learns_where_it_ends(journal: &dyn Journal) {
    fill(journal, table(1), 3).await;
    for (number, after, last) in [(1, 4, 3), (1, u64::MAX - 1, 3), (2, 1, 0)] {
        let refused = journal.append(table(number), after, vec![entry(after + 1, 9)]).await;
        assert_eq!(refused, Err(NotWritten::Ahead { last }.into()));
    }
    assert_eq!(log(journal, table(1)).await, entries(1..=3));
}

async fn refused_entries_change_nothing(journal: &dyn Journal) {
    fill(journal, table(1), 3).await;
    let long = || {
        let body = table::EntryBody::Created {
            game: "g".repeat(Entry::MAX_BYTES),
            rules: 1,
            options: table::Options::default(),
            commitment: table::Digest::of(b"seed"),
        };
        Entry::new(5, 5, table::Author::Table, body)
    };
    let many = entries(4..=4 + MAX_ENTRIES as u64);
    let refusals = [
        (vec![entry(4, 0), long()], NotWritten::TooLong { version: 5 }),
        (vec![entry(4, 0), entry(6, 0)], NotWritten::NotDense { version: 5, found: 6 }),
        (vec![entry(3, 0)], NotWritten::NotDense { version: 4, found: 3 }),
        (many, NotWritten::TooMany),
    ];
    for (refused, why) in refusals {
        assert_eq!(journal.append(table(1), 3, refused).await, Err(why.into()));
    }
    assert_eq!(log(journal, table(1)).await, entries(1..=3));
}

async fn pages_are_bounded(journal: &dyn Journal) {
    let most = MAX_ENTRIES as u64;
    fill(journal, table(1), most).await;
    let more = entries(most + 1..=most + 10);
    assert_eq!(journal.append(table(1), most, more).await, Ok(Appended::Committed));
    for (after, limit, returned) in [(0, 3, 3), (0, usize::MAX, MAX_ENTRIES), (most, 100, 10)] {
        let tail = journal.read(table(1), after, limit).await.expect("the journal can be read");
        assert_eq!((tail.entries.len(), tail.last_version), (returned, most + 10));
        assert_eq!(tail.entries.first().map(|entry| entry.version), Some(after + 1));
    }
    let none = journal.read(table(1), 5, 0).await.expect("the journal can be read");
    assert_eq!((none.entries, none.last_version), (Vec::new(), most + 10));
}

async fn actions_are_found_in_their_own_table(journal: &dyn Journal) {
    let by = |version, counter| Entry { action: Some(action("a", counter)), ..entry(version, 0) };
    let log = vec![entry(1, 0), by(2, 1), by(3, 1), by(4, 2)];
    assert_eq!(journal.append(table(1), 0, log).await, Ok(Appended::Committed));
    assert_eq!(journal.append(table(2), 0, vec![by(1, 2)]).await, Ok(Appended::Committed));
    let places = [(1, 1, Some(2)), (1, 2, Some(4)), (2, 2, Some(1)), (2, 1, None), (3, 1, None)];
    for (number, counter, place) in places {
        assert_eq!(journal.find(table(number), action("a", counter)).await, Ok(place));
    }
    assert_eq!(journal.find(table(1), action("b", 1)).await, Ok(None));
}

async fn snapshots_are_kept(journal: &dyn Journal) {
    let snapshot = |version, text: &str| SnapshotText { version, text: text.to_owned() };
    fill(journal, table(1), 5).await;
    assert_eq!(journal.keep_snapshot(table(1), snapshot(3, "three")).await, Ok(()));
    assert_eq!(journal.keep_snapshot(table(1), snapshot(5, "five")).await, Ok(()));
    assert_eq!(journal.keep_snapshot(table(1), snapshot(4, "late")).await, Ok(()));
    assert_eq!(journal.snapshot(table(1)).await, Ok(Some(snapshot(5, "five"))));
    assert_eq!(journal.snapshot(table(2)).await, Ok(None));
    for (number, version, last) in [(1, 6, 5), (1, 0, 5), (2, 1, 0)] {
        let refused = journal.keep_snapshot(table(number), snapshot(version, "no")).await;
        assert_eq!(refused, Err(NotWritten::Ahead { last }.into()));
    }
    let longest = "x".repeat(MAX_SNAPSHOT_BYTES);
    let refused = journal.keep_snapshot(table(1), snapshot(5, &format!("{longest}x"))).await;
    assert_eq!(refused, Err(NotWritten::SnapshotTooLong.into()));
    assert_eq!(journal.keep_snapshot(table(1), snapshot(5, &longest)).await, Ok(()));
    assert_eq!(journal.snapshot(table(1)).await, Ok(Some(snapshot(5, &longest))));
}

async fn a_closed_journal_refuses(journal: &dyn Journal) {
    fill(journal, table(1), 5).await;
    let mut losses = journal.losses();
    assert_eq!(journal.close().await, Ok(()));
    assert_eq!(losses.next().await, None);
    let refused = journal.append(table(1), 5, entries(6..=6)).await;
    assert_eq!(refused, Err(NotWritten::Closed.into()));
    assert!(matches!(journal.read(table(1), 0, 1).await, Err(JournalError::NotRead { .. })));
    assert!(journal.is_ready().await.is_err());
    assert_eq!(journal.close().await, Ok(()));
}

async fn committed_entries_outlive_the_journal(subject: Box<dyn TestJournal>) {
    let (key, before) = {
        let journal = subject.journal();
        fill(journal.as_ref(), table(1), 5).await;
        (journal.key(), epoch(journal.as_ref(), table(1)).await)
    };
    let Some(again) = subject.reopened() else { return };
    let journal = again.journal();
    assert_eq!(log(journal.as_ref(), table(1)).await, entries(1..=5));
    assert_eq!((journal.key(), epoch(journal.as_ref(), table(1)).await), (key, before));
    assert_eq!(journal.append(table(1), 5, entries(6..=6)).await, Ok(Appended::Committed));
}
