//! The configuration of a server.

use std::time::Duration;

use crate::limits::Limits;
use crate::wall_clock::WallClock;

/// The configuration of a server, apart from its listener and its services.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Config {
    /// The limits.
    pub limits: Limits,
    /// Origins whose pages may connect, beside the server's own: `https://play.example`.
    pub origins: Vec<String>,
    /// Whether a proxy forwards the requests and sets `X-Forwarded-For`.
    pub is_behind_proxy: bool,
    /// The time of day.
    pub clock: WallClock,
    /// Tables are deleted when their last entry is older than this; without it, none is.
    pub keep: Option<Duration>,
}

impl Config {
    /// The default limits, no other origins and no proxy.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}
