//! Texts of rules in the file.
//!
//! They are in `facts`, because a salvage finds that table in every file, and have their digests as names:
//! a text that was changed is noticed.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _, params};
use table::Entry;

use super::OpenError;
use super::database::{Database, fact, put_fact};
use super::storage_error::StorageError;
use crate::journal::{JournalError, MAX_RULES_BYTES, RulesDigest};

/// What the names of all texts begin with, and the first name after them.
const NAMES: [&str; 2] = ["rules ", "rules!"];

fn name(digest: RulesDigest) -> String {
    format!("{}{digest}", NAMES[0])
}

/// Keeps a text under its digest, unless it is kept already.
pub(super) fn keep(connection: &Connection, text: &str) -> rusqlite::Result<()> {
    let name = name(RulesDigest::of(text));
    if fact(connection, &name)?.as_deref() == Some(text.as_bytes()) {
        return Ok(());
    }
    put_fact(connection, &name, text.as_bytes())
}

/// The text with this digest.
pub(super) fn read(
    database: &Database,
    digest: RulesDigest,
) -> Result<Option<String>, StorageError> {
    let Some(bytes) = fact(&database.connection, &name(digest))? else { return Ok(None) };
    match intact(digest, bytes) {
        Some(text) => Ok(Some(text)),
        None => {
            Err(JournalError::NotRead { why: format!("the rules {digest} were changed") }.into())
        }
    }
}

fn intact(digest: RulesDigest, bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok().filter(|text| RulesDigest::of(text) == digest)
}

pub(super) fn is_kept(connection: &Connection, digest: RulesDigest) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM facts WHERE name = ?1)")?
        .query_row([name(digest)], |row| row.get(0))
}

/// Records that a table names a text.
pub(super) fn assign(
    connection: &Connection,
    number: i64,
    digest: RulesDigest,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE tables SET rules = ?2 WHERE number = ?1")?
        .execute(params![number, digest.bytes()])
        .map(drop)
}

/// Removes the text that a table names, unless another table names it.
pub(super) fn release(connection: &Connection, number: i64) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached("SELECT rules FROM tables WHERE number = ?1")?;
    let rules = statement.query_row([number], |row| Ok(row.get::<_, [u8; 16]>(0).ok()));
    let Some(rules) = rules.optional()?.flatten() else { return Ok(()) };
    connection
        .prepare_cached("UPDATE tables SET rules = NULL WHERE number = ?1")?
        .execute([number])?;
    remove_unnamed(connection, RulesDigest::from(rules))
}

fn remove_unnamed(connection: &Connection, digest: RulesDigest) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "DELETE FROM facts WHERE name = ?1
             AND NOT EXISTS (SELECT 1 FROM tables WHERE rules = ?2)",
        )?
        .execute(params![name(digest), digest.bytes()])
        .map(drop)
}

/// Removes all texts that no table names.
pub(super) fn remove_all_unnamed(connection: &Connection) -> rusqlite::Result<()> {
    let mut statement =
        connection.prepare("SELECT name FROM facts WHERE name >= ?1 AND name < ?2")?;
    let names = statement.query_map(NAMES, |row| row.get::<_, String>(0))?;
    let names: Vec<String> = names.collect::<rusqlite::Result<_>>()?;
    for digest in names.iter().filter_map(|name| digest_in(name)) {
        remove_unnamed(connection, digest)?;
    }
    Ok(())
}

fn digest_in(name: &str) -> Option<RulesDigest> {
    name.strip_prefix(NAMES[0])?.parse().ok()
}

/// Copies all texts of a damaged file that can be read, from both ends.
pub(super) fn copy(source: &Connection, new: &Connection) -> rusqlite::Result<()> {
    for order in ["", "DESC"] {
        let select = format!(
            "SELECT name, value FROM facts WHERE name >= ?1 AND name < ?2 ORDER BY name {order}"
        );
        let Ok(mut statement) = source.prepare(&select) else { continue };
        let mut rows = statement.query(NAMES)?;
        while let Ok(Some(row)) = rows.next() {
            let (Ok(name), Ok(bytes)) = (row.get::<_, String>(0), row.get::<_, Vec<u8>>(1)) else {
                continue;
            };
            let text = digest_in(&name).and_then(|digest| intact(digest, bytes));
            if let Some(text) = text {
                keep(new, &text)?;
            }
        }
    }
    Ok(())
}

/// Records the text that a table names in its first entry, as the entry says.
pub(super) fn assign_by_log(connection: &Connection, number: i64) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "SELECT line FROM entries WHERE version / 16 = 0 AND number = ?1 AND version = 1",
    )?;
    let line = statement.query_row([number], |row| Ok(row.get::<_, String>(0).ok())).optional()?;
    let first = line.flatten().and_then(|line| Entry::read(&line, 1).ok());
    match first.as_ref().and_then(RulesDigest::named_in) {
        Some(digest) => assign(connection, number, digest),
        None => Ok(()),
    }
}

/// Takes over the texts that older programs kept in files beside the journal, and removes the files. A
/// file that is not what its name says stays where it is.
pub(super) fn import(folder: &Path, database: &Database) -> Result<(), OpenError> {
    let folder = folder.join("rules");
    let failed = |error: io::Error| OpenError::file(&folder, &error);
    let paths = files(&folder).map_err(failed)?;
    if paths.is_empty() {
        return Ok(());
    }
    let transaction = database.connection.unchecked_transaction()?;
    let mut imported = Vec::new();
    for path in paths {
        let digest = path.file_stem().and_then(|name| name.to_str()?.parse().ok());
        let text = fs::read(&path).map_err(failed)?;
        let text = digest.and_then(|digest| intact(digest, text));
        let Some(text) = text.filter(|text| text.len() <= MAX_RULES_BYTES) else {
            tracing::warn!(file = %path.display(), "these rules were changed, and are left alone");
            continue;
        };
        keep(&transaction, &text)?;
        imported.push(path);
    }
    assign_all(&transaction)?;
    remove_all_unnamed(&transaction)?;
    transaction.commit()?;
    for path in imported {
        fs::remove_file(path).map_err(failed)?;
    }
    // It stays if something else is in it.
    drop(fs::remove_dir(&folder));
    Ok(())
}

/// Records the texts that all tables name.
fn assign_all(connection: &Connection) -> rusqlite::Result<()> {
    let mut statement = connection.prepare(
        "SELECT tables.number FROM tables JOIN entries ON entries.number = tables.number
         WHERE version / 16 = 0 AND version = 1 AND line LIKE '%@%'",
    )?;
    let numbers = statement.query_map([], |row| row.get(0))?;
    let numbers: Vec<i64> = numbers.collect::<rusqlite::Result<_>>()?;
    numbers.into_iter().try_for_each(|number| assign_by_log(connection, number))
}

/// The files of texts in a folder; none if it does not exist.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "cradle") {
            paths.push(path);
        }
    }
    Ok(paths)
}
