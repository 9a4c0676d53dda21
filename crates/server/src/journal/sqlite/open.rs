//! Opening a journal in a file.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use rusqlite::OpenFlags;
use tokio::sync::oneshot;

use super::database::{self, Database, connect, is_malformed};
use super::fault_hook::FaultHook;
use super::folder::Folder;
use super::heads::Heads;
use super::journal_threads::{Access, JournalThreads};
use super::read_only::ReadOnlyWriter;
use super::reader;
use super::rules;
use super::salvage::salvage;
use super::writer::Writer;
use super::{OpenError, OpenReport, PreviousStop, Settings, SqliteJournal};
use crate::journal::installation_key::InstallationKey;

/// Opens the journal in a folder, and starts its threads.
pub(super) fn open(
    folder: &Path,
    settings: &Settings,
    hook: FaultHook,
) -> Result<(SqliteJournal, OpenReport), OpenError> {
    let folder = Folder::lock(folder)?;
    folder.check_emptied()?;
    let failed = |error: io::Error| OpenError::file(&folder.database(), &error);
    let is_new = !folder.database().exists() && !folder.building().exists();
    let is_clean = folder.is_marked().map_err(failed)?;
    folder.prepare().map_err(failed)?;
    let previous_stop = match (is_new, is_clean) {
        (true, _) => PreviousStop::New,
        (false, true) => PreviousStop::Clean,
        (false, false) => PreviousStop::Unclean,
    };
    let (file, previous_stop, salvaged) = match open_file(&folder, previous_stop) {
        Err(OpenError::Sql(error)) if is_malformed(&error) => {
            let salvaged = salvage(&folder, error.to_string())?;
            (open_file(&folder, PreviousStop::Unclean)?, PreviousStop::Unclean, Some(salvaged))
        }
        file => (file?, previous_stop, None),
    };
    let OpenedFile { database, key, is_key_new } = file;
    let report = OpenReport { previous_stop, salvaged, is_key_new };
    Ok((spawn(folder, settings, hook, database, key)?, report))
}

/// Opens the journal in a folder for reading, and starts its threads. The file is not changed, unless an
/// older program wrote it: then its form is brought up to date first, if it is whole.
pub(super) fn open_to_read(folder: &Path, settings: &Settings) -> Result<SqliteJournal, OpenError> {
    let locked = Folder::lock(folder)?;
    locked.check_emptied()?;
    let path = locked.database();
    if !path.exists() {
        let why = "its salvage was interrupted".to_owned();
        return Err(OpenError::Malformed { path, why });
    }
    let found = key_to_read(&path).map_err(|error| match error {
        OpenError::Sql(error) if is_malformed(&error) => {
            OpenError::Malformed { path: path.clone(), why: error.to_string() }
        }
        other => other,
    })?;
    if let Some(key) = found {
        return spawn_readers(locked, settings, key);
    }
    drop(locked);
    if let Some(why) = problems(folder)?.into_iter().next() {
        return Err(OpenError::Malformed { path, why });
    }
    Ok(open(folder, settings, FaultHook::default())?.0)
}

/// The key in a file; none if the file has an older form.
fn key_to_read(path: &Path) -> Result<Option<InstallationKey>, OpenError> {
    database::check_header(path)?;
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    if database::check_schema(&connection, path)? < database::KNOWN {
        return Ok(None);
    }
    let key = database::key(&connection)?;
    Ok(Some(key.ok_or_else(|| database::malformed(NO_KEY))?))
}

/// Without its key, a journal cannot say what chance has committed to.
const NO_KEY: &str = "its key is missing";

/// Creates a journal with a key, unless there is one.
pub(super) fn create(folder: &Path, key: &InstallationKey) -> Result<(), OpenError> {
    let locked = Folder::lock(folder)?;
    if is_in(folder) {
        return Err(OpenError::NotEmpty { folder: folder.to_owned() });
    }
    let path = locked.database();
    locked.prepare().map_err(|error| OpenError::file(&path, &error))?;
    let connection = connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    database::migrate(&connection, &path)?;
    Ok(database::put_key(&connection, key)?)
}

/// Whether there is a journal in a folder, or what a salvage will make one of.
pub(super) fn is_in(folder: &Path) -> bool {
    let name = |path: &str| folder.join(path).exists();
    name("journal.sqlite") || name("journal-building.sqlite")
}

/// The problems of a file that is not in use.
pub(super) fn problems(folder: &Path) -> Result<Vec<String>, OpenError> {
    let folder = Folder::lock(folder)?;
    folder.check_emptied()?;
    let path = folder.database();
    match database::check_header(&path) {
        Err(OpenError::Sql(error)) => return Ok(vec![error.to_string()]),
        header => header?,
    }
    let checked = connect(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(OpenError::from)
        .and_then(|connection| {
            let version = database::check_schema(&connection, &path)?;
            let mut problems = database::integrity(&connection)?;
            if version > 0 && problems.is_empty() && database::key(&connection)?.is_none() {
                problems.push(NO_KEY.to_owned());
            }
            Ok(problems)
        });
    match checked {
        Err(OpenError::Sql(error)) if is_malformed(&error) => Ok(vec![error.to_string()]),
        checked => checked,
    }
}

/// A file that can be written to, and the key in it.
struct OpenedFile {
    database: Database,
    key: InstallationKey,
    is_key_new: bool,
}

fn open_file(folder: &Folder, previous_stop: PreviousStop) -> Result<OpenedFile, OpenError> {
    let path = folder.database();
    database::check_header(&path)?;
    let connection = connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    database::migrate(&connection, &path)?;
    // Before the first write, because the mark says that nothing was written since.
    folder.remove_mark().map_err(|error| OpenError::file(&path, &error))?;
    let mut database = Database::to_write(&path)?;
    let (key, is_key_new) = key(&database)?;
    rules::import(folder.path(), &database)?;
    if previous_stop != PreviousStop::Clean || database::epoch(&database.connection)?.is_none() {
        database.renew_epoch()?;
    }
    Ok(OpenedFile { database, key, is_key_new })
}

/// The key of the installation, and whether it is new.
fn key(database: &Database) -> Result<(InstallationKey, bool), OpenError> {
    if let Some(key) = database::key(&database.connection)? {
        return Ok((key, false));
    }
    let key = InstallationKey::random()?;
    database::put_key(&database.connection, &key)?;
    Ok((key, true))
}

fn spawn(
    folder: Folder,
    settings: &Settings,
    hook: FaultHook,
    database: Database,
    key: InstallationKey,
) -> Result<SqliteJournal, OpenError> {
    let path = folder.database();
    let failed = |error: io::Error| OpenError::file(&path, &error);
    let threads = Arc::new(JournalThreads::new(settings, Access::ReadAndWrite));
    let (ended, end) = oneshot::channel();
    let writer = Writer {
        threads: Arc::clone(&threads),
        folder,
        settings: settings.clone(),
        hook,
        database: Some(database),
        heads: Heads::new(settings.remembered),
        written_back: 0,
        readers: reader::spawn(&threads, &path, settings).map_err(failed)?,
        ended: Some(ended),
    };
    let thread = thread::Builder::new().name("journal-writer".to_owned());
    let writer = thread.spawn(move || writer.run()).map_err(failed)?;
    Ok(SqliteJournal { threads, key, writer: Some(writer), ended: Mutex::new(Some(end)) })
}

fn spawn_readers(
    folder: Folder,
    settings: &Settings,
    key: InstallationKey,
) -> Result<SqliteJournal, OpenError> {
    let path = folder.database();
    let failed = |error: io::Error| OpenError::file(&path, &error);
    let threads = Arc::new(JournalThreads::new(settings, Access::ReadOnly));
    let (ended, end) = oneshot::channel();
    let readers = reader::spawn(&threads, &path, settings).map_err(failed)?;
    let writer = ReadOnlyWriter { threads: Arc::clone(&threads), folder, readers, ended };
    let thread = thread::Builder::new().name("journal-writer".to_owned());
    let writer = thread.spawn(move || writer.run()).map_err(failed)?;
    Ok(SqliteJournal { threads, key, writer: Some(writer), ended: Mutex::new(Some(end)) })
}
