//! Moves whose server dies before it adds what follows from them.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use table::Entry;
use tokio::time::{Instant, sleep};

use super::server_cluster::{SIZE, ServerCluster};
use crate::http::{self, HttpAnswer};
use crate::soak::{SoakViolation, Testbed, read_as};

/// The number of tables.
const TABLES: usize = 20;

/// The time for each move of a person, in milliseconds.
const PER_MOVE: u64 = 3_000;

/// How long the servers that are left may take for everything that follows.
const PATIENCE: Duration = Duration::from_secs(15);

/// After this time a server adds what another one should have added.
const LEAD: Duration = Duration::from_millis(2_500);

/// What happens at each table: the person moves, the computer answers, and the time of the person runs out.
const KINDS: [&str; 5] = ["created", "joined", "played", "played", "forfeited"];

/// A table with a computer and a clock.
#[derive(Debug)]
struct ComputerTable {
    id: String,
    token: String,
    /// The version with which the move was acknowledged.
    acknowledged: Option<u64>,
}

/// Sends moves to one server and kills it while it answers. At every table the computer must answer once, and
/// then the clock must run out once, whichever server notices.
pub(super) async fn kill_before_the_answer(
    (cluster, node): (&mut ServerCluster, usize),
    testbed: &mut Testbed,
) -> anyhow::Result<()> {
    let addresses = cluster.addresses();
    let dying = addresses[node];
    let left: Vec<_> = addresses.iter().copied().filter(|address| *address != dying).collect();
    let mut tables = Vec::new();
    for _ in 0..TABLES {
        tables.push(ComputerTable::create(dying).await?);
    }
    let sent = stream::iter(&tables).enumerate();
    let sent = sent.map(|(number, table)| async move { (number, table.act(dying).await) });
    let answers = sent.buffer_unordered(TABLES).take(TABLES / 2).collect::<Vec<_>>().await;
    cluster.kill_node(node).await?;
    for (number, answer) in answers {
        let answer = answer.ok().filter(|answer| answer.status == 200);
        tables[number].acknowledged = answer.and_then(|answer| answer.body["version"].as_u64());
    }
    let mut wrong = Vec::new();
    for (number, table) in tables.iter().enumerate() {
        wrong.extend(table.act_again(left[number % left.len()]).await?);
    }
    let end = Instant::now() + PATIENCE;
    for table in &tables {
        while table.log(left[0]).await?.len() < KINDS.len() && Instant::now() < end {
            sleep(Duration::from_millis(50)).await;
        }
    }
    cluster.start_node(node).await?;
    sleep(LEAD).await;
    for table in &tables {
        wrong.extend(table.check(&addresses).await?);
    }
    for (table, what) in wrong {
        testbed.report(&table, SoakViolation::Other { what });
    }
    Ok(())
}

impl ComputerTable {
    async fn create(server: SocketAddr) -> anyhow::Result<Self> {
        let wanted = json!({
            "game": "tic-tac-toe", "name": "Ada", "computers": [null, "perfect"],
            "clock": {"per_move": PER_MOVE},
        });
        let created = http::post(server, "/api/tables", None, &wanted).await?.body;
        let text = |name: &str| created[name].as_str().map(str::to_owned);
        let id = text("id").with_context(|| format!("no table was created: {created}"))?;
        Ok(Self { id, token: text("token").context("no seat was taken")?, acknowledged: None })
    }

    async fn act(&self, server: SocketAddr) -> anyhow::Result<HttpAnswer> {
        let action = json!({"id": "solo:1", "action": "play", "round": 1, "ply": 0, "move": "b2"});
        let path = format!("/api/tables/{}/actions", self.id);
        http::post(server, &path, Some(&self.token), &action).await
    }

    /// Sends the same action to another server; returns what is wrong with its answer.
    async fn act_again(&self, server: SocketAddr) -> anyhow::Result<Option<(String, String)>> {
        let end = Instant::now() + PATIENCE;
        let mut answer = self.act(server).await?;
        while answer.status == 503 && Instant::now() < end {
            sleep(Duration::from_millis(50)).await;
            answer = self.act(server).await?;
        }
        let version = answer.body["version"].as_u64();
        let is_right =
            answer.status == 200 && self.acknowledged.is_none_or(|it| Some(it) == version);
        let HttpAnswer { status, body } = answer;
        let acknowledged = self.acknowledged;
        let what =
            format!("a move was acknowledged at {acknowledged:?}, and again {status} {body}");
        Ok((!is_right).then_some((self.id.clone(), what)))
    }

    async fn log(&self, server: SocketAddr) -> anyhow::Result<Vec<Entry>> {
        read_as(server, &self.id, None).await
    }

    /// What is wrong with its log, as each server tells it.
    async fn check(&self, servers: &[SocketAddr]) -> anyhow::Result<Option<(String, String)>> {
        let first = self.log(servers[0]).await?;
        let mut same = true;
        for server in &servers[1..SIZE] {
            same &= self.log(*server).await? == first;
        }
        let kinds: Vec<_> = first.iter().map(|entry| entry.body.kind()).collect();
        let what = format!("{} happened, the servers agree: {same}", Value::from(kinds.clone()));
        Ok((!same || kinds != KINDS).then_some((self.id.clone(), what)))
    }
}
