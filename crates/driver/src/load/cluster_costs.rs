//! What a measurement on a cluster costs its processes.

use std::time::Duration;

use crate::cluster::ServerCluster;
use crate::process::processor_time;

/// The processor time of all processes of a cluster, and the messages of its NATS servers, since they started.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClusterCosts {
    /// The processor time of the NATS servers.
    pub(super) nats: Duration,
    /// The processor time of the servers of Cat's Cradle.
    pub(super) servers: Duration,
    /// The processor time of this program.
    pub(super) clients: Duration,
    /// The messages that clients and other NATS servers have sent to the NATS servers, and received from them.
    pub(super) messages: u64,
}

impl ClusterCosts {
    /// The costs until now.
    pub(super) async fn of(cluster: &ServerCluster) -> anyhow::Result<Self> {
        let mut costs = Self::default();
        for nats in &cluster.nats {
            costs.nats += processor_time(nats.pid()?)?;
            costs.messages += nats.messages().await?;
        }
        for number in 0..cluster.addresses().len() {
            costs.servers += cluster.node(number)?.cpu()?;
        }
        costs.clients = processor_time(std::process::id())?;
        Ok(costs)
    }

    /// The costs since a moment.
    pub(super) fn since(self, before: Self) -> Self {
        Self {
            nats: self.nats.saturating_sub(before.nats),
            servers: self.servers.saturating_sub(before.servers),
            clients: self.clients.saturating_sub(before.clients),
            messages: self.messages.saturating_sub(before.messages),
        }
    }

    /// The mean costs of one, if these are the costs of `count`.
    pub(super) fn of_one(self, count: u32) -> Self {
        let count = count.max(1);
        Self {
            nats: self.nats / count,
            servers: self.servers / count,
            clients: self.clients / count,
            messages: self.messages / u64::from(count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_costs_of_one_are_those_since_a_moment_divided() {
        let at = |seconds, messages| {
            let nats = Duration::from_secs(seconds);
            ClusterCosts { nats, servers: nats * 2, clients: nats * 3, messages }
        };
        let one = at(30, 5_000).since(at(10, 1_000)).of_one(1_000);
        let micros = [one.nats, one.servers, one.clients].map(|time| time.as_micros());
        assert_eq!((micros, one.messages), ([20_000, 40_000, 60_000], 4));
    }
}
