//! The list of all tables.

use rusqlite::{OptionalExtension as _, params};
use serde::Deserialize;

use super::database::{Database, is_conversion};
use super::deletion::LAST_ID;
use super::storage_error::StorageError;
use crate::TableId;
use crate::journal::{LogSummary, MAX_TABLES};

/// The part of an entry that every format has.
#[derive(Deserialize)]
struct WrittenAt {
    at: u64,
}

/// A page of tables, by id. There is no index by time: every append would pay for it, and only rare walks
/// through all tables would use it.
pub(super) fn tables(
    database: &Database,
    after: Option<TableId>,
    limit: usize,
) -> Result<Vec<LogSummary>, StorageError> {
    let mut statement = database.connection.prepare_cached(
        "SELECT id, last, (SELECT line FROM entries
           WHERE entries.number = tables.number AND version = last)
         FROM tables INDEXED BY tables_by_id WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3",
    )?;
    let after = after.map_or_else(Vec::new, |table| table.bits().to_vec());
    let rows = statement.query_map(params![after, LAST_ID, page(limit)], |row| {
        let version: i64 = row.get(1)?;
        let line: Option<String> = row.get(2).unwrap_or_default();
        let written: Option<WrittenAt> = line.and_then(|line| serde_json::from_str(&line).ok());
        let touched_at = written.map(|entry| entry.at);
        Ok(LogSummary { id: row.get(0)?, version: version.cast_unsigned(), touched_at })
    })?;
    // A damaged record is found when its table is read.
    let is_readable =
        |row: &rusqlite::Result<LogSummary>| !matches!(row, Err(error) if is_conversion(error));
    Ok(rows.filter(is_readable).collect::<Result<_, _>>()?)
}

/// The number of rows in a page.
pub(super) fn page(limit: usize) -> i64 {
    i64::try_from(limit.min(MAX_TABLES)).unwrap_or(i64::MAX)
}

/// The number of bytes of all entries of a table.
pub(super) fn size(database: &Database, table: TableId) -> Result<u64, StorageError> {
    let mut statement = database.connection.prepare_cached(
        "SELECT sum(length(line)) FROM entries
         WHERE number = (SELECT number FROM tables WHERE id = ?1)",
    )?;
    let size: Option<Option<i64>> = statement.query_row([table], |row| row.get(0)).optional()?;
    Ok(size.flatten().unwrap_or(0).cast_unsigned())
}
