//! Journals under test, and entries for them.

use std::sync::Arc;

use server::{Appended, Directory, Journal, PreviousStop, Settings, SqliteJournal, TableId};
use table::{ActionId, Author, Entry, EntryBody};
use tempfile::TempDir;

/// A journal under test, behind its traits.
pub(crate) trait TestJournal: Send {
    fn journal(&self) -> Arc<dyn Journal>;
    fn directory(&self) -> Arc<dyn Directory>;
    /// Closes the journal and opens it again; none if it does not outlive its process.
    fn reopened(self: Box<Self>) -> Option<Box<dyn TestJournal>>;
}

/// A journal in its own folder.
pub(crate) struct FileJournal {
    pub(crate) journal: Arc<SqliteJournal>,
    pub(crate) folder: TempDir,
}

impl FileJournal {
    pub(crate) fn new() -> Self {
        Self::within(TempDir::new().expect("a temporary folder can be created")).0
    }

    /// The journal of a folder, and its report.
    pub(crate) fn within(folder: TempDir) -> (Self, server::OpenReport) {
        let opened = SqliteJournal::open(folder.path(), &Settings::default());
        let (journal, report) = opened.expect("the journal opens");
        (Self { journal: Arc::new(journal), folder }, report)
    }

    /// Drops the journal without closing it, as if the process were killed.
    pub(crate) fn killed(self) -> TempDir {
        let Self { journal, folder } = self;
        drop(Arc::into_inner(journal).expect("the journal has no other owner"));
        folder
    }

    /// Closes the journal.
    pub(crate) async fn closed(self) -> TempDir {
        self.journal.close().await.expect("the journal closes");
        self.killed()
    }
}

impl TestJournal for FileJournal {
    fn journal(&self) -> Arc<dyn Journal> {
        Arc::<SqliteJournal>::clone(&self.journal)
    }

    fn directory(&self) -> Arc<dyn Directory> {
        Arc::<SqliteJournal>::clone(&self.journal)
    }

    fn reopened(self: Box<Self>) -> Option<Box<dyn TestJournal>> {
        let folder = tokio::task::block_in_place(|| {
            tokio::runtime::Handle::current().block_on((*self).closed())
        });
        let (again, report) = Self::within(folder);
        assert_eq!(report.previous_stop, PreviousStop::Clean);
        Some(Box::new(again))
    }
}

pub(crate) fn table(number: u8) -> TableId {
    TableId::new([number; 16])
}

/// An entry that carries the number of its writer.
pub(crate) fn entry(version: u64, writer: u64) -> Entry {
    let body = EntryBody::Tied { round: u32::try_from(writer).expect("the number fits") };
    Entry::new(version, version, Author::Table, body)
}

pub(crate) fn entries(versions: std::ops::RangeInclusive<u64>) -> Vec<Entry> {
    versions.map(|version| entry(version, 0)).collect()
}

pub(crate) fn action(client: &str, counter: u64) -> ActionId {
    ActionId::new(client, counter).expect("the id is valid")
}

/// Appends entries 1 to `last` to an empty log.
pub(crate) async fn fill(journal: &dyn Journal, table: TableId, last: u64) {
    let appended = journal.append(table, 0, entries(1..=last)).await;
    assert_eq!(appended, Ok(Appended::Committed));
}

/// The whole log of a table, page by page.
pub(crate) async fn log(journal: &dyn Journal, table: TableId) -> Vec<Entry> {
    let mut log = Vec::new();
    loop {
        let tail =
            journal.read(table, log.len() as u64, 100).await.expect("the journal can be read");
        if tail.entries.is_empty() {
            return log;
        }
        log.extend(tail.entries);
    }
}

pub(crate) async fn epoch(journal: &dyn Journal, table: TableId) -> u64 {
    journal.read(table, 0, 1).await.expect("the journal can be read").epoch
}
