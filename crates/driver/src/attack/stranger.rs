//! Clients that mean harm.

use std::cell::RefCell;
use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::yield_now;
use tokio::time::{Instant, timeout_at};

use crate::client_route::ClientRoute;
use crate::http::{self, HttpAnswer};

/// A client that means harm, at an address of its own.
#[derive(Debug)]
pub(super) struct Stranger {
    pub(super) route: ClientRoute,
    end: Instant,
    outcome: RefCell<StrangerOutcome>,
}

/// What a stranger did, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StrangerOutcome {
    /// Requests that were sent.
    pub(super) sent: u32,
    /// Requests that were refused with a status of 400 and above.
    pub(super) refused: u32,
    /// What the server should have prevented.
    pub(super) findings: Vec<String>,
}

impl StrangerOutcome {
    /// The outcome as one line, for another process.
    pub(super) fn write(&self) -> String {
        let Self { sent, refused, findings } = self;
        json!({"sent": sent, "refused": refused, "findings": findings}).to_string()
    }

    /// Reads such a line.
    pub(super) fn read(line: &str) -> Option<Self> {
        let outcome: Value = serde_json::from_str(line).ok()?;
        let number = |name: &str| outcome[name].as_u64()?.try_into().ok();
        let findings = outcome["findings"].as_array()?.iter();
        let findings = findings.map(|finding| finding.as_str().map(str::to_owned));
        let findings = findings.collect::<Option<_>>()?;
        Some(Self { sent: number("sent")?, refused: number("refused")?, findings })
    }

    /// The outcome of both together.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.sent += other.sent;
        self.refused += other.refused;
        self.findings.extend(other.findings);
        self
    }
}

/// What strangers attack, from where, and until when.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttackTarget {
    pub(super) server: SocketAddr,
    /// The number of the wave: the strangers of another one have other addresses, with budgets of their own.
    pub(super) wave: u8,
    pub(super) end: Instant,
}

impl Stranger {
    /// A stranger at an address that depends on the wave and this number.
    pub(super) fn new(target: AttackTarget, number: u8) -> Self {
        let AttackTarget { server, wave, end } = target;
        let route = ClientRoute::from_address(server, Ipv4Addr::new(127, wave, number, 2));
        Self { route, end, outcome: RefCell::default() }
    }

    pub(super) fn into_outcome(self) -> StrangerOutcome {
        self.outcome.into_inner()
    }

    pub(super) fn find(&self, finding: String) {
        self.outcome.borrow_mut().findings.push(finding);
    }

    /// Opens a connection, and counts it as a request.
    pub(super) async fn connect(&self) -> std::io::Result<TcpStream> {
        self.outcome.borrow_mut().sent += 1;
        self.route.connect().await
    }

    /// Repeats an act with several connections at once, until the attack ends. The act is given a
    /// number that no other one has.
    pub(super) async fn repeat(&self, at_once: u64, act: impl AsyncFn(u64)) {
        let act = &act;
        let worker = |first: u64| async move {
            for number in (first..).step_by(usize::try_from(at_once).unwrap_or(1)) {
                // An act that fails at once, as when no port is free, never waits.
                if Instant::now() >= self.end || timeout_at(self.end, act(number)).await.is_err() {
                    return;
                }
                yield_now().await;
            }
        };
        join_all((0..at_once).map(worker)).await;
    }

    pub(super) async fn get(&self, path: &str) -> Option<HttpAnswer> {
        self.count(http::get(self.route, path, None).await)
    }

    pub(super) async fn post(
        &self,
        path: &str,
        token: Option<&str>,
        body: &Value,
    ) -> Option<HttpAnswer> {
        self.count(http::post(self.route, path, token, body).await)
    }

    /// Posts a text as it is.
    pub(super) async fn post_text(&self, path: &str, text: &str) -> Option<HttpAnswer> {
        self.count(http::post_text(self.route, path, text).await)
    }

    /// Counts a request. A connection that the server does not accept counts as refused.
    fn count(&self, answer: anyhow::Result<HttpAnswer>) -> Option<HttpAnswer> {
        let mut outcome = self.outcome.borrow_mut();
        outcome.sent += 1;
        let is_refused = answer.as_ref().map_or(true, |answer| answer.status >= 400);
        outcome.refused += u32::from(is_refused);
        answer.ok()
    }

    /// Sends a request byte by byte as it is, and returns the beginning of the answer.
    pub(super) async fn exchange_raw(&self, request: &str) -> anyhow::Result<String> {
        let exchange = async {
            let mut stream = self.connect().await?;
            // The server may answer before it has read everything.
            let written = stream.write_all(request.as_bytes()).await;
            let mut answer = vec![0; 4_096];
            let length = stream.read(&mut answer).await?;
            written.map(|()| String::from_utf8_lossy(&answer[..length]).into_owned())
        };
        Ok(timeout_at(self.end, exchange).await.context("there was no answer")??)
    }

    /// Sends a request byte by byte as it is, and returns the status of the answer.
    pub(super) async fn send_raw(&self, request: &str) -> anyhow::Result<u16> {
        let answer = self.exchange_raw(request).await?;
        let status = answer.split(' ').nth(1).context("the answer has no status")?.parse()?;
        self.outcome.borrow_mut().refused += u32::from(status >= 400);
        Ok(status)
    }

    pub(super) const fn end(&self) -> Instant {
        self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_read_as_it_was_written() {
        let outcome =
            StrangerOutcome { sent: 7, refused: 3, findings: vec!["a \"door\"".to_owned()] };
        assert_eq!(StrangerOutcome::read(&outcome.write()), Some(outcome));
        assert_eq!(StrangerOutcome::read(r#"{"sent":7}"#), None);
    }
}
