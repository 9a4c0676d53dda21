//! The state of the connection, and when to retry.

use super::Backoff;

/// The connection as the client sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConnectionState {
    /// The application wants no connection.
    Unwanted,
    /// The next try is at this time.
    Waiting { until: u64, tries: u32 },
    /// The caller is opening a connection.
    Connecting { tries: u32 },
    /// Frames can be sent.
    Open,
}

impl ConnectionState {
    pub(super) const fn is_unwanted(self) -> bool {
        matches!(self, Self::Unwanted)
    }

    pub(super) const fn is_connecting(self) -> bool {
        matches!(self, Self::Connecting { .. })
    }

    pub(super) const fn is_open(self) -> bool {
        matches!(self, Self::Open)
    }

    pub(super) const fn deadline(self) -> Option<u64> {
        if let Self::Waiting { until, .. } = self { Some(until) } else { None }
    }

    /// Waits before the next try; a connection that was open once starts from the shortest delay.
    pub(super) fn wait(self, backoff: &Backoff, now: u64) -> Self {
        let tries = if let Self::Connecting { tries } = self { tries } else { 0 };
        let until = now.saturating_add(backoff.delay(tries));
        Self::Waiting { until, tries: tries.saturating_add(1) }
    }

    /// The number of earlier tries, if the next one is due.
    pub(super) const fn due(self, now: u64) -> Option<u32> {
        match self {
            Self::Waiting { until, tries } if until <= now => Some(tries),
            _ => None,
        }
    }
}
