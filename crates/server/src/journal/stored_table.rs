//! Tables and logs as a journal stores them, for operators.

use serde::{Deserialize, Serialize};
use table::Entry;

use super::{Directory, Journal, JournalError, LogSummary, OpenTable};
use crate::TableId;

/// A table in a journal: its log, and its record in the directory if there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredTable {
    /// The log.
    #[serde(flatten)]
    pub log: LogSummary,
    /// The bytes of all its entries.
    pub bytes: u64,
    /// The record.
    pub record: Option<OpenTable>,
}

/// A page of a log, which is read without changing anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InspectedLog {
    /// The last version of the whole log; 0 if there is no such table.
    pub last_version: u64,
    /// The entries of this page.
    pub entries: Vec<Entry>,
    /// Why the page cannot be read, as the end of a sentence: `entry 3 was changed`.
    pub problem: Option<String>,
}

/// The largest number of entries in a page of [`InspectedLog`].
const PAGE: usize = 256;

impl StoredTable {
    /// A page of tables in the order of their ids, after the given one. An empty page is the end.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub async fn page(
        journal: &dyn Journal,
        directory: &dyn Directory,
        after: Option<TableId>,
    ) -> Result<Vec<Self>, JournalError> {
        let logs = journal.tables(after, PAGE).await?;
        let mut tables = Vec::with_capacity(logs.len());
        for log in logs {
            let (bytes, record) = (journal.size(log.id).await?, directory.by_id(log.id).await?);
            tables.push(Self { log, bytes, record });
        }
        Ok(tables)
    }
}

impl InspectedLog {
    /// The page of a log after a version.
    pub async fn page(journal: &dyn Journal, table: TableId, after: u64) -> Self {
        match journal.inspect(table, after, PAGE).await {
            Ok(tail) => {
                Self { last_version: tail.last_version, entries: tail.entries, problem: None }
            }
            Err(error) => {
                let last_version = journal.inspect(table, 0, 0).await;
                let last_version = last_version.map_or(0, |tail| tail.last_version);
                Self { last_version, entries: Vec::new(), problem: Some(problem(&error)) }
            }
        }
    }
}

fn problem(error: &JournalError) -> String {
    match error {
        JournalError::Damaged { version, .. } => {
            format!("entry {version} is missing or was changed after it had been written")
        }
        JournalError::Unreadable { error, .. } => error.to_string(),
        JournalError::NotRead { why } => format!("the file cannot be read: {why}"),
        other => other.to_string(),
    }
}
