//! Who wants to know when a log has grown, or has lost something.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use tokio::sync::{broadcast, watch};

use super::{Loss, Losses};
use crate::TableId;

/// How many losses are told one by one to somebody who is slow to hear of them.
const MOST_LOSSES: usize = 64;

/// Tells subscribers that a log has changed; what has changed they read for themselves, so that a
/// slow one holds nothing up and costs no memory.
#[derive(Debug)]
pub(super) struct Watchers(Mutex<Watched>);

#[derive(Debug)]
struct Watched {
    logs: FxHashMap<TableId, watch::Sender<u64>>,
    /// When there are so many, those that nobody watches any more are swept out.
    sweep_at: usize,
    /// Nobody is told anything any more without it.
    losses: Option<broadcast::Sender<Loss>>,
}

impl Default for Watchers {
    fn default() -> Self {
        let losses = Some(broadcast::Sender::new(MOST_LOSSES));
        Self(Mutex::new(Watched { logs: FxHashMap::default(), sweep_at: 0, losses }))
    }
}

impl Watchers {
    /// A receiver that sees every change of a log from now on.
    pub(super) fn watch(&self, table: TableId) -> watch::Receiver<u64> {
        let mut watched = self.lock();
        if watched.losses.is_none() {
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

    /// A receiver that hears of every loss from now on.
    pub(super) fn losses(&self) -> Losses {
        let watched = self.lock();
        let closed = || broadcast::channel(1).1;
        Losses::new(watched.losses.as_ref().map_or_else(closed, broadcast::Sender::subscribe))
    }

    /// Says that a log has lost entries, and where it ends now.
    pub(super) fn tell_cut(&self, table: TableId, version: u64) {
        self.tell([(table, version)]);
        self.tell_loss(Loss::Of(table));
    }

    /// Says that every log may have lost entries.
    pub(super) fn tell_all_cut(&self) {
        self.lock().logs.retain(|_, sender| {
            sender.send_modify(|_| ());
            true
        });
        self.tell_loss(Loss::Anywhere);
    }

    fn tell_loss(&self, loss: Loss) {
        if let Some(losses) = &self.lock().losses {
            // Perhaps nobody listens.
            losses.send(loss).unwrap_or_default();
        }
    }

    /// Says that nothing will change any more.
    pub(super) fn close(&self) {
        let mut watched = self.lock();
        watched.losses = None;
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
