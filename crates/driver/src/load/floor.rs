//! Plain appends to a stream of NATS, without any server of Cat's Cradle: the floor of a cluster.

use std::time::Duration;

use anyhow::ensure;
use async_nats::{Client, HeaderMap, RequestErrorKind};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::pair::Pace;
use crate::latencies::{Latencies, Summary};

/// The stream for plain appends.
const FLOOR: &str = "floor";

/// The number of refusals after which a writer gives up.
const MOST_REFUSED: u32 = 100;

/// The pause after a refusal.
const REFUSED: Duration = Duration::from_millis(50);

/// As long as the entry of a move.
const PAYLOAD: &str = r#"{"format":1,"version":12,"at":1763310000000,"who":{"seat":1},"action":"0123456789abcdef:12","kind":"played","seat":1,"round":1,"ply":8,"move":"b2"}"#;

/// Appends to one subject for each writer, as servers do, while one consumer for each server follows. A writer
/// appends at the given pace, or as fast as it can.
pub(super) async fn append_plainly(
    addresses: &[String],
    writers: usize,
    time: Duration,
    paced: Option<f64>,
) -> anyhow::Result<Summary> {
    let mut clients = Vec::new();
    for address in addresses {
        clients.push(async_nats::connect(address).await?);
    }
    let config = json!({
        "name": FLOOR, "subjects": ["floor.>"], "storage": "file", "retention": "limits",
        "discard": "old", "num_replicas": addresses.len(),
    });
    // The servers may have just found each other.
    let mut refused = 0;
    while let Err(error) = call(&clients[0], &format!("STREAM.CREATE.{FLOOR}"), &config).await {
        refused += 1;
        ensure!(refused < MOST_REFUSED, "{error:#}");
        sleep(REFUSED).await;
    }
    let mut readers = JoinSet::new();
    for client in &clients {
        let inbox = client.new_inbox();
        let mut messages = client.subscribe(inbox.clone()).await?;
        let consumer = json!({
            "stream_name": FLOOR,
            "config": { "deliver_subject": inbox, "ack_policy": "none", "mem_storage": true },
        });
        call(client, &format!("CONSUMER.CREATE.{FLOOR}"), &consumer).await?;
        readers.spawn_local(async move { while messages.next().await.is_some() {} });
    }
    let (end, mut writing) = (Instant::now() + time, JoinSet::new());
    let count = u32::try_from(writers)?.max(1);
    for (place, number) in (0..count).enumerate() {
        let pace = paced.map(|rate| Pace::new(rate, number, count));
        writing.spawn_local(write(clients[place % clients.len()].clone(), number, end, pace));
    }
    let mut latencies = Latencies::default();
    while let Some(written) = writing.join_next().await {
        latencies.append(written??);
    }
    // A subscription must end while the runtime runs.
    readers.shutdown().await;
    call(&clients[0], &format!("STREAM.DELETE.{FLOOR}"), &json!({})).await?;
    Ok(latencies.summary())
}

async fn write(
    client: Client,
    number: u32,
    end: Instant,
    mut pace: Option<Pace>,
) -> anyhow::Result<Latencies> {
    let (mut last, mut refused, mut latencies) = (0, 0, Latencies::default());
    loop {
        if let Some(pace) = &mut pace {
            pace.wait().await;
        }
        if Instant::now() >= end {
            return Ok(latencies);
        }
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Expected-Last-Subject-Sequence", last.to_string());
        headers.insert("Nats-Msg-Id", format!("{number}-{last}"));
        let began = Instant::now();
        let subject = format!("floor.{number}");
        let answer = client.request_with_headers(subject, headers, PAYLOAD.into()).await;
        let answer: Value = match answer {
            Ok(answer) => serde_json::from_slice(&answer.payload)?,
            Err(error) if error.kind() == RequestErrorKind::NoResponders => Value::Null,
            Err(error) => return Err(error.into()),
        };
        if let Some(sequence) = answer["seq"].as_u64().filter(|sequence| *sequence > 0) {
            latencies.push(began.elapsed());
            last = sequence;
        } else {
            // A new stream is not ready at once.
            refused += 1;
            ensure!(refused < MOST_REFUSED, "appends are refused: {}", answer["error"]);
            sleep(REFUSED).await;
        }
    }
}

async fn call(client: &Client, function: &str, body: &Value) -> anyhow::Result<()> {
    let answer = client.request(format!("$JS.API.{function}"), body.to_string().into()).await?;
    let answer: Value = serde_json::from_slice(&answer.payload)?;
    ensure!(answer["error"].is_null(), "{function} was answered {}", answer["error"]);
    Ok(())
}
