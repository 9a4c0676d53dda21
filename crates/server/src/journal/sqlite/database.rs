//! The file of a journal: its connections and its schema.

use std::fs::File;
use std::io::Read as _;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, params};
use sha2::{Digest, Sha256};

use super::OpenError;
use crate::journal::epoch::random_epoch;
use crate::journal::installation_key::InstallationKey;

/// The schema, after the last migration:
///
/// - `facts`: the key and the epoch of the installation, and texts of rules.
/// - `tables`: a small number for each table, and the end of its log. The end is written with every
///   append, so that the loss of entries is noticed. A table whose game is written as text names the
///   digest of its rules, so that a text leaves with the last table that needs it.
/// - `known`: the numbers of all tables once more, by half of their ids. A table that is in `known` but
///   not in `tables` has not an empty log, but a lost one.
/// - `entries`: the entries of all tables in the order of their arrival, so that the entries of a batch
///   share pages. One index finds versions and, by a scan of one table's part, actions: a second index
///   would double the number of pages that an entry touches. It has sixteen versions of a table, then those
///   of the next table, and so on: tables that are played at the same time share its pages, too. With all
///   versions of a table together, each entry would change a page of its own.
/// - `damaged`: entries that were cut off.
///
/// The schema must fit on the first page, which a salvage replaces by a new one. Later migrations add
/// columns and change indexes only: a salvage reads tables at the root pages of the first one, and rows that
/// were written before a column existed have its default.
const MIGRATIONS: [&str; 4] = [
    "
CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE tables (number INTEGER PRIMARY KEY, id BLOB NOT NULL,
  last INTEGER NOT NULL, chain BLOB NOT NULL, epoch INTEGER NOT NULL);
CREATE UNIQUE INDEX tables_by_id ON tables (id);
CREATE TABLE known (half INTEGER PRIMARY KEY, number INTEGER NOT NULL);
CREATE TABLE entries (place INTEGER PRIMARY KEY, number INTEGER NOT NULL,
  version INTEGER NOT NULL, action INTEGER, line TEXT NOT NULL, chain BLOB NOT NULL);
CREATE UNIQUE INDEX entries_by_version ON entries (number, version, action);
CREATE TABLE snapshots (number INTEGER PRIMARY KEY, version INTEGER NOT NULL,
  chain BLOB NOT NULL, seal BLOB NOT NULL, text TEXT NOT NULL);
CREATE TABLE damaged (place INTEGER PRIMARY KEY, id BLOB, number INTEGER, version INTEGER,
  line BLOB, chain BLOB);
CREATE TABLE directory (place INTEGER PRIMARY KEY, id BLOB NOT NULL, code TEXT NOT NULL,
  game TEXT NOT NULL, is_listed INTEGER NOT NULL, created_at INTEGER NOT NULL,
  free_seats INTEGER NOT NULL, status INTEGER NOT NULL);
CREATE UNIQUE INDEX directory_by_id ON directory (id);
CREATE UNIQUE INDEX directory_by_code ON directory (code);
CREATE INDEX directory_by_age ON directory (created_at, id) WHERE is_listed;
",
    // Codes that were made before they expired have expired.
    "
ALTER TABLE directory ADD COLUMN code_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE directory ADD COLUMN deadline INTEGER;
CREATE INDEX directory_by_deadline ON directory (deadline, id) WHERE deadline IS NOT NULL;
",
    "
ALTER TABLE tables ADD COLUMN rules BLOB;
CREATE INDEX tables_by_rules ON tables (rules) WHERE rules IS NOT NULL;
",
    "
DROP INDEX entries_by_version;
CREATE UNIQUE INDEX entries_by_block ON entries (version / 16, number, version, action);
",
];

/// The version of the schema that this program knows.
pub(super) const KNOWN: usize = MIGRATIONS.len();

/// The first bytes of every file: the format, pages of 4096 bytes, a write-ahead log, and numbers that
/// `SQLite` never changes.
pub(super) const HEADER: [u8; 24] = *b"SQLite format 3\0\x10\x00\x02\x02\x00\x40\x20\x20";

/// A connection to the file, and its epoch.
#[derive(Debug)]
pub(super) struct Database {
    pub(super) connection: Connection,
    pub(super) epoch: u64,
}

/// After this time without work, a connection frees its page cache. Pages are then read again from the
/// cache of the system, which is cheap.
pub(super) const IDLE_TIME: Duration = Duration::from_secs(1);

impl Database {
    /// Opens the file for writing. Its schema must exist.
    pub(super) fn to_write(path: &Path) -> rusqlite::Result<Self> {
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // SQLite would do this while callers wait for a commit; the writer does it after it has answered
        // them.
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        Self::with(connection)
    }

    /// Opens the file for reading.
    pub(super) fn to_read(path: &Path) -> rusqlite::Result<Self> {
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        // A small cache: a table that was loaded is in memory and is not read again.
        connection.pragma_update(None, "cache_size", -1_000)?;
        Self::with(connection)
    }

    fn with(connection: Connection) -> rusqlite::Result<Self> {
        let epoch = epoch(&connection)?.unwrap_or(0);
        Ok(Self { connection, epoch })
    }

    /// Frees the page cache, so that pages are read again from the file.
    pub(super) fn free_pages(&self) {
        if let Err(error) = self.connection.execute_batch("PRAGMA shrink_memory") {
            tracing::warn!(%error, "the page cache could not be freed");
        }
    }

    /// Begins a new epoch of all logs.
    pub(super) fn renew_epoch(&mut self) -> Result<(), OpenError> {
        let epoch = random_epoch()?;
        put_fact(&self.connection, "epoch", &epoch.to_le_bytes())?;
        self.epoch = epoch;
        Ok(())
    }
}

/// Opens an existing file with the settings that all connections share.
pub(super) fn connect(path: &Path, access: OpenFlags) -> rusqlite::Result<Connection> {
    // Each connection belongs to one thread.
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.pragma_update(None, "cache_size", -8_000)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    if access.contains(OpenFlags::SQLITE_OPEN_READ_WRITE) {
        connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
        connection.pragma_update(None, "synchronous", "full")?;
        // The write-ahead log shrinks again after a burst.
        connection.pragma_update_and_check(None, "journal_size_limit", 1 << 26, |_| Ok(()))?;
    }
    Ok(connection)
}

/// Checks that a file is empty or begins with [`HEADER`]. `SQLite` opens some other files, and refuses to
/// write to them later.
pub(super) fn check_header(path: &Path) -> Result<(), OpenError> {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(24).read_to_end(&mut start));
    read.map_err(|error| OpenError::file(path, &error))?;
    if start.is_empty() || start == HEADER {
        return Ok(());
    }
    Err(malformed("its header was changed").into())
}

/// Migrates the schema of a file to the latest version.
pub(super) fn migrate(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let version = check_schema(connection, path)?;
    Ok(build(connection, version..KNOWN)?)
}

/// Checks that the schema of a file is one that this program knows, or that there is none. Returns its
/// version.
pub(super) fn check_schema(connection: &Connection, path: &Path) -> Result<usize, OpenError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found == 0 && schema(connection)?.is_empty() {
        return Ok(0);
    }
    // The version is in the file twice, so that a damaged byte does not look like a newer program.
    if fact(connection, "version")? != Some(found.to_le_bytes().to_vec()) {
        return Err(malformed("its schema version was changed").into());
    }
    let version = usize::try_from(found).unwrap_or(0);
    if version > KNOWN {
        return Err(OpenError::Newer { path: path.to_owned(), found, known: KNOWN });
    }
    if !is_known_schema(&schema(connection)?, version)? {
        return Err(malformed("its schema was changed").into());
    }
    Ok(version)
}

/// The first problems that `SQLite` finds in the pages of a file.
pub(super) fn integrity(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("PRAGMA integrity_check(10)")?;
    let problems = statement.query_map([], |row| row.get::<_, String>(0))?;
    let is_problem = |found: &rusqlite::Result<String>| !matches!(found, Ok(text) if text == "ok");
    problems.filter(is_problem).collect()
}

/// Runs the migrations from one version to another.
fn build(connection: &Connection, versions: Range<usize>) -> rusqlite::Result<()> {
    if versions.is_empty() {
        return Ok(());
    }
    let transaction = connection.unchecked_transaction()?;
    for (version, migration) in (1_i64..).zip(MIGRATIONS).take(versions.end).skip(versions.start) {
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "user_version", version)?;
        put_fact(&transaction, "version", &version.to_le_bytes())?;
    }
    transaction.commit()
}

/// One row for each table and index.
pub(super) type Schema = Vec<SchemaRow>;

/// A table or an index.
#[derive(Debug)]
pub(super) struct SchemaRow {
    name: String,
    root: i64,
    sql: String,
}

pub(super) fn schema(connection: &Connection) -> rusqlite::Result<Schema> {
    let select = "SELECT name, rootpage, coalesce(sql, '') FROM sqlite_schema ORDER BY rowid";
    let mut statement = connection.prepare(select)?;
    let rows = statement.query_map([], |row| {
        Ok(SchemaRow { name: row.get(0)?, root: row.get(1)?, sql: row.get(2)? })
    })?;
    rows.collect()
}

/// Whether a schema is that of a version. Root pages count only for what the first migration made: those
/// of later indexes depend on the file.
pub(super) fn is_known_schema(found: &Schema, version: usize) -> rusqlite::Result<bool> {
    let fresh = Connection::open_in_memory()?;
    build(&fresh, 0..version.min(1))?;
    let first = schema(&fresh)?;
    build(&fresh, version.min(1)..version)?;
    let known = schema(&fresh)?;
    let is_first = |name: &str| first.iter().any(|row| row.name == name);
    let is_equal = |(found, known): (&SchemaRow, &SchemaRow)| {
        found.name == known.name
            && found.sql == known.sql
            && (!is_first(&known.name) || found.root == known.root)
    };
    Ok(found.len() == known.len() && found.iter().zip(&known).all(is_equal))
}

/// The error by which `SQLite` reports a corrupt file.
pub(super) fn malformed(why: &str) -> rusqlite::Error {
    let corrupt = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    rusqlite::Error::SqliteFailure(corrupt, Some(why.to_owned()))
}

/// The key of the installation. The file has two copies, each with its digest.
pub(super) fn key(connection: &Connection) -> rusqlite::Result<Option<InstallationKey>> {
    let first = fact(connection, "key")?.and_then(|fact| unsealed(&fact));
    if first.is_some() {
        return Ok(first);
    }
    Ok(fact(connection, "key again")?.and_then(|fact| unsealed(&fact)))
}

pub(super) fn put_key(connection: &Connection, key: &InstallationKey) -> rusqlite::Result<()> {
    let sealed = [key.0.as_slice(), &Sha256::digest(key.0)].concat();
    put_fact(connection, "key", &sealed)?;
    put_fact(connection, "key again", &sealed)
}

fn unsealed(fact: &[u8]) -> Option<InstallationKey> {
    let (key, seal) = fact.split_first_chunk()?;
    (seal == Sha256::digest(key).as_slice()).then_some(InstallationKey(*key))
}

/// The epoch of the installation.
pub(super) fn epoch(connection: &Connection) -> rusqlite::Result<Option<u64>> {
    let bytes = fact(connection, "epoch")?.and_then(|bytes| bytes.try_into().ok());
    Ok(bytes.map(u64::from_le_bytes))
}

pub(super) fn fact(connection: &Connection, name: &str) -> rusqlite::Result<Option<Vec<u8>>> {
    let mut statement = connection.prepare("SELECT value FROM facts WHERE name = ?1")?;
    let value = statement.query_row([name], |row| row.get(0)).optional();
    // A value of another type is damaged: it counts as missing.
    value.or_else(|error| if is_conversion(&error) { Ok(None) } else { Err(error) })
}

pub(super) fn put_fact(connection: &Connection, name: &str, value: &[u8]) -> rusqlite::Result<()> {
    let mut statement =
        connection.prepare_cached("INSERT OR REPLACE INTO facts (name, value) VALUES (?1, ?2)")?;
    statement.execute(params![name, value]).map(drop)
}

/// Writes the whole write-ahead log back and truncates it. This waits for readers.
pub(super) fn write_back(connection: &Connection) -> rusqlite::Result<()> {
    let is_busy: i64 =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if is_busy == 0 {
        return Ok(());
    }
    let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
    Err(rusqlite::Error::SqliteFailure(busy, None))
}

/// Whether the error means that the file is malformed.
pub(super) fn is_malformed(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    // Our statements are fixed: if SQLite rejects one, the schema has changed.
    let is_rejected = || {
        let says = error.to_string();
        ["no such ", "unsupported file format"].iter().any(|words| says.contains(words))
    };
    matches!(error, rusqlite::Error::SqlInputError { .. })
        || matches!(code, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
        || is_conversion(error)
        || (code == Some(ErrorCode::Unknown) && is_rejected())
}

/// Whether a value does not have the type that was written.
pub(super) const fn is_conversion(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..)
    )
}

#[cfg(test)]
mod tests {
    use table::{ActionId, Author, Entry, EntryBody};

    use super::*;
    use crate::TableId;
    use crate::journal::sqlite::settings::Settings;
    use crate::journal::sqlite::{SqliteJournal, chain, log};
    use crate::journal::{Appended, Directory as _, Journal as _};

    /// The entries of a log that older programs have written.
    const OLD: u64 = 40;

    fn entry(version: u64) -> Entry {
        let action = Some(ActionId::new("client", version).unwrap());
        let body = EntryBody::Tied { round: 1 };
        Entry { action, ..Entry::new(version, version, Author::Table, body) }
    }

    /// Writes a log as older programs did.
    fn write_log(connection: &Connection, table: TableId) {
        let mut head = log::begin(connection, table).unwrap();
        for version in 1..=OLD {
            let (entry, number) = (entry(version), head.number);
            let (line, action) = (entry.write(), chain::action_number(&entry.action.unwrap()));
            head.chain = chain::link(&head.chain, version, line.as_bytes());
            let insert = "INSERT INTO entries (number, version, action, line, chain)
                VALUES (?1, ?2, ?3, ?4, ?5)";
            let row = params![number, log::whole(version), action, line, head.chain];
            connection.execute(insert, row).unwrap();
        }
        let end = params![head.number, log::whole(OLD), head.chain];
        let update = "UPDATE tables SET last = ?2, chain = ?3 WHERE number = ?1";
        connection.execute(update, end).unwrap();
    }

    async fn check_log(journal: &SqliteJournal, table: TableId, last: u64) {
        let tail = journal.read(table, 0, 100).await.unwrap();
        assert_eq!(tail.entries, (1..=last).map(entry).collect::<Vec<_>>());
        for version in [1, 15, 16, 31, 32, last] {
            let action = ActionId::new("client", version).unwrap();
            assert_eq!(journal.find(table, action).await, Ok(Some(version)));
        }
        let unknown = ActionId::new("another", 1).unwrap();
        assert_eq!(journal.find(table, unknown).await, Ok(None));
    }

    /// A folder with a file that a program made which knew `version` migrations. Tables fill pages, so
    /// that later indexes begin on other pages than those of a new file.
    fn old_folder(version: usize) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.sqlite");
        let connection = Connection::open(&path).unwrap();
        connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).unwrap();
        build(&connection, 0..version).unwrap();
        for number in 0..200_u8 {
            let table = (TableId::new([number; 16]), format!("code {number}"));
            let insert = "INSERT INTO directory
                (id, code, game, is_listed, created_at, free_seats, status)
                VALUES (?1, ?2, 'tic-tac-toe', 0, 5, 1, 0)";
            connection.execute(insert, table).unwrap();
        }
        for number in 7..9 {
            write_log(&connection, TableId::new([number; 16]));
        }
        write_back(&connection).unwrap();
        folder
    }

    #[tokio::test]
    async fn files_of_older_programs_are_migrated_once() {
        for version in 1..KNOWN {
            let folder = old_folder(version);
            let table = TableId::new([7; 16]);
            for start in 0..2 {
                let (journal, report) =
                    SqliteJournal::open(folder.path(), &Settings::default()).unwrap();
                assert!(report.salvaged.is_none(), "start {start}: {report}");
                let known = journal.by_id(table).await.unwrap().unwrap();
                assert_eq!((known.code.as_str(), known.code_until), ("code 7", 0));
                assert_eq!(journal.by_code("code 7", 0).await, Ok(None), "old codes have expired");
                journal.set_deadline(table, Some(9)).await.unwrap();
                assert_eq!(journal.deadlines().await, Ok(vec![(9, table)]));
                let last = OLD + start;
                check_log(&journal, table, last).await;
                let appended = journal.append(table, last, vec![entry(last + 1)]).await;
                assert_eq!(appended, Ok(Appended::Committed));
                check_log(&journal, table, last + 1).await;
                check_log(&journal, TableId::new([8; 16]), OLD).await;
                journal.close().await.unwrap();
            }
        }
    }

    #[tokio::test]
    async fn a_damaged_file_of_an_older_program_is_salvaged_and_migrated() {
        for version in 1..KNOWN {
            let folder = old_folder(version);
            let path = folder.path().join("journal.sqlite");
            // The first page, which holds the schema, is lost.
            let mut file = std::fs::read(&path).unwrap();
            file[24..4096].fill(0);
            std::fs::write(&path, file).unwrap();
            let opened = SqliteJournal::open(folder.path(), &Settings::default());
            let (journal, report) = opened.unwrap();
            assert!(report.salvaged.is_some());
            let known = journal.by_id(TableId::new([199; 16])).await.unwrap().unwrap();
            assert_eq!((known.code.as_str(), known.code_until), ("code 199", 0));
            check_log(&journal, TableId::new([7; 16]), OLD).await;
        }
    }
}
