//! Two of three NATS servers die: nothing can be written, and what servers hold can be read.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::ensure;
use futures_util::future::join_all;
use serde_json::json;
use tokio::time::{Instant, sleep};

use super::server_cluster::ServerCluster;
use crate::http::{self, NewTable};
use crate::soak::{SoakViolation, Testbed};
use crate::socket::ClientSocket;

/// How long there is no majority before anything is checked: HAProxy has noticed it then.
const TIME: Duration = Duration::from_secs(3);

/// Kills two of three NATS servers: no action may be acknowledged and no server may say that it is ready, but
/// servers show the tables that they hold, also to those who join now.
pub(super) async fn lose_majority(
    cluster: &mut ServerCluster,
    testbed: &mut Testbed,
) -> anyhow::Result<()> {
    let table = http::create_table(cluster.addresses()[0]).await?;
    let mut watching = Vec::new();
    for address in cluster.addresses() {
        watching.push(join(address, &table, None).await?);
    }
    for number in [0, 1] {
        cluster.nats[number].kill().await?;
    }
    // An action that was sent before may be durable: a player learns it when it asks again.
    let killed = Instant::now();
    sleep(TIME).await;
    let [sent, acknowledged] = testbed.actions_after(killed);
    let what = match (sent, acknowledged) {
        (0, _) => Some("nobody acted while there was no majority".to_owned()),
        (_, 0) => None,
        _ => Some(format!("{acknowledged} of {sent} actions were acknowledged without a majority")),
    };
    if let Some(what) = what {
        testbed.report("", SoakViolation::Other { what });
    }
    read_everywhere(cluster, &table, testbed).await?;
    let asked = cluster.addresses().into_iter().map(|server| http::get(server, "/readyz", None));
    for (number, answer) in join_all(asked).await.into_iter().enumerate() {
        if answer?.status == 200 {
            let what = format!("server {number} says that it is ready without a majority");
            testbed.report("", SoakViolation::Other { what });
        }
    }
    drop(watching);
    testbed.shared.begin_recovery(Instant::now());
    cluster.nats[0].start()?;
    cluster.nats[1].start()
}

/// Looks at a table that every server holds, at each server and through the entrance, and joins its channel
/// with and without a token.
async fn read_everywhere(
    cluster: &ServerCluster,
    table: &NewTable,
    testbed: &mut Testbed,
) -> anyhow::Result<()> {
    let mut wrong = Vec::new();
    for address in cluster.addresses().into_iter().chain([testbed.address()?]) {
        let shown = http::get(address, &format!("/api/tables/{}", table.id), None).await?;
        if shown.status != 200 {
            wrong.push(format!("{address} shows no table: {} {}", shown.status, shown.body));
        }
        for token in [None, Some(table.tokens[0].as_str())] {
            if let Err(error) = join(address, table, token).await {
                wrong.push(format!("{address}: {error:#}"));
            }
        }
    }
    for what in wrong {
        let what = format!("without a majority, {what}");
        testbed.report(&table.id, SoakViolation::Other { what });
    }
    Ok(())
}

/// Joins the channel of a table, and stays connected.
async fn join(
    server: SocketAddr,
    table: &NewTable,
    token: Option<&str>,
) -> anyhow::Result<ClientSocket> {
    let mut socket = ClientSocket::connect(server).await?;
    let hello = json!({ "token": token });
    let topic = format!("table:{}", table.id);
    socket.send(json!(["1", "1", topic, "phx_join", hello]).to_string()).await?;
    let answer = socket.next().await?;
    ensure!(answer.contains(r#""status":"ok""#), "the join was refused: {answer}");
    Ok(socket)
}
