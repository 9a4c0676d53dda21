//! How a server is set up.

use crate::limits::Limits;

/// How a server is set up, apart from where it listens and where it writes.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Config {
    /// How much of everything there may be.
    pub limits: Limits,
    /// Pages of these origins may connect, besides the server's own: `https://play.example`.
    pub origins: Vec<String>,
    /// Whether a proxy stands before the server and says who is asking (`X-Forwarded-For`).
    pub is_behind_proxy: bool,
}

impl Config {
    /// The usual limits, no other origins and no proxy.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}
