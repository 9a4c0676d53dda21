//! What servers tell each other through NATS, without recording it.

use async_nats::Client;
use axum::body::Bytes;
use futures_util::StreamExt as _;
use tokio::sync::mpsc;

use crate::journal::ServerNotice;
use crate::journal::arrivals::{ArrivalSender, JournalArrival};

/// Sends and receives notices.
#[derive(Debug)]
pub(super) struct NoticeExchange {
    client: Client,
    subject: String,
}

/// The number of notices that wait to be sent. More are lost, which does no harm.
const CAPACITY: usize = 1_024;

impl NoticeExchange {
    pub(super) fn new(client: Client, prefix: &str) -> Self {
        Self { client, subject: format!("{prefix}.notice") }
    }

    /// A queue of notices to send, and the task that sends and receives them.
    pub(super) fn start(
        self,
        arrivals: ArrivalSender,
    ) -> (mpsc::Sender<ServerNotice>, impl Future<Output = ()>) {
        let (sender, queue) = mpsc::channel(CAPACITY);
        (sender, self.exchange(queue, arrivals))
    }

    async fn exchange(self, mut queue: mpsc::Receiver<ServerNotice>, arrivals: ArrivalSender) {
        // After a lost connection the client subscribes again.
        let Ok(mut received) = self.client.subscribe(self.subject.clone()).await else { return };
        loop {
            tokio::select! {
                notice = queue.recv() => {
                    let Some(notice) = notice else { return };
                    let text = serde_json::to_string(&notice).expect("a notice serializes");
                    let sent = self.client.publish(self.subject.clone(), Bytes::from(text)).await;
                    if let Err(error) = sent {
                        tracing::debug!(%error, "other servers were not told");
                    }
                }
                message = received.next() => {
                    let Some(message) = message else { return };
                    // A newer server may tell what this one does not understand.
                    if let Ok(notice) = serde_json::from_slice(&message.payload) {
                        arrivals.send(JournalArrival::Notice(notice));
                    }
                }
            }
        }
    }
}
