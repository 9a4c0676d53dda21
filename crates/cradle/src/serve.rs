//! `cradle serve`: hosts tables.

mod page;
mod services;
mod settings;

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::Context;
use clap::Args;
use server::Limits;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::filter::LevelFilter;

use crate::console;
use crate::exit_reason::{DeviceFailure, ExitReason};
use settings::{Environment, JournalKind, ServeOptions, ServeSettings};

pub(crate) use settings::data_folder;

/// Host tables for people on other machines
///
/// Flags override environment variables, and these override the file that --config names.
/// A move is acknowledged only when it is on disk.
#[derive(Debug, Args)]
#[command(after_help = limits_help())]
pub(crate) struct Serve {
    #[command(flatten)]
    options: ServeOptions,
}

impl Serve {
    pub(crate) fn run(&self) -> anyhow::Result<ExitReason> {
        let settings = self.options.combine(&Environment::of_process())?;
        start_log(&settings.log)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        runtime
            .context(DeviceFailure::new("the threads of the server cannot start"))?
            .block_on(serve(settings))?;
        Ok(ExitReason::Fine)
    }
}

async fn serve(settings: ServeSettings) -> anyhow::Result<()> {
    let (services, journal) = services::open(&settings)?;
    let tls = settings.tls.as_ref().map(|tls| server::acceptor(&tls.certificate, &tls.key));
    let tls = tls.transpose()?;
    let listener = TcpListener::bind(settings.listen).await;
    let listener = listener.with_context(|| {
        format!("{} cannot be listened on; choose another address with --listen", settings.listen)
    })?;
    // Signals are handled before the address is printed: a reader may send one at once.
    let [mut interrupt, mut terminate] =
        [signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?];
    let shutdown = async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    };
    let scheme = if tls.is_some() { "https" } else { "http" };
    let location = location(scheme, listener.local_addr()?);
    console::announce(&format!("{location}\n{journal}\nStop it with Ctrl-C.\n"));
    server::serve(listener, tls, services, settings.config, shutdown)
        .await
        .context(DeviceFailure::new("the journal failed"))?;
    console::announce(match settings.journal {
        JournalKind::Sqlite(_) => "All moves are saved. Goodbye.\n",
        JournalKind::Memory => "The tables were in memory and are gone. Goodbye.\n",
    });
    Ok(())
}

/// The addresses of the server on this machine and on others.
fn location(scheme: &str, address: SocketAddr) -> String {
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

/// Sends log lines to standard error. Lines that cannot be written are lost: the library would report
/// the failure in a way that panics, and the journal's thread must not panic.
fn start_log(level: &str) -> anyhow::Result<()> {
    let level: LevelFilter =
        level.parse().with_context(|| format!("{level:?} is not a log level: try info or warn"))?;
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(|| console::LossyStderr)
        .log_internal_errors(false)
        .with_ansi(std::env::var_os("NO_COLOR").is_none() && console::is_error_a_terminal());
    subscriber.try_init().map_err(|error| anyhow::anyhow!("logging cannot start: {error}"))
}

/// The limits that --limit can set.
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
        assert_eq!(location("http", address.parse().unwrap()), expected);
    }

    #[test]
    fn the_printed_address_can_be_opened() {
        check("127.0.0.1:4000", "Cat's Cradle is at http://127.0.0.1:4000");
        check("192.168.0.7:4000", "Cat's Cradle is at http://192.168.0.7:4000");
        let others = "\nOther machines reach it at the address of this one, port 4105.";
        check("0.0.0.0:4105", &format!("Cat's Cradle is at http://127.0.0.1:4105{others}"));
        check("[::]:4105", &format!("Cat's Cradle is at http://[::1]:4105{others}"));
    }
}
