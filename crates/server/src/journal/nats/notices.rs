//! What servers tell each other through NATS, without recording it.

use std::sync::Arc;
use std::time::Duration;

use async_nats::Client;
use axum::body::Bytes;
use futures_util::StreamExt as _;
use tokio::sync::{Notify, watch};
use tokio::time::sleep;

use crate::journal::notices::{NoticeArrival, NoticeSender, PendingNotices};
use crate::journal::{Notices, ServerNotice};

/// Sends and receives notices. One message has those of many tables.
#[derive(Debug)]
pub(super) struct NoticeExchange {
    client: Client,
    subject: String,
    pending: PendingNotices,
    is_pending: Notify,
    arrivals: NoticeSender,
}

/// How long a notice waits for others to be sent with.
const PACKING: Duration = Duration::from_millis(5);

/// The number of bytes from which on a message takes no more notices.
const FULL: usize = 32 * 1024;

impl NoticeExchange {
    pub(super) fn new(client: Client, prefix: &str) -> Self {
        Self {
            client,
            subject: format!("{prefix}.notice"),
            pending: PendingNotices::default(),
            is_pending: Notify::new(),
            arrivals: NoticeSender::default(),
        }
    }

    /// What servers tell from now on.
    pub(super) fn subscribe(&self) -> Notices {
        self.arrivals.subscribe()
    }

    /// Tells all servers, this one too.
    pub(super) fn announce(&self, notice: ServerNotice) {
        self.pending.add(notice);
        self.is_pending.notify_one();
    }

    /// Sends and receives as long as the connection to NATS is there. The number of its gaps grows whenever
    /// messages may have been lost.
    pub(super) async fn run(self: Arc<Self>, gaps: watch::Receiver<u64>) {
        tokio::join!(self.send(), self.receive(gaps));
    }

    #[expect(clippy::infinite_loop, reason = "its task ends with the journal")]
    async fn send(&self) {
        loop {
            self.is_pending.notified().await;
            sleep(PACKING).await;
            for message in pack(&self.pending.take()) {
                let sent = self.client.publish(self.subject.clone(), Bytes::from(message)).await;
                if let Err(error) = sent {
                    tracing::debug!(%error, "other servers were not told");
                }
            }
        }
    }

    async fn receive(&self, mut gaps: watch::Receiver<u64>) {
        // After a lost connection the client subscribes again.
        let Ok(mut received) = self.client.subscribe(self.subject.clone()).await else { return };
        loop {
            tokio::select! {
                biased;
                Ok(()) = gaps.changed() => self.arrivals.send(NoticeArrival::Missed),
                message = received.next() => {
                    let Some(message) = message else { return };
                    // A newer server may tell what this one does not understand.
                    if let Ok(notices) = serde_json::from_slice::<Vec<_>>(&message.payload) {
                        self.arrivals.send(NoticeArrival::Told(notices.into()));
                    }
                }
            }
        }
    }
}

/// Packs notices into few messages, each of which is a list in JSON.
fn pack(notices: &[ServerNotice]) -> Vec<String> {
    let mut messages: Vec<String> = Vec::new();
    for notice in notices {
        let text = serde_json::to_string(notice).expect("a notice serializes");
        match messages.last_mut().filter(|message| message.len() < FULL) {
            Some(message) => {
                message.push(',');
                message.push_str(&text);
            }
            None => messages.push(format!("[{text}")),
        }
    }
    for message in &mut messages {
        message.push(']');
    }
    messages
}

#[cfg(test)]
mod tests {
    use game::Seat;

    use super::*;
    use crate::TableId;
    use crate::journal::NoticeBody;

    #[test]
    fn ten_thousand_tables_are_told_of_in_a_few_dozen_messages() {
        let present = |table: u16| {
            let mut id = [0; 16];
            id[..2].copy_from_slice(&table.to_be_bytes());
            let body = NoticeBody::Present(vec![Some(Seat::FIRST)]);
            ServerNotice { server: u64::MAX, table: TableId::new(id), body }
        };
        let notices: Vec<_> = (0..10_000).map(present).collect();
        let messages = pack(&notices);
        assert!((10..60).contains(&messages.len()), "{} messages", messages.len());
        assert!(messages.iter().all(|message| message.len() < 2 * FULL));
        let read = |message: &String| serde_json::from_str::<Vec<ServerNotice>>(message).unwrap();
        assert_eq!(messages.iter().flat_map(read).collect::<Vec<_>>(), notices);
        assert_eq!(pack(&[]), Vec::<String>::new());
    }
}
