//! Serving, from the first connection to the last.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_rustls::TlsAcceptor;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};
use tower::Service as _;

use crate::app::{App, router};
use crate::catalog::Catalog;
use crate::config::Config;
use crate::connection_counts::{ConnectionCounts, ConnectionLimits, ConnectionSlot};
use crate::deadlines::watch_deadlines;
use crate::journal::{Directory, Journal};
use crate::keeping::keep_for;
use crate::limits::Limits;
use crate::page::Page;
use crate::tables::Tables;
use crate::write_timeout::WriteTimeout;

/// The services that a server needs.
#[derive(Clone, Debug)]
pub struct Services {
    /// Keeps the logs of tables.
    pub journal: Arc<dyn Journal>,
    /// Keeps the list of open tables.
    pub directory: Arc<dyn Directory>,
    /// Knows the games.
    pub catalog: Arc<dyn Catalog>,
    /// The page for players, if there is one.
    pub page: Option<Arc<Page>>,
}

/// Serves until `shutdown` completes. Then the server accepts no more connections, finishes the
/// requests in progress, closes sockets so that their clients reconnect, lets tables finish their
/// work, and closes the journal.
///
/// # Errors
/// If the journal cannot be closed.
pub async fn serve(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    services: Services,
    config: Config,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), crate::JournalError> {
    let Services { journal, directory, catalog, page } = services;
    let journal_to_close = Arc::clone(&journal);
    let (stop, stopped) = watch::channel(false);
    let (limits, clock) = (config.limits.clone(), config.clock.clone());
    let tables = Arc::new(Tables::new(journal, directory, catalog, limits, clock));
    let app = Arc::new(App::new(Arc::clone(&tables), page, &config, stopped));
    let reloads = Arc::clone(&tables).reload_after_losses(tables.journal.losses());
    let _reloads = AbortOnDropHandle::new(tokio::spawn(reloads));
    let _tidying = AbortOnDropHandle::new(tokio::spawn(Arc::clone(&tables).tidy_games()));
    let deadlines = tokio::spawn(watch_deadlines(Arc::clone(&tables)));
    let deadlines = AbortOnDropHandle::new(deadlines);
    let keeping = config.keep.map(|keep| tokio::spawn(keep_for(Arc::clone(&tables), keep)));
    let _keeping = keeping.map(AbortOnDropHandle::new);
    let connections = TaskTracker::new();
    let counts = ConnectionCounts::default();
    let acceptor =
        Acceptor { app: Arc::clone(&app), router: router(Arc::clone(&app)), tls, counts };
    accept(&listener, &acceptor, &connections, shutdown).await;
    drop(listener);
    tracing::info!("the server is shutting down");
    stop.send_replace(true);
    let deadline = Instant::now() + Duration::from_millis(tables.limits.shutdown.into());
    connections.close();
    app.sockets.close();
    drop(timeout_at(deadline, connections.wait()).await);
    drop(timeout_at(deadline, app.sockets.wait()).await);
    drop(deadlines);
    tables.close();
    drop(timeout_at(deadline, tables.tasks.wait()).await);
    journal_to_close.close().await
}

/// The shared state of all connections.
struct Acceptor {
    app: Arc<App>,
    router: axum::Router,
    tls: Option<TlsAcceptor>,
    counts: ConnectionCounts,
}

impl Acceptor {
    /// Counts a connection, or returns the name of the limit that it would exceed. There may be twice as
    /// many connections as sockets, because requests are short. Behind a proxy all connections have
    /// one address.
    fn admit(&self, address: SocketAddr) -> Result<ConnectionSlot, &'static str> {
        let Limits { connections, connections_per_address, .. } = self.app.tables.limits;
        let total = connections.saturating_mul(2);
        let per_address = if self.app.is_behind_proxy { total } else { connections_per_address };
        let per_address = per_address.saturating_mul(2);
        self.counts.acquire(address.ip(), ConnectionLimits { total, per_address })
    }
}

async fn accept(
    listener: &TcpListener,
    acceptor: &Acceptor,
    connections: &TaskTracker,
    shutdown: impl Future<Output = ()> + Send,
) {
    tokio::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => return,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            // Perhaps too many files are open: it may work in a moment.
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let limits = &acceptor.app.tables.limits;
        let slot = match acceptor.admit(address) {
            Ok(slot) => slot,
            Err(limit) => {
                acceptor.app.tables.metrics.limited(limit);
                continue;
            }
        };
        // A move is one small packet that should not wait for another.
        drop(stream.set_nodelay(true));
        let write_timeout = Duration::from_millis(limits.write_timeout.into());
        let stream = WriteTimeout::new(stream, write_timeout);
        let (app, router) = (Arc::clone(&acceptor.app), acceptor.router.clone());
        let handshake_timeout = Duration::from_millis(limits.header_timeout.into());
        let tls = acceptor.tls.clone();
        drop(connections.spawn(async move {
            let _slot = slot;
            match tls {
                None => serve_connection(app, router, stream, address).await,
                Some(tls) => {
                    if let Ok(Ok(stream)) = timeout(handshake_timeout, tls.accept(stream)).await {
                        serve_connection(app, router, stream, address).await;
                    }
                }
            }
        }));
    }
}

/// The time of the last request of a connection, in milliseconds; none before the first.
type LastRequest = Arc<Mutex<Option<u64>>>;

/// Answers the requests of one connection.
async fn serve_connection<S>(app: Arc<App>, router: axum::Router, stream: S, address: SocketAddr)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let last_request = LastRequest::default();
    let (requests, tables) = (Arc::clone(&last_request), Arc::clone(&app.tables));
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        *requests.lock().unwrap_or_else(PoisonError::into_inner) = Some(tables.monotonic());
        let mut router = router.clone();
        async move {
            let mut request: Request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(ConnectInfo(address));
            router.call(request).await
        }
    });
    let header_timeout = Duration::from_millis(app.tables.limits.header_timeout.into());
    let mut builder = Builder::new(TokioExecutor::new());
    // hyper ignores timeouts unless it is given a timer.
    let mut http1 = builder.http1();
    http1.timer(TokioTimer::new()).header_read_timeout(header_timeout).max_buf_size(16 * 1_024);
    builder.http2().timer(TokioTimer::new()).max_concurrent_streams(64).keep_alive_interval(None);
    let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let mut shutdown = app.shutdown.clone();
    let mut is_ending = false;
    // hyper waits for ever for the first bytes, which contain the version of HTTP, and with HTTP/2 for
    // further requests.
    let alarm = sleep(header_timeout);
    tokio::pin!(alarm);
    loop {
        tokio::select! {
            _ended = connection.as_mut() => return,
            () = &mut alarm, if !is_ending => match idle_time_left(&app.tables, &last_request) {
                None => return,
                Some(left) if left.is_zero() => {
                    is_ending = true;
                    connection.as_mut().graceful_shutdown();
                }
                Some(left) => alarm.as_mut().reset(Instant::now() + left),
            },
            _ = shutdown.changed(), if !is_ending => {
                is_ending = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

/// How much longer a connection may be idle; none if it never sent a request.
fn idle_time_left(tables: &Tables, last_request: &LastRequest) -> Option<Duration> {
    let last = (*last_request.lock().unwrap_or_else(PoisonError::into_inner))?;
    let end = last.saturating_add(tables.limits.idle_timeout.into());
    Some(Duration::from_millis(end.saturating_sub(tables.monotonic())))
}
