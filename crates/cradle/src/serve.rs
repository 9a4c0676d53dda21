//! `cradle serve`: hosts tables.

mod log;
mod nats_options;
mod page;
mod reload;
mod services;
mod settings;
mod signals;
pub(crate) mod text_games;

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use futures_util::FutureExt as _;
use server::{Limits, Listener, Listeners, LiveConfig, Tls};
use tokio::net::TcpListener;

use crate::console;
use crate::exit_reason::{DeviceFailure, ExitReason};
use log::Log;
use reload::Reload;
use settings::{Environment, JournalKind, ServeOptions, ServeSettings};
use signals::Signals;

pub(crate) use nats_options::NatsOptions;
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
        let environment = Environment::of_process();
        let settings = self.options.combine(&environment)?;
        let _log = Log::start(&settings.log, settings.log_format)?;
        // Without a type of its own: the runtime would compile it once for each of its kinds.
        let served = serve(&self.options, &environment, settings).boxed_local();
        runtime()
            .context(DeviceFailure::new("the threads of the server cannot start"))?
            .block_on(served)?;
        Ok(ExitReason::Fine)
    }
}

/// The number of events that a thread takes from the system at once.
const EVENTS_AT_ONCE: u16 = 64;

/// The number of tasks that an event causes: a move wakes its table, and that wakes both players.
const TASKS_OF_EVENT: u16 = 4;

/// The threads that answer requests.
///
/// A thread has a queue for 256 tasks. Those that do not fit wait in a queue of all threads, until the
/// thread has nothing else to do, and that takes long on a busy server. So a thread takes few events at
/// once, and does what follows from them before it takes more.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.max_io_events_per_tick(EVENTS_AT_ONCE.into());
    builder.event_interval((EVENTS_AT_ONCE * TASKS_OF_EVENT).into());
    builder.enable_all().build()
}

async fn serve(
    options: &ServeOptions,
    environment: &Environment,
    mut settings: ServeSettings,
) -> anyhow::Result<()> {
    let (services, journal) = services::open(&settings).await?;
    let listeners = listen(&settings).await?;
    settings.load_token()?;
    // Signals are handled before the address is printed: a reader may send one at once.
    let signals = Signals::new()?;
    announce_start(&listeners, &settings, &journal)?;
    let tls = listeners.public.tls.clone();
    let config = Arc::new(LiveConfig::new(settings.config.clone()));
    let (stop, stop_requests) = tokio::sync::mpsc::channel(2);
    let journal_kind = settings.journal.clone();
    let reload = Reload { options, environment, config: Arc::clone(&config), tls, settings };
    // A task of its own, because reading settings may take a while.
    let serving = tokio::spawn(server::serve(listeners, services, config, stop_requests));
    let served = tokio::select! {
        served = serving => served.context("the server failed")?,
        never = signals.handle(stop, reload) => never,
    };
    served.context(DeviceFailure::new("the journal failed"))?;
    tracing::info!("the server has stopped");
    console::announce(match journal_kind {
        JournalKind::Sqlite(_) | JournalKind::Nats(_) => "All moves are saved. Goodbye.\n",
        JournalKind::Memory => "The tables were in memory and are gone. Goodbye.\n",
    });
    Ok(())
}

async fn listen(settings: &ServeSettings) -> anyhow::Result<Listeners> {
    let tls = settings.tls.as_ref().map(|tls| Tls::load(&tls.certificate, &tls.key));
    let tls = tls.transpose()?.map(Arc::new);
    let bind = async |address: SocketAddr, flag: &str| {
        TcpListener::bind(address).await.with_context(|| {
            format!("{address} cannot be listened on; choose another address with {flag}")
        })
    };
    let socket = bind(settings.listen, "--listen").await?;
    let admin = match &settings.admin {
        None => None,
        Some(admin) => {
            // The certificate has no name of this machine alone.
            let tls = tls.clone().filter(|_| !admin.listen.ip().is_loopback());
            Some(Listener { socket: bind(admin.listen, "--admin").await?, tls })
        }
    };
    Ok(Listeners { public: Listener { socket, tls }, admin })
}

/// Says where the server is, on standard output and in the log.
fn announce_start(
    Listeners { public, admin }: &Listeners,
    settings: &ServeSettings,
    journal: &str,
) -> anyhow::Result<()> {
    let address = public.socket.local_addr()?;
    let mut words = location(scheme(public), address);
    let mut admin_address = None;
    if let (Some(listener), Some(settings)) = (admin, &settings.admin) {
        let address = listener.socket.local_addr()?;
        let (scheme, file) = (scheme(listener), settings.token_file.display());
        words = format!("{words}\nOperators use {scheme}://{address} with the token in {file}.");
        admin_address = Some(address);
        if listener.tls.is_none() && !address.ip().is_loopback() {
            tracing::warn!("the admin token crosses the network unencrypted: set a certificate");
        }
    }
    let admin = admin_address.map(tracing::field::display);
    let (version, kind) = (env!("CARGO_PKG_VERSION"), &settings.journal);
    tracing::info!(version, %address, admin, journal = %kind, "the server has started");
    console::announce(&format!("{words}\n{journal}\nStop it with Ctrl-C.\n"));
    Ok(())
}

const fn scheme(listener: &Listener) -> &'static str {
    if listener.tls.is_some() { "https" } else { "http" }
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
