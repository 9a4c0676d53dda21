//! Attacks the server from one address while others play from another.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use super::attack_report::AttackRow;
use super::{AttackKind, AttackReport, EngagementTimes, StrangerPriority, engage};
use crate::process::{pin, raise_open_files, separate_cores};

/// Attack the server from some addresses while honest players play from another
///
/// The server runs with its default limits, on a core of its own if there are two: the strangers would attack
/// from machines of their own. The exit code is 1 if an attack succeeds, if the memory does not come back to
/// within a fifth of what it was, or if the p99 of honest moves more than doubles.
#[derive(Debug, Args)]
pub(crate) struct Attack {
    /// The `cradle` command to attack
    #[arg(long, value_name = "PROGRAM")]
    server: PathBuf,

    /// Only this attack [default: all]
    #[arg(long, value_name = "ATTACK")]
    only: Option<AttackKind>,

    /// Number of rounds: in each, honest players are alone for a while and then attacked. The medians count
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=50))]
    rounds: u8,

    /// Duration of the attack in each round, in seconds
    #[arg(long, default_value_t = 10)]
    seconds: u64,

    /// Time for the memory of the server to come back, in seconds, also after a first wave that is not measured
    #[arg(long, default_value_t = 60)]
    settle: u64,

    /// CPU core of the server
    #[arg(long, default_value_t = 0)]
    server_core: usize,

    /// CPU core of the strangers and the honest players
    #[arg(long, default_value_t = 1)]
    driver_core: usize,

    /// Parent folder of the journals [default: the folder for temporary files]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl Attack {
    /// Returns whether no attack succeeded.
    pub(crate) async fn run(&self) -> anyhow::Result<bool> {
        raise_open_files(10_000);
        let folder = self.folder.clone().unwrap_or_else(std::env::temp_dir);
        let folder = tempfile::tempdir_in(folder).context("no folder can be created")?;
        let (core, driver_core) = separate_cores(self.server_core, self.driver_core);
        driver_core.map_or(Ok(()), pin)?;
        let priority = StrangerPriority::possible().await;
        if priority == StrangerPriority::Lowest {
            eprintln!(
                "There is no chrt: install util-linux, or honest players look slower than they are."
            );
        }
        let attack = Duration::from_secs(self.seconds);
        let times = EngagementTimes {
            warm: Some(attack),
            rounds: self.rounds,
            calm: attack,
            attack,
            settle: Duration::from_secs(self.settle),
            priority,
            idle: None,
        };
        let kinds = self.only.as_ref().map_or(AttackKind::ALL.as_slice(), std::slice::from_ref);
        let mut report = AttackReport::new(priority);
        for kind in kinds {
            eprintln!("{kind} …");
            report.rows.push(engage(*kind, &self.server, core, folder.path(), times).await?);
        }
        print!("{report}");
        let mut findings: Vec<_> = report.rows.iter().flat_map(AttackRow::findings).collect();
        findings.extend(report.rows.iter().filter_map(AttackRow::delay));
        for finding in &findings {
            println!("{finding}");
        }
        Ok(findings.is_empty())
    }
}
