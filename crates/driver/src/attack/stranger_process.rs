//! Strangers in a process of their own.

use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use tokio::process::Command;
use tokio::time::Instant;

use super::AttackKind;
use super::stranger::StrangerOutcome;

/// Attack a server, and print what came of it
///
/// A process of its own: strangers have machines of their own, so what it costs to attack must not be charged to
/// the server or to the honest players. Here they share the processor, and the strangers use only what the others
/// leave.
#[derive(Debug, Args)]
pub(crate) struct StrangerProcess {
    /// The attack
    attack: AttackKind,

    /// The address of the server
    server: SocketAddr,

    /// Duration in milliseconds
    milliseconds: u64,
}

/// The lowest priority that a process can have: beside one with the usual priority, it gets one part in seventy.
const LOWEST: i32 = 19;

impl StrangerProcess {
    /// Attacks, and prints the outcome for the process that launched this one.
    pub(crate) async fn run(&self) {
        if let Err(error) = rustix::process::nice(LOWEST) {
            eprintln!("honest players may look slower than they are: {error}");
        }
        let end = Instant::now() + Duration::from_millis(self.milliseconds);
        println!("{}", self.attack.run(self.server, end).await.write());
    }

    /// Launches such a process; returns the outcome.
    pub(super) async fn attack(
        kind: AttackKind,
        server: SocketAddr,
        time: Duration,
    ) -> anyhow::Result<StrangerOutcome> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["strangers", &kind.to_string(), &server.to_string()]);
        command.arg(time.as_millis().to_string());
        command.stdin(Stdio::null()).stderr(Stdio::inherit()).kill_on_drop(true);
        let ended = command.output().await.context("the strangers cannot be launched")?;
        if !ended.status.success() {
            bail!("the strangers failed: {}", ended.status);
        }
        let outcome = StrangerOutcome::read(&String::from_utf8_lossy(&ended.stdout));
        outcome.context("the strangers do not say what came of it")
    }
}
