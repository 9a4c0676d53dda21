//! Entries as lines of text.

use table::Entry;

use super::{JournalError, MAX_ENTRIES, NotWritten};
use crate::TableId;

/// Encodes entries that follow a version, after checking that they may be appended there.
pub(super) fn encode(after: u64, entries: &[Entry]) -> Result<Vec<String>, NotWritten> {
    if entries.len() > MAX_ENTRIES {
        return Err(NotWritten::TooMany);
    }
    let line = |(entry, before): (&Entry, u64)| {
        let version = before + 1;
        if entry.version != version {
            return Err(NotWritten::NotDense { version, found: entry.version });
        }
        let line = entry.write();
        if line.len() > Entry::MAX_BYTES { Err(NotWritten::TooLong { version }) } else { Ok(line) }
    };
    entries.iter().zip(after..u64::MAX).map(line).collect()
}

/// Decodes the lines of entries from the version `first` on, without those up to the version `after`.
pub(super) fn decode(
    table: TableId,
    first: u64,
    lines: &[u8],
    after: u64,
) -> Result<Vec<Entry>, JournalError> {
    let text = std::str::from_utf8(lines).map_err(|error| JournalError::NotRead {
        why: format!("entry {first} is not text: {error}"),
    })?;
    let lines = text.lines().zip(first..).filter(|(_, version)| *version > after);
    let read = |(line, version)| {
        Entry::read(line, version).map_err(|error| JournalError::Unreadable { table, error })
    };
    lines.map(read).collect()
}
