//! How patient a client is.

/// What a client does when, in milliseconds, and what it allows itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientSettings {
    /// How long a join, a leave or a push waits for its answer.
    pub timeout: u64,
    /// How long after the last one a heartbeat is sent, and how long it may stay unanswered; none
    /// where the transport notices by itself that the server is gone, as long polls do.
    pub heartbeat: Option<u64>,
    /// How long to wait before a new connection is made.
    pub reconnect: Backoff,
    /// How long to wait before a channel that failed is joined again.
    pub rejoin: Backoff,
    /// How many channels there may be at a time.
    pub channels: u32,
    /// How many pushes may wait for their answer, or for their channel, at a time.
    pub pushes: u32,
}

impl Default for ClientSettings {
    /// The times of the `phoenix` client; 128 channels, 1,024 pushes.
    fn default() -> Self {
        Self {
            timeout: 10_000,
            heartbeat: Some(30_000),
            reconnect: Backoff::new([10, 50, 100, 150, 200, 250, 500, 1_000, 2_000], 5_000),
            rejoin: Backoff::new([1_000, 2_000, 5_000], 10_000),
            channels: 128,
            pushes: 1_024,
        }
    }
}

/// How long to wait before each try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backoff {
    delays: Vec<u64>,
    later: u64,
}

impl Backoff {
    /// Waits for these milliseconds before the first tries, and for `later` before all others.
    pub fn new(delays: impl Into<Vec<u64>>, later: u64) -> Self {
        Self { delays: delays.into(), later }
    }

    /// How long to wait after so many failed tries.
    pub fn delay(&self, tries: u32) -> u64 {
        let index = usize::try_from(tries).unwrap_or(usize::MAX);
        self.delays.get(index).copied().unwrap_or(self.later)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_delay_is_repeated_for_ever() {
        let backoff = Backoff::new([1, 2], 5);
        assert_eq!([0, 1, 2, 3, u32::MAX].map(|tries| backoff.delay(tries)), [1, 2, 5, 5, 5]);
    }
}
