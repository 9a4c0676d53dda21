//! A small TCP balancer, which checks the health of servers and can also cut connections.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Context;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::http;

/// The time between two health checks.
const HEALTH_INTERVAL: Duration = Duration::from_millis(500);

/// How long a server may take to say that it is ready.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(1);

/// A listener that passes each connection on to one of several servers, in turn. A server that does not accept
/// is skipped, and one that is not ready as well if another one is.
#[derive(Debug)]
pub(crate) struct Balancer {
    pub(crate) address: SocketAddr,
    state: Rc<BalancerState>,
    accepting: JoinHandle<()>,
    checking: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct BalancerState {
    servers: RefCell<Vec<Option<SocketAddr>>>,
    /// The servers that have said that they are not ready.
    unready: RefCell<BTreeSet<SocketAddr>>,
    next: RefCell<usize>,
    traffic: watch::Sender<Traffic>,
}

/// What passes through a balancer. What does not pass waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Traffic {
    /// Everything.
    #[default]
    Both,
    /// Only what clients send.
    ToServers,
    /// Only what servers send.
    ToClients,
    /// Nothing.
    None,
}

/// The direction of a part of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    ToServer,
    ToClient,
}

impl Traffic {
    const fn allows(self, direction: Direction) -> bool {
        match self {
            Self::Both => true,
            Self::ToServers => matches!(direction, Direction::ToServer),
            Self::ToClients => matches!(direction, Direction::ToClient),
            Self::None => false,
        }
    }
}

impl Balancer {
    /// Listens on an address in front of these servers.
    pub(crate) async fn start(
        listen: SocketAddr,
        servers: Vec<Option<SocketAddr>>,
    ) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(listen).await;
        let listener = listener.with_context(|| format!("{listen} cannot be listened on"))?;
        let address = listener.local_addr()?;
        let state = Rc::new(BalancerState {
            servers: RefCell::new(servers),
            unready: RefCell::default(),
            next: RefCell::new(0),
            traffic: watch::Sender::new(Traffic::Both),
        });
        let accepting = tokio::task::spawn_local(accept(listener, Rc::clone(&state)));
        Ok(Self { address, state, accepting, checking: None })
    }

    /// Asks each server of Cat's Cradle from now on whether it is ready.
    pub(crate) fn with_health_checks(mut self) -> Self {
        let state = Rc::clone(&self.state);
        self.checking = Some(tokio::task::spawn_local(async move { state.check_health().await }));
        self
    }

    /// Names the address of a server.
    pub(crate) fn set_server(&self, number: usize, address: SocketAddr) {
        self.state.servers.borrow_mut()[number] = Some(address);
    }

    /// Lets this traffic pass from now on.
    pub(crate) fn allow(&self, traffic: Traffic) {
        self.state.traffic.send_replace(traffic);
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.accepting.abort();
        if let Some(checking) = &self.checking {
            checking.abort();
        }
    }
}

async fn accept(listener: TcpListener, state: Rc<BalancerState>) {
    while let Ok((client, _)) = listener.accept().await {
        let state = Rc::clone(&state);
        tokio::task::spawn_local(async move {
            if let Some(server) = state.connect().await {
                state.pass(client, server).await;
            }
        });
    }
}

impl BalancerState {
    /// A connection to the next server that is ready and accepts one, or else to any that accepts one.
    async fn connect(&self) -> Option<TcpStream> {
        let count = self.servers.borrow().len();
        for round in 0..2 * count {
            let next = self.next.replace_with(|next| (*next + 1) % count);
            let Some(address) = self.servers.borrow()[next] else { continue };
            if round < count && self.unready.borrow().contains(&address) {
                continue;
            }
            if let Ok(server) = TcpStream::connect(address).await {
                return Some(server);
            }
        }
        None
    }

    #[expect(clippy::infinite_loop, reason = "its task ends with the balancer")]
    async fn check_health(&self) {
        loop {
            let servers: Vec<_> = self.servers.borrow().iter().flatten().copied().collect();
            for address in servers {
                let asked = timeout(HEALTH_TIMEOUT, http::get(address, "/readyz", None)).await;
                let is_ready = asked.is_ok_and(|asked| asked.is_ok_and(|it| it.status == 200));
                let mut unready = self.unready.borrow_mut();
                if is_ready {
                    unready.remove(&address)
                } else {
                    unready.insert(address)
                };
            }
            sleep(HEALTH_INTERVAL).await;
        }
    }

    /// Passes everything on until one side ends.
    async fn pass(&self, client: TcpStream, server: TcpStream) {
        drop((client.set_nodelay(true), server.set_nodelay(true)));
        let ((client_read, client_write), (server_read, server_write)) =
            (client.into_split(), server.into_split());
        tokio::select! {
            () = self.copy(client_read, server_write, Direction::ToServer) => {}
            () = self.copy(server_read, client_write, Direction::ToClient) => {}
        }
    }

    async fn copy(
        &self,
        mut from: impl AsyncReadExt + Unpin,
        mut to: impl AsyncWriteExt + Unpin,
        direction: Direction,
    ) {
        let (mut buffer, mut traffic) = (vec![0; 16 * 1024], self.traffic.subscribe());
        while let Ok(length) = from.read(&mut buffer).await {
            let allowed = traffic.wait_for(|traffic| traffic.allows(direction)).await.is_ok();
            if length == 0 || !allowed || to.write_all(&buffer[..length]).await.is_err() {
                return;
            }
        }
    }
}
