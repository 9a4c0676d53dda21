//! Measures a cluster under load, beside plain appends to the same NATS servers.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::cluster_costs::ClusterCosts;
use super::failover::measure_failover;
use super::floor::append_plainly;
use super::load_command::AT_ONCE;
use super::pair::{Pace, PlayerPair};
use crate::cluster::{NatsRoute, ServerCluster};
use crate::http;
use crate::latencies::{Latencies, Summary};

/// What was measured on a cluster.
#[derive(Debug)]
pub(crate) struct ClusterLoadReport {
    writers: usize,
    time: Duration,
    floor: CostlyRow,
    /// Appends at the pace of the moves.
    paced_floor: CostlyRow,
    moves: CostlyRow,
    /// The times from the death of a server until its clients play on.
    failover: Summary,
}

/// Appends or moves, and what one of them costs.
#[derive(Clone, Copy, Debug)]
struct CostlyRow {
    latencies: Summary,
    of_one: ClusterCosts,
}

/// A round of moves, and the append after it.
const APPENDS_OF_A_ROUND: f64 = 10.0 / 9.0;

/// Measures plain appends, then moves at as many tables as there were writers, and then the death of a server.
///
/// Players are connected to the servers themselves: the balancer is a part of this program, and would take its
/// time. The two players of a table are at different servers.
pub(super) async fn measure_cluster(
    (server, nats): (&Path, &Path),
    folder: &Path,
    writers: usize,
    time: Duration,
    paced: Option<f64>,
) -> anyhow::Result<ClusterLoadReport> {
    let local = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let start = ServerCluster::start((server, nats), folder, local, NatsRoute::Direct);
    let mut cluster = start.await?;
    let addresses: Vec<_> =
        cluster.nats.iter().map(|nats| format!("nats://{}", nats.ports.client())).collect();
    let plainly = |pace| append_plainly(&addresses, writers, time, pace);
    let floor = CostlyRow::measure(&cluster, plainly(None)).await?;
    let pairs = seat_apart(&cluster.addresses(), writers).await?;
    let moves = CostlyRow::measure(&cluster, play(pairs, time, paced)).await?;
    let appends = APPENDS_OF_A_ROUND * f64::from(moves.latencies.count) / time.as_secs_f64();
    let pace = appends / f64::from(u32::try_from(writers)?.max(1));
    let paced_floor = CostlyRow::measure(&cluster, plainly(Some(pace))).await?;
    let failover = measure_failover(&mut cluster, writers).await?;
    Ok(ClusterLoadReport { writers, time, floor, paced_floor, moves, failover })
}

impl CostlyRow {
    async fn measure(
        cluster: &ServerCluster,
        measured: impl Future<Output = anyhow::Result<Summary>>,
    ) -> anyhow::Result<Self> {
        let before = ClusterCosts::of(cluster).await?;
        let latencies = measured.await?;
        let costs = ClusterCosts::of(cluster).await?.since(before);
        Ok(Self { latencies, of_one: costs.of_one(latencies.count) })
    }
}

/// Creates tables whose two players are at different servers.
pub(super) async fn seat_apart(
    servers: &[SocketAddr],
    tables: usize,
) -> anyhow::Result<Vec<PlayerPair>> {
    let seated = stream::iter(0..tables).map(|number| async move {
        let [first, second] = [0, 1].map(|place| servers[(number + place) % servers.len()]);
        let table = http::create_table(first).await?;
        PlayerPair::apart([first.into(), second.into()], number, &table).await
    });
    seated.buffered(AT_ONCE).try_collect().await
}

/// Lets all pairs play until a time, as fast as they can or at a pace.
pub(super) async fn play(
    pairs: Vec<PlayerPair>,
    time: Duration,
    paced: Option<f64>,
) -> anyhow::Result<Summary> {
    let (end, mut playing) = (Instant::now() + time, JoinSet::new());
    let count = u32::try_from(pairs.len())?.max(1);
    for (number, pair) in (0..).zip(pairs) {
        let pace = paced.map(|rate| Pace::new(rate, number, count));
        playing.spawn_local(pair.play(end, pace));
    }
    let mut latencies = Latencies::default();
    while let Some(played) = playing.join_next().await {
        latencies.append(played??.1);
    }
    Ok(latencies.summary())
}

/// The median, the 99th percentile and the largest.
fn milliseconds(row: &Summary) -> [f64; 3] {
    [row.p50, row.p99, row.max].map(|each| each.as_secs_f64() * 1e3)
}

impl fmt::Display for ClusterLoadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<34}{:>10}{:>10}{:>10}{:>10}", "", "per s", "p50 ms", "p99 ms", "max ms")?;
        let rows = [
            ("plain appends", &self.floor),
            ("plain appends at the pace of moves", &self.paced_floor),
            ("moves through three servers", &self.moves),
        ];
        let per_second = |row: &CostlyRow| f64::from(row.latencies.count) / self.time.as_secs_f64();
        for (name, row) in rows {
            let ([p50, p99, max], rate) = (milliseconds(&row.latencies), per_second(row));
            writeln!(f, "{name:<34}{rate:>10.0}{p50:>10.1}{p99:>10.1}{max:>10.1}")?;
        }
        let ([p50, p99, max], name) =
            (milliseconds(&self.failover), "clients of a killed server play on");
        writeln!(f, "{name:<34}{:>10}{p50:>10.1}{p99:>10.1}{max:>10.1}", "")?;
        writeln!(f, "{} clients lost their server", self.failover.count)?;
        let share = 100.0 * per_second(&self.moves) / per_second(&self.floor).max(1.0);
        writeln!(f, "{} writers; moves reach {share:.0} % of the appends", self.writers)?;
        writeln!(
            f,
            "{:<34}{:>10}{:>10}{:>10}{:>10}",
            "one costs", "NATS", "servers", "clients", "messages"
        )?;
        for (name, row) in rows {
            let ClusterCosts { nats, servers, clients, messages } = row.of_one;
            let [nats, servers, clients] = [nats, servers, clients].map(|time| time.as_micros());
            writeln!(f, "{name:<34}{nats:>7} µs{servers:>7} µs{clients:>7} µs{messages:>10}")?;
        }
        Ok(())
    }
}
