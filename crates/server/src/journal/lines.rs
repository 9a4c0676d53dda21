//! Entries as lines of text.

use table::Entry;

use super::{MAX_ENTRIES, NotWritten};

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
