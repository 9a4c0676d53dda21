//! The memory of a server after all players have left.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::ledger::SoakViolation;
use super::testbed::Testbed;
use crate::http::metric;

/// The growth of the server's memory, in kilobytes, that is allowed once all players have left.
///
/// The server keeps nothing of the players. The rest is the caches of the journal and of the allocator,
/// which has one for each thread.
const MAX_GROWTH: u64 = 10 * 1_024;

/// The time limit for freeing it: silent sockets are closed after ten seconds, their tables are evicted a
/// second later, and the allocator returns free memory to the system within ten more seconds.
const TIMEOUT: Duration = Duration::from_secs(40);

/// Waits until the server has freed everything, or until the time limit; returns its memory.
pub(crate) async fn wait_until_idle(testbed: &mut Testbed) -> anyhow::Result<u64> {
    let began = Instant::now();
    loop {
        let server = testbed.server()?;
        let (address, memory) = (server.address, server.allocated()?);
        let mut left = Vec::new();
        for (name, what) in [("live_tables", "tables"), ("connections", "connections")] {
            let count = metric(address, name).await?;
            left.extend(
                (count > 0).then(|| format!("{count} {what} are left after all players have left")),
            );
        }
        if memory > testbed.initial_memory + MAX_GROWTH {
            left.push(format!(
                "the server still uses {memory} KB of memory, {} KB at the start",
                testbed.initial_memory
            ));
        }
        if left.is_empty() {
            return Ok(memory);
        }
        if began.elapsed() > TIMEOUT {
            for what in left {
                testbed.report("", SoakViolation::Other { what });
            }
            return Ok(memory);
        }
        sleep(Duration::from_millis(500)).await;
    }
}
