//! The epoch of an installation in JetStream, of which all servers must have the same one.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt as _;
use serde_json::json;
use server::{Journal as _, Loss, NatsJournal, NatsOpenError, NatsSettings};
use tokio::time::{sleep, timeout};

use crate::cut_connection::CutConnection;
use crate::fixtures::{epoch, table};
use crate::nats::{ask_jetstream, two};
use crate::nats_server::{Flushing, NatsServer};

/// How long a server may take to notice that it reaches NATS again.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_journal_that_nobody_closed_begins_a_new_epoch() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let [first, second] = two(&server).await;
    let before = epoch(&first, table(1)).await;
    // A server that is killed while another one runs changes nothing.
    drop(first);
    let third = NatsJournal::open(&server.settings("two")).await.expect("the journal opens");
    assert_eq!(epoch(&third, table(1)).await, before);
    // The last one may have died because its cluster was replaced by an older backup.
    assert_eq!(second.close().await, Ok(()));
    drop((second, third));
    let [fourth, fifth] = two(&server).await;
    let after = epoch(&fourth, table(1)).await;
    assert_ne!(after, before);
    assert_eq!(epoch(&fifth, table(1)).await, after);
    // All are closed: nothing was lost.
    assert_eq!((fourth.close().await, fifth.close().await), (Ok(()), Ok(())));
    drop((fourth, fifth));
    let [sixth, _seventh] = two(&server).await;
    assert_eq!(epoch(&sixth, table(1)).await, after);
}

/// A journal of a server whose connection can be cut, and settings for others.
async fn severable(server: &NatsServer) -> (NatsJournal, CutConnection, NatsSettings) {
    let connection = CutConnection::to(server).await;
    let others = server.settings("two");
    let mut settings = others.clone();
    settings.address = format!("nats://{}", connection.address).parse().expect("it is an address");
    let journal = NatsJournal::open(&settings).await.expect("the journal opens");
    (journal, connection, others)
}

/// A journal that is opened while the other server is cut off: it begins a new epoch.
async fn begin_epoch(settings: &NatsSettings, before: u64) -> (NatsJournal, u64) {
    let journal = NatsJournal::open(settings).await.expect("the journal opens");
    let after = epoch(&journal, table(1)).await;
    assert_ne!(after, before, "nobody says that nothing was lost");
    (journal, after)
}

#[tokio::test]
async fn a_server_that_was_cut_off_adopts_the_epoch_that_another_one_has_begun() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let (first, connection, settings) = severable(&server).await;
    let mut losses = first.losses();
    let before = epoch(&first, table(1)).await;
    connection.cut();
    let (_second, after) = begin_epoch(&settings, before).await;
    connection.mend();
    let loss = timeout(PATIENCE, losses.next()).await.expect("it notices");
    assert_eq!(loss, Some(Loss::AnyTable), "what it has in memory must be read again");
    assert_eq!(epoch(&first, table(1)).await, after);
}

#[tokio::test]
async fn a_journal_is_not_closed_while_a_server_that_was_cut_off_has_it_open() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let (first, connection, settings) = severable(&server).await;
    let before = epoch(&first, table(1)).await;
    connection.cut();
    let (second, after) = begin_epoch(&settings, before).await;
    assert_eq!(second.close().await, Ok(()));
    assert!(is_closed(&server).await, "the second one finds nobody");
    connection.mend();
    let reopened = async {
        while is_closed(&server).await {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, reopened).await.expect("the first server says that it runs");
    // The first server dies: something may be lost.
    drop((first, second));
    let third = NatsJournal::open(&settings).await.expect("the journal opens");
    assert_ne!(epoch(&third, table(1)).await, after);
}

/// Whether the record says that the last server has closed the journal.
async fn is_closed(server: &NatsServer) -> bool {
    let record = json!({ "last_by_subj": "two.state.installation" });
    let found = ask_jetstream(server, "STREAM.MSG.GET.two_state", record).await;
    let record = found["message"]["data"].as_str().expect("the record has bytes");
    let record = STANDARD.decode(record).expect("it is in base 64");
    String::from_utf8(record).expect("it is text").contains("closed_at")
}

#[tokio::test]
async fn a_server_that_is_connected_and_does_not_answer_has_the_journal_open() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let settings = server.settings("two");
    let first = NatsJournal::open(&settings).await.expect("the journal opens");
    let before = epoch(&first, table(1)).await;
    // The first server dies, and the paused one still hears questions.
    let address = server.settings("any").address.to_string();
    let paused = async_nats::connect(address).await.expect("the server listens");
    let mut questions = paused.subscribe("two.peers").await.expect("it may listen");
    paused.flush().await.expect("the server is there");
    drop(first);
    let second = NatsJournal::open(&settings).await.expect("the journal opens");
    assert!(timeout(PATIENCE, questions.next()).await.is_ok_and(|question| question.is_some()));
    assert_eq!(epoch(&second, table(1)).await, before);
    let copied = NatsJournal::open_to_read(&settings).await;
    assert!(matches!(copied, Err(NatsOpenError::InUse { .. })));
    // Nor is it the last one that closes the journal.
    assert_eq!(second.close().await, Ok(()));
    assert!(!is_closed(&server).await);
}
