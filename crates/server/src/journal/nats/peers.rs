//! The other servers that have the journal open.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::{Client, Message, StatusCode};
use axum::body::Bytes;
use futures_util::StreamExt as _;
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use super::api::RequestFailure;

/// Asks whether other servers have the journal open, and answers when they ask.
#[derive(Debug)]
pub(super) struct Peers {
    client: Client,
    subject: String,
    /// A text that no other server has.
    name: Bytes,
    answering: Mutex<Option<Answering>>,
}

/// The task that answers.
#[derive(Debug)]
struct Answering {
    task: AbortOnDropHandle<()>,
    stop: oneshot::Sender<()>,
}

/// How long other servers may take to answer. If there are none, NATS says so at once.
const PATIENCE: Duration = Duration::from_millis(700);

/// How often others are asked. NATS may not have noticed yet that the connection of a server that died has ended.
const QUESTIONS: usize = 3;

impl Peers {
    /// # Errors
    /// If the system has no random source.
    pub(super) fn new(client: Client, prefix: &str) -> Result<Self, getrandom::Error> {
        let name = Bytes::from(format!("{:016x}", getrandom::u64()?));
        let answering = Mutex::default();
        Ok(Self { client, subject: format!("{prefix}.peers"), name, answering })
    }

    /// Whether another server has the journal open. One that is connected and does not answer counts: it may be
    /// paused.
    pub(super) async fn are_there(&self) -> Result<bool, RequestFailure> {
        for _ in 0..QUESTIONS {
            if let Some(are_there) = self.ask().await? {
                return Ok(are_there);
            }
        }
        Ok(true)
    }

    /// Asks once; none if somebody hears it and does not answer.
    async fn ask(&self) -> Result<Option<bool>, RequestFailure> {
        let broken = |error: &dyn std::error::Error| RequestFailure::Broken(error.to_string());
        let inbox = self.client.new_inbox();
        let mut answers =
            self.client.subscribe(inbox.clone()).await.map_err(|error| broken(&error))?;
        let (subject, name) = (self.subject.clone(), self.name.clone());
        let asked = timeout(PATIENCE, self.client.publish_with_reply(subject, inbox, name)).await;
        let asked = asked.map_err(|_elapsed| RequestFailure::NoAnswer)?;
        asked.map_err(|error| broken(&error))?;
        let answer = timeout(PATIENCE, answers.next()).await;
        let are_there = |answer: Message| answer.status != Some(StatusCode::NO_RESPONDERS);
        Ok(answer.ok().flatten().map(are_there))
    }

    /// Answers other servers from now on.
    pub(super) async fn answer(&self) {
        let Ok(mut questions) = self.client.subscribe(self.subject.clone()).await else { return };
        // Servers that ask after this are answered.
        drop(self.client.flush().await);
        let (client, name) = (self.client.clone(), self.name.clone());
        let (stop, mut stopped) = oneshot::channel();
        let answering = async move {
            loop {
                let question = tokio::select! {
                    question = questions.next() => question,
                    _ = &mut stopped => {
                        drop(questions.unsubscribe().await);
                        return;
                    }
                };
                let Some(question) = question else { return };
                let Some(inbox) = question.reply.filter(|_| question.payload != name) else {
                    continue;
                };
                if let Err(error) = client.publish(inbox, name.clone()).await {
                    tracing::debug!(%error, "another server was not answered");
                }
            }
        };
        let task = AbortOnDropHandle::new(tokio::spawn(answering));
        *self.answering() = Some(Answering { task, stop });
    }

    /// Answers nobody any more: NATS says from then on that this server is not there.
    pub(super) async fn fall_silent(&self) {
        let Some(Answering { task, stop }) = self.answering().take() else { return };
        // It fails if the task has ended.
        stop.send(()).unwrap_or_default();
        drop(task.await);
    }

    fn answering(&self) -> MutexGuard<'_, Option<Answering>> {
        self.answering.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
