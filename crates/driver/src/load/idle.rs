//! Connections that say nothing but that they are there.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::interval;

use crate::socket::Socket;

/// How often the phoenix client says that it is there.
const HEARTBEAT: Duration = Duration::from_secs(30);

/// Connections that are held.
#[derive(Debug)]
pub(crate) struct Held {
    end: oneshot::Sender<()>,
    task: JoinHandle<usize>,
}

pub(crate) async fn connect(server: SocketAddr, count: usize) -> anyhow::Result<Vec<Socket>> {
    let connecting = stream::iter(0..count).map(|_| Socket::connect(server));
    connecting.buffered(64).try_collect().await
}

/// Holds connections.
pub(crate) fn hold(mut sockets: Vec<Socket>) -> Held {
    let (end, mut ended) = oneshot::channel();
    let task = tokio::task::spawn_local(async move {
        let mut ticks = interval(HEARTBEAT);
        ticks.tick().await;
        loop {
            tokio::select! {
                _ = &mut ended => break,
                _ = ticks.tick() => drop(greet(&mut sockets).await),
            }
        }
        greet(&mut sockets).await
    });
    Held { end, task }
}

/// Sends a heartbeat on each connection and awaits its answer; gives how many are gone.
async fn greet(sockets: &mut [Socket]) -> usize {
    let mut lost = 0;
    for socket in sockets {
        let sent = socket.send(r#"[null,"1","phoenix","heartbeat",{}]"#).await;
        let answered = sent.is_ok() && socket.next().await.is_ok();
        lost += usize::from(!answered);
    }
    lost
}

impl Held {
    /// Asks each connection whether it is still there, and ends all; gives how many were gone.
    pub(crate) async fn end(self) -> usize {
        // Who holds them waits for this, unless it has failed.
        self.end.send(()).unwrap_or_default();
        self.task.await.unwrap_or(usize::MAX)
    }
}
