//! The directory in the file.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::database::{Database, is_conversion};
use super::listing;
use super::log::whole;
use super::storage_error::StorageError;
use crate::TableId;
use crate::journal::{Listing, OpenTable, PutOutcome, TableStatus};

const COLUMNS: &str = "id, code, game, is_listed, created_at, free_seats, status, code_until";

pub(super) fn put(connection: &Connection, table: &OpenTable) -> rusqlite::Result<PutOutcome> {
    if is_taken(connection, &table.code, table.id)? {
        return Ok(PutOutcome::CodeTaken);
    }
    let insert = format!(
        "INSERT INTO directory ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT (id) DO UPDATE SET code = ?2, game = ?3, is_listed = ?4, created_at = ?5,
           free_seats = ?6, status = ?7, code_until = ?8"
    );
    connection.prepare_cached(&insert)?.execute(params![
        table.id,
        table.code,
        table.game,
        table.is_listed,
        whole(table.created_at),
        table.free_seats,
        table.status,
        whole(table.code_until)
    ])?;
    Ok(PutOutcome::Done)
}

/// Whether another table has this code, valid or not.
fn is_taken(connection: &Connection, code: &str, table: TableId) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM directory WHERE code = ?1 AND id <> ?2)")?
        .query_row(params![code, table], |row| row.get(0))
}

pub(super) fn set_code(
    connection: &Connection,
    table: TableId,
    code: &str,
    until: u64,
) -> rusqlite::Result<PutOutcome> {
    if is_taken(connection, code, table)? {
        return Ok(PutOutcome::CodeTaken);
    }
    let update = "UPDATE directory SET code = ?2, code_until = ?3 WHERE id = ?1";
    connection.prepare_cached(update)?.execute(params![table, code, whole(until)])?;
    Ok(PutOutcome::Done)
}

pub(super) fn set_deadline(
    connection: &Connection,
    table: TableId,
    deadline: Option<u64>,
) -> rusqlite::Result<()> {
    let update = "UPDATE directory SET deadline = ?2 WHERE id = ?1";
    connection.prepare_cached(update)?.execute(params![table, deadline.map(whole)]).map(drop)
}

pub(super) fn deadlines(database: &Database) -> Result<Vec<(u64, TableId)>, StorageError> {
    let select = "SELECT deadline, id FROM directory WHERE deadline IS NOT NULL
         ORDER BY deadline, id LIMIT ?1";
    let mut statement = database.connection.prepare_cached(select)?;
    let limit = i64::try_from(Listing::MAX).unwrap_or(i64::MAX);
    let deadline = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?));
    let deadlines = statement.query_map([limit], deadline)?;
    Ok(deadlines.filter(is_readable).collect::<Result<_, _>>()?)
}

pub(super) fn seats(
    connection: &Connection,
    table: TableId,
    free: u8,
    status: TableStatus,
) -> rusqlite::Result<()> {
    let update = "UPDATE directory SET free_seats = ?2, status = ?3 WHERE id = ?1";
    connection.prepare_cached(update)?.execute(params![table, free, status]).map(drop)
}

pub(super) fn by_id(
    database: &Database,
    table: TableId,
) -> Result<Option<OpenTable>, StorageError> {
    one(database, "id = ?1", &table)
}

pub(super) fn by_code(
    database: &Database,
    code: &str,
    now: u64,
) -> Result<Option<OpenTable>, StorageError> {
    let table = one(database, "code = ?1", &code)?;
    Ok(table.filter(|table| table.has_valid_code(now)))
}

fn one(
    database: &Database,
    condition: &str,
    value: &dyn ToSql,
) -> Result<Option<OpenTable>, StorageError> {
    let select = format!("SELECT {COLUMNS} FROM directory WHERE {condition}");
    let mut statement = database.connection.prepare_cached(&select)?;
    match statement.query_row([value], open_table).optional() {
        // A damaged record counts as missing: it can be restored from the log.
        Err(error) if is_conversion(&error) => Ok(None),
        table => Ok(table?),
    }
}

pub(super) fn listed(
    database: &Database,
    listing: &Listing,
) -> Result<Vec<OpenTable>, StorageError> {
    let select = format!(
        "SELECT {COLUMNS} FROM directory
         WHERE is_listed AND (created_at, id) < (?1, ?2) AND (?3 IS NULL OR status = ?3)
         ORDER BY created_at DESC, id DESC LIMIT ?4"
    );
    let (at, id) = listing.after.unwrap_or((u64::MAX, TableId::new([u8::MAX; 16])));
    let limit = i64::try_from(listing.limit.min(Listing::MAX)).unwrap_or(i64::MAX);
    let mut statement = database.connection.prepare_cached(&select)?;
    let tables = statement.query_map(params![whole(at), id, listing.status, limit], open_table)?;
    Ok(tables.filter(is_readable).collect::<Result<_, _>>()?)
}

pub(super) fn records(
    database: &Database,
    after: Option<TableId>,
    limit: usize,
) -> Result<Vec<OpenTable>, StorageError> {
    let select = format!("SELECT {COLUMNS} FROM directory WHERE id > ?1 ORDER BY id LIMIT ?2");
    let after = after.map_or_else(Vec::new, |table| table.bits().to_vec());
    let mut statement = database.connection.prepare_cached(&select)?;
    let records = statement.query_map(params![after, listing::page(limit)], open_table)?;
    Ok(records.filter(is_readable).collect::<Result<_, _>>()?)
}

/// Whether a row is not damaged. A damaged one counts as missing.
fn is_readable<T>(row: &rusqlite::Result<T>) -> bool {
    !matches!(row, Err(error) if is_conversion(error))
}

fn open_table(row: &Row<'_>) -> rusqlite::Result<OpenTable> {
    Ok(OpenTable {
        id: row.get(0)?,
        code: row.get(1)?,
        game: row.get(2)?,
        is_listed: row.get(3)?,
        created_at: row.get::<_, i64>(4)?.cast_unsigned(),
        free_seats: row.get(5)?,
        status: row.get(6)?,
        code_until: row.get::<_, i64>(7)?.cast_unsigned(),
    })
}

impl ToSql for TableId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Blob(self.bits())))
    }
}

impl FromSql for TableId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        <[u8; 16]>::column_result(value).map(Self::new)
    }
}

impl ToSql for TableStatus {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let number: i64 = match self {
            Self::Waiting => 0,
            Self::Playing => 1,
            Self::Idle => 2,
        };
        Ok(number.into())
    }
}

impl FromSql for TableStatus {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match i64::column_result(value)? {
            0 => Ok(Self::Waiting),
            1 => Ok(Self::Playing),
            2 => Ok(Self::Idle),
            other => Err(FromSqlError::OutOfRange(other)),
        }
    }
}
