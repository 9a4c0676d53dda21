//! One message in the stream of logs.

use async_nats::HeaderMap;
use axum::body::Bytes;
use table::Entry;

use super::api::StoredMessage;
use crate::TableId;
use crate::journal::{ArrivedEntries, JournalError, lines};

/// The versions of the first and the last entry: `6-7`.
const VERSIONS: &str = "Cradle-Versions";

/// The bytes of all entries up to this message.
const BYTES: &str = "Cradle-Bytes";

/// The sequence from which the messages of the subject belong to this log. Those before it are of a table with
/// the same id that was deleted.
const BEGIN: &str = "Cradle-Begin";

/// When the table was deleted, in milliseconds since 1970.
const DELETED: &str = "Cradle-Deleted";

/// The header by which JetStream recognizes a message that is sent twice.
const MESSAGE_ID: &str = "Nats-Msg-Id";

/// The header with the sequence that the last message of the subject must have.
const EXPECTED: &str = "Nats-Expected-Last-Subject-Sequence";

/// The end of a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LogHead {
    /// The sequence of the last message of the subject; 0 if there is none.
    pub(super) sequence: u64,
    /// The last version; 0 if the log is empty.
    pub(super) version: u64,
    /// The bytes of all entries.
    pub(super) bytes: u64,
    /// The sequence from which the messages of the subject belong to this log.
    pub(super) begin: u64,
}

/// One message in the stream of logs: entries that were appended together, or the mark of a deleted table.
#[derive(Clone, Debug)]
pub(super) struct LogMessage {
    pub(super) sequence: u64,
    /// The version of its first entry; 0 if the table was deleted.
    pub(super) first: u64,
    pub(super) last: u64,
    bytes: u64,
    /// The sequence from which the messages of the subject belong to this log.
    pub(super) begin: u64,
    /// When the table was deleted, if this is the mark of it.
    pub(super) deleted_at: Option<u64>,
    id: String,
    lines: Bytes,
}

/// An append that may be sent several times, and takes effect once.
#[derive(Clone, Debug)]
pub(super) struct LogAppend {
    id: String,
    headers: HeaderMap,
    pub(super) payload: Bytes,
    /// The end of the log after it, without the sequence.
    pub(super) head: LogHead,
}

impl LogMessage {
    /// Reads a message.
    ///
    /// # Errors
    /// If another program has written it.
    pub(super) fn read(message: StoredMessage) -> Result<Self, JournalError> {
        let header = |name: &str| message.headers.get(name).map(ToString::to_string);
        let number = |name: &str| header(name).and_then(|text| text.parse::<u64>().ok());
        let (sequence, id) = (message.sequence, header(MESSAGE_ID).unwrap_or_default());
        let foreign = || JournalError::NotRead {
            why: format!("message {sequence} was not written by a server of Cat's Cradle"),
        };
        if let Some(at) = number(DELETED) {
            let (begin, lines) = (sequence + 1, Bytes::new());
            let deleted_at = Some(at);
            return Ok(Self {
                sequence,
                first: 0,
                last: 0,
                bytes: 0,
                begin,
                deleted_at,
                id,
                lines,
            });
        }
        let versions = header(VERSIONS).ok_or_else(foreign)?;
        let (first, last) = versions.split_once('-').ok_or_else(foreign)?;
        let (first, last) = (first.parse().ok(), last.parse().ok());
        let (Some(first), Some(last), Some(bytes), Some(begin)) =
            (first, last, number(BYTES), number(BEGIN))
        else {
            return Err(foreign());
        };
        let (deleted_at, lines) = (None, message.payload);
        Ok(Self { sequence, first, last, bytes, begin, deleted_at, id, lines })
    }

    pub(super) const fn head(&self) -> LogHead {
        let Self { sequence, last: version, bytes, begin, .. } = *self;
        LogHead { sequence, version, bytes, begin }
    }

    /// Whether this is what that append has written.
    pub(super) fn is_of(&self, append: &LogAppend) -> bool {
        self.id == append.id
    }

    /// Its entries after a version.
    ///
    /// # Errors
    /// If an entry cannot be read.
    pub(super) fn entries(&self, table: TableId, after: u64) -> Result<Vec<Entry>, JournalError> {
        if self.deleted_at.is_some() {
            return Ok(Vec::new());
        }
        lines::decode(table, self.first, &self.lines, after)
    }

    /// Its entries as they arrive at a server; none if the table was deleted.
    pub(super) fn arrived(&self, table: TableId) -> Option<ArrivedEntries> {
        let Self { first, last, .. } = *self;
        let entries = ArrivedEntries { table, first, last, lines: self.lines.clone() };
        self.deleted_at.is_none().then_some(entries)
    }

    /// When its last entry was written.
    pub(super) fn touched_at(&self, table: TableId) -> Option<u64> {
        self.entries(table, self.last.saturating_sub(1)).ok()?.last().map(|entry| entry.at)
    }
}

impl LogAppend {
    /// An append of lines after the end of a log.
    ///
    /// # Errors
    /// If the system has no random source.
    pub(super) fn new(after: LogHead, lines: &[String]) -> Result<Self, getrandom::Error> {
        let (payload, number) = (lines.join("\n"), lines.len() as u64);
        let bytes = after.bytes + lines.iter().map(|line| line.len() as u64).sum::<u64>();
        let version = after.version + number;
        let mut append = Self::empty(LogHead { sequence: 0, version, bytes, begin: after.begin })?;
        append.headers.insert(VERSIONS, format!("{}-{version}", after.version + 1));
        append.headers.insert(BYTES, bytes.to_string());
        append.headers.insert(BEGIN, after.begin.to_string());
        append.payload = Bytes::from(payload);
        Ok(append)
    }

    /// The mark of a table that was deleted at a time in milliseconds since 1970.
    ///
    /// # Errors
    /// If the system has no random source.
    pub(super) fn deletion(at: u64) -> Result<Self, getrandom::Error> {
        let mut append = Self::empty(LogHead::default())?;
        append.headers.insert(DELETED, at.to_string());
        Ok(append)
    }

    fn empty(head: LogHead) -> Result<Self, getrandom::Error> {
        let id = format!("{:016x}{:016x}", getrandom::u64()?, getrandom::u64()?);
        let mut headers = HeaderMap::new();
        headers.insert(MESSAGE_ID, id.as_str());
        Ok(Self { id, headers, payload: Bytes::new(), head })
    }

    /// The headers for an append after the message with this sequence.
    pub(super) fn headers_after(&self, sequence: u64) -> HeaderMap {
        let mut headers = self.headers.clone();
        headers.insert(EXPECTED, sequence.to_string());
        headers
    }
}
