//! Drives the real server through real sockets: its load, and its correctness under faults.

mod attack;
mod client_route;
mod cluster;
mod http;
mod latencies;
mod load;
mod process;
mod soak;
mod socket;

use std::process::ExitCode;

use anyhow::bail;
use clap::{Parser, Subcommand};
use tokio::signal::unix::{SignalKind, signal};

/// Drives the real server through real sockets
#[derive(Debug, Parser)]
#[command(name = "driver", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: DriverCommand,
}

#[derive(Debug, Subcommand)]
enum DriverCommand {
    Load(load::Load),
    Soak(soak::Soak),
    Attack(attack::Attack),
    Cluster(cluster::ClusterCommand),
    #[command(hide = true)]
    Strangers(attack::StrangerProcess),
    /// Relay every frame to both players of a pair, to measure the cost of sockets alone
    #[command(hide = true)]
    Relay,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    // One thread, so that the server has the other core.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let local = tokio::task::LocalSet::new();
    let (command, work) = (&arguments.command, arguments.command.run());
    let outcome =
        local.block_on(&runtime, unless_stopped(work, command.runs_until_it_is_stopped()));
    let passed = outcome.unwrap_or_else(|error| {
        eprintln!("The driver failed: {error:#}.");
        false
    });
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl DriverCommand {
    /// Whether it has no other end.
    const fn runs_until_it_is_stopped(&self) -> bool {
        matches!(self, Self::Cluster(_))
    }

    /// Returns whether all checks passed.
    async fn run(&self) -> anyhow::Result<bool> {
        match self {
            Self::Load(load) => load.run().await.map(|()| true),
            Self::Soak(soak) => soak.run().await,
            Self::Attack(attack) => attack.run().await,
            Self::Cluster(cluster) => cluster.run().await,
            Self::Strangers(strangers) => {
                strangers.run().await;
                Ok(true)
            }
            Self::Relay => load::relay().await.map(|()| true),
        }
    }
}

/// Works until the work is done or a signal stops it. Either way, servers end and disks are unmounted.
async fn unless_stopped(
    work: impl Future<Output = anyhow::Result<bool>>,
    is_stopped_in_the_end: bool,
) -> anyhow::Result<bool> {
    let mut terminate = signal(SignalKind::terminate())?;
    let how = tokio::select! {
        done = work => return done,
        _ = terminate.recv() => "terminated",
        _ = tokio::signal::ctrl_c() => "interrupted",
    };
    if is_stopped_in_the_end {
        return Ok(true);
    }
    bail!("the driver was {how}")
}
