//! Questions of one server to another, through NATS.

use std::time::Duration;

use async_nats::{Client, Request};
use axum::body::Bytes;
use futures_util::StreamExt as _;
use table::Digest;
use tokio::sync::{mpsc, oneshot};

use crate::journal::questions::{CAPACITY, Questions, ServerQuestion};

/// Asks other servers, and answers them.
#[derive(Clone, Debug)]
pub(super) struct QuestionExchange {
    client: Client,
    prefix: String,
}

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
        // The servers of NATS know the subscription once they have answered.
        self.client.flush().await.ok()?;
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

    /// The answer of the server that answers to a name, if there is one.
    pub(super) async fn ask(&self, name: &str, text: String, time: Duration) -> Option<String> {
        let request = Request::new().payload(Bytes::from(text)).timeout(Some(time));
        let answer = self.client.send_request(self.subject(name), request).await.ok()?;
        String::from_utf8(answer.payload.to_vec()).ok()
    }
}
