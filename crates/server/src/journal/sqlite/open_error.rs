//! Why a journal cannot be opened.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ffi;

/// Why a journal cannot be opened. Nothing was changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Another process, or another journal of this process, uses the folder.
    #[error("{} is in use: another server keeps its journal there", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// There is a journal in the folder, where a new one was to be created.
    #[error("{} holds a journal already: choose another folder", folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// A newer program wrote the file.
    #[error(
        "{} was written by a newer version of Cat's Cradle (its schema has version {found}, \
         this program knows {known}): use that version", path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of its schema.
        found: i64,
        /// The newest version that this program knows.
        known: usize,
    },
    /// The file is empty, although a journal was closed in its folder.
    #[error(
        "{} is damaged: it is empty, although a server has closed a journal there. Put back a backup of \
         the file, or choose another folder to begin a new journal", path.display()
    )]
    Emptied {
        /// The file.
        path: PathBuf,
    },
    /// The file is malformed, and was to be read without changing it.
    #[error(
        "{} is malformed ({why}). Nothing was changed: put back a backup, or start a server on the folder, \
         which saves what can be read and keeps the malformed file", path.display()
    )]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The system refuses access to a file or folder.
    #[error("{} cannot be used: {why}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The kind of the error.
        kind: io::ErrorKind,
        /// The message of the system.
        why: String,
    },
    /// The disk is full.
    #[error("the disk of {} is full: free some space, and start again", folder.display())]
    Full {
        /// The folder.
        folder: PathBuf,
    },
    /// `SQLite` fails.
    #[error("the journal cannot be opened: {0}")]
    Sql(rusqlite::Error),
    /// The system has no random source.
    #[error("there is no source of randomness: {0}")]
    Random(#[from] getrandom::Error),
}

// Not `#[from]`: the message contains that of SQLite, so SQLite is not a source that is printed again.
impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl OpenError {
    /// Whether the caller chose a folder that cannot be used, rather than the machine failing: another
    /// folder would work.
    #[must_use]
    pub fn is_wrong_folder(&self) -> bool {
        match self {
            Self::InUse { .. } | Self::NotEmpty { .. } | Self::Newer { .. } => true,
            Self::File { kind, .. } => matches!(
                kind,
                io::ErrorKind::NotFound
                    | io::ErrorKind::PermissionDenied
                    | io::ErrorKind::AlreadyExists
                    | io::ErrorKind::NotADirectory
                    | io::ErrorKind::IsADirectory
                    | io::ErrorKind::ReadOnlyFilesystem
                    | io::ErrorKind::InvalidFilename
                    | io::ErrorKind::InvalidInput
            ),
            Self::Emptied { .. }
            | Self::Malformed { .. }
            | Self::Full { .. }
            | Self::Sql(_)
            | Self::Random(_) => false,
        }
    }

    /// The same error, or [`OpenError::Full`] if it means that the disk is full.
    pub(super) fn in_folder(self, folder: &Path) -> Self {
        let is_full = match &self {
            Self::Sql(error) => is_full(error),
            Self::File { kind, .. } => {
                matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            }
            _ => false,
        };
        if is_full { Self::Full { folder: folder.to_owned() } } else { self }
    }

    pub(super) fn file(path: &Path, error: &io::Error) -> Self {
        Self::File { path: path.to_owned(), kind: error.kind(), why: error.to_string() }
    }
}

/// Whether there was no space for a file, or for the index of the write-ahead log, where `SQLite` only
/// says that it could not be extended.
fn is_full(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code.is_some_and(|code| [ffi::SQLITE_FULL, ffi::SQLITE_IOERR_SHMSIZE].contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: io::ErrorKind, expected: &str) {
        let error = OpenError::file(Path::new("data/journal.sqlite"), &kind.into());
        let error = error.in_folder(Path::new("data"));
        let found = match &error {
            OpenError::Full { .. } if !error.is_wrong_folder() => "full",
            _ if error.is_wrong_folder() => "wrong folder",
            _ => "other",
        };
        assert_eq!(found, expected, "{kind:?}");
    }

    #[test]
    fn a_full_disk_is_not_a_wrong_folder() {
        check(io::ErrorKind::StorageFull, "full");
        check(io::ErrorKind::QuotaExceeded, "full");
        check(io::ErrorKind::PermissionDenied, "wrong folder");
        check(io::ErrorKind::NotADirectory, "wrong folder");
        check(io::ErrorKind::Interrupted, "other");
        let full = rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_FULL), None);
        let full = OpenError::from(full).in_folder(Path::new("data"));
        assert_eq!(full.to_string(), "the disk of data is full: free some space, and start again");
        assert!(!full.is_wrong_folder());
        let in_use = OpenError::InUse { folder: "data".into() };
        assert!(in_use.is_wrong_folder());
    }
}
