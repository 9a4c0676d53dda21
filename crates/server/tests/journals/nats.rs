//! The journal in JetStream.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use server::{
    Appended, Directory, Journal, JournalArrival, NatsJournal, NatsOpenError, NatsSettings,
    NotWritten, NoticeArrival, NoticeBody, PutOutcome, ServerNotice, TableId,
};
use table::{Author, Entry, EntryBody};
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use crate::conformance::conformance;
use crate::cut_connection::CutConnection;
use crate::directory::open;
use crate::fixtures::{TestJournal, action, entries, entry, epoch, fill, log, table};
use crate::nats_server::{Flushing, NatsServer};
use crate::rules::conformance_with_rules;

/// How long the stream of a test remembers the ids of messages.
const SHORT_WINDOW: Duration = Duration::from_millis(100);

pub(crate) struct InJetStream {
    journal: Arc<NatsJournal>,
    settings: NatsSettings,
}

impl InJetStream {
    pub(crate) fn open(settings: NatsSettings) -> Self {
        let opened = block_in_place(|| Handle::current().block_on(NatsJournal::open(&settings)));
        Self { journal: Arc::new(opened.expect("the journal opens")), settings }
    }
}

impl TestJournal for InJetStream {
    fn journal(&self) -> Arc<dyn Journal> {
        Arc::<NatsJournal>::clone(&self.journal)
    }

    fn directory(&self) -> Arc<dyn Directory> {
        Arc::<NatsJournal>::clone(&self.journal)
    }

    fn reopened(self: Box<Self>) -> Option<Box<dyn TestJournal>> {
        let closed = block_in_place(|| Handle::current().block_on(self.journal.close()));
        assert_eq!(closed, Ok(()));
        Some(Box::new(Self::open(self.settings)))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_journal_in_jetstream_conforms() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let number = AtomicU64::new(0);
    let settings = || server.settings(&format!("c{}", number.fetch_add(1, Ordering::Relaxed)));
    conformance(|| Box::new(InJetStream::open(settings()))).await;
    conformance_with_rules(|| Box::new(InJetStream::open(settings()))).await;
}

/// Two servers with one journal.
pub(crate) async fn two(server: &NatsServer) -> [NatsJournal; 2] {
    let settings = server.settings("two");
    let (first, second) = tokio::join!(NatsJournal::open(&settings), NatsJournal::open(&settings));
    [first.expect("the journal opens"), second.expect("the journal opens")]
}

#[tokio::test]
async fn servers_that_start_at_once_share_one_key_and_one_epoch() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let [first, second] = two(&server).await;
    assert_eq!(first.key(), second.key());
    assert_eq!(epoch(&first, table(1)).await, epoch(&second, table(1)).await);
}

#[tokio::test]
async fn a_server_that_is_behind_learns_what_it_missed() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let [first, second] = two(&server).await;
    fill(&first, table(1), 3).await;
    assert_eq!(second.append(table(1), 3, entries(4..=5)).await, Ok(Appended::Committed));
    // The first server believes that the log ends with entry 3.
    let late = first.append(table(1), 3, vec![entry(4, 9)]).await;
    assert_eq!(late, Ok(Appended::Conflict(entries(4..=5))));
    assert_eq!(first.append(table(1), 5, entries(6..=6)).await, Ok(Appended::Committed));
    assert_eq!(log(&second, table(1)).await, entries(1..=6));
}

#[tokio::test]
async fn a_table_that_another_server_has_deleted_is_gone() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let [first, second] = two(&server).await;
    fill(&first, table(1), 3).await;
    assert_eq!(second.delete(table(1), 3).await, Ok(server::DeleteOutcome::Deleted));
    let late = first.append(table(1), 3, entries(4..=4)).await;
    assert_eq!(late, Err(NotWritten::Ahead { last: 0 }.into()));
    assert_eq!(log(&first, table(1)).await, []);
}

/// Asks JetStream as an operator does.
pub(crate) async fn ask_jetstream(server: &NatsServer, function: &str, body: Value) -> Value {
    let address = server.settings("any").address.to_string();
    let client = async_nats::connect(address).await.expect("the server listens");
    let body = body.to_string().into();
    let answer = client.request(format!("$JS.API.{function}"), body).await.expect("it answers");
    let answer: Value = serde_json::from_slice(&answer.payload).expect("the answer is JSON");
    assert_eq!(answer["error"], Value::Null);
    answer
}

#[tokio::test]
async fn an_action_is_found_long_after_jetstream_has_forgotten_its_message() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let stream = json!({
        "name": "two_logs", "subjects": ["two.log.>"], "retention": "limits", "storage": "file",
        "discard": "old", "max_msgs_per_subject": -1, "num_replicas": 1, "allow_direct": true,
        "duplicate_window": u64::try_from(SHORT_WINDOW.as_nanos()).unwrap(),
    });
    ask_jetstream(&server, "STREAM.CREATE.two_logs", stream).await;
    let [first, second] = two(&server).await;
    let acted = Entry { action: Some(action("ada", 1)), ..entry(1, 0) };
    assert_eq!(first.append(table(1), 0, vec![acted]).await, Ok(Appended::Committed));
    tokio::time::sleep(2 * SHORT_WINDOW).await;
    // More messages than one request returns.
    for version in 1..400 {
        let appended = first.append(table(1), version, vec![entry(version + 1, 0)]).await;
        assert_eq!(appended, Ok(Appended::Committed));
    }
    assert_eq!(second.find(table(1), action("ada", 1)).await, Ok(Some(1)));
    assert_eq!(second.find(table(1), action("ada", 2)).await, Ok(None));
    // The second search reads only what is new.
    let acted = Entry { action: Some(action("ada", 2)), ..entry(401, 0) };
    assert_eq!(first.append(table(1), 400, vec![acted]).await, Ok(Appended::Committed));
    assert_eq!(second.find(table(1), action("ada", 2)).await, Ok(Some(401)));
    assert_eq!(second.find(table(1), action("ada", 1)).await, Ok(Some(1)));
    assert_eq!(log(&second, table(1)).await.len(), 401);
    // A table that begins again with the same id has none of these actions.
    assert_eq!(first.delete(table(1), 401).await, Ok(server::DeleteOutcome::Deleted));
    assert_eq!(second.find(table(1), action("ada", 1)).await, Ok(None));
    fill(&first, table(1), 3).await;
    assert_eq!(second.find(table(1), action("ada", 1)).await, Ok(None));
}

#[tokio::test]
async fn one_consumer_of_a_server_follows_all_tables() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let [first, second] = two(&server).await;
    let mut arrivals = second.arrivals();
    let mut written: Vec<_> = (1..=50).map(table).collect();
    for id in &written {
        fill(&first, *id, 2).await;
    }
    let all = async {
        while !written.is_empty() {
            if let Some(JournalArrival::Entries(entries)) = arrivals.next().await {
                written.retain(|id| *id != entries.table);
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(10), all).await.expect("all entries arrive");
    let info = ask_jetstream(&server, "STREAM.INFO.two_logs", json!({})).await;
    assert_eq!(info["state"]["consumer_count"], 2, "one for each server");
}

#[tokio::test]
async fn an_earlier_deadline_of_another_server_stays() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let [first, second] = two(&server).await;
    assert_eq!(first.put(open(1, "red fox")).await, Ok(PutOutcome::Done));
    assert_eq!(first.set_deadline(table(1), Some(40)).await, Ok(()));
    // The second server may not have heard of it yet.
    assert_eq!(second.expect_deadline(table(1), 50).await, Ok(()));
    assert_eq!(second.deadlines().await, Ok(vec![(40, table(1))]));
    assert_eq!(second.expect_deadline(table(1), 30).await, Ok(()));
    assert_eq!(second.deadlines().await, Ok(vec![(30, table(1))]));
    assert_eq!(first.expect_deadline(table(1), 35).await, Ok(()));
    let all = first.deadlines().await.expect("the journal answers");
    assert!(all[0].0 <= 35, "{all:?}");
    assert_eq!(first.expect_deadline(table(2), 5).await, Ok(()), "an unknown table is ignored");
    assert_eq!(first.deadlines().await.expect("the journal answers").len(), 1);
}

/// What a server tells about one of many tables.
fn presence(number: u32) -> ServerNotice {
    let mut id = [0; 16];
    id[..4].copy_from_slice(&number.to_be_bytes());
    let body = NoticeBody::Present(vec![Some(game::Seat::FIRST)]);
    ServerNotice { server: 1, table: TableId::new(id), body }
}

#[tokio::test]
async fn notices_of_ten_thousand_tables_at_once_arrive_and_delay_no_entry() {
    const TABLES: u32 = 10_000;
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let [first, second] = two(&server).await;
    let (mut arrivals, mut notices) = (second.arrivals(), second.notices());
    let mut missing: BTreeSet<_> = (0..TABLES).map(|number| presence(number).table).collect();
    for number in 0..TABLES {
        first.announce(presence(number));
    }
    fill(&first, table(1), 1).await;
    let all = async {
        while !missing.is_empty() {
            match notices.next().await {
                Some(NoticeArrival::Told(told)) => {
                    missing.retain(|id| !told.iter().any(|notice| notice.table == *id));
                }
                // The connection has just begun.
                Some(NoticeArrival::Missed) if missing.len() == TABLES as usize => {}
                other => panic!("{other:?}"),
            }
        }
        arrivals.next().await
    };
    let entry = tokio::time::timeout(Duration::from_secs(10), all).await;
    let entry = entry.expect("all notices arrive");
    assert!(
        matches!(&entry, Some(JournalArrival::Entries(entries)) if entries.table == table(1)),
        "{entry:?}"
    );
}

#[tokio::test]
async fn a_server_that_was_cut_off_knows_that_it_may_have_missed_notices() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let connection = CutConnection::to(&server).await;
    let mut settings = server.settings("two");
    settings.address = format!("nats://{}", connection.address).parse().unwrap();
    let journal = NatsJournal::open(&settings).await.expect("the journal opens");
    let mut notices = journal.notices();
    let patience = Duration::from_secs(20);
    let mut told = async || {
        journal.announce(presence(1));
        tokio::time::timeout(patience, notices.next()).await.expect("a notice comes back")
    };
    while !matches!(told().await, Some(NoticeArrival::Told(_))) {}
    connection.cut();
    connection.mend();
    while !matches!(told().await, Some(NoticeArrival::Missed)) {}
}

#[tokio::test]
async fn a_kind_that_is_held_is_written_by_nobody_and_read_by_all() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let mut settings = server.settings("held");
    let journal = NatsJournal::open(&settings).await.expect("the journal opens");
    settings.held_kinds = vec!["tied".to_owned()];
    let holding = NatsJournal::open(&settings).await.expect("the journal opens");
    let held = holding.append(table(1), 0, entries(1..=2)).await;
    assert_eq!(held, Err(NotWritten::Held { kind: "tied" }.into()));
    let seat = EntryBody::Left { seat: game::Seat::FIRST };
    let left = Entry::new(1, 1, Author::Table, seat);
    assert_eq!(holding.append(table(1), 0, vec![left.clone()]).await, Ok(Appended::Committed));
    assert_eq!(journal.append(table(1), 1, entries(2..=2)).await, Ok(Appended::Committed));
    assert_eq!(log(&holding, table(1)).await, [vec![left], entries(2..=2)].concat());
}

#[tokio::test]
async fn a_server_answers_what_another_one_asks_as_long_as_it_wants_to() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let [first, second] = two(&server).await;
    let time = Duration::from_secs(10);
    assert_eq!(second.ask("poll", "what is new?".to_owned(), time).await, None);
    let mut questions = first.answer_questions("poll").await.expect("others can ask");
    let answering = async {
        let asked = tokio::time::timeout(time, questions.recv()).await;
        let asked = asked.expect("a question arrives in time").expect("another server asks");
        assert_eq!(asked.text, "what is new?");
        asked.answer.send("a move".to_owned()).expect("the other server waits");
    };
    let asking = second.ask("poll", "what is new?".to_owned(), time);
    assert_eq!(tokio::join!(asking, answering).0.as_deref(), Some("a move"));
    // Another name is not answered, although this one is.
    assert_eq!(second.ask("other", "what is new?".to_owned(), time).await, None);
}

#[tokio::test]
async fn servers_that_flush_now_and_then_are_refused() {
    for flushing in [Flushing::Always, Flushing::NowAndThen] {
        let Some(server) = NatsServer::start(flushing) else { return };
        let mut settings = server.settings("flush");
        settings.monitors = vec![server.monitor()];
        let opened = NatsJournal::open(&settings).await;
        match flushing {
            Flushing::Always => drop(opened.expect("the journal opens")),
            Flushing::NowAndThen => {
                let refused = opened.expect_err("moves could be lost").to_string();
                assert!(refused.contains("sync_interval: always"), "{refused}");
            }
        }
    }
}

#[tokio::test]
async fn a_stream_with_too_few_replicas_is_refused() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    drop(NatsJournal::open(&server.settings("few")).await.expect("the journal opens"));
    let mut settings = server.settings("few");
    settings.replicas = 3;
    let refused = NatsJournal::open(&settings).await;
    assert!(
        matches!(&refused, Err(NatsOpenError::UnsafeStream { why, .. }) if why.contains("1 replicas"))
    );
    // A single server cannot keep three replicas.
    settings.prefix = "many".to_owned();
    let refused = NatsJournal::open(&settings).await;
    assert!(
        matches!(&refused, Err(NatsOpenError::NoJetStream { why }) if why.contains("3 replicas"))
    );
}

#[tokio::test]
async fn a_copy_has_the_key_that_it_is_made_with() {
    let Some(server) = NatsServer::start(Flushing::Always) else { return };
    let settings = server.settings("copy");
    let copy = NatsJournal::create(&settings, [7; 32]).await.expect("the journal is created");
    assert_eq!(copy.key(), [7; 32]);
    let again = NatsJournal::open(&settings).await.expect("the journal opens");
    assert_eq!(again.key(), [7; 32]);
    let other = NatsJournal::create(&settings, [8; 32]).await;
    assert!(matches!(other, Err(NatsOpenError::NotEmpty { .. })));
}

#[tokio::test]
async fn a_cluster_that_is_not_there_is_named() {
    // Nothing listens on port 1.
    let settings = NatsSettings::new("nats://127.0.0.1:1".parse().unwrap());
    let refused = NatsJournal::open(&settings).await.expect_err("there is no server").to_string();
    assert!(
        refused.starts_with("no server of NATS can be reached at nats://127.0.0.1:1"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_connection_is_encrypted_with_certificates_from_files() {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = (folder.path().join("certificate.pem"), folder.path().join("key.pem"));
    std::fs::write(&certificate, made.cert.pem()).unwrap();
    std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let tls = format!(
        "tls {{ cert_file: {certificate:?}, key_file: {key:?}, ca_file: {certificate:?}, verify: true }}"
    );
    let Some(server) = NatsServer::start_with(Flushing::Always, &tls) else { return };
    let mut settings = server.settings("tls");
    let refused = NatsJournal::open(&settings).await;
    assert!(matches!(refused, Err(NatsOpenError::NotConnected { .. })), "nothing is trusted");
    settings.authority = Some(certificate.clone());
    let refused = NatsJournal::open(&settings).await;
    assert!(
        matches!(refused, Err(NatsOpenError::NotConnected { .. })),
        "it does not say who it is"
    );
    settings.identity = Some((certificate, key));
    let journal = NatsJournal::open(&settings).await.expect("the journal opens");
    fill(&journal, table(1), 3).await;
    settings.credentials = Some("nowhere.creds".into());
    let refused =
        NatsJournal::open(&settings).await.expect_err("there is no such file").to_string();
    assert!(refused.starts_with("nowhere.creds cannot be used to connect to NATS"), "{refused}");
}
