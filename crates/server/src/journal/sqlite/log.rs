//! Reading logs from the file.

use rusqlite::{Connection, OptionalExtension as _, params};
use table::{ActionId, Entry};

use super::chain::{self, Chain};
use super::database::{Database, is_conversion, malformed};
use super::storage_error::StorageError;
use crate::TableId;
use crate::journal::{JournalError, SnapshotText, Tail};

/// The end of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The number of the table in the file.
    pub(super) number: i64,
    pub(super) last: u64,
    pub(super) chain: Chain,
    /// Combined with the epoch of the installation.
    pub(super) epoch: u64,
}

/// A line of a log.
pub(super) struct StoredLine {
    pub(super) version: u64,
    pub(super) text: String,
}

pub(super) fn head(connection: &Connection, table: TableId) -> Result<Option<Head>, StorageError> {
    let mut statement =
        connection.prepare_cached("SELECT number, last, chain, epoch FROM tables WHERE id = ?1")?;
    let head = statement.query_row([table.bits().as_slice()], |row| {
        let (last, epoch): (i64, i64) = (row.get(1)?, row.get(3)?);
        let (last, epoch) = (last.cast_unsigned(), epoch.cast_unsigned());
        Ok(Head { number: row.get(0)?, last, chain: row.get(2)?, epoch })
    });
    let head = head.optional().map_err(damage_at(table, 1))?;
    if head.is_none() && is_lost(connection, table)? {
        return Err(malformed("the record of a table is missing").into());
    }
    Ok(head)
}

/// Whether a table without a record was written to before.
fn is_lost(connection: &Connection, table: TableId) -> rusqlite::Result<bool> {
    let mut statement = connection
        .prepare_cached("SELECT id FROM known LEFT JOIN tables USING (number) WHERE half = ?1")?;
    let found = statement.query_row([half(table)], |row| Ok(row.get::<_, TableId>(0).ok()));
    // Two tables might share half of their ids.
    let is_this = |found: Option<TableId>| found.is_none_or(|found| found == table);
    Ok(found.optional()?.is_some_and(is_this))
}

/// Begins the log of a table.
pub(super) fn begin(connection: &Connection, table: TableId) -> rusqlite::Result<Head> {
    let chain = chain::start(table);
    let number = connection
        .prepare_cached("INSERT INTO tables (id, last, chain, epoch) VALUES (?1, 0, ?2, 0)")?
        .insert(params![table, chain])?;
    make_known(connection, table, number)?;
    Ok(Head { number, last: 0, chain, epoch: 0 })
}

pub(super) fn make_known(
    connection: &Connection,
    table: TableId,
    number: i64,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR IGNORE INTO known (half, number) VALUES (?1, ?2)")?
        .execute([half(table), number])
        .map(drop)
}

pub(super) fn make_unknown(
    connection: &Connection,
    table: TableId,
    number: i64,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM known WHERE half = ?1 AND number = ?2")?
        .execute([half(table), number])
        .map(drop)
}

/// The key of a table in `known`: half of its id.
fn half(table: TableId) -> i64 {
    let (half, _) = table.bits().split_first_chunk().expect("an id has 16 bytes");
    i64::from_le_bytes(*half)
}

/// A page of a log.
pub(super) fn read(
    database: &Database,
    table: TableId,
    after: u64,
    limit: usize,
) -> Result<Tail, StorageError> {
    let transaction = database.connection.unchecked_transaction()?;
    let Some(head) = head(&transaction, table)? else {
        return Ok(Tail { epoch: database.epoch, entries: Vec::new(), last_version: 0 });
    };
    let lines = lines(&transaction, table, &head, after, limit)?;
    let entries = lines.iter().map(|line| Entry::read(&line.text, line.version));
    let entries = entries.collect::<Result<_, _>>();
    let entries = entries.map_err(|error| JournalError::Unreadable { table, error })?;
    Ok(Tail { epoch: database.epoch ^ head.epoch, entries, last_version: head.last })
}

/// The lines after a version, verified to be intact and complete.
pub(super) fn lines(
    connection: &Connection,
    table: TableId,
    head: &Head,
    after: u64,
    limit: usize,
) -> Result<Vec<StoredLine>, StorageError> {
    if after >= head.last {
        return Ok(Vec::new());
    }
    let expected = limit.min(usize::try_from(head.last - after).unwrap_or(usize::MAX));
    let end = after + expected as u64;
    let mut chain = chain_at(connection, table, head.number, after)?;
    let mut statement = connection.prepare_cached(CHAINED_LINES)?;
    let mut lines = Vec::with_capacity(expected.min(64));
    let mut version = after + 1;
    while version <= end {
        let mut rows = statement.query(params![block(version), head.number, whole(version)])?;
        for next in version..=end.min(last_of_block(version)) {
            let damaged = || JournalError::Damaged { table, version: next };
            let row = rows.next()?.ok_or_else(damaged)?;
            let link = ChainedLine::read(row).map_err(damage_at(table, next))?;
            chain = link.follows(&chain, next).ok_or_else(damaged)?;
            lines.push(StoredLine { version: next, text: link.text });
        }
        version = last_of_block(version) + 1;
    }
    if lines.last().is_some_and(|line| line.version == head.last) && chain != head.chain {
        return Err(JournalError::Damaged { table, version: head.last }.into());
    }
    Ok(lines)
}

/// The last version and the hash of the longest intact prefix of a log.
pub(super) fn valid_prefix(
    connection: &Connection,
    table: TableId,
    number: i64,
) -> rusqlite::Result<(u64, Chain)> {
    let mut statement = connection.prepare_cached(CHAINED_LINES)?;
    let (mut last, mut chain) = (0, chain::start(table));
    loop {
        let version: u64 = last + 1;
        let mut rows = statement.query(params![block(version), number, whole(version)])?;
        while let Some(row) = rows.next()? {
            let link = match ChainedLine::read(row) {
                Err(error) if is_conversion(&error) => return Ok((last, chain)),
                link => link?,
            };
            let Some(next) = link.follows(&chain, last + 1) else { return Ok((last, chain)) };
            (last, chain) = (last + 1, next);
        }
        if last < last_of_block(version) {
            return Ok((last, chain));
        }
    }
}

/// Whether the last entry of a table is the one in its record.
pub(super) fn is_end(
    connection: &Connection,
    table: TableId,
    head: &Head,
) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare_cached(
        "SELECT version, chain FROM entries WHERE version / 16 = ?1 AND number = ?2
         ORDER BY version DESC LIMIT 1",
    )?;
    let mut last_in = |block: i64| {
        let end = statement.query_row([block, head.number], |row| {
            Ok((row.get::<_, i64>(0).ok(), row.get::<_, Chain>(1).ok()))
        });
        end.optional()
    };
    if last_in(block(head.last) + 1)?.is_some() {
        return Ok(false);
    }
    Ok(match last_in(block(head.last))? {
        Some(end) => end == (Some(whole(head.last)), Some(head.chain)),
        None => head.last == 0 && head.chain == chain::start(table),
    })
}

/// The entries of a table in a block, from a version on.
const CHAINED_LINES: &str = "SELECT version, line, chain FROM entries
     WHERE version / 16 = ?1 AND number = ?2 AND version >= ?3 ORDER BY version";

/// The versions of a block, which are together in the index.
const BLOCK: u64 = 16;

/// The block of a version, as the index has it.
pub(super) fn block(version: u64) -> i64 {
    whole(version / BLOCK)
}

/// The last version of a block, as `SQLite` stores it.
pub(super) fn last_in_block(block: i64) -> i64 {
    let last = block.saturating_mul(whole(BLOCK));
    last.saturating_add(whole(BLOCK - 1))
}

/// The last version of the block of a version.
const fn last_of_block(version: u64) -> u64 {
    version / BLOCK * BLOCK + (BLOCK - 1)
}

/// The first block from this one on in which any table has an entry. Blocks are looked up instead of counted,
/// because a damaged record may name a version that no log has reached.
pub(super) fn block_from(connection: &Connection, block: i64) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached(
            "SELECT version / 16 FROM entries WHERE version / 16 >= ?1
             ORDER BY version / 16 LIMIT 1",
        )?
        .query_row([block], |row| row.get(0))
        .optional()
}

/// The last block up to this one in which any table has an entry.
pub(super) fn block_up_to(connection: &Connection, block: i64) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached(
            "SELECT version / 16 FROM entries WHERE version / 16 <= ?1
             ORDER BY version / 16 DESC LIMIT 1",
        )?
        .query_row([block], |row| row.get(0))
        .optional()
}

/// An entry with the hash of the log up to it.
struct ChainedLine {
    version: i64,
    text: String,
    chain: Chain,
}

impl ChainedLine {
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { version: row.get(0)?, text: row.get(1)?, chain: row.get(2)? })
    }

    /// The hash of the log up to this entry, if the entry is intact.
    fn follows(&self, before: &Chain, version: u64) -> Option<Chain> {
        let chain = chain::link(before, version, self.text.as_bytes());
        (self.version == whole(version) && self.chain == chain).then_some(chain)
    }
}

/// The hash of a log up to a version.
pub(super) fn chain_at(
    connection: &Connection,
    table: TableId,
    number: i64,
    version: u64,
) -> Result<Chain, StorageError> {
    if version == 0 {
        return Ok(chain::start(table));
    }
    let mut statement = connection.prepare_cached(
        "SELECT chain FROM entries WHERE version / 16 = ?1 AND number = ?2 AND version = ?3",
    )?;
    let place = [block(version), number, whole(version)];
    let chain = statement.query_row(place, |row| row.get(0)).optional();
    let chain = chain.map_err(damage_at(table, version))?;
    chain.ok_or_else(|| JournalError::Damaged { table, version }.into())
}

/// The version of the first entry of an action.
pub(super) fn find(
    database: &Database,
    table: TableId,
    action: &ActionId,
) -> Result<Option<u64>, StorageError> {
    let transaction = database.connection.unchecked_transaction()?;
    let Some(head) = head(&transaction, table)? else { return Ok(None) };
    let mut statement = transaction.prepare_cached(
        "SELECT version FROM entries WHERE version / 16 = ?1 AND number = ?2 AND action = ?3
         ORDER BY version",
    )?;
    let action_number = chain::action_number(action);
    // An action that is sent again is most often a late one.
    let mut next = block_up_to(&transaction, block(head.last))?;
    while let Some(block) = next {
        let mut rows = statement.query([block, head.number, action_number])?;
        while let Some(row) = rows.next()? {
            let version: i64 = row.get(0).map_err(damage_at(table, 1))?;
            let before = version.cast_unsigned().saturating_sub(1);
            for line in lines(&transaction, table, &head, before, 1)? {
                let entry = Entry::read(&line.text, line.version);
                let entry = entry.map_err(|error| JournalError::Unreadable { table, error })?;
                if entry.action.as_ref() == Some(action) {
                    return Ok(Some(line.version));
                }
            }
        }
        next = block_up_to(&transaction, block - 1)?;
    }
    Ok(None)
}

/// The snapshot of a table, if it is intact and belongs to this log.
pub(super) fn snapshot(
    database: &Database,
    table: TableId,
) -> Result<Option<SnapshotText>, StorageError> {
    let transaction = database.connection.unchecked_transaction()?;
    let Some(head) = head(&transaction, table)? else { return Ok(None) };
    let mut statement = transaction
        .prepare_cached("SELECT version, chain, seal, text FROM snapshots WHERE number = ?1")?;
    let kept = statement.query_row([head.number], |row| {
        let version: i64 = row.get(0)?;
        let (chain, seal): (Chain, Chain) = (row.get(1)?, row.get(2)?);
        Ok((version.cast_unsigned(), chain, seal, row.get::<_, String>(3)?))
    });
    let (version, chain, seal, text) = match kept.optional() {
        Ok(Some(kept)) => kept,
        Ok(None) => return Ok(None),
        Err(error) if is_conversion(&error) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let is_of_log =
        version <= head.last && chain_at(&transaction, table, head.number, version)? == chain;
    let is_intact = chain::link(&chain, version, text.as_bytes()) == seal;
    Ok((is_of_log && is_intact).then_some(SnapshotText { version, text }))
}

/// A version as `SQLite` stores it.
pub(super) fn whole(version: u64) -> i64 {
    i64::try_from(version).unwrap_or(i64::MAX)
}

/// A value of the wrong type means that the entry is damaged.
fn damage_at(table: TableId, version: u64) -> impl Fn(rusqlite::Error) -> StorageError {
    move |error| {
        if is_conversion(&error) {
            JournalError::Damaged { table, version }.into()
        } else {
            error.into()
        }
    }
}
