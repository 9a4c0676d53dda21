//! The configuration of a server.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use crate::admin::AdminToken;
use crate::limits::Limits;
use crate::wall_clock::WallClock;

/// The configuration of a server, apart from its listeners and its services.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Config {
    /// The limits.
    pub limits: Limits,
    /// The names by which browsers reach the server, in lower case and without ports: `play.example`.
    /// Addresses and `localhost` need not be named.
    pub names: Vec<String>,
    /// Origins whose pages may use the server, beside the server's own: `https://play.example`.
    pub origins: Vec<String>,
    /// Whether a proxy forwards the requests and sets `X-Forwarded-For`. It is read once, when the
    /// server starts.
    pub is_behind_proxy: bool,
    /// The token that the admin listener expects. Without one it answers only whether the server is
    /// alive and ready.
    pub admin_token: Option<AdminToken>,
    /// The time of day.
    pub clock: WallClock,
    /// Tables are deleted when their last entry is older than this; without it, none is.
    pub keep: Option<Duration>,
}

impl Config {
    /// The default limits, no other origins, no proxy and no token.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// The configuration that a server uses. It can be replaced while the server runs.
///
/// Readers get a copy, so no lock is held while they use it. A value that was read once stays in use
/// where it was read: a table keeps the size of its mailbox, a connection that of its outbox.
#[derive(Debug, Default)]
pub struct LiveConfig(RwLock<Arc<Config>>);

impl LiveConfig {
    /// Begins with this configuration.
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self(RwLock::new(Arc::new(config)))
    }

    /// The configuration at this moment.
    pub fn get(&self) -> Arc<Config> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The limits at this moment.
    pub fn limits(&self) -> Limits {
        self.0.read().unwrap_or_else(PoisonError::into_inner).limits
    }

    /// Replaces the configuration.
    pub fn replace(&self, config: Config) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(config);
    }
}
