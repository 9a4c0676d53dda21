//! The time of day.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Where a server reads the time of day: from the system, unless a test passes another source.
#[derive(Clone)]
pub struct WallClock(Arc<dyn Fn() -> SystemTime + Send + Sync>);

impl WallClock {
    /// A clock that reads the time by calling `read`.
    pub fn new(read: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self(Arc::new(read))
    }

    /// Milliseconds since 1970.
    pub(crate) fn unix_time(&self) -> u64 {
        let since = (self.0)().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

impl Default for WallClock {
    fn default() -> Self {
        Self::new(SystemTime::now)
    }
}

impl Debug for WallClock {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("WallClock").finish_non_exhaustive()
    }
}
