//! The stream of logs.

use std::time::Duration;

use serde_json::{Value, json};
use table::{ActionId, Entry};
use tokio::time::{Instant, sleep};

use super::action_index::ActionIndex;
use super::api::{JetStreamApi, PublishFailure, RequestFailure};
use super::end_belief::EndBelief;
use super::head_cache::HeadCache;
use super::log_message::{LogAppend, LogHead, LogMessage};
use super::shards;
use crate::TableId;
use crate::journal::{
    Appended, DeleteOutcome, JournalError, LogSummary, MAX_ENTRIES, MAX_TABLES, NotWritten,
};

/// The stream of logs. Each table has a subject.
#[derive(Debug)]
pub(super) struct LogStream {
    api: JetStreamApi,
    pub(super) name: String,
    prefix: String,
    heads: HeadCache,
    actions: ActionIndex,
}

/// How long an append is tried. After the death of a leader, a cluster needs some seconds for another one.
const APPEND_PATIENCE: Duration = Duration::from_secs(6);

/// How long a read waits for a replica that is behind the leader.
const READ_PATIENCE: Duration = Duration::from_secs(2);

/// The first pause between two attempts; it doubles with each of them.
const SHORTEST_PAUSE: Duration = Duration::from_millis(2);

/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

/// The number of messages in one request.
const BATCH: usize = 256;

/// How long the mark of a deleted table stays, in milliseconds, so that other servers notice it.
const MARK_TIME: u64 = 60_000;

/// Attempts with growing pauses until a deadline.
#[derive(Debug)]
pub(super) struct Attempts {
    end: Instant,
    pause: Duration,
}

impl Attempts {
    pub(super) fn new(patience: Duration) -> Self {
        Self { end: Instant::now() + patience, pause: SHORTEST_PAUSE }
    }

    /// Waits before the next attempt; returns false if there is no time for one.
    pub(super) async fn again(&mut self) -> bool {
        if Instant::now() + self.pause > self.end {
            return false;
        }
        sleep(self.pause).await;
        self.pause = (2 * self.pause).min(LONGEST_PAUSE);
        true
    }
}

impl LogStream {
    pub(super) fn new(api: JetStreamApi, name: String, prefix: String) -> Self {
        Self { api, name, prefix, heads: HeadCache::default(), actions: ActionIndex::default() }
    }

    /// What the leader says about the stream.
    pub(super) async fn stream_state(&self) -> Result<Value, RequestFailure> {
        let mut info = self.api.call(&format!("STREAM.INFO.{}", self.name), &json!({})).await?;
        Ok(info["state"].take())
    }

    /// The sequence of the last message of the stream.
    pub(super) async fn last_sequence(&self) -> Result<u64, RequestFailure> {
        Ok(self.stream_state().await?["last_seq"].as_u64().unwrap_or_default())
    }

    /// The subjects of all logs.
    pub(super) fn all_subjects(&self) -> String {
        format!("{}.log.>", self.prefix)
    }

    /// Remembers the end of a log that was just seen.
    pub(super) fn saw(&self, table: TableId, last: &LogMessage) {
        self.heads.put(table, last.head());
    }

    fn subject(&self, table: TableId) -> String {
        format!("{}.log.{}.{table}", self.prefix, shards::of(table))
    }

    /// The last message of a log, from the leader, when the log has at least a version.
    ///
    /// A new leader may not have applied yet what the one before it has acknowledged. So an end that may be out of
    /// date is asked for again for a while.
    async fn last(&self, table: TableId, known: u64) -> Result<Option<LogMessage>, JournalError> {
        let seen = self.heads.get(table);
        let mut attempts = Attempts::new(READ_PATIENCE);
        loop {
            let last = self.api.last(&self.name, &self.subject(table)).await?;
            let last = last.map(LogMessage::read).transpose()?;
            let head = head_of(last.as_ref());
            let belief = EndBelief::of(head, seen, known);
            if belief == EndBelief::Current || !attempts.again().await {
                if belief == EndBelief::OutOfDate {
                    let why = "the leader is behind what was acknowledged before".to_owned();
                    return Err(JournalError::NotRead { why });
                }
                self.heads.put(table, head);
                return Ok(last);
            }
        }
    }

    /// The end of a log, from the leader.
    pub(super) async fn head(&self, table: TableId) -> Result<LogHead, JournalError> {
        Ok(head_of(self.last(table, 0).await?.as_ref()))
    }

    /// Appends lines, all or none, if the log ends with the version `after`.
    pub(super) async fn append(
        &self,
        table: TableId,
        after: u64,
        lines: &[String],
    ) -> Result<Appended, JournalError> {
        let seen = self.heads.get(table).filter(|head| head.version == after && !lines.is_empty());
        let head = if let Some(head) = seen {
            head
        } else {
            let last = self.last(table, after).await.map_err(not_written)?;
            let head = head_of(last.as_ref());
            if head.version != after {
                return self.stale(table, (after, 0), last, None).await.map_err(not_written);
            }
            head
        };
        if lines.is_empty() {
            return Ok(Appended::Committed);
        }
        let append = LogAppend::new(head, lines).map_err(|error| failed(&error))?;
        match self.publish(table, &append, head).await? {
            Published::Written => Ok(Appended::Committed),
            Published::Conflict { is_known } => {
                let from = (after, head.sequence);
                let stale = match self.last(table, after).await {
                    Ok(last) => self.stale(table, from, last, Some(&append)).await,
                    Err(error) => Err(error),
                };
                stale.map_err(if is_known { not_written } else { unknown })
            }
        }
    }

    /// The outcome of an append after a version that is not the last one. Later entries come after a sequence.
    async fn stale(
        &self,
        table: TableId,
        (after, from): (u64, u64),
        last: Option<LogMessage>,
        append: Option<&LogAppend>,
    ) -> Result<Appended, JournalError> {
        let version = head_of(last.as_ref()).version;
        match last {
            Some(last) if version > after => {
                let (missing, entries) =
                    self.after(table, (after, from), usize::MAX, &last).await?;
                let is_ours = append.is_some_and(|append| missing.is_of(append));
                Ok(if is_ours { Appended::Committed } else { Appended::Conflict(entries) })
            }
            _ if version < after => Err(NotWritten::Ahead { last: version }.into()),
            // The leader has just said that the log has another end.
            _ => Err(NotWritten::Busy.into()),
        }
    }

    /// Publishes a message that follows the end of a log, until it is known whether it was written.
    ///
    /// A message whose answer was lost is sent again with the same id: either JetStream recognizes it, or it
    /// conflicts with itself, which reading the log shows.
    async fn publish(
        &self,
        table: TableId,
        append: &LogAppend,
        after: LogHead,
    ) -> Result<Published, JournalError> {
        let subject = self.subject(table);
        let (mut attempts, mut expected) = (Attempts::new(APPEND_PATIENCE), after.sequence);
        let mut unknown = None;
        loop {
            let headers = append.headers_after(expected);
            let failure = match self.api.publish(&subject, headers, append.payload.clone()).await {
                Ok(sequence) => {
                    self.heads.put(table, LogHead { sequence, ..append.head });
                    return Ok(Published::Written);
                }
                Err(PublishFailure::Conflict) => match self.head(table).await {
                    Ok(head) if head.version != after.version => {
                        return Ok(Published::Conflict { is_known: unknown.is_none() });
                    }
                    // What came first is not committed yet, or the table was deleted and begun again.
                    Ok(head) => {
                        expected = head.sequence;
                        None
                    }
                    Err(error) => Some(not_written(error)),
                },
                Err(PublishFailure::NotWritten(failure)) => Some(failed(&failure)),
                Err(PublishFailure::Unknown(failure)) => {
                    unknown = Some(JournalError::Unknown { why: failure.to_string() });
                    None
                }
            };
            if !attempts.again().await {
                return Err(unknown.or(failure).unwrap_or_else(|| NotWritten::Busy.into()));
            }
        }
    }

    /// A page of a log, and its last version.
    pub(super) async fn read(
        &self,
        table: TableId,
        after: u64,
        limit: usize,
    ) -> Result<(Vec<Entry>, u64), JournalError> {
        let from = self.first_after(table, after);
        let Some(last) = self.last(table, after).await? else { return Ok((Vec::new(), 0)) };
        if limit == 0 || last.last <= after {
            return Ok((Vec::new(), last.last));
        }
        let (_, entries) = self.after(table, (after, from), limit.min(MAX_ENTRIES), &last).await?;
        Ok((entries, last.last))
    }

    /// A sequence after which the entries after a version come, if this server knows one.
    fn first_after(&self, table: TableId, after: u64) -> u64 {
        let known = self.heads.get(table).filter(|head| head.version <= after);
        known.map_or(0, |head| head.sequence)
    }

    /// The message with the entry after a version, which is before the end of the log, and at most `limit`
    /// entries from there on. They come after a sequence.
    async fn after(
        &self,
        table: TableId,
        (after, from): (u64, u64),
        limit: usize,
        end: &LogMessage,
    ) -> Result<(LogMessage, Vec<Entry>), JournalError> {
        if end.first <= after + 1 {
            let mut entries = end.entries(table, after)?;
            entries.truncate(limit);
            return Ok((end.clone(), entries));
        }
        let mut page = LogReading { table, after, limit, first: None, entries: Vec::new() };
        let mut from = end.begin.max(from + 1);
        while !page.is_full() && from <= end.sequence {
            for message in self.messages(table, from, end).await? {
                from = message.sequence + 1;
                page.add(message)?;
            }
        }
        page.finish()
    }

    /// The next messages of a log from a sequence on, which is not beyond its end: at least one.
    async fn messages(
        &self,
        table: TableId,
        from: u64,
        end: &LogMessage,
    ) -> Result<Vec<LogMessage>, JournalError> {
        let mut attempts = Attempts::new(READ_PATIENCE);
        loop {
            let batch = self.api.messages(&self.name, &self.subject(table), from, BATCH).await;
            let batch = batch.map_err(JournalError::from)?.into_iter().map(LogMessage::read);
            let batch = batch.collect::<Result<Vec<_>, _>>()?;
            if !batch.is_empty() {
                return Ok(batch);
            }
            // The replica that has answered is behind the leader.
            if !attempts.again().await {
                let why = format!("no replica has message {} of the leader", end.sequence);
                return Err(JournalError::NotRead { why });
            }
        }
    }

    /// The version of the first entry of an action. It reads what was appended since the last search.
    pub(super) async fn find(
        &self,
        table: TableId,
        action: &ActionId,
    ) -> Result<Option<u64>, JournalError> {
        let Some(last) = self.last(table, 0).await? else { return Ok(None) };
        let mut actions = self.actions.take(table, last.begin);
        while actions.next <= last.sequence {
            for message in self.messages(table, actions.next, &last).await? {
                actions.add(table, &message)?;
            }
        }
        let found = actions.version(action);
        self.actions.put(table, actions);
        Ok(found)
    }

    /// Deletes a log that ends with the version `last`, at a time in milliseconds since 1970.
    ///
    /// First a mark is appended, which is atomic: whoever knew the log is in conflict from then on. Then
    /// everything before the mark is removed.
    pub(super) async fn delete(
        &self,
        table: TableId,
        last: u64,
        now: u64,
    ) -> Result<DeleteOutcome, JournalError> {
        let head = self.head(table).await.map_err(not_written)?;
        if head.version == 0 {
            return Ok(DeleteOutcome::NoTable);
        }
        if head.version != last {
            return Ok(DeleteOutcome::Touched);
        }
        let mark = LogAppend::deletion(now).map_err(|error| failed(&error))?;
        if self.publish(table, &mark, head).await? != Published::Written {
            let found = self.last(table, 0).await.map_err(not_written)?;
            if !found.is_some_and(|found| found.is_of(&mark)) {
                return Ok(DeleteOutcome::Touched);
            }
        }
        let mark = self.head(table).await?.sequence;
        self.purge(table, mark.saturating_sub(1)).await?;
        Ok(DeleteOutcome::Deleted)
    }

    async fn purge(&self, table: TableId, until: u64) -> Result<(), JournalError> {
        let purged = self.api.purge(&self.name, &self.subject(table), until).await;
        purged.map_err(|failure| JournalError::Unknown { why: failure.to_string() })
    }

    /// A page of logs in the order of their ids. Marks of tables that were deleted a while ago are removed.
    pub(super) async fn tables(
        &self,
        after: Option<TableId>,
        limit: usize,
        now: u64,
    ) -> Result<Vec<LogSummary>, JournalError> {
        let limit = limit.min(MAX_TABLES);
        let (mut summaries, mut after) = (Vec::new(), after);
        while summaries.len() < limit {
            let begin = format!("{}.log", self.prefix);
            let ids = shards::ids(&self.api, &self.name, (&begin, ""), after, limit).await;
            let ids = ids.map_err(JournalError::from)?;
            let Some(last) = ids.last() else { break };
            after = Some(*last);
            for (table, message) in self.last_messages(&ids).await? {
                match message.deleted_at {
                    None if summaries.len() < limit => {
                        let (version, touched_at) = (message.last, message.touched_at(table));
                        summaries.push(LogSummary { id: table, version, touched_at });
                    }
                    Some(at) if at + MARK_TIME < now => self.purge(table, message.sequence).await?,
                    None | Some(_) => {}
                }
            }
        }
        Ok(summaries)
    }

    /// The last messages of these logs, in the same order.
    async fn last_messages(
        &self,
        ids: &[TableId],
    ) -> Result<Vec<(TableId, LogMessage)>, JournalError> {
        let subjects: Vec<String> = ids.iter().map(|id| self.subject(*id)).collect();
        let messages =
            self.api.last_of_all(&self.name, &subjects).await.map_err(JournalError::from)?;
        let mut messages = messages
            .into_iter()
            .filter_map(|message| Some((shards::id(&message.subject)?, message)))
            .map(|(id, message)| LogMessage::read(message).map(|message| (id, message)))
            .collect::<Result<Vec<_>, _>>()?;
        messages.sort_unstable_by_key(|(id, _)| *id);
        Ok(messages)
    }
}

/// Whether a message was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Published {
    Written,
    /// The log has other entries now. If no answer was lost, they are those of others.
    Conflict {
        is_known: bool,
    },
}

/// The entries of a log after a version, as they are read message by message.
struct LogReading {
    table: TableId,
    after: u64,
    limit: usize,
    /// The message with the first of them.
    first: Option<LogMessage>,
    entries: Vec<Entry>,
}

impl LogReading {
    fn add(&mut self, message: LogMessage) -> Result<(), JournalError> {
        if message.last > self.after && !self.is_full() {
            let expected = self.after + self.entries.len() as u64 + 1;
            if message.first.max(self.after + 1) != expected {
                let why = format!("entry {expected} is missing");
                return Err(JournalError::NotRead { why });
            }
            self.entries.extend(message.entries(self.table, self.after)?);
            self.first.get_or_insert(message);
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.entries.len() >= self.limit
    }

    fn finish(mut self) -> Result<(LogMessage, Vec<Entry>), JournalError> {
        let deleted =
            || JournalError::NotRead { why: "the table was deleted meanwhile".to_owned() };
        self.entries.truncate(self.limit);
        Ok((self.first.ok_or_else(deleted)?, self.entries))
    }
}

fn head_of(last: Option<&LogMessage>) -> LogHead {
    last.map_or_else(LogHead::default, LogMessage::head)
}

/// An append that could not read the log has not written to it.
fn not_written(error: JournalError) -> JournalError {
    match error {
        JournalError::NotRead { why } => NotWritten::Failed { why }.into(),
        other => other,
    }
}

/// An append whose answer was lost, and that could not be looked for in the log.
fn unknown(error: JournalError) -> JournalError {
    match error {
        JournalError::Unknown { .. } => error,
        other => JournalError::Unknown { why: other.to_string() },
    }
}

fn failed(error: &dyn std::error::Error) -> JournalError {
    NotWritten::Failed { why: error.to_string() }.into()
}

#[cfg(test)]
mod tests;
