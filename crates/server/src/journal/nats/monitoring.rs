//! What a NATS server tells at its monitoring address.

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The largest answer.
const MAX_ANSWER: u64 = 1 << 20;

/// What a NATS server tells of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MonitoredServer {
    pub(super) version: String,
    /// Whether it flushes every entry to disk before it acknowledges it.
    pub(super) flushes: bool,
}

/// Asks a server for what it tells of itself.
///
/// # Errors
/// If it does not say so.
pub(super) async fn ask(monitor: &str) -> Result<MonitoredServer, String> {
    let asked =
        async { Ok((read(monitor, "/varz").await?, read(monitor, "/jsz?config=true").await?)) };
    let answers =
        timeout(PATIENCE, asked).await.map_err(|_elapsed| "it takes too long".to_owned())?;
    let (server, jetstream) = answers.map_err(|error: std::io::Error| error.to_string())?;
    Ok(MonitoredServer { version: version(&server)?, flushes: flushes_always(&jetstream)? })
}

/// The answer to a request for a path.
async fn read(monitor: &str, path: &str) -> std::io::Result<String> {
    let mut socket = TcpStream::connect(monitor).await?;
    // With HTTP/1.0 the answer ends with the connection.
    let request = format!("GET {path} HTTP/1.0\r\nHost: {monitor}\r\n\r\n");
    socket.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    socket.take(MAX_ANSWER).read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// The JSON of an answer.
fn body(answer: &str) -> Result<Value, String> {
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("its answer is not HTTP")?;
    let status = head.lines().next().unwrap_or_default();
    if status.split(' ').nth(1) != Some("200") {
        return Err(format!("it answers {status}"));
    }
    serde_json::from_str(body).map_err(|error| error.to_string())
}

/// The version of the server, from its answer.
fn version(answer: &str) -> Result<String, String> {
    let version = body(answer)?["version"].as_str().map(str::to_owned);
    version.ok_or_else(|| "it tells no version".to_owned())
}

/// Whether the server flushes always, from its answer.
fn flushes_always(answer: &str) -> Result<bool, String> {
    let body = body(answer)?;
    if body["disabled"] == true {
        return Err("JetStream is switched off".to_owned());
    }
    // The setting is left out where it is not `always`.
    Ok(body["config"]["sync_always"] == true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expected: Result<bool, &str>) {
        let answer = format!("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n{body}");
        let found = flushes_always(&answer);
        match expected {
            Ok(always) => assert_eq!(found, Ok(always)),
            Err(why) => assert!(found.is_err_and(|found| found.contains(why))),
        }
    }

    #[test]
    fn a_server_that_flushes_now_and_then_is_found() {
        check(r#"{"config": {"sync_interval": 120000000000, "sync_always": true}}"#, Ok(true));
        check(r#"{"config": {"sync_interval": 120000000000}}"#, Ok(false));
        check(r#"{"disabled": true, "config": {"sync_always": true}}"#, Err("switched off"));
        check("<html>", Err("expected value"));
    }

    #[test]
    fn the_version_is_read() {
        let answer = |body: &str| format!("HTTP/1.0 200 OK\r\n\r\n{body}");
        assert_eq!(version(&answer(r#"{"version": "2.15.1"}"#)), Ok("2.15.1".to_owned()));
        assert_eq!(version(&answer("{}")), Err("it tells no version".to_owned()));
    }

    #[test]
    fn other_answers_are_refused() {
        assert!(flushes_always("").is_err());
        let refused = flushes_always("HTTP/1.0 403 Forbidden\r\n\r\n");
        assert_eq!(refused, Err("it answers HTTP/1.0 403 Forbidden".to_owned()));
    }
}
