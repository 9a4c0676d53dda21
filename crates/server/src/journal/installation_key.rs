//! The secret key of an installation.

use std::fmt;

/// The secret key of an installation, which is never printed.
#[derive(Clone, Copy)]
pub(super) struct InstallationKey(pub(super) [u8; 32]);

impl InstallationKey {
    /// A new key.
    pub(super) fn random() -> Result<Self, getrandom::Error> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)?;
        Ok(Self(key))
    }
}

impl fmt::Debug for InstallationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InstallationKey")
    }
}
