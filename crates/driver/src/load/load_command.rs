//! Measures the server under load, beside bare sockets and a bare disk.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::cluster_load::measure_cluster;
use super::pair::{Pace, PlayerPair};
use super::report::{IdleRow, LoadReport, Row};
use super::subjects_load::measure_subjects;
use super::{disk, idle};
use crate::http;
use crate::latencies::Latencies;
use crate::process::{Launch, Process, pin, raise_open_files, separate_cores};

/// Measure how many moves per second the server handles, and their latency
///
/// At each table two players play draws of tic-tac-toe through real sockets. A relay that only forwards
/// frames and the bare disk are measured for comparison.
#[derive(Debug, Args)]
pub(crate) struct Load {
    /// The `cradle` command to measure
    #[arg(long, value_name = "PROGRAM")]
    server: PathBuf,

    /// An older `cradle` command, to measure before the other one
    #[arg(long, value_name = "PROGRAM", conflicts_with = "cluster")]
    older: Option<PathBuf>,

    /// Measure three servers on three NATS servers, beside plain appends to these
    #[arg(long, requires = "nats")]
    cluster: bool,

    /// The NATS server for a cluster
    #[arg(long, value_name = "PROGRAM")]
    nats: Option<PathBuf>,

    /// Measure a cluster before and after the logs of this number of further tables are written
    #[arg(long, value_name = "NUMBER", requires = "cluster", conflicts_with = "paced")]
    subjects: Option<usize>,

    /// The journal: sqlite or memory
    #[arg(long, default_value = "sqlite")]
    journal: String,

    /// Number of tables
    #[arg(long, default_value_t = 500)]
    tables: usize,

    /// Duration in seconds
    #[arg(long, default_value_t = 10)]
    seconds: u64,

    /// Moves per second at each table [default: as many as possible]
    #[arg(long, value_name = "MOVES_PER_SECOND")]
    paced: Option<f64>,

    /// Number of idle connections beside the players
    #[arg(long, default_value_t = 0)]
    idle: usize,

    /// CPU core of the server
    #[arg(long, default_value_t = 0)]
    server_core: usize,

    /// CPU core of this program
    #[arg(long, default_value_t = 1)]
    driver_core: usize,

    /// Parent folder of the journal [default: the folder for temporary files]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// The number of tables that are created concurrently.
pub(super) const AT_ONCE: usize = 32;

impl Load {
    pub(crate) async fn run(&self) -> anyhow::Result<()> {
        let wanted = u64::try_from(self.idle + 2 * self.tables + 200)?;
        let files = raise_open_files(wanted);
        anyhow::ensure!(
            files >= wanted,
            "{wanted} open files are needed, but the system allows only {files}"
        );
        if let Some(nats) = self.nats.as_ref().filter(|_| self.cluster) {
            return self.load_cluster(nats).await;
        }
        let (server_core, driver_core) = separate_cores(self.server_core, self.driver_core);
        driver_core.map_or(Ok(()), pin)?;
        let folder = self.folder.clone().unwrap_or_else(std::env::temp_dir);
        let folder = tempfile::tempdir_in(folder).context("no folder can be created")?;
        let mut report = LoadReport::new(self.goal(), self.paced.is_some());
        report.disk = Some(disk::measure(folder.path())?);
        report.relay = Some(self.measure_relay(server_core).await?);
        if let Some(older) = &self.older {
            report.older = Some(self.measure_older(older, folder.path(), server_core).await?);
        }
        self.measure_server(folder.path(), server_core, &mut report).await?;
        print!("{report}");
        Ok(())
    }

    async fn load_cluster(&self, nats: &Path) -> anyhow::Result<()> {
        let folder = self.folder.clone().unwrap_or_else(std::env::temp_dir);
        let folder = tempfile::tempdir_in(folder).context("no folder can be created")?;
        let (programs, time) = ((self.server.as_path(), nats), Duration::from_secs(self.seconds));
        if let Some(subjects) = self.subjects {
            let extent = (subjects, self.tables);
            print!("{}", measure_subjects(programs, folder.path(), extent, time).await?);
            return Ok(());
        }
        let measured = measure_cluster(programs, folder.path(), self.tables, time, self.paced);
        print!("{}", measured.await?);
        Ok(())
    }

    fn goal(&self) -> u64 {
        if self.journal == "memory" { 50_000 } else { 40_000 }
    }

    async fn measure_relay(&self, core: Option<usize>) -> anyhow::Result<Row> {
        let launch = Launch {
            program: std::env::current_exe()?,
            arguments: vec!["relay".to_owned()],
            core,
            log: None,
        };
        let relay = launch.launch().await?;
        let numbers = stream::iter(0..self.tables);
        let pairs = numbers.map(|number| PlayerPair::at_relay(relay.address, number));
        let pairs = pairs.buffered(AT_ONCE).try_collect().await?;
        let (row, _) = self.play(&relay, pairs).await?;
        relay.kill().await?;
        Ok(row)
    }

    async fn measure_older(
        &self,
        older: &Path,
        folder: &Path,
        core: Option<usize>,
    ) -> anyhow::Result<Row> {
        let launch = Launch::server(older, &self.journal, &folder.join("older"));
        let server = Launch { core, ..launch }.launch().await?;
        let pairs = seat_all(server.address, self.tables).await?;
        let (row, _) = self.play(&server, pairs).await?;
        server.terminate().await?;
        Ok(row)
    }

    async fn measure_server(
        &self,
        data: &Path,
        core: Option<usize>,
        report: &mut LoadReport,
    ) -> anyhow::Result<()> {
        let launch = Launch { core, ..Launch::server(&self.server, &self.journal, data) };
        let server = launch.launch().await?;
        let pairs = seat_all(server.address, self.tables).await?;
        let (row, pairs) = self.play(&server, pairs).await?;
        report.server = Some(row);
        if self.idle > 0 {
            let before = server.memory()?;
            let sockets = idle::connect(server.address, self.idle).await?;
            let after = server.memory()?;
            let idle = idle::hold(sockets);
            let (row, _) = self.play(&server, pairs).await?;
            let lost = idle.end().await;
            let connections = self.idle;
            report.idle = Some(IdleRow { connections, before, after, lost, row });
        }
        server.terminate().await
    }

    /// Lets all pairs play; returns what was measured, and the pairs.
    async fn play(
        &self,
        process: &Process,
        pairs: Vec<PlayerPair>,
    ) -> anyhow::Result<(Row, Vec<PlayerPair>)> {
        let (began, cpu) = (Instant::now(), process.cpu()?);
        let end = began + Duration::from_secs(self.seconds);
        let mut playing = JoinSet::new();
        let count = u32::try_from(pairs.len())?.max(1);
        for (number, pair) in (0..).zip(pairs) {
            let pace = self.paced.map(|rate| Pace::new(rate, number, count));
            playing.spawn_local(pair.play(end, pace));
        }
        let (mut latencies, mut pairs) = (Latencies::default(), Vec::new());
        while let Some(played) = playing.join_next().await {
            let (pair, each) = played??;
            latencies.append(each);
            pairs.push(pair);
        }
        let (took, cpu) = (began.elapsed(), process.cpu()?.saturating_sub(cpu));
        Ok((Row::new(latencies, took, cpu, process.memory()?), pairs))
    }
}

async fn seat_all(server: SocketAddr, tables: usize) -> anyhow::Result<Vec<PlayerPair>> {
    let seated = stream::iter(0..tables).map(|number| async move {
        let table = http::create_table(server).await?;
        PlayerPair::at_table(server, number, &table).await
    });
    seated.buffered(AT_ONCE).try_collect().await
}
