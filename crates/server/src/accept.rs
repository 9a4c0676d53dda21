//! Accepting connections.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::task::TaskTracker;

use crate::address_buckets::{AddressBuckets, AddressRate};
use crate::app::App;
use crate::connection_counts::{ConnectionCounts, ConnectionLimits, ConnectionSlot};
use crate::http_connection::serve_connection;
use crate::limits::Limits;
use crate::phase::CurrentPhase;
use crate::rate_limits::Rate;
use crate::tls::Tls;
use crate::write_timeout::WriteTimeout;

/// The connections that the admin listener serves at once.
const ADMIN_CONNECTIONS: u32 = 64;

/// The connections that are accepted at once, and the time for which others then wait: whoever opens
/// thousands must not keep the thread from everybody else.
const AT_ONCE: u32 = 8;
const PAUSE: Duration = Duration::from_millis(1);

/// Accepts the connections of one listener.
#[derive(Clone, Debug)]
pub(crate) struct Acceptor {
    pub(crate) app: Arc<App>,
    pub(crate) router: axum::Router,
    pub(crate) tls: Option<Arc<Tls>>,
    /// When its connections must end.
    pub(crate) phase: CurrentPhase,
    pub(crate) users: Users,
    counts: ConnectionCounts,
    /// The connections that addresses have opened lately.
    opened: Arc<AddressBuckets>,
}

/// The users of a listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Users {
    Everybody,
    Operators,
}

/// Lets a few connections be accepted in each millisecond.
#[derive(Debug)]
struct AcceptPace {
    since: Instant,
    accepted: u32,
}

impl AcceptPace {
    fn new() -> Self {
        Self { since: Instant::now(), accepted: 0 }
    }

    /// Waits until one more connection may be accepted.
    async fn wait(&mut self) {
        if self.accepted == AT_ONCE {
            sleep_until(self.since + PAUSE).await;
        }
        if self.since.elapsed() >= PAUSE {
            *self = Self::new();
        }
        self.accepted += 1;
    }
}

impl Acceptor {
    pub(crate) fn new(
        app: Arc<App>,
        router: axum::Router,
        tls: Option<Arc<Tls>>,
        phase: CurrentPhase,
        users: Users,
    ) -> Self {
        let (counts, opened) = (ConnectionCounts::default(), Arc::default());
        Self { app, router, tls, phase, users, counts, opened }
    }

    /// Accepts connections for ever.
    pub(crate) async fn run(self, listener: TcpListener, connections: TaskTracker) -> ! {
        let mut pace = AcceptPace::new();
        loop {
            pace.wait().await;
            match listener.accept().await {
                Ok((stream, address)) => self.accept(stream, address, &connections),
                // Perhaps too many files are open: it may work in a moment.
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }

    fn accept(&self, stream: TcpStream, address: SocketAddr, connections: &TaskTracker) {
        let slot = match self.counts.acquire(address.ip(), self.connection_limits()) {
            Ok(slot) => slot,
            Err(limit) => return self.app.tables.metrics.limited(limit),
        };
        let (is_hasty, acceptor) = (self.is_hasty(address.ip()), self.clone());
        drop(connections.spawn(async move {
            if is_hasty {
                sleep(acceptor.app.refusals.next()).await;
            }
            acceptor.serve(stream, address, slot).await;
        }));
    }

    /// Counts a new connection; returns whether this one has to wait because its address opens too many:
    /// a request on a connection of its own costs several times as much as another request. Behind a proxy
    /// all connections have one address.
    fn is_hasty(&self, address: IpAddr) -> bool {
        if self.users == Users::Operators || self.app.is_behind_proxy {
            return false;
        }
        let Limits { connections_per_address: most, addresses, .. } = self.app.tables.limits();
        // As many in ten seconds as may be open.
        let most = most.saturating_mul(2);
        let rate = Rate::per_minute(most.saturating_mul(6), most);
        let limit = AddressRate { rate, addresses };
        let is_hasty = self.opened.take(address, limit, self.app.tables.monotonic()).is_err();
        if is_hasty {
            self.app.tables.metrics.limited("connections_per_address");
        }
        is_hasty
    }

    /// There may be twice as many connections as sockets, because requests are short. Behind a proxy
    /// all connections have one address.
    fn connection_limits(&self) -> ConnectionLimits {
        if self.users == Users::Operators {
            return ConnectionLimits { total: ADMIN_CONNECTIONS, per_address: ADMIN_CONNECTIONS };
        }
        let Limits { connections, connections_per_address, .. } = self.app.tables.limits();
        let total = connections.saturating_mul(2);
        let per_address = if self.app.is_behind_proxy { total } else { connections_per_address };
        ConnectionLimits { total, per_address: per_address.saturating_mul(2) }
    }

    async fn serve(self, stream: TcpStream, address: SocketAddr, _slot: ConnectionSlot) {
        // A move is one small packet that should not wait for another.
        drop(stream.set_nodelay(true));
        let limits = self.app.tables.limits();
        let stream = WriteTimeout::new(stream, Duration::from_millis(limits.write_timeout.into()));
        let Some(tls) = &self.tls else {
            return serve_connection(self, stream, address).await;
        };
        let handshake_timeout = Duration::from_millis(limits.header_timeout.into());
        if let Ok(Ok(stream)) = timeout(handshake_timeout, tls.acceptor().accept(stream)).await {
            serve_connection(self, stream, address).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn many_connections_are_accepted_a_few_at_a_time() {
        let (mut pace, started) = (AcceptPace::new(), Instant::now());
        for _ in 0..AT_ONCE {
            pace.wait().await;
        }
        assert_eq!(started.elapsed(), Duration::ZERO);
        for _ in 0..10 * AT_ONCE {
            pace.wait().await;
        }
        assert_eq!(started.elapsed(), 10 * PAUSE);
        tokio::time::advance(Duration::from_secs(1)).await;
        let later = Instant::now();
        for _ in 0..AT_ONCE {
            pace.wait().await;
        }
        assert_eq!(later.elapsed(), Duration::ZERO, "nobody waits for those who came long before");
    }
}
