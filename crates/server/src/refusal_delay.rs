//! Delays for clients that ask for more than they may, so that refusing them costs the server little.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::time::sleep;

use crate::connection_counts::{ConnectionCounts, ConnectionLimits};

/// How long an address that exceeds a rate waits at least. A client that waits for answers before it goes on
/// sends one message in this time, however fast it is.
pub(crate) const REFUSAL_DELAY: Duration = Duration::from_secs(1);

/// How much longer it waits at most.
const SPREAD: Duration = Duration::from_millis(500);

/// The refusals that wait, in total and by address.
#[derive(Debug, Default)]
pub(crate) struct RefusalDelay {
    waiting: ConnectionCounts,
    /// The number of delays so far.
    delays: AtomicU32,
}

impl RefusalDelay {
    /// The next delay. Delays that follow each other differ, so that clients which exceed a rate at the same
    /// moment do not come back at the same moment: others would have to wait while all of them are answered.
    pub(crate) fn next(&self) -> Duration {
        // Steps by the golden ratio fill the range evenly, however many there are.
        const GOLDEN: u32 = 0x9e37_79b9;
        let place = self.delays.fetch_add(1, Ordering::Relaxed).wrapping_mul(GOLDEN);
        REFUSAL_DELAY + SPREAD.mul_f64(f64::from(place) / f64::from(u32::MAX))
    }

    /// Waits before a request of an address is refused, unless too many wait already: they take memory.
    /// Returns whether it has waited.
    pub(crate) async fn wait(&self, address: IpAddr, limits: ConnectionLimits) -> bool {
        let Ok(_slot) = self.waiting.acquire(address, limits) else { return false };
        sleep(self.next()).await;
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
        assert!((REFUSAL_DELAY..=REFUSAL_DELAY + SPREAD).contains(&started.elapsed()));
        assert!(wait().await, "nobody waits any more");
    }

    #[test]
    fn those_who_are_refused_at_once_come_back_one_after_the_other() {
        let delay = RefusalDelay::default();
        let mut delays: Vec<_> = (0..500).map(|_| delay.next()).collect();
        delays.sort_unstable();
        assert!(delays[0] >= REFUSAL_DELAY && delays[499] <= REFUSAL_DELAY + SPREAD);
        let most = delays.windows(6).map(|six| six[5].saturating_sub(six[0])).min();
        assert!(most > Some(Duration::from_millis(2)), "six of 500 come back within {most:?}");
    }
}
