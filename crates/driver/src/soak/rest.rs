//! What a server keeps when all have gone.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::ledger::Finding;
use super::scene::Scene;
use crate::http::metric;

/// How much more memory a server may have when all have gone than before anybody came, in kilobytes.
///
/// Nothing that belongs to players is left by then. What is left are the allocator's caches, one for
/// each thread (4 to 6 MB), and the parts of the program that were not needed before (2 MB).
const MOST_KEPT: u64 = 10 * 1_024;

/// How long a server may take to give it back: sockets that say nothing are closed after ten seconds and
/// their tables leave the memory a second later; what is free goes back to the system within ten more.
const PATIENCE: Duration = Duration::from_secs(40);

/// Waits until nothing of those who were there is left, or for too long; gives how much memory the
/// server has then.
pub(crate) async fn rest(scene: &mut Scene) -> anyhow::Result<u64> {
    let began = Instant::now();
    loop {
        let server = scene.server()?;
        let (address, memory) = (server.address, server.memory()?);
        let mut left = Vec::new();
        for (name, what) in [("live_tables", "tables"), ("connections", "connections")] {
            let count = metric(address, name).await?;
            left.extend((count > 0).then(|| format!("{count} {what} are left when all have gone")));
        }
        if memory > scene.fresh + MOST_KEPT {
            left.push(format!(
                "{memory} KB of memory are left, of {} KB at the start",
                scene.fresh
            ));
        }
        if left.is_empty() {
            return Ok(memory);
        }
        if began.elapsed() > PATIENCE {
            for what in left {
                scene.find("", Finding::Other { what });
            }
            return Ok(memory);
        }
        sleep(Duration::from_millis(500)).await;
    }
}
