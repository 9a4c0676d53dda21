//! A server of a later version that writes to the log of a table before all servers can read it.

use std::time::Duration;

use anyhow::{Context, ensure};
use async_nats::{Client, HeaderMap};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::server_cluster::{SIZE, ServerCluster};
use crate::http;
use crate::soak::{SoakViolation, Testbed};

/// How long servers may take to notice.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The code with which NATS refuses a message after another one than the last.
const STALE: u64 = 10_071;

/// Writes an entry of a kind that no server knows. Its table must be refused by all of them with a sentence that
/// says why, nothing may be added to its log, and nothing else may suffer.
pub(super) async fn write_newer_entry(
    cluster: &ServerCluster,
    testbed: &mut Testbed,
) -> anyhow::Result<()> {
    let addresses = cluster.addresses();
    let table = http::create_table(addresses[0]).await?;
    append(cluster, &table.id).await?;
    let (path, end) = (format!("/api/tables/{}", table.id), Instant::now() + TIMEOUT);
    for (number, address) in addresses.iter().enumerate() {
        loop {
            let answer = http::get(*address, &path, None).await?;
            let detail = answer.body["detail"].as_str().unwrap_or_default();
            if answer.status == 503 && detail.starts_with("A newer server has written") {
                break;
            }
            if Instant::now() > end {
                let what = format!("server {number} answered {} {}", answer.status, answer.body);
                testbed.report(&table.id, SoakViolation::Other { what });
                break;
            }
            sleep(Duration::from_millis(50)).await;
        }
        let action = json!({"id": "old:1", "action": "play", "round": 1, "ply": 0, "move": "b2"});
        let actions = format!("{path}/actions");
        let acted = http::post(*address, &actions, Some(&table.tokens[0]), &action).await?;
        let is_ready = http::get(*address, "/readyz", None).await?.status == 200;
        if acted.status != 503 || !is_ready {
            let what = format!(
                "server {number} answered an action after an unknown entry with {}, ready: {is_ready}",
                acted.status
            );
            testbed.report(&table.id, SoakViolation::Other { what });
        }
    }
    Ok(())
}

/// Appends the entry, as a server does.
async fn append(cluster: &ServerCluster, table: &str) -> anyhow::Result<()> {
    let addresses: Vec<_> = (0..SIZE).map(|number| cluster.nats[number].ports.client()).collect();
    let client = async_nats::connect(addresses.iter().map(ToString::to_string).collect::<Vec<_>>());
    let client = client.await?;
    let filter = json!({ "subjects_filter": format!("cradle.log.*.{table}") }).to_string();
    let info = client.request("$JS.API.STREAM.INFO.cradle_logs", filter.into()).await?;
    let info: Value = serde_json::from_slice(&info.payload)?;
    let subjects = info["state"]["subjects"].as_object();
    let subject = subjects.and_then(|subjects| subjects.keys().next()).context("no such log")?;
    let end = Instant::now() + TIMEOUT;
    loop {
        let answer = append_to(&client, subject).await?;
        let error = &answer["error"];
        if error.is_null() {
            return Ok(());
        }
        // The replica that told the end of the log was behind the leader.
        let is_stale = error["err_code"] == STALE && Instant::now() < end;
        ensure!(is_stale, "the entry was refused: {error}");
        sleep(Duration::from_millis(50)).await;
    }
}

/// Appends the entry to the end of a log as any replica knows it; returns the answer of NATS.
async fn append_to(client: &Client, subject: &str) -> anyhow::Result<Value> {
    let last =
        client.request(format!("$JS.API.DIRECT.GET.cradle_logs.{subject}"), "".into()).await?;
    let last = last.headers.context("the last message of a log has headers")?;
    let header = |name: &str| last.get(name).map(ToString::to_string).unwrap_or_default();
    let entry = r#"{"format":1,"version":4,"at":1,"who":"table","kind":"handshake"}"#;
    let bytes = header("Cradle-Bytes").parse::<usize>()? + entry.len();
    let mut headers = HeaderMap::new();
    headers.insert("Nats-Expected-Last-Subject-Sequence", header("Nats-Sequence"));
    headers.insert("Cradle-Versions", "4-4");
    headers.insert("Cradle-Bytes", bytes.to_string());
    headers.insert("Cradle-Begin", header("Cradle-Begin"));
    let answer = client.request_with_headers(subject.to_owned(), headers, entry.into()).await?;
    Ok(serde_json::from_slice(&answer.payload)?)
}
