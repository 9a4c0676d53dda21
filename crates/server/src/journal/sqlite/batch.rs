//! What is written in one transaction.

use rusqlite::{CachedStatement, Connection, params};
use table::Entry;

use super::chain;
use super::cut::cut;
use super::database::{Database, put_fact};
use super::directory;
use super::heads::Heads;
use super::log::{self, Head, whole};
use super::problem::Problem;
use crate::TableId;
use crate::journal::{JournalError, NotWritten, OpenTable, Put, SnapshotText, Status};

/// What the writer is asked to do.
#[derive(Debug)]
pub(super) enum Write {
    /// Append lines after a version.
    Append(Append),
    /// Keep a snapshot.
    Keep(TableId, SnapshotText),
    /// Put a table into the directory.
    Put(OpenTable),
    /// Say how many seats of a table are free.
    Seats(TableId, u8, Status),
    /// Forget a table of the directory.
    Remove(TableId),
    /// Look through a log and cut off what is damaged.
    Cut(TableId),
    /// Give the whole file up, of which this many came before it, and save what can be read.
    Salvage(u64),
    /// Write something of no meaning, to see whether that works.
    Probe,
}

/// Lines that belong after a version.
#[derive(Debug)]
pub(super) struct Append {
    pub(super) table: TableId,
    pub(super) after: u64,
    pub(super) lines: Vec<NewLine>,
}

/// A line that is not in the log yet.
#[derive(Debug)]
pub(super) struct NewLine {
    pub(super) text: String,
    /// The number of the action that brought it about.
    pub(super) action: Option<i64>,
}

impl NewLine {
    pub(super) fn new(entry: &Entry, text: String) -> Self {
        Self { text, action: entry.action.as_ref().map(chain::action_number) }
    }
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// It is done.
    Done,
    /// The log does not end with the version after which the lines belong.
    Conflict,
    /// Another table has the code.
    CodeTaken,
    /// The log was damaged from this version on, and ends before it now.
    Cut(u64),
}

/// What is said to SQLite for each append: looked up once for a batch.
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

    /// Writes lines at the end of a log, and says where it ends then.
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

/// Does what is asked within the transaction of the batch.
pub(super) fn apply(
    database: &Database,
    statements: &mut Statements<'_>,
    heads: &mut Heads,
    write: &Write,
) -> Result<Written, Problem> {
    let connection = &database.connection;
    match write {
        Write::Append(new) => {
            let written = append(connection, statements, heads, new);
            or_cut(connection, heads, written)
        }
        Write::Keep(table, snapshot) => {
            let written = keep(connection, heads, *table, snapshot);
            or_cut(connection, heads, written)
        }
        Write::Put(table) => Ok(match directory::put(connection, table)? {
            Put::Done => Written::Done,
            Put::CodeTaken => Written::CodeTaken,
        }),
        Write::Seats(table, free, status) => {
            directory::seats(connection, *table, *free, *status)?;
            Ok(Written::Done)
        }
        Write::Remove(table) => Ok(directory::remove(connection, *table).map(|()| Written::Done)?),
        Write::Cut(table) => {
            heads.remove(*table);
            Ok(cut(connection, *table)?.map_or(Written::Done, Written::Cut))
        }
        // The writer does this before the transaction.
        Write::Salvage(_) => Ok(Written::Done),
        Write::Probe => {
            // As much as a batch may need: a disk on which one page more fits is as good as full.
            put_fact(connection, "probe", &vec![0; 1 << 16])?;
            Ok(Written::Done)
        }
    }
}

/// The same, but where damage was found, it is cut off.
fn or_cut(
    connection: &Connection,
    heads: &mut Heads,
    written: Result<Written, Problem>,
) -> Result<Written, Problem> {
    match written {
        Err(Problem::Journal(JournalError::Damaged { table, .. })) => {
            heads.remove(table);
            Ok(cut(connection, table)?.map_or(Written::Conflict, Written::Cut))
        }
        written => written,
    }
}

fn append(
    connection: &Connection,
    statements: &mut Statements<'_>,
    heads: &mut Heads,
    append: &Append,
) -> Result<Written, Problem> {
    let head = head(connection, heads, append.table)?;
    let last = head.map_or(0, |head| head.last);
    if append.after > last {
        return Err(NotWritten::Ahead { last }.into());
    }
    if append.after < last {
        return Ok(Written::Conflict);
    }
    if append.lines.is_empty() {
        return Ok(Written::Done);
    }
    let head = match head {
        Some(head) => head,
        None => log::begin(connection, append.table)?,
    };
    let head = statements.append(head, &append.lines)?;
    heads.insert(append.table, head);
    Ok(Written::Done)
}

/// Where a log ends, by what is remembered or by the file.
fn head(
    connection: &Connection,
    heads: &mut Heads,
    table: TableId,
) -> Result<Option<Head>, Problem> {
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

fn keep(
    connection: &Connection,
    heads: &mut Heads,
    table: TableId,
    snapshot: &SnapshotText,
) -> Result<Written, Problem> {
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
    Ok(Written::Done)
}

/// What came of an append whose commit failed, by what the file holds now.
pub(super) fn look(connection: &Connection, append: &Append) -> Result<Option<Written>, Problem> {
    let Some(head) = log::head(connection, append.table)? else { return Ok(None) };
    if head.last <= append.after {
        return Ok(None);
    }
    let found = log::lines(connection, append.table, &head, append.after, append.lines.len())?;
    let texts = append.lines.iter().map(|line| &line.text);
    let is_ours = found.iter().map(|line| &line.text).eq(texts);
    Ok(Some(if is_ours { Written::Done } else { Written::Conflict }))
}
