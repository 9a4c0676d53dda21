//! Serving, from the first connection to the last.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
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

use crate::addresses::{Addresses, Entered, Most};
use crate::app::{App, router};
use crate::catalog::Catalog;
use crate::config::Config;
use crate::house::House;
use crate::journal::{Directory, Journal};
use crate::limits::Limits;
use crate::page::Page;
use crate::slow_writer::SlowWriter;

/// What a server stands on.
#[derive(Clone, Debug)]
pub struct Foundation {
    /// Where the logs of tables are kept.
    pub journal: Arc<dyn Journal>,
    /// Which tables are open.
    pub directory: Arc<dyn Directory>,
    /// Which games there are.
    pub catalog: Arc<dyn Catalog>,
    /// The page for players, if there is one.
    pub page: Option<Arc<Page>>,
}

/// Serves until `shutdown` is over: then no connection is accepted any more, requests that are being
/// answered are finished, sockets are closed so that their clients come back, tables finish what they
/// have begun, and the journal is closed.
///
/// # Errors
/// If the journal cannot be closed.
pub async fn serve(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    foundation: Foundation,
    config: Config,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), crate::JournalError> {
    let Foundation { journal, directory, catalog, page } = foundation;
    let journal_to_close = Arc::clone(&journal);
    let (stop, stopped) = watch::channel(false);
    let house = Arc::new(House::new(journal, directory, catalog, config.limits.clone()));
    let app = Arc::new(App::new(Arc::clone(&house), page, &config, stopped));
    let heed = Arc::clone(&house).heed(house.journal.losses());
    let _heeding = AbortOnDropHandle::new(tokio::spawn(heed));
    let connections = TaskTracker::new();
    let addresses = Addresses::default();
    let door = Door { app: Arc::clone(&app), router: router(Arc::clone(&app)), tls, addresses };
    accept(&listener, &door, &connections, shutdown).await;
    drop(listener);
    tracing::info!("the server stops");
    stop.send_replace(true);
    let patience = Instant::now() + Duration::from_millis(house.limits.shutdown.into());
    connections.close();
    app.sockets.close();
    drop(timeout_at(patience, connections.wait()).await);
    drop(timeout_at(patience, app.sockets.wait()).await);
    house.close();
    drop(timeout_at(patience, house.hosts.wait()).await);
    journal_to_close.close().await
}

/// What a connection needs.
struct Door {
    app: Arc<App>,
    router: axum::Router,
    tls: Option<TlsAcceptor>,
    addresses: Addresses,
}

impl Door {
    /// Counts a connection, unless there are too many: twice as many may be open as may hold a socket,
    /// because requests pass quickly. All that comes through a proxy has one address.
    fn enter(&self, address: SocketAddr) -> Result<Entered, &'static str> {
        let Limits { connections, connections_per_address, .. } = self.app.house.limits;
        let all = connections.saturating_mul(2);
        let each = if self.app.is_behind_proxy { all } else { connections_per_address };
        self.addresses.enter(address.ip(), Most { all, each: each.saturating_mul(2) })
    }
}

async fn accept(
    listener: &TcpListener,
    door: &Door,
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
            // Too many files are open, perhaps: it may be better in a moment.
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let limits = &door.app.house.limits;
        let entered = match door.enter(address) {
            Ok(entered) => entered,
            Err(limit) => {
                door.app.house.metrics.limited(limit);
                continue;
            }
        };
        // A move is one small packet, and should not wait for another.
        drop(stream.set_nodelay(true));
        let patience = Duration::from_millis(limits.write_timeout.into());
        let stream = SlowWriter::new(stream, patience);
        let (app, router) = (Arc::clone(&door.app), door.router.clone());
        let (tls, patience) =
            (door.tls.clone(), Duration::from_millis(limits.header_timeout.into()));
        drop(connections.spawn(async move {
            let _entered = entered;
            match tls {
                None => speak(app, router, stream, address).await,
                Some(tls) => {
                    if let Ok(Ok(stream)) = timeout(patience, tls.accept(stream)).await {
                        speak(app, router, stream, address).await;
                    }
                }
            }
        }));
    }
}

/// Answers the requests of one connection.
async fn speak<S>(app: Arc<App>, router: axum::Router, stream: S, address: SocketAddr)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let asked = Arc::new(AtomicU64::new(NEVER));
    let (asks, house) = (Arc::clone(&asked), Arc::clone(&app.house));
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        asks.store(house.monotonic(), Ordering::Relaxed);
        let mut router = router.clone();
        async move {
            let mut request: Request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(ConnectInfo(address));
            router.call(request).await
        }
    });
    let patience = Duration::from_millis(app.house.limits.header_timeout.into());
    let mut builder = Builder::new(TokioExecutor::new());
    // Without a timer there is no timeout.
    builder.http1().timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(16 * 1_024);
    builder.http2().timer(TokioTimer::new()).max_concurrent_streams(64).keep_alive_interval(None);
    let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let mut shutdown = app.shutdown.clone();
    let mut stops = false;
    // The library waits for ever for the first bytes, from which it knows the version of HTTP, and
    // with HTTP/2 for more requests.
    let alarm = sleep(patience);
    tokio::pin!(alarm);
    loop {
        tokio::select! {
            _ended = connection.as_mut() => return,
            () = &mut alarm, if !stops => match silence(&app.house, &asked) {
                None => return,
                Some(left) if left.is_zero() => {
                    stops = true;
                    connection.as_mut().graceful_shutdown();
                }
                Some(left) => alarm.as_mut().reset(Instant::now() + left),
            },
            _ = shutdown.changed(), if !stops => {
                stops = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

/// Nothing was asked yet.
const NEVER: u64 = u64::MAX;

/// How much longer a connection may be silent; nothing if it never asked for anything.
fn silence(house: &House, asked: &AtomicU64) -> Option<Duration> {
    let asked = asked.load(Ordering::Relaxed);
    if asked == NEVER {
        return None;
    }
    let end = asked.saturating_add(house.limits.idle_timeout.into());
    Some(Duration::from_millis(end.saturating_sub(house.monotonic())))
}
