//! Drives the real server through real sockets: how much it carries, and what it keeps under faults.

mod http;
mod latencies;
mod load;
mod process;
mod soak;
mod socket;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    let is_fine = match &arguments.command {
        Command::Load(load) => {
            local.block_on(&runtime, load.run())?;
            true
        }
        Command::Soak(soak) => local.block_on(&runtime, soak.run())?,
        Command::Relay => {
            local.block_on(&runtime, load::relay())?;
            true
        }
    };
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
