//! What the tests of journals are made of.

use std::sync::Arc;

use server::{Appended, Directory, Journal, Settings, SqliteJournal, Start, TableId};
use table::{ActionId, Author, Entry, EntryBody};
use tempfile::TempDir;

/// A journal under test, of which nothing but the traits is known.
pub(crate) trait Subject: Send {
    fn journal(&self) -> Arc<dyn Journal>;
    fn directory(&self) -> Arc<dyn Directory>;
    /// Closes the journal and opens it again; nothing where it cannot outlive its process.
    fn reopened(self: Box<Self>) -> Option<Box<dyn Subject>>;
}

/// A journal in a folder of its own.
pub(crate) struct InFile {
    pub(crate) journal: Arc<SqliteJournal>,
    pub(crate) folder: TempDir,
}

impl InFile {
    pub(crate) fn new() -> Self {
        Self::within(TempDir::new().expect("there is a folder")).0
    }

    /// The journal of a folder, and how it was left.
    pub(crate) fn within(folder: TempDir) -> (Self, server::Report) {
        let opened = SqliteJournal::open(folder.path(), &Settings::default());
        let (journal, report) = opened.expect("it opens");
        (Self { journal: Arc::new(journal), folder }, report)
    }

    /// Ends the journal without closing it, as when the process is killed.
    pub(crate) fn killed(self) -> TempDir {
        let Self { journal, folder } = self;
        drop(Arc::into_inner(journal).expect("nobody else holds it"));
        folder
    }

    /// Closes the journal.
    pub(crate) async fn closed(self) -> TempDir {
        self.journal.close().await.expect("it can be closed");
        self.killed()
    }
}

impl Subject for InFile {
    fn journal(&self) -> Arc<dyn Journal> {
        Arc::<SqliteJournal>::clone(&self.journal)
    }

    fn directory(&self) -> Arc<dyn Directory> {
        Arc::<SqliteJournal>::clone(&self.journal)
    }

    fn reopened(self: Box<Self>) -> Option<Box<dyn Subject>> {
        let folder = tokio::task::block_in_place(|| {
            tokio::runtime::Handle::current().block_on((*self).closed())
        });
        let (again, report) = Self::within(folder);
        assert_eq!(report.start, Start::Clean);
        Some(Box::new(again))
    }
}

pub(crate) fn table(number: u8) -> TableId {
    TableId::new([number; 16])
}

/// An entry that says by whom it was written.
pub(crate) fn entry(version: u64, writer: u64) -> Entry {
    let body = EntryBody::Tied { round: u32::try_from(writer).expect("there are few writers") };
    Entry::new(version, version, Author::Table, body)
}

pub(crate) fn entries(versions: std::ops::RangeInclusive<u64>) -> Vec<Entry> {
    versions.map(|version| entry(version, 0)).collect()
}

pub(crate) fn action(client: &str, counter: u64) -> ActionId {
    ActionId::new(client, counter).expect("it is an id")
}

/// Appends entries up to a version, which nobody else does.
pub(crate) async fn fill(journal: &dyn Journal, table: TableId, last: u64) {
    let appended = journal.append(table, 0, entries(1..=last)).await;
    assert_eq!(appended, Ok(Appended::Committed));
}

/// The whole log of a table, page by page.
pub(crate) async fn log(journal: &dyn Journal, table: TableId) -> Vec<Entry> {
    let mut log = Vec::new();
    loop {
        let tail = journal.read(table, log.len() as u64, 100).await.expect("it can be read");
        if tail.entries.is_empty() {
            return log;
        }
        log.extend(tail.entries);
    }
}

pub(crate) async fn epoch(journal: &dyn Journal, table: TableId) -> u64 {
    journal.read(table, 0, 1).await.expect("it can be read").epoch
}
