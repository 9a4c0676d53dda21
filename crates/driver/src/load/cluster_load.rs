//! Measures a cluster under load, beside plain appends to the same NATS servers.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use anyhow::ensure;
use async_nats::{Client, HeaderMap};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::failover::measure_failover;
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
    floor: Summary,
    moves: Summary,
    /// The times from the death of a server until its clients play on.
    failover: Summary,
}

/// The stream for plain appends.
const FLOOR: &str = "floor";

/// The number of refusals after which a writer gives up.
const MOST_REFUSED: u32 = 100;

/// As long as the entry of a move.
const PAYLOAD: &str = r#"{"format":1,"version":12,"at":1763310000000,"who":{"seat":1},"action":"0123456789abcdef:12","kind":"played","seat":1,"round":1,"ply":8,"move":"b2"}"#;

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
    let floor = append_plainly(&addresses, writers, time).await?;
    let pairs = seat_apart(&cluster.addresses(), writers).await?;
    let moves = play(pairs, time, paced).await?;
    let failover = measure_failover(&mut cluster, writers).await?;
    Ok(ClusterLoadReport { writers, time, floor, moves, failover })
}

/// Creates tables whose two players are at different servers.
async fn seat_apart(servers: &[SocketAddr], tables: usize) -> anyhow::Result<Vec<PlayerPair>> {
    let seated = stream::iter(0..tables).map(|number| async move {
        let [first, second] = [0, 1].map(|place| servers[(number + place) % servers.len()]);
        let table = http::create_table(first).await?;
        PlayerPair::apart([first.into(), second.into()], number, &table).await
    });
    seated.buffered(AT_ONCE).try_collect().await
}

/// Appends to one subject for each writer, as servers do, while one consumer for each server follows.
async fn append_plainly(
    addresses: &[String],
    writers: usize,
    time: Duration,
) -> anyhow::Result<Summary> {
    let mut clients = Vec::new();
    for address in addresses {
        clients.push(async_nats::connect(address).await?);
    }
    let config = json!({
        "name": FLOOR, "subjects": ["floor.>"], "storage": "file", "retention": "limits",
        "discard": "old", "num_replicas": addresses.len(),
    });
    call(&clients[0], &format!("STREAM.CREATE.{FLOOR}"), &config).await?;
    let mut readers = JoinSet::new();
    for client in &clients {
        let inbox = client.new_inbox();
        let mut messages = client.subscribe(inbox.clone()).await?;
        let consumer = json!({
            "stream_name": FLOOR,
            "config": { "deliver_subject": inbox, "ack_policy": "none", "mem_storage": true },
        });
        call(client, &format!("CONSUMER.CREATE.{FLOOR}"), &consumer).await?;
        readers.spawn_local(async move { while messages.next().await.is_some() {} });
    }
    let (end, mut writing) = (Instant::now() + time, JoinSet::new());
    for number in 0..writers {
        writing.spawn_local(write(clients[number % clients.len()].clone(), number, end));
    }
    let mut latencies = Latencies::default();
    while let Some(written) = writing.join_next().await {
        latencies.append(written??);
    }
    // A subscription must end while the runtime runs.
    readers.shutdown().await;
    call(&clients[0], &format!("STREAM.DELETE.{FLOOR}"), &json!({})).await?;
    Ok(latencies.summary())
}

async fn write(client: Client, number: usize, end: Instant) -> anyhow::Result<Latencies> {
    let (mut last, mut refused, mut latencies) = (0, 0, Latencies::default());
    while Instant::now() < end {
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Expected-Last-Subject-Sequence", last.to_string());
        headers.insert("Nats-Msg-Id", format!("{number}-{last}"));
        let began = Instant::now();
        let subject = format!("floor.{number}");
        let answer = client.request_with_headers(subject, headers, PAYLOAD.into()).await?;
        let answer: Value = serde_json::from_slice(&answer.payload)?;
        if let Some(sequence) = answer["seq"].as_u64().filter(|sequence| *sequence > 0) {
            latencies.push(began.elapsed());
            last = sequence;
        } else {
            // A new stream is not ready at once.
            refused += 1;
            ensure!(refused < MOST_REFUSED, "appends are refused: {}", answer["error"]);
            sleep(Duration::from_millis(50)).await;
        }
    }
    Ok(latencies)
}

async fn call(client: &Client, function: &str, body: &Value) -> anyhow::Result<()> {
    let answer = client.request(format!("$JS.API.{function}"), body.to_string().into()).await?;
    let answer: Value = serde_json::from_slice(&answer.payload)?;
    ensure!(answer["error"].is_null(), "{function} was answered {}", answer["error"]);
    Ok(())
}

async fn play(
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
        let per_second = |row: &Summary| f64::from(row.count) / self.time.as_secs_f64();
        for (name, row) in
            [("plain appends", &self.floor), ("moves through three servers", &self.moves)]
        {
            let [p50, p99, max] = milliseconds(row);
            let rate = per_second(row);
            writeln!(f, "{name:<34}{rate:>10.0}{p50:>10.1}{p99:>10.1}{max:>10.1}")?;
        }
        let ([p50, p99, max], name) =
            (milliseconds(&self.failover), "clients of a killed server play on");
        writeln!(f, "{name:<34}{:>10}{p50:>10.1}{p99:>10.1}{max:>10.1}", "")?;
        writeln!(f, "{} clients lost their server", self.failover.count)?;
        let share = 100.0 * per_second(&self.moves) / per_second(&self.floor).max(1.0);
        writeln!(f, "{} writers; moves reach {share:.0} % of the appends", self.writers)
    }
}
