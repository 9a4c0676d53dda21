//! Deleting tables.
//!
//! A table with a short log is deleted in one transaction. A long log would delay the writes of others,
//! so the first transaction only takes the table its id and everything that leads to it; its entries are
//! erased by later ones, also after a restart.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::batch::WriteOutcome;
use super::log::{self, Head};
use super::rules;
use crate::TableId;

/// The largest number of entries that one transaction erases, so that appends do not wait for long.
const AT_ONCE: u64 = 256;

/// The id of a table that was deleted and still has entries. It comes after all ids of tables.
pub(super) fn deleted_id(number: i64) -> Vec<u8> {
    [LAST_ID.as_slice(), &number.to_be_bytes()].concat()
}

/// The greatest id of a table.
pub(super) const LAST_ID: [u8; 16] = [u8::MAX; 16];

/// Deletes a table within the transaction of the batch.
pub(super) fn delete(
    connection: &Connection,
    table: TableId,
    head: Option<Head>,
) -> rusqlite::Result<WriteOutcome> {
    let record =
        connection.prepare_cached("DELETE FROM directory WHERE id = ?1")?.execute([table])?;
    let Some(Head { number, last, .. }) = head else {
        return Ok(if record > 0 { WriteOutcome::Done } else { WriteOutcome::NoTable });
    };
    log::make_unknown(connection, table, number)?;
    rules::release(connection, number)?;
    connection.prepare_cached("DELETE FROM snapshots WHERE number = ?1")?.execute([number])?;
    // There is no index for this, because it is nearly always empty.
    connection.prepare_cached("DELETE FROM damaged WHERE id = ?1")?.execute([table])?;
    if last <= AT_ONCE {
        erase_entries(connection, number, last)?;
        return Ok(WriteOutcome::Done);
    }
    connection
        .prepare_cached("UPDATE tables SET id = ?2 WHERE number = ?1")?
        .execute(params![number, deleted_id(number)])?;
    Ok(WriteOutcome::More)
}

/// Erases some entries of deleted tables; returns [`WriteOutcome::More`] if there may be more.
pub(super) fn erase(connection: &Connection) -> rusqlite::Result<WriteOutcome> {
    let mut statement = connection
        .prepare_cached("SELECT number, last FROM tables WHERE id > ?1 ORDER BY id LIMIT 1")?;
    let found = statement.query_row([LAST_ID], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)));
    let Some((number, last)) = found.optional()? else { return Ok(WriteOutcome::Done) };
    erase_entries(connection, number, last.cast_unsigned())?;
    Ok(WriteOutcome::More)
}

/// Erases the last entries of a table, about [`AT_ONCE`]. Then the log ends before them or, if there are no
/// more, the record of the table goes: as the last part, so that no other table gets the number before.
fn erase_entries(connection: &Connection, number: i64, last: u64) -> rusqlite::Result<()> {
    let mut erased = 0;
    let mut next = log::block_up_to(connection, log::block(last))?;
    while let Some(block) = next {
        if erased >= AT_ONCE {
            return connection
                .prepare_cached("UPDATE tables SET last = ?2 WHERE number = ?1")?
                .execute([number, log::last_in_block(block)])
                .map(drop);
        }
        erased += connection
            .prepare_cached("DELETE FROM entries WHERE version / 16 = ?1 AND number = ?2")?
            .execute([block, number])? as u64;
        next = log::block_up_to(connection, block - 1)?;
    }
    connection.prepare_cached("DELETE FROM tables WHERE number = ?1")?.execute([number]).map(drop)
}
