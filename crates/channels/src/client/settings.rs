//! The settings of a client.

/// The timeouts of a client in milliseconds, and its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientSettings {
    /// The timeout of a join, a leave or a push.
    pub timeout: u64,
    /// The time between heartbeats, and the timeout of each; none if the transport notices a lost
    /// server, as long polls do.
    pub heartbeat: Option<u64>,
    /// The delays before each new connection.
    pub reconnect: Backoff,
    /// The delays before a failed channel is joined again.
    pub rejoin: Backoff,
    /// The most channels at a time.
    pub channels: u32,
    /// The most pushes that wait for their reply or their channel.
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

/// The delays before each retry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backoff {
    delays: Vec<u64>,
    later: u64,
}

impl Backoff {
    /// These delays in milliseconds before the first tries, and `later` before all others.
    pub fn new(delays: impl Into<Vec<u64>>, later: u64) -> Self {
        Self { delays: delays.into(), later }
    }

    /// The delay after this number of failed tries.
    pub fn delay(&self, tries: u32) -> u64 {
        let index = usize::try_from(tries).unwrap_or(usize::MAX);
        self.delays.get(index).copied().unwrap_or(self.later)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_delay_repeats() {
        let backoff = Backoff::new([1, 2], 5);
        assert_eq!([0, 1, 2, 3, u32::MAX].map(|tries| backoff.delay(tries)), [1, 2, 5, 5, 5]);
    }
}
