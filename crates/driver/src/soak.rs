//! What the server keeps under faults.

mod damage;
mod full_disk;
mod intruder;
mod ledger;
mod player;
mod reading;
mod report;
mod rest;
mod scene;
mod world;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use tempfile::TempDir;
use tokio::time::Instant;

use self::report::Report;
use self::scene::Scene;
use crate::process::{Start, raise_open_files};

/// Play while faults are injected, and check that nothing is lost or done twice
///
/// Ends with 1 if something acknowledged was lost, if something happened twice, or if anything else
/// is not as it should be.
#[derive(Debug, Args)]
pub(crate) struct Soak {
    /// The command whose `serve` is tried
    #[arg(long, value_name = "PROGRAM")]
    server: PathBuf,

    /// For how many minutes
    #[arg(long, conflicts_with = "seconds")]
    minutes: Option<u64>,

    /// For how many seconds, if not for minutes
    #[arg(long, default_value_t = 20)]
    seconds: u64,

    /// How many tables
    #[arg(long, default_value_t = 200)]
    tables: usize,

    /// From which the moments and kinds of faults follow
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Where the folder of the journal is made; that of the system for temporary files otherwise
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl Soak {
    /// Gives whether everything is as it should be.
    pub(crate) async fn run(&self) -> anyhow::Result<bool> {
        raise_open_files(u64::try_from(8 * self.tables + 1_000)?);
        let folder = self.folder.clone().unwrap_or_else(std::env::temp_dir);
        let folder = tempfile::tempdir_in(folder).context("no folder can be made")?;
        let time = Duration::from_secs(self.minutes.map_or(self.seconds, |minutes| minutes * 60));
        let mut report = Report::new(self.seed);
        self.soak(folder.path(), time * 6 / 10, &mut report).await?;
        if !report.is_fine() {
            return Ok(finish(&report, folder));
        }
        full_disk::fill(&self.server, folder.path(), self.seed, &mut report).await?;
        let end = Instant::now() + time * 2 / 10;
        damage::damage(&self.server, folder.path(), (self.seed, end), &mut report).await?;
        Ok(finish(&report, folder))
    }

    /// Plays while the server is killed, stopped and frozen.
    async fn soak(&self, folder: &Path, time: Duration, report: &mut Report) -> anyhow::Result<()> {
        let mut scene =
            Scene::open(start(&self.server, folder, "journal"), self.tables, self.seed).await?;
        let (end, mut kinds) = (Instant::now() + time, [0, 5, 8].into_iter());
        // One finding brings about others, and each of them takes its time.
        while Instant::now() < end && scene.findings.is_empty() {
            let pause = 200 + scene.generator.below(1_000);
            scene.play(Duration::from_millis(pause)).await;
            // A short soak has each kind at least once.
            let kind = kinds.next().unwrap_or_else(|| scene.generator.below(9));
            inject(&mut scene, kind).await?;
            if scene.findings.is_empty() {
                scene.check().await?;
            }
        }
        if !scene.findings.is_empty() {
            report.add(scene.close().await?);
            return Ok(());
        }
        scene.terminate().await?;
        scene.await_recovery().await;
        scene.play(Duration::from_millis(1_500)).await;
        let busy = scene.server()?.memory()?;
        scene.check().await?;
        scene.send_home().await;
        report.memory = Some([scene.fresh, busy, rest::rest(&mut scene).await?]);
        report.add(scene.close().await?);
        Ok(())
    }
}

/// Prints the report, and keeps the files if something is wrong; gives whether nothing is.
fn finish(report: &Report, folder: TempDir) -> bool {
    print!("{report}");
    if !report.is_fine() {
        println!("The journals and the log of the server are in {}.", folder.keep().display());
    }
    report.is_fine()
}

/// How the server is started for a soak, with its log beside the journal.
fn start(server: &Path, folder: &Path, name: &str) -> Start {
    let mut start = Start::server(server, "sqlite", &folder.join(name));
    start.log = Some(folder.join("log"));
    start.with_limit("table_idle", 1_000).with_limit("idle_timeout", 10_000)
}

/// Injects one fault, and waits until play goes on.
async fn inject(scene: &mut Scene, kind: u64) -> anyhow::Result<()> {
    match kind {
        0..5 => {
            scene.world.count("SIGKILL and restart");
            scene.kill().await?;
        }
        5..7 => {
            scene.world.count("SIGTERM under load and restart");
            scene.terminate().await?;
        }
        _ => {
            scene.world.count("SIGSTOP, then SIGCONT");
            let time = Duration::from_millis(100 + scene.generator.below(900));
            scene.freeze(time).await?;
        }
    }
    scene.await_recovery().await;
    Ok(())
}
