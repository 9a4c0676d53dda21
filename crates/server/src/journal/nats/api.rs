//! Requests to JetStream, and their answers.

use std::time::Duration;

use async_nats::{Client, HeaderMap, Request, RequestErrorKind, StatusCode, Subscriber};
use axum::body::Bytes;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt as _;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::journal::JournalError;

/// How long one request may take. A cluster that has a leader answers in milliseconds.
const ONE_REQUEST: Duration = Duration::from_secs(2);

/// The largest number of bytes in one answer to a request for several messages.
const MAX_BATCH_BYTES: usize = 1 << 20;

/// The status of the answer that ends a list of messages.
const END_OF_BATCH: u16 = 204;

/// A connection to JetStream.
#[derive(Clone, Debug)]
pub(super) struct JetStreamApi {
    client: Client,
    gaps: watch::Receiver<u64>,
}

/// A message of a stream.
#[derive(Clone, Debug)]
pub(super) struct StoredMessage {
    pub(super) subject: String,
    pub(super) sequence: u64,
    pub(super) headers: HeaderMap,
    pub(super) payload: Bytes,
}

/// Why a request was not answered as it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RequestFailure {
    #[error("no server of the cluster leads the stream at the moment")]
    NoLeader,
    #[error("the cluster did not answer in time")]
    NoAnswer,
    #[error("{0}")]
    Refused(#[from] ApiError),
    #[error("the answer of the cluster makes no sense: {0}")]
    Senseless(String),
    #[error("the connection to the cluster failed: {0}")]
    Broken(String),
}

/// An error that JetStream has answered.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, thiserror::Error)]
#[error("{description} (error {err_code} of JetStream)")]
pub(super) struct ApiError {
    #[serde(default)]
    pub(super) err_code: u64,
    #[serde(default)]
    pub(super) description: String,
}

/// Why a message was not published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PublishFailure {
    /// Another message came first: nothing was written.
    Conflict,
    /// Nothing was written.
    NotWritten(RequestFailure),
    /// It is not known whether the message was written.
    Unknown(RequestFailure),
}

/// The answer to a published message.
#[derive(Deserialize)]
struct PublishAnswer {
    #[serde(default)]
    seq: u64,
    error: Option<ApiError>,
}

impl From<RequestFailure> for JournalError {
    fn from(failure: RequestFailure) -> Self {
        Self::NotRead { why: failure.to_string() }
    }
}

impl ApiError {
    const NO_MESSAGE: u64 = 10_037;
    pub(super) const NO_STREAM: u64 = 10_059;

    /// Another message came first. The second code means that it is not committed yet.
    const CONFLICTS: [u64; 2] = [10_071, 10_164];

    /// The cluster has no leader, no resources, or the message is too large: nothing was written.
    const NOT_WRITTEN: [u64; 3] = [10_008, 10_023, 10_054];
}

impl JetStreamApi {
    /// Requests on a connection, which counts the moments at which it may have lost messages of subscriptions.
    pub(super) const fn new(client: Client, gaps: watch::Receiver<u64>) -> Self {
        Self { client, gaps }
    }

    /// How often the connection may have lost messages that were not answers.
    pub(super) fn gaps(&self) -> watch::Receiver<u64> {
        let mut gaps = self.gaps.clone();
        gaps.mark_unchanged();
        gaps
    }

    pub(super) const fn client(&self) -> &Client {
        &self.client
    }

    /// Calls a function of the API of JetStream.
    pub(super) async fn call(&self, function: &str, body: &Value) -> Result<Value, RequestFailure> {
        let request = Request::new().payload(Bytes::from(body.to_string()));
        let answer = self.request(&format!("$JS.API.{function}"), request).await?;
        let answer: Value = serde_json::from_slice(&answer)
            .map_err(|error| RequestFailure::Senseless(error.to_string()))?;
        match answer.get("error") {
            None => Ok(answer),
            Some(error) => {
                let error = ApiError::deserialize(error);
                Err(error
                    .map_or_else(|error| RequestFailure::Senseless(error.to_string()), Into::into))
            }
        }
    }

    async fn request(&self, subject: &str, request: Request) -> Result<Bytes, RequestFailure> {
        // The library's own time does not count while a request waits for a connection.
        let sent = self.client.send_request(subject.to_owned(), request.timeout(None));
        let answer =
            timeout(ONE_REQUEST, sent).await.map_err(|_elapsed| RequestFailure::NoAnswer)?;
        let answer = answer.map_err(|error| match error.kind() {
            RequestErrorKind::NoResponders => RequestFailure::NoLeader,
            RequestErrorKind::TimedOut => RequestFailure::NoAnswer,
            _ => RequestFailure::Broken(error.to_string()),
        })?;
        Ok(answer.payload)
    }

    /// Publishes a message to a stream; returns its sequence once it is durable.
    pub(super) async fn publish(
        &self,
        subject: &str,
        headers: HeaderMap,
        payload: Bytes,
    ) -> Result<u64, PublishFailure> {
        if payload.len() + 1024 > self.client.max_payload() {
            let why =
                "the entries are larger than the largest message of NATS: raise its max_payload";
            return Err(PublishFailure::NotWritten(RequestFailure::Senseless(why.to_owned())));
        }
        let request = Request::new().headers(headers).payload(payload);
        let answer = self.request(subject, request).await.map_err(|failure| match failure {
            RequestFailure::NoLeader => PublishFailure::NotWritten(failure),
            _ => PublishFailure::Unknown(failure),
        })?;
        let answer: PublishAnswer = serde_json::from_slice(&answer).map_err(|error| {
            PublishFailure::Unknown(RequestFailure::Senseless(error.to_string()))
        })?;
        match answer.error {
            None if answer.seq > 0 => Ok(answer.seq),
            None => Err(PublishFailure::Unknown(RequestFailure::Senseless(
                "a message has no sequence".to_owned(),
            ))),
            Some(error) if ApiError::CONFLICTS.contains(&error.err_code) => {
                Err(PublishFailure::Conflict)
            }
            Some(error) if ApiError::NOT_WRITTEN.contains(&error.err_code) => {
                Err(PublishFailure::NotWritten(error.into()))
            }
            Some(error) => Err(PublishFailure::Unknown(error.into())),
        }
    }

    /// The last message of a subject, from the leader of the stream: no replica is behind it.
    pub(super) async fn last(
        &self,
        stream: &str,
        subject: &str,
    ) -> Result<Option<StoredMessage>, RequestFailure> {
        self.message(stream, &json!({ "last_by_subj": subject })).await
    }

    /// The first message of a subject from a sequence on, from the leader of the stream.
    pub(super) async fn next(
        &self,
        stream: &str,
        subject: &str,
        from: u64,
    ) -> Result<Option<StoredMessage>, RequestFailure> {
        self.message(stream, &json!({ "seq": from.max(1), "next_by_subj": subject })).await
    }

    async fn message(
        &self,
        stream: &str,
        body: &Value,
    ) -> Result<Option<StoredMessage>, RequestFailure> {
        match self.call(&format!("STREAM.MSG.GET.{stream}"), body).await {
            Ok(answer) => stored_message(&answer["message"]).map(Some),
            Err(RequestFailure::Refused(error)) if error.err_code == ApiError::NO_MESSAGE => {
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }

    /// The messages of a subject from a sequence on: at most `most` of them, and not necessarily all that the
    /// leader has.
    pub(super) async fn messages(
        &self,
        stream: &str,
        subject: &str,
        from: u64,
        most: usize,
    ) -> Result<Vec<StoredMessage>, RequestFailure> {
        let body = json!({
            "seq": from.max(1), "next_by_subj": subject, "batch": most, "max_bytes": MAX_BATCH_BYTES,
        });
        self.batch(stream, &body).await
    }

    /// The last messages of these subjects, at most a thousand, in no particular order.
    pub(super) async fn last_of_all(
        &self,
        stream: &str,
        subjects: &[String],
    ) -> Result<Vec<StoredMessage>, RequestFailure> {
        self.batch(stream, &json!({ "multi_last": subjects, "batch": subjects.len() })).await
    }

    async fn batch(
        &self,
        stream: &str,
        body: &Value,
    ) -> Result<Vec<StoredMessage>, RequestFailure> {
        let broken = |error: &dyn std::error::Error| RequestFailure::Broken(error.to_string());
        let inbox = self.client.new_inbox();
        let mut answers =
            self.client.subscribe(inbox.clone()).await.map_err(|error| broken(&error))?;
        let subject = format!("$JS.API.DIRECT.GET.{stream}");
        let sent = self.client.publish_with_reply(subject, inbox, Bytes::from(body.to_string()));
        let sent = timeout(ONE_REQUEST, sent).await.map_err(|_elapsed| RequestFailure::NoAnswer)?;
        sent.map_err(|error| broken(&error))?;
        let mut messages = Vec::new();
        while let Some(message) = next_of_batch(&mut answers).await? {
            messages.push(message);
        }
        Ok(messages)
    }

    /// The number of all subjects of a stream.
    pub(super) async fn subject_count(&self, stream: &str) -> Result<u64, RequestFailure> {
        let info = self.call(&format!("STREAM.INFO.{stream}"), &json!({})).await?;
        Ok(info["state"]["num_subjects"].as_u64().unwrap_or_default())
    }

    /// A page of the subjects of a stream that match a filter, and the number of all of them.
    pub(super) async fn subjects(
        &self,
        stream: &str,
        filter: &str,
        offset: usize,
    ) -> Result<(Vec<String>, usize), RequestFailure> {
        let body = json!({ "subjects_filter": filter, "offset": offset });
        let info = self.call(&format!("STREAM.INFO.{stream}"), &body).await?;
        let subjects = info["state"]["subjects"].as_object();
        let subjects = subjects.map(|subjects| subjects.keys().cloned().collect());
        let total = info["total"].as_u64().and_then(|total| usize::try_from(total).ok());
        Ok((subjects.unwrap_or_default(), total.unwrap_or_default()))
    }

    /// Removes the messages of a subject up to a sequence, and this one too.
    pub(super) async fn purge(
        &self,
        stream: &str,
        subject: &str,
        until: u64,
    ) -> Result<(), RequestFailure> {
        let body = json!({ "filter": subject, "seq": until + 1 });
        self.call(&format!("STREAM.PURGE.{stream}"), &body).await.map(drop)
    }
}

/// A message as the leader of a stream tells it.
fn stored_message(message: &Value) -> Result<StoredMessage, RequestFailure> {
    let senseless =
        || RequestFailure::Senseless("a message has no subject or no sequence".to_owned());
    let decoded = |name: &str| message[name].as_str().and_then(|text| STANDARD.decode(text).ok());
    let headers = decoded("hdrs").map(|headers| read_headers(&String::from_utf8_lossy(&headers)));
    Ok(StoredMessage {
        subject: message["subject"].as_str().ok_or_else(senseless)?.to_owned(),
        sequence: message["seq"].as_u64().ok_or_else(senseless)?,
        headers: headers.unwrap_or_default(),
        payload: Bytes::from(decoded("data").unwrap_or_default()),
    })
}

/// Headers as NATS writes them: a line with its version, then one line for each.
fn read_headers(text: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in text.lines().skip(1).filter_map(|line| line.split_once(':')) {
        headers.insert(name, value.trim());
    }
    headers
}

/// The next message of a batch; none at its end.
async fn next_of_batch(answers: &mut Subscriber) -> Result<Option<StoredMessage>, RequestFailure> {
    let answer = timeout(ONE_REQUEST, answers.next()).await;
    let answer = answer.map_err(|_elapsed| RequestFailure::NoAnswer)?;
    let answer = answer.ok_or_else(|| RequestFailure::Broken("it is closed".to_owned()))?;
    match answer.status {
        Some(StatusCode::NO_RESPONDERS) => return Err(RequestFailure::NoLeader),
        Some(status) if status == StatusCode::NOT_FOUND || status.as_u16() == END_OF_BATCH => {
            return Ok(None);
        }
        Some(status) => {
            let why = answer.description.unwrap_or_default();
            return Err(RequestFailure::Senseless(format!("{status} {why}")));
        }
        None => {}
    }
    let headers = answer.headers.unwrap_or_default();
    let header = |name: &str| headers.get(name).map(ToString::to_string);
    let sequence = header("Nats-Sequence").and_then(|text| text.parse().ok());
    let (Some(sequence), Some(subject)) = (sequence, header("Nats-Subject")) else {
        return Err(RequestFailure::Senseless("a message has no sequence".to_owned()));
    };
    Ok(Some(StoredMessage { subject, sequence, headers, payload: answer.payload }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_the_leader_is_read() {
        let message = json!({
            "subject": "l.a", "seq": 5, "data": "ZHVw",
            "hdrs": "TkFUUy8xLjANCk5hdHMtRXhwZWN0ZWQtTGFzdC1TdWJqZWN0LVNlcXVlbmNlOiA0DQpOYXRzLU1zZy1JZDogcQ0KDQo=",
        });
        let message = stored_message(&message).unwrap();
        assert_eq!((message.subject.as_str(), message.sequence), ("l.a", 5));
        assert_eq!(message.payload, "dup");
        assert_eq!(message.headers.get("Nats-Msg-Id").unwrap().as_str(), "q");
        assert!(stored_message(&json!({ "subject": "l.a" })).is_err());
    }
}
