//! Saving what can be read of a malformed file.

use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, params, params_from_iter};

use super::database::{self, HEADER, KNOWN, connect, is_known_schema, put_key, schema, write_back};
use super::deletion::deleted_id;
use super::folder::{Folder, private, remove, wal};
use super::log::{make_known, valid_prefix, whole};
use super::{OpenError, Salvaged, rules};
use crate::TableId;
use crate::journal::epoch::random_epoch;

/// Builds a new file from what can be read of the damaged one, and moves the damaged one aside. If this
/// fails, the damaged one stays where it is.
pub(super) fn salvage(folder: &Folder, why: String) -> Result<Salvaged, OpenError> {
    let failed = |error: io::Error| OpenError::file(&folder.database(), &error);
    remove(&folder.building()).map_err(failed)?;
    private().truncate(true).open(folder.building()).map_err(failed)?;
    let new = connect(&folder.building(), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    database::migrate(&new, &folder.building())?;
    write_back(&new)?;
    let source = copy(folder).map_err(failed)?;
    let (tables, entries, lost) = fill(&new, source.as_ref())?;
    drop(source);
    let has_key = database::key(&new)?.is_some();
    write_back(&new)?;
    drop(new);
    let aside = folder.aside();
    folder.replace(&aside).map_err(failed)?;
    remove(&folder.copy()).map_err(failed)?;
    let salvaged = Salvaged { why, aside, tables, entries, lost, has_key };
    tracing::error!(%salvaged, "the journal was malformed");
    Ok(salvaged)
}

/// A connection to a copy of the damaged file, if it can be opened. `SQLite` changes files even when it
/// reads them, and the damaged one is evidence.
fn copy(folder: &Folder) -> io::Result<Option<Connection>> {
    let (from, to) = (folder.database(), folder.copy());
    remove(&to)?;
    fs::copy(&from, &to)?;
    if wal(&from).exists() {
        fs::copy(wal(&from), wal(&to))?;
    }
    let page = first_page(&folder.building())?;
    overwrite(&to, &HEADER)?;
    if let Some(source) = readable(&to) {
        return Ok(Some(source));
    }
    overwrite(&to, &with_length(page, fs::metadata(&to)?.len()))?;
    Ok(readable(&to))
}

/// A connection to a file with the right schema.
fn readable(path: &Path) -> Option<Connection> {
    let source = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE).ok()?;
    let is_known = is_known_schema(&schema(&source).ok()?, KNOWN).ok()?;
    is_known.then_some(source)
}

const PAGE: usize = 4096;

/// The first page of a new file, which holds the layout and the schema.
fn first_page(new: &Path) -> io::Result<[u8; PAGE]> {
    let mut page = [0; PAGE];
    fs::File::open(new)?.read_exact(&mut page)?;
    Ok(page)
}

/// The first page of a file of this length without free pages.
fn with_length(mut page: [u8; PAGE], length: u64) -> [u8; PAGE] {
    let pages = u32::try_from(length.div_ceil(PAGE as u64)).unwrap_or(u32::MAX);
    page[28..32].copy_from_slice(&pages.to_be_bytes());
    page[32..40].fill(0);
    page
}

fn overwrite(path: &Path, start: &[u8]) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).open(path)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(start)
}

/// Copies what can be read. Returns the numbers of saved tables, of saved entries, and of readable
/// entries that do not follow from those before them.
fn fill(new: &Connection, source: Option<&Connection>) -> Result<(u64, u64, u64), OpenError> {
    new.execute_batch("BEGIN; CREATE TEMP TABLE candidates (number INTEGER, id BLOB);")?;
    new.execute_batch("DELETE FROM facts WHERE name <> 'version'")?;
    if let Some(source) = source {
        if let Ok(Some(key)) = database::key(source) {
            put_key(new, &key)?;
        }
        rules::copy(source, new)?;
        ENTRIES.copy(source, new)?;
        TABLES.copy(source, new)?;
        DIRECTORY.copy(source, new)?;
        DAMAGED.copy(source, new)?;
        copy_index(source, new)?;
    }
    let tables = settle(new)?;
    // Entries after a gap, and those of unknown tables.
    let orphans = "INSERT INTO damaged (id, number, version, line, chain)
        SELECT id, entries.number, version, line, entries.chain
        FROM entries LEFT JOIN tables USING (number)
        WHERE tables.number IS NULL OR version NOT BETWEEN 1 AND last";
    new.execute(orphans, [])?;
    new.execute(
        "DELETE FROM entries WHERE NOT EXISTS (SELECT 1 FROM tables
         WHERE tables.number = entries.number AND version BETWEEN 1 AND last)",
        [],
    )?;
    let count = |of: &str| -> rusqlite::Result<i64> {
        new.query_row(&format!("SELECT count(*) FROM {of}"), [], |row| row.get(0))
    };
    let (entries, lost) = (count("entries")?, count("damaged")?);
    let epoch = random_epoch()?;
    database::put_fact(new, "epoch", &epoch.to_le_bytes())?;
    new.execute_batch("COMMIT; DROP TABLE temp.candidates;")?;
    Ok((tables, entries.cast_unsigned(), lost.cast_unsigned()))
}

/// Matches each log with the id that its hashes begin with, and cuts it before its first damaged entry.
fn settle(new: &Connection) -> Result<u64, OpenError> {
    let mut tables = 0;
    let mut candidates =
        new.prepare("SELECT DISTINCT number, id FROM candidates ORDER BY number")?;
    let mut rows = candidates.query([])?;
    while let Some(row) = rows.next()? {
        let Ok(number) = row.get::<_, i64>(0) else { continue };
        if row.get::<_, Vec<u8>>(1).is_ok_and(|id| id == deleted_id(number)) {
            new.prepare_cached("DELETE FROM entries WHERE number = ?1")?.execute([number])?;
        }
        let Ok(table) = row.get::<_, TableId>(1) else { continue };
        let (last, chain) = valid_prefix(new, table, number)?;
        if last == 0 {
            continue;
        }
        let insert = "INSERT OR IGNORE INTO tables (number, id, last, chain, epoch) VALUES (?1, ?2, ?3, ?4, 0)";
        let is_new =
            new.prepare_cached(insert)?.execute(params![number, table, whole(last), chain])?;
        rules::assign_by_log(new, number)?;
        make_known(new, table, number)?;
        tables += is_new as u64;
    }
    Ok(tables)
}

/// Copies the ids of tables from their index, which is on other pages than the table.
fn copy_index(source: &Connection, new: &Connection) -> rusqlite::Result<()> {
    for order in ["", "DESC"] {
        let select =
            format!("SELECT number, id FROM tables INDEXED BY tables_by_id ORDER BY id {order}");
        let Ok(mut statement) = source.prepare(&select) else { continue };
        let mut rows = statement.query([])?;
        while let Ok(Some(row)) = rows.next() {
            if let (Ok(number), Ok(id)) = (row.get::<_, i64>(0), row.get::<_, Value>(1)) {
                new.prepare_cached("INSERT INTO candidates (number, id) VALUES (?1, ?2)")?
                    .execute(params![number, id])?;
            }
        }
    }
    Ok(())
}

/// A table that is copied row by row.
struct RowCopy {
    from: &'static str,
    to: &'static str,
    /// The integer key of a row, which is the first column.
    key: &'static str,
    columns: &'static str,
    width: usize,
}

const ENTRIES: RowCopy = RowCopy {
    from: "entries",
    to: "entries",
    key: "place",
    columns: "place, number, version, action, line, chain",
    width: 6,
};

const TABLES: RowCopy =
    RowCopy { from: "tables", to: "candidates", key: "number", columns: "number, id", width: 2 };

const DIRECTORY: RowCopy = RowCopy {
    from: "directory",
    to: "directory",
    key: "place",
    columns: "place, id, code, game, is_listed, created_at, free_seats, status, code_until, deadline",
    width: 10,
};

const DAMAGED: RowCopy = RowCopy {
    from: "damaged",
    to: "damaged",
    key: "place",
    columns: "place, id, number, version, line, chain",
    width: 6,
};

impl RowCopy {
    /// Copies all readable rows, also between unreadable pages.
    fn copy(&self, source: &Connection, new: &Connection) -> rusqlite::Result<()> {
        let mut from = 1;
        loop {
            let (stuck, is_done) = self.pass(source, new, from..i64::MAX, "")?;
            let next = if is_done { None } else { self.skip(source, stuck) };
            let Some(next) = next else { return Ok(()) };
            self.pass(source, new, stuck..next, "DESC")?;
            from = next;
        }
    }

    /// Copies rows in one direction up to the first unreadable one. Returns the first key after them, and
    /// whether there are no more.
    fn pass(
        &self,
        source: &Connection,
        new: &Connection,
        keys: std::ops::Range<i64>,
        order: &str,
    ) -> rusqlite::Result<(i64, bool)> {
        let Self { from, key, columns, .. } = self;
        let select = format!(
            "SELECT {columns} FROM {from} WHERE {key} >= ?1 AND {key} < ?2 ORDER BY {key} {order}"
        );
        let Ok(mut statement) = source.prepare(&select) else { return Ok((keys.start, false)) };
        let mut rows = statement.query([keys.start, keys.end])?;
        let mut reached = keys.start;
        loop {
            match rows.next() {
                Ok(Some(row)) => {
                    reached = row.get::<_, i64>(0)?.saturating_add(1).max(reached);
                    self.insert(row, new)?;
                }
                Ok(None) => return Ok((reached, true)),
                Err(_) => return Ok((reached, false)),
            }
        }
    }

    fn insert(&self, row: &rusqlite::Row<'_>, new: &Connection) -> rusqlite::Result<()> {
        let values = (0..self.width).map(|column| row.get::<_, Value>(column));
        let Ok(values) = values.collect::<rusqlite::Result<Vec<_>>>() else { return Ok(()) };
        let Self { to, columns, width, .. } = self;
        let marks = vec!["?"; *width].join(", ");
        let insert = format!("INSERT OR IGNORE INTO {to} ({columns}) VALUES ({marks})");
        new.prepare_cached(&insert)?.execute(params_from_iter(values)).map(drop)
    }

    /// The first readable key after an unreadable one, or a key not far after it.
    fn skip(&self, source: &Connection, stuck: i64) -> Option<i64> {
        let Self { from, key, .. } = self;
        let select = format!("SELECT {key} FROM {from} WHERE {key} >= ?1 ORDER BY {key} LIMIT 1");
        let mut statement = source.prepare(&select).ok()?;
        for distance in (0..40).map(|power| 1_i64 << power) {
            let start = stuck.checked_add(distance)?;
            let found = statement.query_row([start], |row| row.get(0)).optional();
            if let Ok(found) = found {
                return found;
            }
        }
        None
    }
}
