//! Idle connections, which send only heartbeats.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::interval;

use crate::socket::ClientSocket;

/// The interval of heartbeats, as in the phoenix client.
const HEARTBEAT: Duration = Duration::from_secs(30);

/// Open idle connections.
#[derive(Debug)]
pub(crate) struct IdleConnections {
    end: oneshot::Sender<()>,
    task: JoinHandle<usize>,
}

pub(crate) async fn connect(server: SocketAddr, count: usize) -> anyhow::Result<Vec<ClientSocket>> {
    let connecting = stream::iter(0..count).map(|_| ClientSocket::connect(server));
    connecting.buffered(64).try_collect().await
}

/// Keeps connections open.
pub(crate) fn hold(mut sockets: Vec<ClientSocket>) -> IdleConnections {
    let (end, mut ended) = oneshot::channel();
    let task = tokio::task::spawn_local(async move {
        let mut ticks = interval(HEARTBEAT);
        ticks.tick().await;
        loop {
            tokio::select! {
                _ = &mut ended => break,
                _ = ticks.tick() => drop(send_heartbeats(&mut sockets).await),
            }
        }
        send_heartbeats(&mut sockets).await
    });
    IdleConnections { end, task }
}

/// Sends a heartbeat on each connection and awaits the reply; returns how many connections are lost.
async fn send_heartbeats(sockets: &mut [ClientSocket]) -> usize {
    let mut lost = 0;
    for socket in sockets {
        let sent = socket.send(r#"[null,"1","phoenix","heartbeat",{}]"#).await;
        let answered = sent.is_ok() && socket.next().await.is_ok();
        lost += usize::from(!answered);
    }
    lost
}

impl IdleConnections {
    /// Closes all connections; returns how many were lost before.
    pub(crate) async fn end(self) -> usize {
        // The task waits for this, unless it has failed.
        self.end.send(()).unwrap_or_default();
        self.task.await.unwrap_or(usize::MAX)
    }
}
