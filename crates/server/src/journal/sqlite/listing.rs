//! The list of all tables.

use rusqlite::{OptionalExtension as _, params};
use serde::Deserialize;

use super::database::{Database, is_conversion};
use super::deletion::LAST_ID;
use super::log::{block, block_from};
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
           WHERE version / 16 = last / 16 AND entries.number = tables.number AND version = last)
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
    let connection = &database.connection;
    let mut record = connection.prepare_cached("SELECT number, last FROM tables WHERE id = ?1")?;
    let record =
        record.query_row([table], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)));
    let Some((number, last)) = record.optional()? else { return Ok(0) };
    let mut statement = connection.prepare_cached(
        "SELECT sum(length(line)) FROM entries WHERE version / 16 = ?1 AND number = ?2",
    )?;
    let (end, mut size) = (block(last.cast_unsigned()), 0);
    let mut next = block_from(connection, 0)?;
    while let Some(block) = next.filter(|block| *block <= end) {
        let bytes: Option<i64> = statement.query_row([block, number], |row| row.get(0))?;
        size += bytes.unwrap_or(0).cast_unsigned();
        next = block_from(connection, block + 1)?;
    }
    Ok(size)
}
