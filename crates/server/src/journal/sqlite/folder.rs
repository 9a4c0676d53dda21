//! The folder of a journal.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::OpenError;

/// The folder of a journal, locked against other processes as long as this value lives.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Creates the folder if it does not exist, and locks it.
    pub(super) fn lock(path: &Path) -> Result<Self, OpenError> {
        let failed = |error: io::Error| OpenError::file(path, &error);
        private_folder(path).map_err(failed)?;
        let lock = private().truncate(false).open(path.join("journal.lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(OpenError::InUse { folder: path.to_owned() }),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// Where the folder is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file of the journal.
    pub(super) fn database(&self) -> PathBuf {
        self.path.join("journal.sqlite")
    }

    /// The number of bytes of the journal: its file and its write-ahead log.
    pub(super) fn size(&self) -> i64 {
        let database = self.database();
        let length = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
        i64::try_from(length(&database) + length(&wal(&database))).unwrap_or(i64::MAX)
    }

    /// A copy of a damaged file, for reading.
    pub(super) fn copy(&self) -> PathBuf {
        self.path.join("journal-reading.sqlite")
    }

    /// The file that will replace a damaged one.
    pub(super) fn building(&self) -> PathBuf {
        self.path.join("journal-building.sqlite")
    }

    /// The file that will replace one with much free space.
    pub(super) fn compacting(&self) -> PathBuf {
        self.path.join("journal-compacting.sqlite")
    }

    /// An unused path for a damaged file.
    pub(super) fn aside(&self) -> PathBuf {
        let name = |number: u32| self.path.join(format!("journal-damaged-{number}.sqlite"));
        let is_free = |path: &PathBuf| !path.exists() && !wal(path).exists();
        (1..u32::MAX).map(name).find(is_free).expect("a folder has fewer files")
    }

    /// Creates the file of the journal if it does not exist, readable by its owner only, and cleans up
    /// after an interrupted salvage or compaction.
    pub(super) fn prepare(&self) -> io::Result<()> {
        let database = self.database();
        if !database.exists() {
            if wal(&database).exists() {
                let aside = wal(&self.aside());
                fs::rename(wal(&database), &aside)?;
                tracing::warn!(aside = %aside.display(), "a write-ahead log without a file was moved aside");
            }
            if self.building().exists() {
                fs::rename(self.building(), &database)?;
            }
        }
        remove(&self.copy())?;
        remove(&self.compacting())?;
        private().truncate(false).open(&database)?;
        self.protect()?;
        self.sync()
    }

    /// Takes the files of the journal away from everybody but their owner. A backup that was restored may
    /// be readable by all, and a journal holds a secret.
    fn protect(&self) -> io::Result<()> {
        for file in fs::read_dir(&self.path)? {
            let file = file?;
            let is_ours = file.file_name().to_string_lossy().starts_with("journal");
            if is_ours && file.file_type()?.is_file() {
                make_private(&file.path())?;
            }
        }
        Ok(())
    }

    /// Replaces the damaged file by the new one, and moves the damaged one aside.
    pub(super) fn replace(&self, aside: &Path) -> io::Result<()> {
        let database = self.database();
        // In this order, so that the write-ahead log of one file is never beside the other file: if this
        // is interrupted, `prepare` finds no file and moves the log aside.
        fs::rename(&database, aside)?;
        if wal(&database).exists() {
            fs::rename(wal(&database), wal(aside))?;
        }
        remove_if_there(&beside(&database, "-shm"))?;
        fs::rename(self.building(), &database)?;
        self.sync()
    }

    /// Replaces the file by the compacted one. The write-ahead log of the file must be empty.
    pub(super) fn replace_by_compacted(&self) -> io::Result<()> {
        let database = self.database();
        if fs::metadata(wal(&database)).is_ok_and(|file| file.len() > 0) {
            return Err(io::Error::other("its write-ahead log is not empty"));
        }
        // Readers have these files open and may go on with them, but the new file needs its own.
        remove_if_there(&beside(&database, "-shm"))?;
        remove_if_there(&wal(&database))?;
        self.sync()?;
        fs::rename(self.compacting(), &database)?;
        self.sync()
    }

    /// Whether there is a mark of a clean stop that matches the file. It does not match if the file was
    /// restored from a backup or changed in any other way.
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

    /// Refuses a file that is empty although there is a mark of a clean stop, which no new folder has.
    pub(super) fn check_emptied(&self) -> Result<(), OpenError> {
        let path = self.database();
        let is_empty = |path: &Path| fs::metadata(path).is_ok_and(|file| file.len() == 0);
        if self.mark().exists() && is_empty(&path) {
            return Err(OpenError::Emptied { path });
        }
        Ok(())
    }

    /// Removes the mark of a clean stop.
    pub(super) fn remove_mark(&self) -> io::Result<()> {
        remove_if_there(&self.mark())?;
        self.sync()
    }

    /// Marks a clean stop.
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

    /// Makes new file names durable, where the system does not do that.
    fn sync(&self) -> io::Result<()> {
        if cfg!(unix) { File::open(&self.path)?.sync_all() } else { Ok(()) }
    }
}

/// The write-ahead log of a file.
pub(super) fn wal(database: &Path) -> PathBuf {
    beside(database, "-wal")
}

/// Removes a file with its write-ahead log and its shared memory.
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

/// Options for new files: only the owner may read them, because a journal holds a secret.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Creates a folder, if it does not exist, that only its owner may open.
fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Makes an existing file readable and writable by its owner alone.
#[cfg(unix)]
fn make_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    let permissions = fs::Permissions::from_mode(0o600);
    fs::set_permissions(path, permissions)
}

#[cfg(not(unix))]
fn make_private(_: &Path) -> io::Result<()> {
    Ok(())
}

/// A text that distinguishes a file from its copies and from its earlier contents.
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
