//! Measures how soon the clients of a server that died play on at another one.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, bail};
use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::load_command::AT_ONCE;
use crate::cluster::ServerCluster;
use crate::http::{self, NewTable};
use crate::latencies::{Latencies, Summary};
use crate::socket::ClientSocket;

/// How long clients play before and after the death.
const TIME: Duration = Duration::from_secs(4);

/// How often each client acts.
const PACE: Duration = Duration::from_millis(50);

/// A client that gets no answer connects again after this time.
const PATIENCE: Duration = Duration::from_secs(3);

/// A client waits for this long before it connects again. The page begins with 10 ms.
const PAUSE: Duration = Duration::from_millis(25);

/// Lets clients act at tables through the balancer, kills a server, and returns the times from its death until
/// each of its clients was answered by another one.
pub(super) async fn measure_failover(
    cluster: &mut ServerCluster,
    clients: usize,
) -> anyhow::Result<Summary> {
    let entrance = cluster.balancer.address;
    let tables = stream::iter(0..clients).map(|_| http::create_table(entrance));
    let tables: Vec<_> = tables.buffered(AT_ONCE).try_collect().await?;
    let (death, end) = (watch::Sender::new(None), Instant::now() + 2 * TIME);
    let (death, mut acting) = (Rc::new(death), JoinSet::new());
    for table in tables {
        let client = FailoverClient { entrance, table, round: 1, counter: 0 };
        acting.spawn_local(client.act_until(end, death.subscribe()));
    }
    sleep(TIME).await;
    death.send_replace(Some(Instant::now()));
    cluster.kill_node(0).await?;
    let mut latencies = Latencies::default();
    while let Some(acted) = acting.join_next().await {
        latencies.append(acted??);
    }
    Ok(latencies.summary())
}

/// A client of one seat that ends one round after the other. It needs no opponent.
struct FailoverClient {
    entrance: SocketAddr,
    table: NewTable,
    round: u32,
    counter: u64,
}

impl FailoverClient {
    /// Acts until a time; returns how long after the death its next action was answered, if it lost its server.
    async fn act_until(
        mut self,
        end: Instant,
        death: watch::Receiver<Option<Instant>>,
    ) -> anyhow::Result<Latencies> {
        let (mut latencies, mut socket, mut has_lost) = (Latencies::default(), None, false);
        while Instant::now() < end || has_lost {
            if matches!(timeout(PATIENCE, self.act(&mut socket)).await, Ok(Ok(()))) {
                if let Some(death) = death.borrow().filter(|_| has_lost) {
                    latencies.push(death.elapsed());
                }
                has_lost = false;
                sleep(PACE).await;
            } else {
                // A connection that was never there is not one that was lost.
                has_lost |= death.borrow().is_some();
                socket = None;
                sleep(PAUSE).await;
            }
            if Instant::now() > end + 4 * PATIENCE {
                bail!("a client of the dead server was not answered by another one");
            }
        }
        Ok(latencies)
    }

    /// Sends the next action, again if it was not answered before, and waits for the answer.
    async fn act(&mut self, socket: &mut Option<ClientSocket>) -> anyhow::Result<()> {
        let topic = format!("table:{}", self.table.id);
        if socket.is_none() {
            let mut new = ClientSocket::connect(self.entrance).await?;
            let token = &self.table.tokens[0];
            new.send(format!(r#"["1","1","{topic}","phx_join",{{"token":"{token}"}}]"#)).await?;
            await_reply(&mut new, "1").await?;
            *socket = Some(new);
        }
        let socket = socket.as_mut().context("the client is connected")?;
        self.counter += 1;
        let (round, reference) = (self.round, format!("a{}", self.counter));
        let action =
            format!(r#"{{"id":"fail:{round}","action":"forfeit","round":{round},"ply":0}}"#);
        socket.send(format!(r#"["1","{reference}","{topic}","act",{action}]"#)).await?;
        await_reply(socket, &reference).await?;
        self.round += 1;
        Ok(())
    }
}

/// Waits for the reply to a frame, which must be good.
async fn await_reply(socket: &mut ClientSocket, reference: &str) -> anyhow::Result<()> {
    let expected = format!(r#"["1","{reference}","#);
    loop {
        let text = socket.next().await?;
        if text.starts_with(&expected) {
            anyhow::ensure!(text.contains(r#""status":"ok""#), "the server answered {text}");
            return Ok(());
        }
    }
}
