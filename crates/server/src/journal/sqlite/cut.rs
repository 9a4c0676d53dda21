//! Cutting a damaged log.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::database::malformed;
use super::log::{self, Head, whole};
use super::storage_error::StorageError;
use crate::TableId;
use crate::journal::JournalError;
use crate::journal::epoch::random_epoch;

/// Moves aside the first damaged entry of a log and all entries after it. The rest is the log now, in a
/// new epoch. Returns the first version that is gone, or none if the log is intact.
pub(super) fn cut(connection: &Connection, table: TableId) -> Result<Option<u64>, StorageError> {
    let mut statement = connection.prepare_cached("SELECT number FROM tables WHERE id = ?1")?;
    let number = statement.query_row([table.bits().as_slice()], |row| row.get(0)).optional()?;
    let Some(number) = number else { return Ok(None) };
    let (last, chain) = log::valid_prefix(connection, table, number)?;
    let head = match log::head(connection, table) {
        Err(StorageError::Journal(_)) => None,
        head => head?,
    };
    let is_intact = |head: &Head| head.last == last && head.chain == chain;
    if let Some(head) = head.filter(is_intact)
        && log::is_end(connection, table, &head)?
    {
        return Ok(None);
    }
    move_aside(connection, table, number, last)?;
    let epoch = random_epoch().map_err(|error| JournalError::Unknown { why: error.to_string() })?;
    connection
        .prepare_cached("UPDATE tables SET last = ?2, chain = ?3, epoch = ?4 WHERE number = ?1")?
        .execute(params![number, whole(last), chain, whole(epoch)])?;
    if !log::is_end(connection, table, &Head { number, last, chain, epoch })? {
        // Removing entries does not repair an index that is out of order.
        return Err(malformed("a damaged log cannot be cut").into());
    }
    Ok(Some(last + 1))
}

/// Moves all entries after a version to the table of damaged entries, and deletes the snapshot.
fn move_aside(
    connection: &Connection,
    table: TableId,
    number: i64,
    last: u64,
) -> rusqlite::Result<()> {
    // No record says how long the log was: it may be damaged, too.
    let mut next = log::block_from(connection, log::block(last + 1))?;
    while let Some(block) = next {
        let rest = params![block, number, whole(last), table.bits()];
        connection
            .prepare_cached(
                "INSERT INTO damaged (id, number, version, line, chain)
                 SELECT ?4, number, version, line, chain FROM entries
                 WHERE version / 16 = ?1 AND number = ?2 AND version > ?3",
            )?
            .execute(rest)?;
        connection
            .prepare_cached(
                "DELETE FROM entries WHERE version / 16 = ?1 AND number = ?2 AND version > ?3",
            )?
            .execute(params![block, number, whole(last)])?;
        next = log::block_from(connection, block + 1)?;
    }
    connection.prepare_cached("DELETE FROM snapshots WHERE number = ?1")?.execute([number])?;
    Ok(())
}
