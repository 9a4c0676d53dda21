//! Questions of one server to another, through NATS.

use std::time::Duration;

use async_nats::{Client, Message, Request, RequestError, RequestErrorKind};
use axum::body::Bytes;
use futures_util::StreamExt as _;
use table::Digest;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};

use crate::journal::questions::{CAPACITY, Questions, ServerQuestion};

/// Asks other servers, and answers them.
#[derive(Clone, Debug)]
pub(super) struct QuestionExchange {
    client: Client,
    prefix: String,
}

/// How long the server of NATS may take for one round trip.
const ROUND_TRIP: Duration = Duration::from_secs(2);

/// The pauses before a question is asked again because nobody seems to answer to its name. Another server of
/// NATS learns a little later that somebody does.
const SPREADING: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(80)];

impl QuestionExchange {
    pub(super) fn new(client: Client, prefix: &str) -> Self {
        Self { client, prefix: format!("{prefix}.ask") }
    }

    /// A name may be a secret, and everybody who watches NATS sees its subjects: they have its digest.
    fn subject(&self, name: &str) -> String {
        format!("{}.{}", self.prefix, Digest::of(name.as_bytes()))
    }

    /// The questions to a name, which other servers may ask from now on.
    pub(super) async fn answer(&self, name: &str) -> Option<Questions> {
        let mut asked = self.client.subscribe(self.subject(name)).await.ok()?;
        self.await_round_trip().await?;
        let (sender, questions) = mpsc::channel(CAPACITY);
        let client = self.client.clone();
        tokio::spawn(async move {
            loop {
                let message = tokio::select! {
                    message = asked.next() => message,
                    () = sender.closed() => return,
                };
                let Some(message) = message else { return };
                let text = std::str::from_utf8(&message.payload).map(str::to_owned);
                let (Some(inbox), Ok(text)) = (message.reply, text) else { continue };
                let (answer, answered) = oneshot::channel();
                if sender.send(ServerQuestion { text, answer }).await.is_err() {
                    return;
                }
                let client = client.clone();
                // Others may ask while this answer is not there yet.
                tokio::spawn(async move {
                    if let Ok(answer) = answered.await
                        && let Err(error) = client.publish(inbox, Bytes::from(answer)).await
                    {
                        tracing::debug!(%error, "another server was not answered");
                    }
                });
            }
        });
        Some(questions)
    }

    /// Waits until the server of NATS has done what was sent to it: it does one thing after the other.
    async fn await_round_trip(&self) -> Option<()> {
        let inbox = self.client.new_inbox();
        let mut echo = self.client.subscribe(inbox.clone()).await.ok()?;
        self.client.publish(inbox, Bytes::new()).await.ok()?;
        timeout(ROUND_TRIP, echo.next()).await.ok()?.map(drop)
    }

    /// The answer of the server that answers to a name, if there is one.
    pub(super) async fn ask(&self, name: &str, text: String, time: Duration) -> Option<String> {
        let text = Bytes::from(text);
        let mut pauses = SPREADING.into_iter();
        loop {
            match (self.ask_once(name, text.clone(), time).await, pauses.next()) {
                (Err(error), Some(pause)) if error.kind() == RequestErrorKind::NoResponders => {
                    sleep(pause).await;
                }
                (answer, _) => return String::from_utf8(answer.ok()?.payload.to_vec()).ok(),
            }
        }
    }

    async fn ask_once(
        &self,
        name: &str,
        text: Bytes,
        time: Duration,
    ) -> Result<Message, RequestError> {
        let request = Request::new().payload(text).timeout(Some(time));
        self.client.send_request(self.subject(name), request).await
    }
}
