//! Subjects of tables in the stream of logs.

use std::time::Duration;

use anyhow::{Context, ensure};
use async_nats::{Client, HeaderMap, Message};
use futures_util::{StreamExt, TryStreamExt, stream};
use game::Generator;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::latencies::{Latencies, Summary};

/// The stream of logs.
const STREAM: &str = "cradle_logs";

/// The number of appends at once.
const AT_ONCE: usize = 512;

/// The number of refusals of one append after which the driver gives up.
const MOST_REFUSED: u32 = 100;

/// The pause after a refusal.
const REFUSED: Duration = Duration::from_millis(50);

/// How many subjects are looked up, and how many shards are listed.
const LOOKUPS: usize = 1_000;
const LISTINGS: usize = 50;

/// The letters of ids, in order.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The subjects of as many tables as wanted, always the same.
pub(super) fn subjects(count: usize) -> impl Iterator<Item = String> {
    let mut generator = Generator::seeded(1);
    (0..count).map(move |_| {
        let [high, low] = [generator.next_bits(), generator.next_bits()];
        subject(u128::from(high) << 64 | u128::from(low))
    })
}

/// The subject of the log of a table with these bits.
fn subject(bits: u128) -> String {
    let letter = |place: u32| {
        let sextet = if place < 21 { bits >> (122 - 6 * place) } else { bits << 4 };
        char::from(LETTERS[usize::try_from(sextet & 63).unwrap_or_default()])
    };
    let id: String = (0..22).map(letter).collect();
    format!("cradle.log.{:02x}.{id}", bits >> 120)
}

/// Appends the first entries of a table to the log of each of these subjects.
pub(super) async fn fill(clients: &[Client], count: usize) -> anyhow::Result<()> {
    let first = json!({"seq": 1, "next_by_subj": "cradle.log.>"}).to_string();
    let first = clients[0].request(format!("$JS.API.DIRECT.GET.{STREAM}"), first.into()).await?;
    let stored = first.headers.as_ref().context("the stream of logs has no message")?;
    let mut headers = HeaderMap::new();
    for name in ["Cradle-Versions", "Cradle-Bytes", "Cradle-Begin"] {
        let value = stored.get(name).with_context(|| format!("a log without {name}"))?;
        headers.insert(name, value.clone());
    }
    headers.insert("Nats-Expected-Last-Subject-Sequence", "0");
    let clients = clients.iter().cycle();
    let appends = stream::iter(clients.zip(subjects(count)))
        .map(|(client, subject)| append(client, subject, &headers, &first));
    appends.buffer_unordered(AT_ONCE).try_collect().await
}

async fn append(
    client: &Client,
    subject: String,
    headers: &HeaderMap,
    first: &Message,
) -> anyhow::Result<()> {
    let mut refused = 0;
    loop {
        let (headers, payload) = (headers.clone(), first.payload.clone());
        let sent = client.request_with_headers(subject.clone(), headers, payload).await;
        let answer: Value = match &sent {
            Ok(answer) => serde_json::from_slice(&answer.payload)?,
            Err(error) => json!({ "error": error.to_string() }),
        };
        // An append that is repeated because its answer was lost finds itself.
        if answer["seq"].as_u64() > Some(0) || refused > 0 && answer["error"]["err_code"] == 10_071
        {
            return Ok(());
        }
        refused += 1;
        ensure!(refused < MOST_REFUSED, "appends are refused: {}", answer["error"]);
        sleep(REFUSED).await;
    }
}

/// How long the leader takes to tell the last message of a subject.
pub(super) async fn look_up(client: &Client, count: usize) -> anyhow::Result<Summary> {
    let bodies = subjects(count).step_by((count / LOOKUPS).max(1)).take(LOOKUPS);
    let bodies = bodies.map(|subject| json!({ "last_by_subj": subject }));
    time_each(client, &format!("$JS.API.STREAM.MSG.GET.{STREAM}"), bodies).await
}

/// How long the leader takes to list the subjects of a shard.
pub(super) async fn list(client: &Client) -> anyhow::Result<Summary> {
    let bodies = (0..LISTINGS)
        .map(|shard| json!({ "subjects_filter": format!("cradle.log.{:02x}.*", 5 * shard) }));
    time_each(client, &format!("$JS.API.STREAM.INFO.{STREAM}"), bodies).await
}

/// Sends one request after the other, and measures each.
async fn time_each(
    client: &Client,
    function: &str,
    bodies: impl Iterator<Item = Value>,
) -> anyhow::Result<Summary> {
    let mut latencies = Latencies::default();
    for body in bodies {
        let began = Instant::now();
        let answer = client.request(function.to_owned(), body.to_string().into()).await?;
        latencies.push(began.elapsed());
        let answer: Value = serde_json::from_slice(&answer.payload)?;
        ensure!(answer["error"].is_null(), "{function} was answered {}", answer["error"]);
    }
    Ok(latencies.summary())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_subject_is_that_of_a_table_with_these_bits() {
        let bits = u128::from_be_bytes(*b"0123456789abcdef");
        assert_eq!(subject(bits), "cradle.log.30.MDEyMzQ1Njc4OWFiY2RlZg");
        assert_eq!(subject(u128::MAX), "cradle.log.ff._____________________w");
    }

    #[test]
    fn subjects_differ_and_are_always_the_same() {
        let all: BTreeSet<_> = subjects(1_000).collect();
        assert_eq!(all.len(), 1_000);
        assert_eq!(all, subjects(1_000).collect());
    }
}
