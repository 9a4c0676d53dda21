//! Delays for clients that ask for more than they may, so that refusing them costs the server little.

use std::net::IpAddr;
use std::time::Duration;

use tokio::time::sleep;

use crate::connection_counts::{ConnectionCounts, ConnectionLimits};

/// How long an address that exceeds a rate waits. A client that waits for answers before it goes on sends
/// one message in this time, however fast it is.
pub(crate) const REFUSAL_DELAY: Duration = Duration::from_secs(1);

/// The refusals that wait, in total and by address.
#[derive(Debug, Default)]
pub(crate) struct RefusalDelay(ConnectionCounts);

impl RefusalDelay {
    /// Waits before a request of an address is refused, unless too many wait already: they take memory.
    /// Returns whether it has waited.
    pub(crate) async fn wait(&self, address: IpAddr, limits: ConnectionLimits) -> bool {
        let Ok(_slot) = self.0.acquire(address, limits) else { return false };
        sleep(REFUSAL_DELAY).await;
        true
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_refusal_waits_unless_too_many_do() {
        let (delay, started) = (RefusalDelay::default(), Instant::now());
        let limits = ConnectionLimits { total: 9, per_address: 2 };
        let wait = || delay.wait([10, 0, 0, 1].into(), limits);
        let (first, second, third) = tokio::join!(wait(), wait(), wait());
        assert_eq!([first, second, third], [true, true, false]);
        assert_eq!(started.elapsed(), REFUSAL_DELAY);
        assert!(wait().await, "nobody waits any more");
    }
}
