//! Measures a cluster before and after its stream of logs has many subjects.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use anyhow::ensure;
use async_nats::Client;
use tokio::time::{Instant, sleep};

use super::cluster_load::{play, seat_apart};
use super::subjects;
use crate::cluster::{NatsRoute, ServerCluster};
use crate::latencies::Summary;
use crate::process::resident_memory;

/// What many subjects cost.
#[derive(Debug)]
pub(crate) struct SubjectsReport {
    subjects: usize,
    /// Without them, and with them.
    rows: [SubjectsRow; 2],
    /// How long it took to append a message to each.
    filled: Duration,
    last_message: Summary,
    shard: Summary,
    /// How long a NATS server takes until it has everything after a kill.
    nats_restart: Duration,
    /// How long a server of Cat's Cradle takes until it is ready after a kill.
    server_restart: Duration,
}

/// A cluster at a moment, and moves at some of its tables.
#[derive(Clone, Copy, Debug)]
struct SubjectsRow {
    /// The largest memory of a NATS server, in kilobytes.
    nats: u64,
    /// The largest memory of a server of Cat's Cradle, in kilobytes.
    server: u64,
    /// The size of the folder of a NATS server, in kilobytes.
    disk: u64,
    moves: Summary,
    time: Duration,
}

/// How long a cluster rests after the subjects were written.
const REST: Duration = Duration::from_secs(5);

/// How long a NATS server may take until it has everything.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Plays on a cluster, writes a message to each of many subjects, and plays again.
pub(super) async fn measure_subjects(
    programs: (&Path, &Path),
    folder: &Path,
    (subjects, tables): (usize, usize),
    time: Duration,
) -> anyhow::Result<SubjectsReport> {
    let local = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let mut cluster = ServerCluster::start(programs, folder, local, NatsRoute::Direct).await?;
    let before = SubjectsRow::measure(&cluster, folder, tables, time).await?;
    let mut clients: Vec<Client> = Vec::new();
    for nats in &cluster.nats {
        clients.push(async_nats::connect(format!("nats://{}", nats.ports.client())).await?);
    }
    let began = Instant::now();
    subjects::fill(&clients, subjects).await?;
    let filled = began.elapsed();
    sleep(REST).await;
    let after = SubjectsRow::measure(&cluster, folder, tables, time).await?;
    let last_message = subjects::look_up(&clients[0], subjects).await?;
    let shard = subjects::list(&clients[0]).await?;
    let nats_restart = restart_nats(&mut cluster).await?;
    cluster.kill_node(0).await?;
    let began = Instant::now();
    cluster.start_node(0).await?;
    let server_restart = began.elapsed();
    let rows = [before, after];
    Ok(SubjectsReport { subjects, rows, filled, last_message, shard, nats_restart, server_restart })
}

/// Kills a NATS server that leads nothing, and starts it again; returns how long it takes until it has everything.
async fn restart_nats(cluster: &mut ServerCluster) -> anyhow::Result<Duration> {
    let follower = (cluster.leader().await? + 1) % cluster.nats.len();
    let nats = &mut cluster.nats[follower];
    nats.kill().await?;
    let began = Instant::now();
    nats.start()?;
    while !nats.is_current().await {
        ensure!(began.elapsed() < TIMEOUT, "a NATS server does not get everything");
        sleep(Duration::from_millis(50)).await;
    }
    Ok(began.elapsed())
}

impl SubjectsRow {
    async fn measure(
        cluster: &ServerCluster,
        folder: &Path,
        tables: usize,
        time: Duration,
    ) -> anyhow::Result<Self> {
        let pairs = seat_apart(&cluster.addresses(), tables).await?;
        let moves = play(pairs, time, None).await?;
        let (mut nats, mut server) = (0, 0);
        for process in &cluster.nats {
            nats = nats.max(resident_memory(process.pid()?)?);
        }
        for number in 0..cluster.addresses().len() {
            server = server.max(cluster.node(number)?.memory()?);
        }
        let disk = size(&folder.join(&cluster.nats[0].name))? / 1_024;
        Ok(Self { nats, server, disk, moves, time })
    }
}

/// The bytes of all files in a folder.
fn size(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for file in folder.read_dir()? {
        let file = file?;
        // A file may disappear meanwhile.
        let Ok(about) = file.metadata() else { continue };
        bytes += if about.is_dir() { size(&file.path())? } else { about.len() };
    }
    Ok(bytes)
}

impl fmt::Display for SubjectsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.subjects;
        writeln!(f, "{:<44}{:>12}{:>12}", "subjects beside those that are played", 0, count)?;
        let mut row = |name: &str, value: fn(&SubjectsRow) -> String| {
            let [before, after] = [&self.rows[0], &self.rows[1]].map(value);
            writeln!(f, "{name:<44}{before:>12}{after:>12}")
        };
        let milliseconds = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e3);
        row("memory of a NATS server, MB", |row| (row.nats / 1_024).to_string())?;
        row("memory of a server of Cat's Cradle, MB", |row| (row.server / 1_024).to_string())?;
        row("disk of a NATS server, MB", |row| (row.disk / 1_024).to_string())?;
        row("moves each second", |row| {
            format!("{:.0}", f64::from(row.moves.count) / row.time.as_secs_f64())
        })?;
        row("move, median, ms", |row| format!("{:.1}", row.moves.p50.as_secs_f64() * 1e3))?;
        row("move, 99th percentile, ms", |row| {
            format!("{:.1}", row.moves.p99.as_secs_f64() * 1e3)
        })?;
        let seconds = self.filled.as_secs_f64();
        writeln!(f, "a message for each subject took {seconds:.0} s")?;
        for (name, times) in [
            ("the last message of a subject", self.last_message),
            ("the subjects of one of 256 shards", self.shard),
        ] {
            let [p50, p99] = [times.p50, times.p99].map(milliseconds);
            writeln!(f, "{name}, from the leader: median {p50} ms, 99th percentile {p99} ms")?;
        }
        let [nats, server] = [self.nats_restart, self.server_restart].map(|it| it.as_secs_f64());
        writeln!(f, "after a kill, a NATS server has everything after {nats:.1} s")?;
        writeln!(f, "after a kill, a server of Cat's Cradle is ready after {server:.1} s")
    }
}
