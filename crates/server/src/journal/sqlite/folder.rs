//! The folder in which a journal lives.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::OpenError;

/// The folder of a journal, which no other process uses as long as this value lives.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Makes the folder if it is not there, and takes hold of it.
    pub(super) fn lock(path: &Path) -> Result<Self, OpenError> {
        let failed = |error: io::Error| OpenError::file(path, &error);
        fs::create_dir_all(path).map_err(failed)?;
        let lock = private().truncate(false).open(path.join("journal.lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(OpenError::InUse { folder: path.to_owned() }),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// The file with the logs.
    pub(super) fn database(&self) -> PathBuf {
        self.path.join("journal.sqlite")
    }

    /// A copy of a damaged file, to be read.
    pub(super) fn copy(&self) -> PathBuf {
        self.path.join("journal-reading.sqlite")
    }

    /// The file that will take the place of a damaged one.
    pub(super) fn building(&self) -> PathBuf {
        self.path.join("journal-building.sqlite")
    }

    /// Where a damaged file is moved; nothing is there yet.
    pub(super) fn aside(&self) -> PathBuf {
        let name = |number: u32| self.path.join(format!("journal-damaged-{number}.sqlite"));
        let is_free = |path: &PathBuf| !path.exists() && !wal(path).exists();
        (1..u32::MAX).map(name).find(is_free).expect("there are fewer files than numbers")
    }

    /// Makes sure that the file with the logs is there, readable for nobody else, and that none of
    /// what an interrupted salvage left behind is taken for a part of it.
    pub(super) fn prepare(&self) -> io::Result<()> {
        let database = self.database();
        if !database.exists() {
            if wal(&database).exists() {
                let aside = wal(&self.aside());
                fs::rename(wal(&database), &aside)?;
                tracing::warn!(aside = %aside.display(), "a write-ahead log belongs to no file");
            }
            if self.building().exists() {
                fs::rename(self.building(), &database)?;
            }
        }
        remove(&self.copy())?;
        private().truncate(false).open(&database)?;
        self.sync()
    }

    /// Puts the new file in place of the damaged one, which is moved aside.
    pub(super) fn replace(&self, aside: &Path) -> io::Result<()> {
        let database = self.database();
        // In this order, so that at no moment the write-ahead log of the one file stands beside the
        // other: `prepare` would find no database and move the log away.
        fs::rename(&database, aside)?;
        if wal(&database).exists() {
            fs::rename(wal(&database), wal(aside))?;
        }
        remove_if_there(&beside(&database, "-shm"))?;
        fs::rename(self.building(), &database)?;
        self.sync()
    }

    /// Whether there is a mark of a clean end that fits the file.
    ///
    /// A file that was restored from a backup, or changed by anything else, does not fit.
    pub(super) fn is_marked(&self) -> io::Result<bool> {
        let mark = match fs::read_to_string(self.mark()) {
            Ok(mark) => mark,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        let file = match fs::metadata(self.database()) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        let has_wal = fs::metadata(wal(&self.database())).is_ok_and(|file| file.len() > 0);
        Ok(!has_wal && mark == identity(&file)?)
    }

    /// Takes the mark away.
    pub(super) fn remove_mark(&self) -> io::Result<()> {
        remove_if_there(&self.mark())?;
        self.sync()
    }

    /// Marks that everything is in the file and was closed as it should be.
    pub(super) fn leave_mark(&self) -> io::Result<()> {
        let identity = identity(&fs::metadata(self.database())?)?;
        let mut file = private().truncate(true).open(self.mark())?;
        io::Write::write_all(&mut file, identity.as_bytes())?;
        file.sync_all()?;
        self.sync()
    }

    fn mark(&self) -> PathBuf {
        self.path.join("journal.closed")
    }

    /// Makes names durable, where that is not done by itself.
    fn sync(&self) -> io::Result<()> {
        if cfg!(unix) { File::open(&self.path)?.sync_all() } else { Ok(()) }
    }
}

/// The write-ahead log of a file.
pub(super) fn wal(database: &Path) -> PathBuf {
    beside(database, "-wal")
}

/// Removes a database and all that belongs to it.
pub(super) fn remove(database: &Path) -> io::Result<()> {
    let parts = [database.to_owned(), wal(database), beside(database, "-shm")];
    parts.iter().try_for_each(|path| remove_if_there(path))
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn beside(database: &Path, ending: &str) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// How files are made: only their owner reads them, since a journal holds a secret.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// What tells a file from its copies and from what it was before it was changed.
fn identity(file: &Metadata) -> io::Result<String> {
    let modified = file.modified()?.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
    Ok(format!("{} {} {}", file.len(), modified.as_nanos(), number(file)))
}

#[cfg(unix)]
fn number(file: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(file)
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> u64 {
    0
}
