//! The token of the admin listener.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// The token of the admin listener: whoever shows it may do everything there.
#[derive(Clone, PartialEq, Eq)]
pub struct AdminToken(String);

/// Why a file holds no token for the admin listener.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AdminTokenError {
    /// The file cannot be read or created.
    #[error("the admin token in {path} cannot be read: {error}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The problem of the file.
        error: io::Error,
    },
    /// Every user of the machine may read the file, or its group may change it.
    #[error(
        "the admin token in {path} is open to others: `chmod 600 {path}` closes it",
        path = path.display()
    )]
    OpenToOthers {
        /// The file.
        path: PathBuf,
    },
    /// The token can be guessed, or does not fit into a header.
    #[error(
        "the admin token in {path} is not a line of {least} to {most} visible characters: \
         `openssl rand -hex 32` makes one",
        path = path.display(),
        least = AdminToken::MIN_LENGTH,
        most = AdminToken::MAX_LENGTH
    )]
    Unusable {
        /// The file.
        path: PathBuf,
    },
}

impl AdminToken {
    /// The fewest characters of a token.
    pub const MIN_LENGTH: usize = 32;
    /// The most characters of a token.
    pub const MAX_LENGTH: usize = 1_024;

    /// Reads the token in a file: its only line.
    ///
    /// # Errors
    /// If the file cannot be read, if others may read it, or if it holds no usable token.
    pub fn read(path: &Path) -> Result<Self, AdminTokenError> {
        let unreadable = |error| AdminTokenError::Unreadable { path: path.to_owned(), error };
        let mode = fs::metadata(path).map_err(unreadable)?.permissions().mode();
        // The group may read it: that is how another program, for example Prometheus, gets it.
        if mode & 0o027 != 0 {
            return Err(AdminTokenError::OpenToOthers { path: path.to_owned() });
        }
        let text = fs::read_to_string(path).map_err(unreadable)?;
        Self::new(text.trim_end_matches(['\r', '\n']))
            .ok_or_else(|| AdminTokenError::Unusable { path: path.to_owned() })
    }

    /// Reads the token in a file. If there is no file, it is created with a random token that only
    /// its owner may read.
    ///
    /// # Errors
    /// If the file cannot be created, or as [`AdminToken::read`] does.
    pub fn read_or_create(path: &Path) -> Result<Self, AdminTokenError> {
        let unreadable = |error| AdminTokenError::Unreadable { path: path.to_owned(), error };
        match File::options().write(true).create_new(true).mode(0o600).open(path) {
            Ok(mut file) => {
                let token = Self::random().map_err(unreadable)?;
                writeln!(file, "{}", token.0).map_err(unreadable)?;
                Ok(token)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Self::read(path),
            Err(error) => Err(unreadable(error)),
        }
    }

    /// The token with this text; none if it is too short, too long or not visible.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let is_long = (Self::MIN_LENGTH..=Self::MAX_LENGTH).contains(&text.len());
        let is_visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        (is_long && is_visible).then(|| Self(text.to_owned()))
    }

    fn random() -> io::Result<Self> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        Ok(Self(digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()))
    }

    /// The token as text, for a program that shows it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether a text is this token. The time that it takes says nothing about the token.
    pub(crate) fn is(&self, shown: &str) -> bool {
        let digest = |text: &str| <[u8; 32]>::from(Sha256::digest(text));
        digest(&self.0).ct_eq(&digest(shown)).into()
    }
}

impl fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AdminToken")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "0123456789abcdef0123456789abcdef";

    #[track_caller]
    fn check(text: &str, mode: u32, expected: Result<&str, &str>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let found = AdminToken::read_or_create(&path);
        match expected {
            Ok(token) => assert_eq!(found.unwrap().reveal(), token),
            Err(part) => {
                let error = found.unwrap_err().to_string();
                assert!(error.contains(part), "{error}");
                assert!(!error.contains(TEXT), "{error}");
            }
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "the file is unchanged");
    }

    #[test]
    fn a_file_holds_one_line_that_others_may_not_read() {
        check(TEXT, 0o600, Ok(TEXT));
        check(&format!("{TEXT}\n"), 0o400, Ok(TEXT));
        check(&format!("{TEXT}\n"), 0o640, Ok(TEXT));
        for mode in [0o644, 0o604, 0o660, 0o602, 0o601] {
            check(TEXT, mode, Err("chmod 600"));
        }
        for text in ["", "\n", "0123456789abcdef0123456789abcde", &format!("{TEXT} {TEXT}")] {
            check(text, 0o600, Err("openssl rand -hex 32"));
        }
        check(&TEXT.repeat(33), 0o600, Err("1024"));
    }

    #[test]
    fn a_missing_file_is_created_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        assert!(AdminToken::read(&path).is_err(), "reading alone creates nothing");
        let created = AdminToken::read_or_create(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(AdminToken::read_or_create(&path).unwrap(), created);
        let other = AdminToken::read_or_create(&folder.path().join("other")).unwrap();
        assert_ne!(other, created);
        assert!(AdminToken::read_or_create(&folder.path().join("no/token")).is_err());
    }

    #[test]
    fn only_the_whole_token_is_accepted() {
        let token = AdminToken::new(TEXT).unwrap();
        assert!(token.is(TEXT));
        for other in ["", TEXT.get(1..).unwrap(), &format!("{TEXT}0"), &TEXT.to_uppercase()] {
            assert!(!token.is(other), "{other}");
        }
        assert!(!format!("{token:?}").contains(TEXT));
    }
}
