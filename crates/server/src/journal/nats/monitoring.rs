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

/// Whether a server flushes every entry to disk before it acknowledges it.
///
/// # Errors
/// If the server does not say so.
pub(super) async fn flushes(monitor: &str) -> Result<bool, String> {
    let answer = timeout(PATIENCE, ask(monitor)).await;
    let answer = answer.map_err(|_elapsed| "it takes too long".to_owned())?;
    flushes_always(&answer.map_err(|error| error.to_string())?)
}

/// Asks for the state of JetStream.
async fn ask(monitor: &str) -> std::io::Result<String> {
    let mut socket = TcpStream::connect(monitor).await?;
    // With HTTP/1.0 the answer ends with the connection.
    let request = format!("GET /jsz?config=true HTTP/1.0\r\nHost: {monitor}\r\n\r\n");
    socket.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    socket.take(MAX_ANSWER).read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// Whether the server flushes always, from its answer.
fn flushes_always(answer: &str) -> Result<bool, String> {
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("its answer is not HTTP")?;
    let status = head.lines().next().unwrap_or_default();
    if status.split(' ').nth(1) != Some("200") {
        return Err(format!("it answers {status}"));
    }
    let body: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
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
    fn other_answers_are_refused() {
        assert!(flushes_always("").is_err());
        let refused = flushes_always("HTTP/1.0 403 Forbidden\r\n\r\n");
        assert_eq!(refused, Err("it answers HTTP/1.0 403 Forbidden".to_owned()));
    }
}
