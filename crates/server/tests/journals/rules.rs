//! What every journal that keeps texts of rules does with them, and the journal in a file under damage.

use std::fs;

use rusqlite::Connection;
use server::{
    Appended, DeleteOutcome, Journal, JournalError, MAX_RULES_BYTES, NotWritten, RulesDigest,
    TableId,
};
use table::{Author, Digest, Entry, EntryBody, Options};

use crate::fixtures::{FileJournal, TestJournal, entries, entry, fill, log, table};

/// Checks everything that a journal must do with texts of rules, each on a new journal.
pub(crate) async fn conformance_with_rules(make: impl Fn() -> Box<dyn TestJournal>) {
    a_text_is_read_by_its_digest(make().journal().as_ref()).await;
    long_texts_are_refused(make().journal().as_ref()).await;
    a_table_without_its_rules_is_refused(make().journal().as_ref()).await;
    a_text_leaves_with_the_last_table_that_names_it(make().journal().as_ref()).await;
    a_long_log_takes_its_rules_with_it(make().journal().as_ref()).await;
    a_compacted_journal_has_the_rules_of_its_tables(make().journal().as_ref()).await;
    a_closed_journal_keeps_no_rules(make().journal().as_ref()).await;
    rules_outlive_the_journal(make()).await;
}

const NIM: &str = "game nim";

/// The first entry of a table whose game is written as text.
fn created(text: &str) -> Entry {
    let body = EntryBody::Created {
        game: RulesDigest::of(text).name("nim"),
        rules: 1,
        options: Options::default(),
        commitment: Digest::of(b"seed"),
    };
    Entry::new(1, 1, Author::Table, body)
}

/// Keeps a text, and begins a table that names it.
async fn begin(journal: &dyn Journal, number: u8, text: &str) {
    assert_eq!(journal.keep_rules(text.to_owned()).await, Ok(RulesDigest::of(text)));
    let begun = journal.append(table(number), 0, vec![created(text)]).await;
    assert_eq!(begun, Ok(Appended::Committed));
}

async fn kept(journal: &dyn Journal, text: &str) -> Option<String> {
    journal.rules(RulesDigest::of(text)).await.expect("the journal can be read")
}

async fn a_text_is_read_by_its_digest(journal: &dyn Journal) {
    assert_eq!(kept(journal, NIM).await, None);
    for text in [NIM, "", "grün 🦊\n", NIM] {
        assert_eq!(journal.keep_rules(text.to_owned()).await, Ok(RulesDigest::of(text)));
    }
    for text in [NIM, "", "grün 🦊\n"] {
        assert_eq!(kept(journal, text).await.as_deref(), Some(text));
    }
    assert_eq!(kept(journal, "game chess").await, None);
}

async fn long_texts_are_refused(journal: &dyn Journal) {
    let longest = "x".repeat(MAX_RULES_BYTES);
    let longer = format!("{longest}x");
    let refused = journal.keep_rules(longer.clone()).await;
    assert_eq!(refused, Err(NotWritten::RulesTooLong.into()));
    assert_eq!(kept(journal, &longer).await, None);
    assert!(journal.keep_rules(longest.clone()).await.is_ok());
    assert_eq!(kept(journal, &longest).await, Some(longest));
}

async fn a_table_without_its_rules_is_refused(journal: &dyn Journal) {
    let refused = journal.append(table(1), 0, vec![created(NIM)]).await;
    assert_eq!(refused, Err(NotWritten::NoRules.into()));
    assert_eq!(log(journal, table(1)).await, []);
    begin(journal, 1, NIM).await;
    assert_eq!(log(journal, table(1)).await, [created(NIM)]);
}

async fn delete(journal: &dyn Journal, table: TableId, last: u64) {
    assert_eq!(journal.delete(table, last).await, Ok(DeleteOutcome::Deleted));
}

async fn a_text_leaves_with_the_last_table_that_names_it(journal: &dyn Journal) {
    for number in [1, 2] {
        begin(journal, number, NIM).await;
    }
    begin(journal, 3, "game other").await;
    fill(journal, table(4), 3).await;
    delete(journal, table(4), 3).await;
    delete(journal, table(1), 1).await;
    assert_eq!(kept(journal, NIM).await.as_deref(), Some(NIM), "table 2 names it");
    delete(journal, table(2), 1).await;
    assert_eq!(kept(journal, NIM).await, None);
    assert_eq!(kept(journal, "game other").await.as_deref(), Some("game other"));
    // A new table has to bring it again.
    let refused = journal.append(table(1), 0, vec![created(NIM)]).await;
    assert_eq!(refused, Err(NotWritten::NoRules.into()));
    begin(journal, 1, NIM).await;
}

async fn a_long_log_takes_its_rules_with_it(journal: &dyn Journal) {
    begin(journal, 1, NIM).await;
    assert_eq!(journal.append(table(1), 1, entries(2..=1000)).await, Ok(Appended::Committed));
    delete(journal, table(1), 1000).await;
    assert_eq!(kept(journal, NIM).await, None);
}

async fn a_compacted_journal_has_the_rules_of_its_tables(journal: &dyn Journal) {
    begin(journal, 1, NIM).await;
    assert!(journal.compact().await.is_ok());
    assert_eq!(kept(journal, NIM).await.as_deref(), Some(NIM));
    assert_eq!(journal.append(table(1), 1, vec![entry(2, 0)]).await, Ok(Appended::Committed));
    delete(journal, table(1), 2).await;
    assert_eq!(kept(journal, NIM).await, None);
}

async fn a_closed_journal_keeps_no_rules(journal: &dyn Journal) {
    begin(journal, 1, NIM).await;
    assert_eq!(journal.close().await, Ok(()));
    let refused = journal.keep_rules(NIM.to_owned()).await;
    assert_eq!(refused, Err(NotWritten::Closed.into()));
    let unread = journal.rules(RulesDigest::of(NIM)).await;
    assert!(matches!(unread, Err(JournalError::NotRead { .. })));
}

async fn rules_outlive_the_journal(subject: Box<dyn TestJournal>) {
    begin(subject.journal().as_ref(), 1, NIM).await;
    let Some(again) = subject.reopened() else { return };
    let journal = again.journal();
    assert_eq!(kept(journal.as_ref(), NIM).await.as_deref(), Some(NIM));
    delete(journal.as_ref(), table(1), 1).await;
    assert_eq!(kept(journal.as_ref(), NIM).await, None);
}

#[tokio::test]
async fn texts_in_files_of_older_programs_move_into_the_journal() {
    let subject = FileJournal::new();
    begin(&*subject.journal, 1, NIM).await;
    fill(&*subject.journal, table(2), 3).await;
    let folder = subject.closed().await;
    let file = Connection::open(folder.path().join("journal.sqlite")).unwrap();
    assert_eq!(file.execute("DELETE FROM facts WHERE name LIKE 'rules %'", []).unwrap(), 1);
    assert_eq!(file.execute("UPDATE tables SET rules = NULL", []).unwrap(), 2);
    drop(file);
    let rules = folder.path().join("rules");
    fs::create_dir(&rules).unwrap();
    let path = |text: &str| rules.join(format!("{}.cradle", RulesDigest::of(text)));
    for text in [NIM, "game unused"] {
        fs::write(path(text), text).unwrap();
    }
    fs::write(path("game lost"), "game changed").unwrap();
    let (again, _) = FileJournal::within(folder);
    assert_eq!(kept(&*again.journal, NIM).await.as_deref(), Some(NIM));
    assert_eq!(kept(&*again.journal, "game unused").await, None, "no table names it");
    assert_eq!(kept(&*again.journal, "game lost").await, None);
    let left: Vec<_> = fs::read_dir(&rules).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(left, [path("game lost")], "a changed file is left alone");
    delete(&*again.journal, table(1), 1).await;
    assert_eq!(kept(&*again.journal, NIM).await, None, "its table was recorded with it");
}

#[tokio::test]
async fn a_text_that_was_changed_in_the_file_is_noticed_and_can_be_kept_again() {
    let subject = FileJournal::new();
    begin(&*subject.journal, 1, NIM).await;
    let folder = subject.closed().await;
    let file = Connection::open(folder.path().join("journal.sqlite")).unwrap();
    let change = "UPDATE facts SET value = CAST('game nine' AS BLOB) WHERE name LIKE 'rules %'";
    assert_eq!(file.execute(change, []).unwrap(), 1);
    drop(file);
    let (again, _) = FileJournal::within(folder);
    let changed = again.journal.rules(RulesDigest::of(NIM)).await;
    assert!(matches!(changed, Err(JournalError::NotRead { why }) if why.ends_with("were changed")));
    assert!(again.journal.keep_rules(NIM.to_owned()).await.is_ok());
    assert_eq!(kept(&*again.journal, NIM).await.as_deref(), Some(NIM));
}

#[tokio::test]
async fn a_salvage_saves_rules_and_which_tables_name_them() {
    let subject = FileJournal::new();
    for (number, text) in [(1, NIM), (2, NIM), (3, "game other")] {
        begin(&*subject.journal, number, text).await;
    }
    let folder = subject.closed().await;
    let path = folder.path().join("journal.sqlite");
    let mut bytes = fs::read(&path).unwrap();
    // The first page, which holds the schema, is lost.
    bytes[24..4096].fill(0);
    fs::write(&path, bytes).unwrap();
    let (again, report) = FileJournal::within(folder);
    assert!(report.salvaged.is_some());
    for text in [NIM, "game other"] {
        assert_eq!(kept(&*again.journal, text).await.as_deref(), Some(text));
    }
    delete(&*again.journal, table(1), 1).await;
    assert_eq!(kept(&*again.journal, NIM).await.as_deref(), Some(NIM), "table 2 names it");
    delete(&*again.journal, table(2), 1).await;
    assert_eq!(kept(&*again.journal, NIM).await, None);
}
