//! The end of the stream of logs, as all servers append to it.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::sleep;

use super::api::{JetStreamApi, RequestFailure};
use super::follower::{FollowedFrom, FollowedSubjects, Follower};
use super::log_message::LogMessage;
use super::log_stream::LogStream;
use super::shards;
use crate::journal::arrivals::{ArrivalSender, JournalArrival};

/// Follows the stream of logs and tells what arrives: one consumer for all tables of a server.
pub(super) struct LogTail {
    pub(super) api: JetStreamApi,
    pub(super) logs: Arc<LogStream>,
    pub(super) arrivals: ArrivalSender,
    /// The sequence of the last message that was seen.
    pub(super) seen: u64,
}

/// How long the tail waits before it makes another consumer.
const RETRY: Duration = Duration::from_millis(250);

impl LogTail {
    /// Follows the stream for ever. Tells when the first consumer is there: from then on nothing is missed.
    #[expect(clippy::infinite_loop, reason = "its task ends with the journal")]
    pub(super) async fn follow(mut self, has_begun: oneshot::Sender<()>) {
        let mut has_begun = Some(has_begun);
        loop {
            let Err(failure) = self.follow_once(&mut has_begun).await;
            tracing::debug!(%failure, "the stream of moves is followed again");
            sleep(RETRY).await;
        }
    }

    async fn follow_once(
        &mut self,
        has_begun: &mut Option<oneshot::Sender<()>>,
    ) -> Result<Infallible, RequestFailure> {
        let followed = FollowedSubjects {
            stream: self.logs.name.clone(),
            subjects: vec![self.logs.all_subjects()],
            from: FollowedFrom::After(self.seen),
        };
        let mut follower = Follower::start(&self.api, &followed).await?;
        if let Some(has_begun) = has_begun.take() {
            // It fails if nobody waits any more.
            has_begun.send(()).unwrap_or_default();
        }
        loop {
            let message = follower.next().await?;
            self.seen = message.sequence;
            let Some(table) = shards::id(&message.subject) else { continue };
            match LogMessage::read(message) {
                Ok(message) => {
                    self.logs.saw(table, &message);
                    let entries = message.arrived(table);
                    self.arrivals.send(
                        entries.map_or(JournalArrival::Deleted(table), JournalArrival::Entries),
                    );
                }
                Err(error) => tracing::warn!(%error, "a message in the stream of moves is ignored"),
            }
        }
    }
}
