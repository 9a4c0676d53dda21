//! Who wants to know when a log has grown.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use tokio::sync::watch;

use crate::TableId;

/// Tells subscribers that a log has changed; what has changed they read for themselves, so that a
/// slow one holds nothing up and costs no memory.
#[derive(Debug, Default)]
pub(super) struct Watchers(Mutex<Watched>);

#[derive(Debug, Default)]
struct Watched {
    logs: FxHashMap<TableId, watch::Sender<u64>>,
    /// When there are so many, those that nobody watches any more are swept out.
    sweep_at: usize,
    is_closed: bool,
}

impl Watchers {
    /// A receiver that sees every change of a log from now on.
    pub(super) fn watch(&self, table: TableId) -> watch::Receiver<u64> {
        let mut watched = self.lock();
        if watched.is_closed {
            return watch::channel(0).1;
        }
        if watched.logs.len() >= watched.sweep_at {
            watched.logs.retain(|_, sender| sender.receiver_count() > 0);
            watched.sweep_at = (watched.logs.len() * 2).max(64);
        }
        watched.logs.entry(table).or_insert_with(|| watch::channel(0).0).subscribe()
    }

    /// Says that logs have changed, and where they end now.
    pub(super) fn tell(&self, changes: impl IntoIterator<Item = (TableId, u64)>) {
        let watched = self.lock();
        for (table, version) in changes {
            if let Some(sender) = watched.logs.get(&table) {
                sender.send_replace(version);
            }
        }
    }

    /// Says that there is something new in every log.
    pub(super) fn tell_all(&self) {
        let mut watched = self.lock();
        watched.logs.retain(|_, sender| {
            sender.send_modify(|_| ());
            true
        });
    }

    /// Says that nothing will change any more.
    pub(super) fn close(&self) {
        let mut watched = self.lock();
        watched.is_closed = true;
        watched.logs.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_that_nobody_watches_any_more_are_swept_out() {
        let watchers = Watchers::default();
        let kept = watchers.watch(TableId::new([0; 16]));
        for number in 0..10_000_u128 {
            drop(watchers.watch(TableId::new(number.to_le_bytes())));
        }
        assert!(watchers.lock().logs.len() <= 65);
        watchers.tell([(TableId::new([0; 16]), 7)]);
        assert_eq!(*kept.borrow(), 7);
    }

    #[test]
    fn who_watches_a_closed_journal_learns_that_it_is_closed() {
        let watchers = Watchers::default();
        let before = watchers.watch(TableId::new([0; 16]));
        watchers.close();
        let after = watchers.watch(TableId::new([0; 16]));
        assert!(before.has_changed().is_err() && after.has_changed().is_err());
    }
}
