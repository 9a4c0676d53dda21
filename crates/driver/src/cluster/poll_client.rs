//! A client of channels over long polls.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use game::Refusal;
use serde_json::{Value, json};
use table::wire::codes::is_undecided;
use table::wire::{Accepted, Entries, Welcome};
use table::{Entry, EntryBody};
use tokio::time::{Instant, sleep, timeout};

use crate::http::{self, NewTable};

/// How long an action may take until it is answered, whatever happens meanwhile.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a session may take to reply to a push. After that the client begins another one.
const REPLY: Duration = Duration::from_secs(4);

/// The pause before a session is begun again.
const PAUSE: Duration = Duration::from_millis(50);

/// The status of an answer with messages, or to frames that were accepted.
const OK: u64 = 200;

/// The status of an answer without messages.
const NOTHING: u64 = 204;

/// A frame: join reference, reference, topic, event and payload.
type PolledFrame = (Option<String>, Option<String>, String, String, Value);

/// The holder of a seat who has joined its table over long polls. Each request is a connection of its own, so a
/// balancer may send it to any server.
#[derive(Debug)]
pub(super) struct PollClient {
    entrance: SocketAddr,
    table: NewTable,
    seat: usize,
    /// The name of the session, if the channel was joined in one.
    session: Option<String>,
    pushes: u64,
    /// The last version that the client knows.
    version: u64,
    /// Every entry that was shown to it.
    shown: BTreeMap<u64, EntryBody>,
    /// The number of sessions that were begun.
    pub(super) sessions: u32,
}

impl PollClient {
    pub(super) const fn new(entrance: SocketAddr, table: NewTable, seat: usize) -> Self {
        let shown = BTreeMap::new();
        Self { entrance, table, seat, session: None, pushes: 0, version: 0, shown, sessions: 0 }
    }

    /// Sends an action until it is answered; returns the version of its entry.
    ///
    /// # Errors
    /// If it is refused, or not answered in time.
    pub(super) async fn act(&mut self, action: &Value) -> anyhow::Result<u64> {
        let end = Instant::now() + PATIENCE;
        loop {
            let sent = self.send(action).await;
            if let Ok(Some(reply)) = sent {
                if reply["status"] == "ok" {
                    let accepted: Accepted = serde_json::from_value(reply["response"].clone())?;
                    return Ok(accepted.version);
                }
                let refusal: Refusal = serde_json::from_value(reply["response"].clone())?;
                ensure!(is_undecided(refusal.code()), "it was refused: {}", refusal.message());
            } else {
                // A server died, or the session is gone.
                self.session = None;
            }
            ensure!(Instant::now() < end, "an action over long polls is not answered");
            sleep(PAUSE).await;
        }
    }

    /// Polls until it knows a version.
    ///
    /// # Errors
    /// If that takes too long.
    pub(super) async fn await_version(&mut self, version: u64) -> anyhow::Result<()> {
        let end = Instant::now() + PATIENCE;
        while self.version < version {
            let polled = match self.join().await {
                Ok(()) => self.poll(None).await.map(drop),
                Err(error) => Err(error),
            };
            if polled.is_err() {
                self.session = None;
                sleep(PAUSE).await;
            }
            ensure!(Instant::now() < end, "entry {version} is not shown over long polls");
        }
        Ok(())
    }

    /// Whether every entry that was shown is in a log.
    pub(super) fn agrees_with(&self, log: &[Entry]) -> bool {
        let is_there = |(version, body): (&u64, &EntryBody)| {
            log.iter().any(|entry| entry.version == *version && entry.body == *body)
        };
        self.shown.iter().all(is_there)
    }

    /// Sends an action; returns the reply, unless there is none.
    async fn send(&mut self, action: &Value) -> anyhow::Result<Option<Value>> {
        self.join().await?;
        self.push("act", action).await
    }

    /// Begins a session and joins the channel in it, unless that was done.
    async fn join(&mut self) -> anyhow::Result<()> {
        if self.session.is_some() {
            return Ok(());
        }
        let opened = http::get(self.entrance, "/socket/longpoll?vsn=2.0.0", None).await?.body;
        let session = opened["token"].as_str().context("no session was begun")?;
        self.session = Some(session.to_owned());
        self.sessions += 1;
        let hello = json!({ "token": self.table.tokens[self.seat] });
        let joined = self.push("phx_join", &hello).await?.context("the join was not answered")?;
        ensure!(joined["status"] == "ok", "the join was refused: {joined}");
        let welcome: Welcome = serde_json::from_value(joined["response"].clone())?;
        self.show(welcome.entries);
        self.version = welcome.version;
        Ok(())
    }

    /// Sends a frame, and polls for the reply; returns none if the session is gone or does not reply.
    async fn push(&mut self, event: &str, payload: &Value) -> anyhow::Result<Option<Value>> {
        self.pushes += 1;
        let reference = self.pushes.to_string();
        let frame = json!(["1", reference, self.topic(), event, payload]).to_string();
        let sent = http::post_text(self.entrance, &self.path()?, &frame).await?;
        if sent.body["status"] != OK {
            return Ok(None);
        }
        let reply = async {
            loop {
                if let Some(reply) = self.poll(Some(&reference)).await? {
                    return Ok::<_, anyhow::Error>(Some(reply));
                }
            }
        };
        timeout(REPLY, reply).await.unwrap_or(Ok(None))
    }

    /// Waits for messages; returns the reply to a push if it is among them.
    async fn poll(&mut self, reference: Option<&str>) -> anyhow::Result<Option<Value>> {
        let answer = http::get(self.entrance, &self.path()?, None).await?.body;
        if answer["status"] == NOTHING {
            return Ok(None);
        }
        ensure!(answer["status"] == OK, "the session is gone");
        let (mut reply, topic) = (None, self.topic());
        for text in answer["messages"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let frame: PolledFrame = serde_json::from_str(text)?;
            match (frame.3.as_str(), frame.4) {
                ("entries", payload) if frame.2 == topic => {
                    let Entries { entries, .. } = serde_json::from_value::<Entries>(payload)?;
                    self.take(entries)?;
                }
                ("phx_reply", payload) if frame.1.as_deref() == reference => reply = Some(payload),
                ("phx_error" | "phx_close", _) => bail!("the channel has ended"),
                _ => {}
            }
        }
        Ok(reply)
    }

    /// Takes new entries, which must follow those that it knows.
    fn take(&mut self, entries: Vec<Entry>) -> anyhow::Result<()> {
        let first = entries.first().map(|entry| entry.version);
        ensure!(first == Some(self.version + 1), "an answer to a poll was lost");
        self.version += entries.len() as u64;
        self.show(entries);
        Ok(())
    }

    fn show(&mut self, entries: Vec<Entry>) {
        self.shown.extend(entries.into_iter().map(|entry| (entry.version, entry.body)));
    }

    fn topic(&self) -> String {
        format!("table:{}", self.table.id)
    }

    fn path(&self) -> anyhow::Result<String> {
        let session = self.session.as_ref().context("there is no session")?;
        Ok(format!("/socket/longpoll?vsn=2.0.0&token={session}"))
    }
}
