//! Opening a journal in a file.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex};
use std::thread;

use rusqlite::OpenFlags;
use tokio::sync::oneshot;

use super::database::{self, Database, Key, connect, is_malformed};
use super::folder::Folder;
use super::heads::Heads;
use super::queue::Queue;
use super::reader;
use super::salvage::salvage;
use super::writer::Writer;
use super::{Hook, Secret, Settings, Shared, SqliteJournal, Watchers};

/// How a journal was found when it was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How it was left.
    pub start: Start,
    /// What was saved of the file, if it was malformed.
    pub salvaged: Option<Salvaged>,
    /// Whether the key of the installation was made now: at the first start, or because it was lost.
    pub is_key_new: bool,
}

/// How a journal was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// There was none.
    New,
    /// It was closed as it should be: nothing can have been lost.
    Clean,
    /// It was not closed, or changed since, as when it was restored from a backup: the end of the
    /// logs may be missing, and they are in a new epoch.
    Unclean,
}

/// What was saved of a malformed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salvaged {
    /// What was wrong with it.
    pub why: String,
    /// Where the malformed file is now.
    pub aside: PathBuf,
    /// How many logs were saved, each up to its first entry that could not be read.
    pub tables: u64,
    /// How many entries they have.
    pub entries: u64,
    /// How many entries could be read but not saved, because something before them is missing.
    pub lost: u64,
    /// Whether the key of the installation was saved.
    pub has_key: bool,
}

/// Why a journal cannot be opened. Nothing was changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Another process, or another journal of this one, uses the folder.
    #[error("{} is in use: another server keeps its journal there", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// A newer program wrote the file.
    #[error(
        "{} was written by a newer version of Cat's Cradle (its tables are of version {found}, \
         this one knows {known})", path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its tables.
        found: i64,
        /// The newest version that is known here.
        known: usize,
    },
    /// The system refuses.
    #[error("{} cannot be used: {why}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// There is no room for what must be written first.
    #[error("the disk of {} is full: make room there, and start again", folder.display())]
    Full {
        /// The folder.
        folder: PathBuf,
    },
    /// SQLite refuses.
    #[error("the journal cannot be opened: {0}")]
    Sql(rusqlite::Error),
    /// The system has no random source.
    #[error("there is no source of randomness: {0}")]
    Random(#[from] getrandom::Error),
}

// What SQLite says is told in the sentence already: it is no source that is told once more.
impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl OpenError {
    /// The same, but where there is no room, that is what is said.
    pub(super) fn in_folder(self, folder: &Path) -> Self {
        match self {
            Self::Sql(error) if is_full(&error) => Self::Full { folder: folder.to_owned() },
            other => other,
        }
    }

    pub(super) fn file(path: &Path, error: &io::Error) -> Self {
        Self::File { path: path.to_owned(), why: error.to_string() }
    }
}

/// Whether there was no room in a file, or for the index of the write-ahead log, of which SQLite says
/// only that it could not be made longer.
fn is_full(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code.is_some_and(|code| {
        [rusqlite::ffi::SQLITE_FULL, rusqlite::ffi::SQLITE_IOERR_SHMSIZE].contains(&code)
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.start {
            Start::New => "The journal is new.",
            Start::Clean => "The journal was closed as it should be.",
            Start::Unclean => "The journal was not closed: its logs are in a new epoch.",
        })?;
        if let Some(salvaged) = &self.salvaged {
            write!(f, " {salvaged}")?;
        }
        if self.is_key_new && self.start != Start::New {
            f.write_str(" Its key was lost, and a new one was made.")?;
        }
        Ok(())
    }
}

impl fmt::Display for Salvaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { why, aside, tables, entries, lost, .. } = self;
        write!(
            f,
            "Its file was malformed ({why}) and is now {}; {entries} entries of {tables} tables \
             were saved, and {lost} could be read but do not follow from those before them.",
            aside.display()
        )
    }
}

pub(super) fn open(
    folder: &Path,
    settings: &Settings,
    hook: Hook,
) -> Result<(SqliteJournal, Report), OpenError> {
    let folder = Folder::lock(folder)?;
    let failed = |error: io::Error| OpenError::file(&folder.database(), &error);
    let is_new = !folder.database().exists() && !folder.building().exists();
    let is_clean = folder.is_marked().map_err(failed)?;
    folder.prepare().map_err(failed)?;
    let start = match (is_new, is_clean) {
        (true, _) => Start::New,
        (false, true) => Start::Clean,
        (false, false) => Start::Unclean,
    };
    let (file, start, salvaged) = match open_file(&folder, start) {
        Err(OpenError::Sql(error)) if is_malformed(&error) => {
            let salvaged = salvage(&folder, error.to_string())?;
            (open_file(&folder, Start::Unclean)?, Start::Unclean, Some(salvaged))
        }
        file => (file?, start, None),
    };
    let File { database, key, is_key_new } = file;
    let report = Report { start, salvaged, is_key_new };
    Ok((spawn(folder, settings, hook, database, key)?, report))
}

/// A file that can be written to, and the key that is kept in it.
struct File {
    database: Database,
    key: Key,
    is_key_new: bool,
}

fn open_file(folder: &Folder, start: Start) -> Result<File, OpenError> {
    let path = folder.database();
    database::check_header(&path)?;
    let connection = connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    database::migrate(&connection, &path)?;
    // Before anything is written that it would not know of.
    folder.remove_mark().map_err(|error| OpenError::file(&path, &error))?;
    let mut database = Database::to_write(&path)?;
    let (key, is_key_new) = key(&database)?;
    if start != Start::Clean || database::epoch(&database.connection)?.is_none() {
        database.renew_epoch()?;
    }
    Ok(File { database, key, is_key_new })
}

/// The key of the installation, and whether it was made now.
fn key(database: &Database) -> Result<(Key, bool), OpenError> {
    if let Some(key) = database::key(&database.connection)? {
        return Ok((key, false));
    }
    let mut key = [0; 32];
    getrandom::fill(&mut key)?;
    database::put_key(&database.connection, &key)?;
    Ok((key, true))
}

fn spawn(
    folder: Folder,
    settings: &Settings,
    hook: Hook,
    database: Database,
    key: Key,
) -> Result<SqliteJournal, OpenError> {
    let path = folder.database();
    let failed = |error: io::Error| OpenError::file(&path, &error);
    let shared = Arc::new(Shared {
        jobs: Queue::new(settings.waiting_writes),
        questions: Queue::new(settings.waiting_reads),
        watchers: Watchers::default(),
        files: AtomicU64::new(0),
        is_closing: AtomicBool::new(false),
        batches: AtomicU64::new(0),
        writes: AtomicU64::new(0),
        trouble: Mutex::new(None),
    });
    let (ended, end) = oneshot::channel();
    let mut writer = Writer {
        shared: Arc::clone(&shared),
        folder,
        settings: settings.clone(),
        hook,
        database: Some(database),
        heads: Heads::new(settings.remembered),
        written_back: 0,
        readers: Vec::new(),
        ended: Some(ended),
    };
    for _ in 0..settings.readers.max(1) {
        let (shared, path) = (Arc::clone(&shared), path.clone());
        let reader = thread::Builder::new().name("journal-reader".to_owned());
        let reader = reader.spawn(move || reader::answer(&shared, &path)).map_err(failed)?;
        writer.readers.push(reader);
    }
    let thread = thread::Builder::new().name("journal-writer".to_owned());
    let writer = thread.spawn(move || writer.run()).map_err(failed)?;
    Ok(SqliteJournal {
        shared,
        key: Secret(key),
        writer: Some(writer),
        ended: Mutex::new(Some(end)),
    })
}
