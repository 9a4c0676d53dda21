//! The stream of everything that is not a log: one value for each key.

use std::time::Duration;

use async_nats::HeaderMap;
use axum::body::Bytes;

use super::api::{JetStreamApi, PublishFailure, StoredMessage};
use super::log_stream::Attempts;
use super::shards;
use crate::TableId;
use crate::journal::{JournalError, NotWritten};

/// The stream of values. A value without bytes is none; it disappears after an hour.
#[derive(Clone, Debug)]
pub(super) struct StateStream {
    pub(super) api: JetStreamApi,
    pub(super) name: String,
    prefix: String,
}

/// What becomes of a value, and what the caller learns of it.
pub(super) enum ValueChange<T> {
    /// It stays as it is.
    Keep(T),
    /// It is replaced.
    Put(Bytes, T),
    /// It is removed.
    Remove(T),
}

/// How long a change is tried.
const CHANGE_PATIENCE: Duration = Duration::from_secs(6);

/// How long a value that was removed leaves a trace, so that all servers notice.
pub(super) const REMOVED_FOR: &str = "1h";

impl StateStream {
    pub(super) const fn new(api: JetStreamApi, name: String, prefix: String) -> Self {
        Self { api, name, prefix }
    }

    /// The subject of a key.
    pub(super) fn subject(&self, key: &str) -> String {
        format!("{}.state.{key}", self.prefix)
    }

    /// The value of a key.
    pub(super) async fn get(&self, key: &str) -> Result<Option<Bytes>, JournalError> {
        let last =
            self.api.last(&self.name, &self.subject(key)).await.map_err(JournalError::from)?;
        Ok(last.map(|message| message.payload).filter(|value| !value.is_empty()))
    }

    /// Changes the value of a key; returns what the caller learned, and the sequence of the new value.
    ///
    /// The change is computed again whenever another server came first, and must be the same if it is applied
    /// twice, because an answer may be lost.
    pub(super) async fn change<T>(
        &self,
        key: &str,
        change: impl Fn(Option<&Bytes>) -> ValueChange<T>,
    ) -> Result<(T, u64), JournalError> {
        let subject = self.subject(key);
        let mut attempts = Attempts::new(CHANGE_PATIENCE);
        loop {
            let last = self.api.last(&self.name, &subject).await;
            let last = last.map_err(|failure| NotWritten::Failed { why: failure.to_string() })?;
            let value =
                last.as_ref().map(|message| &message.payload).filter(|value| !value.is_empty());
            let expected = last.as_ref().map_or(0, |message| message.sequence);
            let mut headers = HeaderMap::new();
            headers.insert("Nats-Expected-Last-Subject-Sequence", expected.to_string());
            let (value, learned) = match change(value) {
                ValueChange::Keep(learned) => return Ok((learned, expected)),
                ValueChange::Put(value, learned) => (value, learned),
                ValueChange::Remove(learned) => {
                    headers.insert("Nats-TTL", REMOVED_FOR);
                    (Bytes::new(), learned)
                }
            };
            let failure = match self.api.publish(&subject, headers, value).await {
                Ok(sequence) => return Ok((learned, sequence)),
                Err(PublishFailure::Conflict) => None,
                Err(PublishFailure::NotWritten(failure)) => {
                    Some(NotWritten::Failed { why: failure.to_string() }.into())
                }
                Err(PublishFailure::Unknown(failure)) => {
                    Some(JournalError::Unknown { why: failure.to_string() })
                }
            };
            if !attempts.again().await {
                return Err(failure.unwrap_or_else(|| NotWritten::Busy.into()));
            }
        }
    }

    /// Puts a value, whatever was there; returns its sequence.
    pub(super) async fn put(&self, key: &str, value: Bytes) -> Result<u64, JournalError> {
        let put = |_: Option<&Bytes>| ValueChange::Put(value.clone(), ());
        Ok(self.change(key, put).await?.1)
    }

    /// Removes a value, if there is one; returns the sequence.
    pub(super) async fn remove(&self, key: &str) -> Result<u64, JournalError> {
        let remove = |value: Option<&Bytes>| match value {
            None => ValueChange::Keep(()),
            Some(_) => ValueChange::Remove(()),
        };
        Ok(self.change(key, remove).await?.1)
    }

    /// The values of a kind for tables in the order of their ids: at most `limit` after the given table, and
    /// the last table that was looked at. None at the end.
    pub(super) async fn page(
        &self,
        kind: &str,
        after: Option<TableId>,
        limit: usize,
    ) -> Result<Option<(Vec<StoredMessage>, TableId)>, JournalError> {
        let (begin, end) = (self.subject("table"), format!(".{kind}"));
        let ids = shards::ids(&self.api, &self.name, (&begin, &end), after, limit).await;
        let ids = ids.map_err(JournalError::from)?;
        let Some(last) = ids.last() else { return Ok(None) };
        let subjects: Vec<_> = ids.iter().map(|id| self.subject(&table_key(*id, kind))).collect();
        let values =
            self.api.last_of_all(&self.name, &subjects).await.map_err(JournalError::from)?;
        let mut values: Vec<_> =
            values.into_iter().filter(|value| !value.payload.is_empty()).collect();
        values.sort_unstable_by_key(|value| shards::id(&value.subject));
        Ok(Some((values, *last)))
    }
}

/// The key of a value of a table.
pub(super) fn table_key(table: TableId, kind: &str) -> String {
    format!("table.{}.{table}.{kind}", shards::of(table))
}
