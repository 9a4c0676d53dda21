//! The actions in logs that were searched lately.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use table::ActionId;

use super::log_message::LogMessage;
use crate::TableId;
use crate::journal::JournalError;

/// The actions in logs that were searched lately, so that the next search reads only what is new.
#[derive(Debug, Default)]
pub(super) struct ActionIndex(Mutex<IndexGenerations>);

/// When the younger half is full, the older one is forgotten.
#[derive(Debug, Default)]
struct IndexGenerations {
    young: FxHashMap<TableId, LogActions>,
    /// The number of actions in the younger half.
    young_actions: usize,
    old: FxHashMap<TableId, LogActions>,
}

/// The actions of one log up to a message.
#[derive(Debug)]
pub(super) struct LogActions {
    /// The sequence from which the messages of the subject belong to this log.
    begin: u64,
    /// The sequence from which the log must be read.
    pub(super) next: u64,
    /// The last version that was read.
    last: u64,
    // The ids are chosen by clients, who must not be able to make them collide.
    versions: BTreeMap<ActionId, u64>,
}

/// The number of actions in one half: with about 100 bytes each, both halves take about 13 MB.
const HALF: usize = 1 << 16;

impl ActionIndex {
    /// Takes the actions of a log out of the index; nothing was read yet of a log that is not in it.
    pub(super) fn take(&self, table: TableId, begin: u64) -> LogActions {
        let mut index = self.index();
        let young = index.young.remove(&table);
        if let Some(known) = &young {
            index.young_actions -= known.versions.len();
        }
        let known = young.or_else(|| index.old.remove(&table));
        let new = || LogActions { begin, next: begin, last: 0, versions: BTreeMap::new() };
        // A table with the same id may have been deleted.
        known.filter(|known| known.begin == begin).unwrap_or_else(new)
    }

    /// Keeps the actions of a log, unless they would fill the index alone.
    pub(super) fn put(&self, table: TableId, actions: LogActions) {
        let (mut index, count) = (self.index(), actions.versions.len());
        if count > HALF {
            return;
        }
        if index.young_actions + count > HALF {
            index.old = std::mem::take(&mut index.young);
            index.young_actions = 0;
        }
        index.young_actions += count;
        index.young.insert(table, actions);
    }

    fn index(&self) -> MutexGuard<'_, IndexGenerations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LogActions {
    /// The version of the first entry of an action.
    pub(super) fn version(&self, action: &ActionId) -> Option<u64> {
        self.versions.get(action).copied()
    }

    /// Adds the actions of the next message.
    ///
    /// # Errors
    /// If an entry is missing or cannot be read.
    pub(super) fn add(&mut self, table: TableId, message: &LogMessage) -> Result<(), JournalError> {
        if message.deleted_at.is_none() && message.first != self.last + 1 {
            return Err(JournalError::NotRead {
                why: format!("entry {} is missing", self.last + 1),
            });
        }
        for entry in message.entries(table, 0)? {
            if let Some(action) = entry.action {
                self.versions.entry(action).or_insert(entry.version);
            }
        }
        (self.next, self.last) = (message.sequence + 1, message.last);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(number: usize) -> TableId {
        let mut bits = [0; 16];
        bits[..8].copy_from_slice(&(number as u64).to_be_bytes());
        TableId::new(bits)
    }

    fn actions(begin: u64, count: usize) -> LogActions {
        let id = |number| ActionId::new("a", number as u64).unwrap();
        let versions = (0..count).map(|number| (id(number), number as u64 + 1)).collect();
        LogActions { begin, next: begin + count as u64, last: count as u64, versions }
    }

    #[test]
    fn a_log_is_read_on_where_its_index_ends() {
        let index = ActionIndex::default();
        assert_eq!(index.take(table(1), 5).next, 5);
        index.put(table(1), actions(5, 3));
        let taken = index.take(table(1), 5);
        assert_eq!(taken.next, 8);
        assert_eq!(taken.version(&ActionId::new("a", 2).unwrap()), Some(3));
        index.put(table(1), taken);
        // A new table with the same id has none of these actions.
        let new = index.take(table(1), 9);
        assert_eq!((new.next, new.version(&ActionId::new("a", 2).unwrap())), (9, None));
    }

    #[test]
    fn the_index_is_bounded() {
        let index = ActionIndex::default();
        index.put(table(0), actions(1, HALF + 1));
        assert_eq!(index.take(table(0), 1).next, 1, "a log that is too long is not kept");
        for number in 1..=40 {
            index.put(table(number), actions(1, HALF / 10));
        }
        let generations = index.index();
        let all = generations.young.values().chain(generations.old.values());
        assert!(all.map(|log| log.versions.len()).sum::<usize>() <= 2 * HALF);
        drop(generations);
        assert_eq!(index.take(table(1), 1).next, 1, "the oldest is forgotten");
        assert!(index.take(table(40), 1).next > 1);
    }
}
