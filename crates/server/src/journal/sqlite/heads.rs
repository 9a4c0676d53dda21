//! The ends of logs that were written to lately.

use std::mem;

use rustc_hash::FxHashMap;

use super::log::Head;
use crate::TableId;

/// A bounded cache of the ends of logs, so that the writer need not read them for each append. It holds
/// what the file will hold once the transaction is committed: after a failed commit it must be cleared.
#[derive(Debug)]
pub(super) struct Heads {
    young: FxHashMap<TableId, Head>,
    old: FxHashMap<TableId, Head>,
    capacity: usize,
}

impl Heads {
    /// A cache of at least `capacity` ends, and at most twice as many.
    pub(super) fn new(capacity: usize) -> Self {
        Self { young: FxHashMap::default(), old: FxHashMap::default(), capacity: capacity.max(1) }
    }

    pub(super) fn get(&self, table: TableId) -> Option<Head> {
        self.young.get(&table).or_else(|| self.old.get(&table)).copied()
    }

    pub(super) fn insert(&mut self, table: TableId, head: Head) {
        if self.young.len() >= self.capacity && !self.young.contains_key(&table) {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(table, head);
    }

    pub(super) fn remove(&mut self, table: TableId) {
        self.young.remove(&table);
        self.old.remove(&table);
    }

    pub(super) fn clear(&mut self) {
        self.young.clear();
        self.old.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(number: i64) -> Head {
        Head { number, last: 0, chain: [0; 16], epoch: 0 }
    }

    fn table(number: u8) -> TableId {
        TableId::new([number; 16])
    }

    #[test]
    fn recent_ends_are_cached_and_old_ones_are_evicted() {
        let mut heads = Heads::new(4);
        (0..20).for_each(|number| heads.insert(table(number), head(number.into())));
        assert_eq!(heads.get(table(19)), Some(head(19)));
        assert_eq!(heads.get(table(16)), Some(head(16)));
        assert_eq!(heads.get(table(3)), None);
        assert!(heads.young.len() + heads.old.len() <= 8);
    }

    #[test]
    fn the_newer_end_replaces_the_older_one() {
        let mut heads = Heads::new(1);
        heads.insert(table(0), head(0));
        heads.insert(table(1), head(1));
        heads.insert(table(0), head(5));
        assert_eq!(heads.get(table(0)), Some(head(5)));
        heads.remove(table(0));
        assert_eq!(heads.get(table(0)), None);
    }
}
