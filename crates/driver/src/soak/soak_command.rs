//! Plays against the server while faults are injected, and checks that nothing is lost.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use tempfile::TempDir;
use tokio::time::Instant;

use super::ledger::SoakViolation;
use super::report::SoakReport;
use super::testbed::Testbed;
use super::{damage, full_disk, idle_memory};
use crate::attack::{AttackKind, AttackReport, EngagementTimes, StrangerPriority, engage};
use crate::cluster::{ClusterPrograms, soak_cluster};
use crate::process::{Launch, raise_open_files};

/// Play while faults are injected, and check that no move is lost or recorded twice
///
/// The exit code is 1 if a check fails.
#[derive(Debug, Args)]
pub(crate) struct Soak {
    /// The `cradle` command to test
    #[arg(long, value_name = "PROGRAM")]
    server: PathBuf,

    /// Play on a cluster of three servers and three NATS servers
    #[arg(long, requires = "nats")]
    cluster: bool,

    /// The NATS server for a cluster
    #[arg(long, value_name = "PROGRAM")]
    nats: Option<PathBuf>,

    /// An older `cradle` command, with which a cluster starts: it is replaced under load
    #[arg(long, value_name = "PROGRAM", requires = "cluster")]
    older: Option<PathBuf>,

    /// The kinds of entries that the servers hold in the first step of an upgrade, with commas [default: those
    /// that the older command does not know]
    #[arg(long, value_name = "KINDS", requires = "cluster")]
    hold: Option<String>,

    /// HAProxy, through which players reach a cluster instead of the balancer of this program [default program:
    /// haproxy]
    #[arg(
        long,
        value_name = "PROGRAM",
        requires = "cluster",
        num_args = 0..=1,
        default_missing_value = "haproxy"
    )]
    haproxy: Option<PathBuf>,

    /// Duration in minutes
    #[arg(long, conflicts_with = "seconds")]
    minutes: Option<u64>,

    /// Duration in seconds, unless minutes are given
    #[arg(long, default_value_t = 20)]
    seconds: u64,

    /// Number of tables
    #[arg(long, default_value_t = 200)]
    tables: usize,

    /// Seed of the moments and kinds of faults
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Parent folder of the journal [default: the folder for temporary files]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// The time for the memory of a server to come back after an attack: tables that nobody connects to are evicted
/// after a quarter of a minute, games ten to fifteen seconds after their last table, and the allocator returns
/// free memory to the system within ten more seconds.
const MEMORY_SETTLES: Duration = Duration::from_mins(1);

/// An attack of this length is made in three rounds, and honest moves may take at most twice as long.
const LONG_ATTACK: Duration = Duration::from_secs(30);

impl Soak {
    /// Returns whether all checks passed.
    pub(crate) async fn run(&self) -> anyhow::Result<bool> {
        raise_open_files(u64::try_from(8 * self.tables + 1_000)?);
        let folder = self.folder.clone().unwrap_or_else(std::env::temp_dir);
        let folder = tempfile::tempdir_in(folder).context("no folder can be created")?;
        let time = Duration::from_secs(self.minutes.map_or(self.seconds, |minutes| minutes * 60));
        let mut report = SoakReport::new(self.seed);
        if let Some(nats) = self.nats.as_ref().filter(|_| self.cluster) {
            let programs = ClusterPrograms {
                server: &self.server,
                older: self.older.as_deref(),
                held: self.hold.as_deref(),
                nats,
                haproxy: self.haproxy.as_deref(),
            };
            let extent = (time, self.tables, self.seed);
            soak_cluster(&programs, folder.path(), extent, &mut report).await?;
            return Ok(finish(&report, folder));
        }
        self.soak(folder.path(), time * 6 / 10, &mut report).await?;
        if !report.passed() {
            return Ok(finish(&report, folder));
        }
        full_disk::fill(&self.server, folder.path(), self.seed, &mut report).await?;
        let end = Instant::now() + time * 2 / 10;
        damage::damage(&self.server, folder.path(), (self.seed, end), &mut report).await?;
        self.attack(folder.path(), time, &mut report).await?;
        Ok(finish(&report, folder))
    }

    /// Lets strangers attack, each attack for a tenth of the soak but at most a minute. All limits are the
    /// default ones, except that a short soak does not wait for a minute until memory comes back. It also
    /// does not judge how much longer honest moves take, and lets the server grow once.
    async fn attack(
        &self,
        folder: &Path,
        time: Duration,
        report: &mut SoakReport,
    ) -> anyhow::Result<()> {
        let attack = (time / 10).min(Duration::from_mins(1));
        let idle = (attack < Duration::from_secs(10)).then_some(1_000);
        let rounds = if attack < LONG_ATTACK { 1 } else { 3 };
        let attack = attack / u32::from(rounds);
        let is_long = rounds > 1;
        // Where other programs keep all cores busy, strangers who run when nobody else wants to do nothing.
        let priority =
            if is_long { StrangerPriority::possible().await } else { StrangerPriority::Lowest };
        let times = EngagementTimes {
            warm: is_long.then_some(attack),
            rounds,
            calm: attack,
            attack,
            settle: MEMORY_SETTLES,
            priority,
            idle,
        };
        report.attacks = AttackReport::new(priority);
        for kind in AttackKind::ALL {
            let row = engage(kind, &self.server, None, folder, times).await?;
            for what in row.findings().chain(row.delay().filter(|_| is_long)) {
                report.add_violation("", SoakViolation::Intruder { what });
            }
            report.attacks.rows.push(row);
        }
        Ok(())
    }

    /// Plays while the server is killed, terminated and frozen.
    async fn soak(
        &self,
        folder: &Path,
        time: Duration,
        report: &mut SoakReport,
    ) -> anyhow::Result<()> {
        let mut testbed =
            Testbed::open(launch(&self.server, folder, "journal"), self.tables, self.seed).await?;
        let (end, mut kinds) = (Instant::now() + time, [0, 5, 8].into_iter());
        // One violation causes others, and each check of them takes time.
        while Instant::now() < end && testbed.violations.is_empty() {
            let pause = 200 + testbed.generator.below(1_000);
            testbed.play(Duration::from_millis(pause)).await;
            // The first three faults are one of each kind.
            let kind = kinds.next().unwrap_or_else(|| testbed.generator.below(9));
            inject(&mut testbed, kind).await?;
            if testbed.violations.is_empty() {
                testbed.check().await?;
            }
        }
        if !testbed.violations.is_empty() {
            report.add(testbed.close().await?);
            return Ok(());
        }
        testbed.terminate().await?;
        testbed.await_recovery().await;
        testbed.play(Duration::from_millis(1_500)).await;
        let busy = testbed.server()?.allocated()?;
        testbed.check().await?;
        testbed.end_players().await;
        report.memory =
            Some([testbed.initial_memory, busy, idle_memory::wait_until_idle(&mut testbed).await?]);
        report.add(testbed.close().await?);
        Ok(())
    }
}

/// Prints the report, and keeps the files if a check failed; returns whether all passed.
fn finish(report: &SoakReport, folder: TempDir) -> bool {
    print!("{report}");
    if !report.passed() {
        println!("The journals and the log of the server are in {}.", folder.keep().display());
    }
    report.passed()
}

/// How to launch the server for a soak, with its log beside the journal.
pub(super) fn launch(server: &Path, folder: &Path, name: &str) -> Launch {
    let mut launch = Launch::server(server, "sqlite", &folder.join(name));
    launch.log = Some(folder.join("log"));
    launch.with_limit("table_idle", 1_000).with_limit("idle_timeout", 10_000)
}

/// Injects one fault, and waits until the server acknowledges an action again.
async fn inject(testbed: &mut Testbed, kind: u64) -> anyhow::Result<()> {
    match kind {
        0..5 => {
            testbed.shared.count_fault("SIGKILL and restart");
            testbed.kill().await?;
        }
        5..7 => {
            testbed.shared.count_fault("SIGTERM under load and restart");
            testbed.terminate().await?;
        }
        _ => {
            testbed.shared.count_fault("SIGSTOP, then SIGCONT");
            let time = Duration::from_millis(100 + testbed.generator.below(900));
            testbed.freeze(time).await?;
        }
    }
    testbed.await_recovery().await;
    Ok(())
}
