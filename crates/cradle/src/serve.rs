//! `cradle serve`: two people, one link.

mod foundation;
mod page;
mod setup;

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::Context;
use clap::Args;
use server::Limits;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::filter::LevelFilter;

use crate::answer::Answer;
use crate::console;
use setup::{Environment, Given, JournalKind, Setup};

/// Host tables for people on other machines
///
/// Settings come from flags, then from the environment, then from the file that --config names, then
/// from what is usual. A move is acknowledged only once it is on disk.
#[derive(Debug, Args)]
#[command(after_help = limits_help())]
pub(crate) struct Serve {
    #[command(flatten)]
    given: Given,
}

impl Serve {
    pub(crate) fn run(&self) -> anyhow::Result<Answer> {
        let setup = self.given.settle(&Environment::of_process())?;
        start_log(&setup.log)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        runtime.context("the threads of the server cannot be started")?.block_on(serve(setup))?;
        Ok(Answer::Fine)
    }
}

async fn serve(setup: Setup) -> anyhow::Result<()> {
    let (foundation, journal) = foundation::open(&setup)?;
    let tls = setup.tls.as_ref().map(|tls| server::acceptor(&tls.certificate, &tls.key));
    let tls = tls.transpose()?;
    let listener = TcpListener::bind(setup.listen).await;
    let listener = listener.with_context(|| {
        format!("{} cannot be listened on; --listen takes another address", setup.listen)
    })?;
    // Whoever reads that it is there may stop it: from then on it must stop as it should.
    let [mut interrupt, mut terminate] =
        [signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?];
    let shutdown = async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    };
    let scheme = if tls.is_some() { "https" } else { "http" };
    let place = place(scheme, listener.local_addr()?);
    console::announce(&format!("{place}\n{journal}\nStop it with Ctrl-C.\n"));
    server::serve(listener, tls, foundation, setup.config, shutdown).await?;
    console::announce(match setup.journal {
        JournalKind::Sqlite(_) => "Everything is written down. Goodbye.\n",
        JournalKind::Memory => "The tables were in memory and are gone. Goodbye.\n",
    });
    Ok(())
}

/// Where the server can be opened on this machine and, if that is something else, on others.
fn place(scheme: &str, address: SocketAddr) -> String {
    let port = address.port();
    let here = match address {
        _ if !address.ip().is_unspecified() => {
            return format!("Cat's Cradle is at {scheme}://{address}");
        }
        SocketAddr::V4(_) => SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        SocketAddr::V6(_) => SocketAddr::from((Ipv6Addr::LOCALHOST, port)),
    };
    format!(
        "Cat's Cradle is at {scheme}://{here}\n\
         Other machines reach it at the address of this one, port {port}."
    )
}

/// Log lines go to standard error. One that cannot be written stops nobody: the library would print
/// that in a way that panics, and the thread that writes the journal has lines to log, too.
fn start_log(level: &str) -> anyhow::Result<()> {
    let level: LevelFilter = level
        .parse()
        .with_context(|| format!("{level:?} is no level of logging: try info, or warn"))?;
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(|| console::LossyError)
        .log_internal_errors(false)
        .with_ansi(std::env::var_os("NO_COLOR").is_none() && console::is_error_a_terminal());
    subscriber.try_init().map_err(|error| anyhow::anyhow!("logging cannot be started: {error}"))
}

/// What --limit can set.
fn limits_help() -> String {
    let width = Limits::ALL.iter().map(|(name, ..)| name.len()).max().unwrap_or_default();
    let lines = Limits::ALL.iter().map(|(name, meaning, default)| {
        format!("  {name:width$}  {} [{default}]\n", meaning.trim())
    });
    let lines: String = lines.collect();
    format!("Limits (times in milliseconds):\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, expected: &str) {
        assert_eq!(place("http", address.parse().unwrap()), expected);
    }

    #[test]
    fn the_address_that_is_printed_can_be_opened() {
        check("127.0.0.1:4000", "Cat's Cradle is at http://127.0.0.1:4000");
        check("192.168.0.7:4000", "Cat's Cradle is at http://192.168.0.7:4000");
        let others = "\nOther machines reach it at the address of this one, port 4105.";
        check("0.0.0.0:4105", &format!("Cat's Cradle is at http://127.0.0.1:4105{others}"));
        check("[::]:4105", &format!("Cat's Cradle is at http://[::1]:4105{others}"));
    }
}
