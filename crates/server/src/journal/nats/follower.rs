//! Following a stream: one consumer for all subjects that a server wants to hear of.

use std::time::Duration;

use async_nats::{Message, Subscriber};
use axum::body::Bytes;
use futures_util::StreamExt as _;
use serde_json::json;
use tokio::time::timeout;

use super::api::{JetStreamApi, RequestFailure, StoredMessage};

/// What a consumer delivers.
#[derive(Clone, Debug)]
pub(super) struct FollowedSubjects {
    pub(super) stream: String,
    pub(super) subjects: Vec<String>,
    pub(super) from: FollowedFrom,
}

/// Where a consumer begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FollowedFrom {
    /// With the last message of each subject.
    LastOfEach,
    /// After the message with this sequence.
    After(u64),
}

/// A consumer of a stream. It delivers messages in order and without gaps, or fails.
///
/// It is made for this one reader and not replicated: when its server dies, the reader makes another one, and
/// goes on after the last message that it has seen. The library has such consumers, but notices a dead server
/// only after half a minute.
#[derive(Debug)]
pub(super) struct Follower {
    api: JetStreamApi,
    /// Where the next messages are asked for.
    next: String,
    inbox: String,
    messages: Subscriber,
    /// The number of messages that the consumer has delivered.
    delivered: u64,
    /// The number of messages that were asked for and may still come.
    asked: u64,
    /// The number of messages that were there when the consumer was made.
    pub(super) backlog: u64,
}

/// The number of messages that are asked for at once.
const BATCH: u64 = 500;

/// A consumer that has nothing to deliver says so in this interval.
const HEARTBEAT: Duration = Duration::from_millis(500);

/// A consumer that is silent for this long is dead.
const SILENCE: Duration = Duration::from_secs(2);

/// How long the cluster keeps a consumer that nobody asks.
const FORGOTTEN_AFTER: Duration = Duration::from_mins(1);

/// The time after which a request for messages is made again.
const EXPIRY: Duration = Duration::from_secs(30);

impl Follower {
    /// Makes a consumer.
    pub(super) async fn start(
        api: &JetStreamApi,
        followed: &FollowedSubjects,
    ) -> Result<Self, RequestFailure> {
        let stream = &followed.stream;
        let mut config = json!({
            "ack_policy": "none",
            "mem_storage": true,
            "num_replicas": 1,
            "inactive_threshold": nanoseconds(FORGOTTEN_AFTER),
            "filter_subjects": followed.subjects,
        });
        match followed.from {
            FollowedFrom::LastOfEach => config["deliver_policy"] = json!("last_per_subject"),
            FollowedFrom::After(sequence) => {
                config["deliver_policy"] = json!("by_start_sequence");
                config["opt_start_seq"] = json!(sequence + 1);
            }
        }
        let body = json!({ "stream_name": stream, "config": config });
        let made = api.call(&format!("CONSUMER.CREATE.{stream}"), &body).await?;
        let name = made["name"].as_str();
        let name =
            name.ok_or_else(|| RequestFailure::Senseless("a consumer has no name".to_owned()))?;
        let inbox = api.client().new_inbox();
        let messages = api.client().subscribe(inbox.clone()).await;
        let messages = messages.map_err(|error| RequestFailure::Broken(error.to_string()))?;
        Ok(Self {
            api: api.clone(),
            next: format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{name}"),
            inbox,
            messages,
            delivered: 0,
            asked: 0,
            backlog: made["num_pending"].as_u64().unwrap_or_default(),
        })
    }

    /// The next message.
    ///
    /// # Errors
    /// If the consumer is gone. Another one must be made.
    pub(super) async fn next(&mut self) -> Result<StoredMessage, RequestFailure> {
        loop {
            if self.asked == 0 {
                self.ask().await?;
            }
            let message = timeout(SILENCE, self.messages.next()).await;
            let message = message.map_err(|_elapsed| RequestFailure::NoAnswer)?;
            let message =
                message.ok_or_else(|| RequestFailure::Broken("it is closed".to_owned()))?;
            match message.status.map(|status| status.as_u16()) {
                None => return self.deliver(message),
                // It has nothing to deliver.
                Some(100) => {}
                // The request has expired, or is complete.
                Some(404 | 408) => self.asked = 0,
                Some(503) => return Err(RequestFailure::NoLeader),
                Some(status) => {
                    let why = message.description.unwrap_or_default();
                    return Err(RequestFailure::Senseless(format!("{status} {why}")));
                }
            }
        }
    }

    async fn ask(&mut self) -> Result<(), RequestFailure> {
        let body = json!({
            "batch": BATCH, "expires": nanoseconds(EXPIRY), "idle_heartbeat": nanoseconds(HEARTBEAT),
        });
        let (next, inbox) = (self.next.clone(), self.inbox.clone());
        let asked =
            self.api.client().publish_with_reply(next, inbox, Bytes::from(body.to_string()));
        asked.await.map_err(|error| RequestFailure::Broken(error.to_string()))?;
        self.asked = BATCH;
        Ok(())
    }

    fn deliver(&mut self, message: Message) -> Result<StoredMessage, RequestFailure> {
        let numbers = message.reply.as_deref().and_then(numbers_of_delivery);
        let Some((sequence, number)) = numbers else {
            return Err(RequestFailure::Senseless("a message has no sequence".to_owned()));
        };
        self.asked -= 1;
        self.delivered += 1;
        if number != self.delivered {
            return Err(RequestFailure::Senseless(format!(
                "message {} is missing",
                self.delivered
            )));
        }
        let headers = message.headers.unwrap_or_default();
        let (subject, payload) = (message.subject.to_string(), message.payload);
        Ok(StoredMessage { subject, sequence, headers, payload })
    }
}

/// The sequence in the stream and the number of the delivery, from the subject for acknowledgements. Its last
/// words are the two, the time, and the number of messages that are left; a random word may follow.
fn numbers_of_delivery(reply: &str) -> Option<(u64, u64)> {
    let words: Vec<&str> = reply.split('.').collect();
    // `$JS.ACK` is followed by seven words, or by a domain and an account as well.
    let first = match words.len() {
        9 => 5,
        11.. => 7,
        _ => return None,
    };
    Some((words.get(first)?.parse().ok()?, words.get(first + 1)?.parse().ok()?))
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delivery_tells_its_numbers() {
        let short = "$JS.ACK.logs.c1.1.40.7.1763310000000000000.3";
        let long = "$JS.ACK.hub.account.logs.c1.1.40.7.1763310000000000000.3.random";
        for reply in [short, long] {
            assert_eq!(numbers_of_delivery(reply), Some((40, 7)), "{reply}");
        }
        for reply in ["", "_INBOX.1", "$JS.ACK.logs.c1.1.x.7.1763310000000000000.3"] {
            assert_eq!(numbers_of_delivery(reply), None, "{reply}");
        }
    }
}
