//! Strangers in a process of their own.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use tokio::process::Command;
use tokio::time::Instant;

use super::AttackKind;
use super::stranger::{AttackTarget, StrangerOutcome};

/// Attack a server, and print what came of it
///
/// A process of its own: strangers have machines of their own, so what it costs to attack must not be charged to
/// the server or to the honest players. Here they share the processor, and the strangers use only what the others
/// leave: see [`StrangerPriority`].
#[derive(Debug, Args)]
pub(crate) struct StrangerProcess {
    /// The attack
    attack: AttackKind,

    /// The address of the server
    server: SocketAddr,

    /// The number of the wave, which the addresses of the strangers depend on
    wave: u8,

    /// Duration in milliseconds
    milliseconds: u64,
}

/// The lowest priority that a process can have: beside one with the usual priority, it gets one part in seventy.
const LOWEST: i32 = 19;

/// When the system lets strangers run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum StrangerPriority {
    /// Whenever nobody else wants to: whoever wakes up takes their place at once (`SCHED_IDLE`).
    Idle,
    /// They have the lowest priority of usual processes, and may finish their slice of some milliseconds.
    #[default]
    Lowest,
}

impl StrangerPriority {
    /// The better one of those that this system has.
    pub(crate) async fn possible() -> Self {
        let mut tried = Command::new("chrt");
        tried.args(["--idle", "0", "true"]).stdout(Stdio::null()).stderr(Stdio::null());
        match tried.status().await {
            Ok(status) if status.success() => Self::Idle,
            _ => Self::Lowest,
        }
    }

    /// How to launch a program.
    fn command(self, program: PathBuf) -> Command {
        match self {
            Self::Lowest => Command::new(program),
            Self::Idle => {
                let mut command = Command::new("chrt");
                command.args(["--idle", "0"]).arg(program);
                command
            }
        }
    }
}

impl fmt::Display for StrangerPriority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Idle => "strangers run when nobody else wants to (chrt --idle)",
            Self::Lowest => {
                "strangers run at the lowest priority (nice 19) and may delay honest moves by some milliseconds"
            }
        })
    }
}

impl StrangerProcess {
    /// Attacks, and prints the outcome for the process that launched this one.
    pub(crate) async fn run(&self) {
        if let Err(error) = rustix::process::nice(LOWEST) {
            eprintln!("honest players may look slower than they are: {error}");
        }
        let end = Instant::now() + Duration::from_millis(self.milliseconds);
        let target = AttackTarget { server: self.server, wave: self.wave, end };
        println!("{}", self.attack.run(target).await.write());
    }

    /// Launches such a process; returns the outcome.
    pub(super) async fn attack(
        kind: AttackKind,
        server: SocketAddr,
        wave: u8,
        time: Duration,
        priority: StrangerPriority,
    ) -> anyhow::Result<StrangerOutcome> {
        let mut command = priority.command(std::env::current_exe()?);
        command.args(["strangers", &kind.to_string(), &server.to_string(), &wave.to_string()]);
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
