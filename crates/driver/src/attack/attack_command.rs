//! Attacks the server from one address while others play from another.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use super::attack_report::AttackRow;
use super::{AttackKind, AttackReport, EngagementTimes, engage};
use crate::process::{pin, raise_open_files, separate_cores};

/// Attack the server from some addresses while honest players play from another
///
/// The server runs with its default limits, on a core of its own if there are two: the strangers would attack
/// from machines of their own. The exit code is 1 if an attack succeeds, or more than doubles the p99 of honest
/// moves to over ten milliseconds.
#[derive(Debug, Args)]
pub(crate) struct Attack {
    /// The `cradle` command to attack
    #[arg(long, value_name = "PROGRAM")]
    server: PathBuf,

    /// Only this attack [default: all]
    #[arg(long, value_name = "ATTACK")]
    only: Option<AttackKind>,

    /// Duration of each attack, in seconds
    #[arg(long, default_value_t = 20)]
    seconds: u64,

    /// Time for the memory of the server to come back, in seconds
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
        let times = EngagementTimes {
            calm: Duration::from_secs(self.seconds.min(10)),
            attack: Duration::from_secs(self.seconds),
            settle: Duration::from_secs(self.settle),
            idle: None,
        };
        let kinds = self.only.as_ref().map_or(AttackKind::ALL.as_slice(), std::slice::from_ref);
        let mut report = AttackReport::default();
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
