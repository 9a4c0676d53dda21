//! Reading whole logs.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, bail};
use table::Entry;
use tokio::time::sleep;

use crate::http::{self, NewTable};

/// The number of attempts before a page counts as unreadable.
const ATTEMPTS: u32 = 20;

/// The log of a table with all action ids: each player sees only its own.
pub(crate) async fn read_log(server: SocketAddr, table: &NewTable) -> anyhow::Result<Vec<Entry>> {
    let [first, second] = &table.tokens;
    let mut log = read_as(server, &table.id, Some(first)).await?;
    let other = read_as(server, &table.id, Some(second)).await?;
    if log.len() != other.len() {
        bail!("the two players of {} see logs of different lengths", table.id);
    }
    for (entry, same) in log.iter_mut().zip(other) {
        entry.action = entry.action.take().or_else(|| same.action.clone());
        if *entry != (Entry { action: entry.action.clone(), ..same }) {
            bail!("the two players of {} see different entries {}", table.id, entry.version);
        }
    }
    Ok(log)
}

/// The log of a table as the holder of a token sees it; empty if there is no such table.
pub(crate) async fn read_as(
    server: SocketAddr,
    id: &str,
    token: Option<&str>,
) -> anyhow::Result<Vec<Entry>> {
    let mut log: Vec<Entry> = Vec::new();
    loop {
        let path = format!("/api/tables/{id}/log?from={}", log.len());
        let Some(page) = read_page(server, &path, token).await? else { return Ok(log) };
        let (version, entries) = page;
        if entries.is_empty() && u64::try_from(log.len())? < version {
            bail!("the log should have {version} entries, but has {}", log.len());
        }
        log.extend(entries);
        if u64::try_from(log.len())? >= version {
            return Ok(log);
        }
    }
}

async fn read_page(
    server: SocketAddr,
    path: &str,
    token: Option<&str>,
) -> anyhow::Result<Option<(u64, Vec<Entry>)>> {
    for _ in 0..ATTEMPTS {
        let mut answer = http::get(server, path, token).await?;
        match answer.status {
            200 => {
                let version = answer.body["version"].as_u64().context("a log has a version")?;
                let entries = serde_json::from_value(answer.body["entries"].take())?;
                return Ok(Some((version, entries)));
            }
            404 => return Ok(None),
            503 => sleep(Duration::from_millis(200)).await,
            status => bail!("{path} was answered with {status} {}", answer.body),
        }
    }
    bail!("{path} cannot be read")
}

/// The epoch of a table, if the server has it.
pub(crate) async fn epoch(server: SocketAddr, id: &str) -> anyhow::Result<Option<String>> {
    let answer = http::get(server, &format!("/api/tables/{id}"), None).await?;
    Ok(answer.body["epoch"].as_str().map(str::to_owned))
}
