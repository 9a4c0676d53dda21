//! The ends of logs that were seen lately.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use super::log_message::LogHead;
use crate::TableId;

/// The ends of logs that were seen lately. It may be behind the stream: an append after an old end is answered
/// with a conflict.
#[derive(Debug, Default)]
pub(super) struct HeadCache(Mutex<HeadGenerations>);

/// When the younger half is full, the older one is forgotten.
#[derive(Debug, Default)]
struct HeadGenerations {
    young: FxHashMap<TableId, LogHead>,
    old: FxHashMap<TableId, LogHead>,
}

/// The number of heads in one half: with 48 bytes each, both halves take about 12 MB.
const HALF: usize = 1 << 16;

impl HeadCache {
    pub(super) fn get(&self, table: TableId) -> Option<LogHead> {
        let heads = self.heads();
        heads.young.get(&table).or_else(|| heads.old.get(&table)).copied()
    }

    /// Remembers the end of a log, unless a later one is known.
    pub(super) fn put(&self, table: TableId, head: LogHead) {
        let mut heads = self.heads();
        let known = heads.young.get(&table).or_else(|| heads.old.get(&table));
        // A subject without a message has the sequence 0, and may have had others before.
        if known.is_some_and(|known| known.sequence > head.sequence && head.sequence > 0) {
            return;
        }
        if heads.young.len() >= HALF && !heads.young.contains_key(&table) {
            heads.old = std::mem::take(&mut heads.young);
        }
        heads.young.insert(table, head);
    }

    fn heads(&self) -> MutexGuard<'_, HeadGenerations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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

    fn head(sequence: u64) -> LogHead {
        LogHead { sequence, version: sequence, ..LogHead::default() }
    }

    #[test]
    fn the_latest_head_is_remembered() {
        let cache = HeadCache::default();
        assert_eq!(cache.get(table(1)), None);
        for (put, found) in [(5, 5), (7, 7), (6, 7), (0, 0)] {
            cache.put(table(1), head(put));
            assert_eq!(cache.get(table(1)), Some(head(found)));
        }
    }

    #[test]
    fn the_cache_is_bounded_and_keeps_what_was_used_lately() {
        let cache = HeadCache::default();
        for number in 0..3 * HALF {
            cache.put(table(number), head(1));
        }
        let heads = cache.heads();
        assert!(heads.young.len() + heads.old.len() <= 2 * HALF);
        drop(heads);
        assert_eq!(cache.get(table(0)), None);
        assert_eq!(cache.get(table(3 * HALF - 1)), Some(head(1)));
    }
}
