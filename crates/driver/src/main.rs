//! Drives the real server through real sockets: how much it carries, and what it keeps under faults.

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
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Load(load::Load),
    Soak(soak::Soak),
    /// Send every frame back to both of a pair: what sockets alone cost
    #[command(hide = true)]
    Relay,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    // One thread: the server has the other core to itself.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let local = tokio::task::LocalSet::new();
    let is_fine = local.block_on(&runtime, unless_stopped(arguments.command.run()))?;
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Command {
    /// Gives whether everything is as it should be.
    async fn run(&self) -> anyhow::Result<bool> {
        match self {
            Self::Load(load) => load.run().await.map(|()| true),
            Self::Soak(soak) => soak.run().await,
            Self::Relay => load::relay().await.map(|()| true),
        }
    }
}

/// Works until it is done or somebody wants it to stop: servers and disks are not left behind.
async fn unless_stopped(work: impl Future<Output = anyhow::Result<bool>>) -> anyhow::Result<bool> {
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        done = work => done,
        _ = terminate.recv() => bail!("it was asked to stop"),
        _ = tokio::signal::ctrl_c() => bail!("it was interrupted"),
    }
}
