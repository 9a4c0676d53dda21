//! The writes of one transaction.

use rusqlite::{CachedStatement, Connection, params};
use table::Entry;

use super::chain;
use super::cut::cut;
use super::database::{Database, put_fact};
use super::deletion;
use super::directory;
use super::heads::Heads;
use super::log::{self, Head, whole};
use super::rules;
use super::storage_error::StorageError;
use crate::TableId;
use crate::journal::{
    CompactedSize, JournalError, NotWritten, OpenTable, PutOutcome, RulesDigest, SnapshotText,
    TableStatus,
};

/// A request to the writer.
#[derive(Debug)]
pub(super) enum Write {
    /// Append lines after a version.
    Append(Append),
    /// Save a snapshot.
    KeepSnapshot(TableId, SnapshotText),
    /// Keep a text of rules.
    KeepRules(String),
    /// Store the record of a table in the directory.
    Put(OpenTable),
    /// Update the free seats and the status of a table in the directory.
    Seats(TableId, u8, TableStatus),
    /// Delete a table whose log ends with this version.
    Delete(TableId, u64),
    /// Erase some entries of deleted tables.
    Erase,
    /// Give a table a code until a time.
    SetCode(TableId, String, u64),
    /// Record the deadline of a table.
    SetDeadline(TableId, Option<u64>),
    /// Check a log, and cut it before the first damaged entry.
    Cut(TableId),
    /// Replace the whole file by what can be read of it, unless this is no longer the generation.
    Salvage(u64),
    /// Replace the whole file by one without free space.
    Compact,
    /// Write meaningless data, to see whether writing works.
    Probe,
}

/// Lines to append after a version.
#[derive(Debug)]
pub(super) struct Append {
    pub(super) table: TableId,
    pub(super) after: u64,
    pub(super) lines: Vec<NewLine>,
    /// The text of rules that the first line of a log names.
    pub(super) rules: Option<RulesDigest>,
}

/// A line to append.
#[derive(Debug)]
pub(super) struct NewLine {
    pub(super) text: String,
    /// The number of its action.
    pub(super) action: Option<i64>,
}

impl NewLine {
    pub(super) fn new(entry: &Entry, text: String) -> Self {
        Self { text, action: entry.action.as_ref().map(chain::action_number) }
    }
}

/// The outcome of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteOutcome {
    /// It was written.
    Done,
    /// The log has entries after the given version.
    Conflict,
    /// Another table has the code.
    CodeTaken,
    /// There is no such table.
    NoTable,
    /// It was written, and entries of deleted tables are left to be erased.
    More,
    /// The log was damaged, and ends before this version now.
    Cut(u64),
    /// The file was compacted.
    Compacted(CompactedSize),
}

impl From<PutOutcome> for WriteOutcome {
    fn from(outcome: PutOutcome) -> Self {
        match outcome {
            PutOutcome::Done => Self::Done,
            PutOutcome::CodeTaken => Self::CodeTaken,
        }
    }
}

/// The statements of an append, prepared once for a batch.
pub(super) struct Statements<'a> {
    insert: CachedStatement<'a>,
    end: CachedStatement<'a>,
}

impl<'a> Statements<'a> {
    pub(super) fn prepare(connection: &'a Connection) -> rusqlite::Result<Self> {
        let insert = connection.prepare_cached(
            "INSERT INTO entries (number, version, action, line, chain)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        let end = connection
            .prepare_cached("UPDATE tables SET last = ?2, chain = ?3 WHERE number = ?1")?;
        Ok(Self { insert, end })
    }

    /// Writes lines at the end of a log; returns the new end.
    fn append(&mut self, head: Head, lines: &[NewLine]) -> rusqlite::Result<Head> {
        let Head { number, mut last, mut chain, epoch } = head;
        for line in lines {
            last += 1;
            chain = chain::link(&chain, last, line.text.as_bytes());
            self.insert.execute(params![number, whole(last), line.action, line.text, chain])?;
        }
        self.end.execute(params![number, whole(last), chain])?;
        Ok(Head { number, last, chain, epoch })
    }
}

/// Performs a write within the transaction of the batch.
pub(super) fn apply(
    database: &Database,
    statements: &mut Statements<'_>,
    heads: &mut Heads,
    write: &Write,
) -> Result<WriteOutcome, StorageError> {
    let connection = &database.connection;
    match write {
        Write::Append(new) => {
            let written = append(connection, statements, heads, new);
            or_cut(connection, heads, written)
        }
        Write::KeepSnapshot(table, snapshot) => {
            let written = keep_snapshot(connection, heads, *table, snapshot);
            or_cut(connection, heads, written)
        }
        Write::KeepRules(text) => {
            rules::keep(connection, text)?;
            Ok(WriteOutcome::Done)
        }
        Write::Put(table) => Ok(directory::put(connection, table)?.into()),
        Write::Seats(table, free, status) => {
            directory::seats(connection, *table, *free, *status)?;
            Ok(WriteOutcome::Done)
        }
        Write::Delete(table, last) => {
            let deleted = delete(connection, heads, *table, *last);
            or_cut(connection, heads, deleted)
        }
        Write::Erase => Ok(deletion::erase(connection)?),
        Write::SetCode(table, code, until) => {
            Ok(directory::set_code(connection, *table, code, *until)?.into())
        }
        Write::SetDeadline(table, deadline) => {
            directory::set_deadline(connection, *table, *deadline)?;
            Ok(WriteOutcome::Done)
        }
        Write::Cut(table) => {
            heads.remove(*table);
            Ok(cut(connection, *table)?.map_or(WriteOutcome::Done, WriteOutcome::Cut))
        }
        // The writer does this before the transaction.
        Write::Salvage(_) | Write::Compact => Ok(WriteOutcome::Done),
        Write::Probe => {
            // As much as a batch may need: a disk with space for only one more page counts as full.
            put_fact(connection, "probe", &vec![0; 1 << 16])?;
            Ok(WriteOutcome::Done)
        }
    }
}

/// The outcome of a write; if the write found damage, the log is cut.
fn or_cut(
    connection: &Connection,
    heads: &mut Heads,
    written: Result<WriteOutcome, StorageError>,
) -> Result<WriteOutcome, StorageError> {
    match written {
        Err(StorageError::Journal(JournalError::Damaged { table, .. })) => {
            heads.remove(table);
            Ok(cut(connection, table)?.map_or(WriteOutcome::Conflict, WriteOutcome::Cut))
        }
        written => written,
    }
}

fn append(
    connection: &Connection,
    statements: &mut Statements<'_>,
    heads: &mut Heads,
    append: &Append,
) -> Result<WriteOutcome, StorageError> {
    let head = head(connection, heads, append.table)?;
    let last = head.map_or(0, |head| head.last);
    if append.after > last {
        return Err(NotWritten::Ahead { last }.into());
    }
    if append.after < last {
        return Ok(WriteOutcome::Conflict);
    }
    if append.lines.is_empty() {
        return Ok(WriteOutcome::Done);
    }
    if let Some(digest) = append.rules
        && !rules::is_kept(connection, digest)?
    {
        return Err(NotWritten::NoRules.into());
    }
    let head = match head {
        Some(head) => head,
        None => log::begin(connection, append.table)?,
    };
    if let Some(digest) = append.rules {
        rules::assign(connection, head.number, digest)?;
    }
    let head = statements.append(head, &append.lines)?;
    heads.insert(append.table, head);
    Ok(WriteOutcome::Done)
}

fn delete(
    connection: &Connection,
    heads: &mut Heads,
    table: TableId,
    last: u64,
) -> Result<WriteOutcome, StorageError> {
    let head = head(connection, heads, table)?;
    if head.is_some_and(|head| head.last != last) {
        return Ok(WriteOutcome::Conflict);
    }
    heads.remove(table);
    Ok(deletion::delete(connection, table, head)?)
}

/// The end of a log, from memory or from the file.
fn head(
    connection: &Connection,
    heads: &mut Heads,
    table: TableId,
) -> Result<Option<Head>, StorageError> {
    if let Some(head) = heads.get(table) {
        return Ok(Some(head));
    }
    let Some(head) = log::head(connection, table)? else { return Ok(None) };
    if !log::is_end(connection, table, &head)? {
        return Err(JournalError::Damaged { table, version: head.last }.into());
    }
    heads.insert(table, head);
    Ok(Some(head))
}

fn keep_snapshot(
    connection: &Connection,
    heads: &mut Heads,
    table: TableId,
    snapshot: &SnapshotText,
) -> Result<WriteOutcome, StorageError> {
    let head = head(connection, heads, table)?;
    let last = head.map_or(0, |head| head.last);
    let version = snapshot.version;
    let Some(head) = head.filter(|_| (1..=last).contains(&version)) else {
        return Err(NotWritten::Ahead { last }.into());
    };
    let chain = log::chain_at(connection, table, head.number, version)?;
    let seal = chain::link(&chain, version, snapshot.text.as_bytes());
    connection
        .prepare_cached(
            "INSERT INTO snapshots (number, version, chain, seal, text)
             VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (number) DO UPDATE
             SET version = ?2, chain = ?3, seal = ?4, text = ?5 WHERE version <= ?2",
        )?
        .execute(params![head.number, whole(version), chain, seal, snapshot.text])?;
    Ok(WriteOutcome::Done)
}

/// The outcome of an append whose commit failed, as the file shows it; none if it shows nothing.
pub(super) fn outcome_in_file(
    connection: &Connection,
    append: &Append,
) -> Result<Option<WriteOutcome>, StorageError> {
    let Some(head) = log::head(connection, append.table)? else { return Ok(None) };
    if head.last <= append.after {
        return Ok(None);
    }
    let found = log::lines(connection, append.table, &head, append.after, append.lines.len())?;
    let texts = append.lines.iter().map(|line| &line.text);
    let is_ours = found.iter().map(|line| &line.text).eq(texts);
    Ok(Some(if is_ours { WriteOutcome::Done } else { WriteOutcome::Conflict }))
}
