//! The other servers that have the journal open.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_nats::{Client, StatusCode};
use axum::body::Bytes;
use futures_util::StreamExt as _;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

/// Asks whether other servers have the journal open, and answers when they ask.
#[derive(Debug)]
pub(super) struct Peers {
    client: Client,
    subject: String,
    /// A text that no other server has.
    name: Bytes,
    answering: Mutex<Option<AbortOnDropHandle<()>>>,
}

/// How long other servers may take to answer. If there are none, NATS says so at once.
const PATIENCE: Duration = Duration::from_secs(2);

impl Peers {
    /// # Errors
    /// If the system has no random source.
    pub(super) fn new(client: Client, prefix: &str) -> Result<Self, getrandom::Error> {
        let name = Bytes::from(format!("{:016x}", getrandom::u64()?));
        let answering = Mutex::default();
        Ok(Self { client, subject: format!("{prefix}.peers"), name, answering })
    }

    /// Whether another server answers. If that cannot be found out, none does.
    pub(super) async fn are_there(&self) -> bool {
        let inbox = self.client.new_inbox();
        let Ok(mut answers) = self.client.subscribe(inbox.clone()).await else { return false };
        let asked =
            self.client.publish_with_reply(self.subject.clone(), inbox, self.name.clone()).await;
        if asked.is_err() {
            return false;
        }
        let answer = timeout(PATIENCE, answers.next()).await;
        answer.is_ok_and(|answer| {
            answer.is_some_and(|answer| answer.status != Some(StatusCode::NO_RESPONDERS))
        })
    }

    /// Answers other servers from now on.
    pub(super) async fn answer(&self) {
        let Ok(mut questions) = self.client.subscribe(self.subject.clone()).await else { return };
        // Servers that ask after this are answered.
        drop(self.client.flush().await);
        let (client, name) = (self.client.clone(), self.name.clone());
        let answering = async move {
            while let Some(question) = questions.next().await {
                let Some(inbox) = question.reply.filter(|_| question.payload != name) else {
                    continue;
                };
                if let Err(error) = client.publish(inbox, name.clone()).await {
                    tracing::debug!(%error, "another server was not answered");
                }
            }
        };
        *self.task() = Some(AbortOnDropHandle::new(tokio::spawn(answering)));
    }

    /// Answers nobody any more.
    pub(super) fn fall_silent(&self) {
        drop(self.task().take());
    }

    fn task(&self) -> std::sync::MutexGuard<'_, Option<AbortOnDropHandle<()>>> {
        self.answering.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
