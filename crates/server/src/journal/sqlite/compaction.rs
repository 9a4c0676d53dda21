//! Building a file without free space.
//!
//! `VACUUM` would number the tables and indexes of the file anew, and a salvage needs them where a new
//! file has them. It would also write everything through the write-ahead log of the running file. So a
//! second file is filled, made durable, and then takes the place of the first by one renaming: whenever
//! this is interrupted, one of the two is whole.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::batch::WriteOutcome;
use super::database::{self, Database, connect, malformed, write_back};
use super::deletion::erase;
use super::folder::{Folder, private, remove};
use super::{OpenError, rules};
use crate::journal::CompactedSize;

/// The number of entries that are copied in one transaction, so that the write-ahead log stays short.
const AT_ONCE: i64 = 20_000;

/// Replaces the file by one without free space. The connection to the old one is closed, whatever
/// happens.
pub(super) fn compact(folder: &Folder, old: Database) -> Result<CompactedSize, OpenError> {
    let failed = |error: io::Error| OpenError::file(&folder.compacting(), &error);
    let length = |path: &Path| fs::metadata(path).map(|file| file.len()).map_err(failed);
    while erase(&old.connection)? == WriteOutcome::More {}
    rules::remove_all_unnamed(&old.connection)?;
    write_back(&old.connection)?;
    let before = length(&folder.database())?;
    let filled = fill(folder, &old.connection);
    let after = match filled {
        Ok(()) => length(&folder.compacting())?,
        Err(error) => {
            remove(&folder.compacting()).map_err(failed)?;
            return Err(error);
        }
    };
    drop(old);
    folder.replace_by_compacted().map_err(failed)?;
    Ok(CompactedSize { before, after })
}

/// Fills the new file, and makes it durable.
fn fill(folder: &Folder, old: &Connection) -> Result<(), OpenError> {
    let path = folder.compacting();
    let failed = |error: io::Error| OpenError::file(&path, &error);
    remove(&path).map_err(failed)?;
    private().truncate(true).open(&path).map_err(failed)?;
    let new = connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    database::migrate(&new, &path)?;
    // Nothing needs the file until it is complete; then it is synced as a whole.
    new.pragma_update(None, "synchronous", "off")?;
    new.execute("ATTACH ?1 AS old", [folder.database().to_string_lossy()])?;
    for table in tables(old)? {
        copy(&new, &table)?;
        if count(old, &table)? != count(&new, &table)? {
            return Err(malformed("rows of it could not be copied").into());
        }
    }
    new.execute_batch("DETACH old")?;
    write_back(&new)?;
    new.close().map_err(|(_, error)| error)?;
    File::open(&path).and_then(|file| file.sync_all()).map_err(failed)
}

fn tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let select = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid";
    connection.prepare(select)?.query_map([], |row| row.get(0))?.collect()
}

fn count(connection: &Connection, table: &str) -> rusqlite::Result<i64> {
    connection.query_row(&format!("SELECT count(*) FROM main.{table}"), [], |row| row.get(0))
}

/// Copies all rows of a table, those with entries in several transactions.
fn copy(new: &Connection, table: &str) -> rusqlite::Result<()> {
    if table != "entries" {
        return new.execute_batch(&format!(
            "BEGIN; DELETE FROM main.{table};
             INSERT INTO main.{table} SELECT * FROM old.{table}; COMMIT;"
        ));
    }
    let insert = "INSERT INTO main.entries SELECT * FROM old.entries
                  WHERE place > ?1 ORDER BY place LIMIT ?2";
    let mut place = i64::MIN;
    while new.execute(insert, [place, AT_ONCE])? > 0 {
        place = new.query_row("SELECT max(place) FROM main.entries", [], |row| row.get(0))?;
        write_back(new)?;
    }
    Ok(())
}
