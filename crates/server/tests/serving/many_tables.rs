//! Two servers with thousands of tables that people watch.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde_json::json;
use server::{
    Appended, Journal as _, JournalArrival, NatsJournal, NatsSettings, NoticeArrival, NoticeBody,
    TableId,
};

use crate::nats_server::{Flushing, NatsServer};
use crate::socket::Socket;
use crate::test_server::{Setup, TestServer, text};

const TABLES: u32 = 5_000;

/// The number of tables that one client watches.
const TOPICS: u32 = 100;

/// Each server tells of each table every ten seconds.
const PATIENCE: Duration = Duration::from_secs(25);

async fn open(settings: &NatsSettings) -> Arc<NatsJournal> {
    Arc::new(NatsJournal::open(settings).await.expect("the journal opens"))
}

/// Writes thousands of tables that are like one that was created; returns their ids.
async fn write_tables(server: &TestServer, journal: &NatsJournal) -> Vec<TableId> {
    let created = server.create(&json!({"game": "tic-tac-toe", "name": "Ada"})).await;
    let model = text(&created["id"]).parse().expect("it is an id");
    let entries = journal.read(model, 0, 10).await.expect("the journal can be read").entries;
    let ids = (0..TABLES).map(|number| {
        let mut id = [0; 16];
        // Ids are random, also in their first byte.
        id[..4].copy_from_slice(&number.to_le_bytes());
        TableId::new(id)
    });
    let written = stream::iter(ids).map(|id| {
        let entries = entries.clone();
        async move { journal.append(id, 0, entries).await.map(|appended| (id, appended)) }
    });
    let written: Vec<_> = written.buffered(64).try_collect().await.expect("tables are written");
    assert!(written.iter().all(|(_, appended)| *appended == Appended::Committed));
    written.into_iter().map(|(id, _)| id).collect()
}

/// Clients that watch these tables at a server.
async fn watch(server: &TestServer, tables: &[TableId]) -> Vec<Socket> {
    let mut sockets = Vec::new();
    for tables in tables.chunks(TOPICS as usize) {
        let mut socket = Socket::open(server).await;
        for table in tables {
            socket.join(&format!("table:{table}"), json!({})).await.expect("everybody may watch");
        }
        sockets.push(socket);
    }
    sockets
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_tell_each_other_of_five_thousand_watched_tables_again_and_again() {
    let Some(nats) = NatsServer::start(Flushing::NowAndThen) else { return };
    let settings = nats.settings("many");
    let (one, other) = (open(&settings).await, open(&settings).await);
    let setup = |journal| Setup::on(journal).limit("topics_per_connection", TOPICS);
    let setup = |journal| setup(journal).limit("joins_at_once", TABLES);
    let setup = |journal| setup(journal).limit("channels_per_address", TABLES);
    let (first, second) = (setup(&one).start().await, setup(&other).start().await);
    let tables = write_tables(&first, &one).await;
    let _watching = (watch(&first, &tables).await, watch(&second, &tables).await);
    let (mut notices, mut arrivals) = (one.notices(), one.arrivals());
    let mut told = BTreeSet::new();
    let all = async {
        // Both servers, for each table.
        while told.len() < 2 * tables.len() {
            match notices.next().await {
                Some(NoticeArrival::Told(notices)) => told.extend(
                    notices
                        .iter()
                        .filter(|notice| notice.body == NoticeBody::Present(vec![None]))
                        .map(|notice| (notice.server, notice.table)),
                ),
                other => panic!("{other:?}"),
            }
        }
    };
    let in_time = tokio::time::timeout(PATIENCE, all).await;
    assert!(in_time.is_ok(), "{} of {} lists were told again", told.len(), 2 * tables.len());
    let nothing = tokio::time::timeout(Duration::ZERO, arrivals.next()).await;
    assert!(!matches!(nothing, Ok(Some(JournalArrival::Missed))), "{nothing:?}");
}
