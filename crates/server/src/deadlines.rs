//! Clocks that run out, also at tables that are not in memory.
//!
//! The directory has a deadline for each table with a running clock, with an index. It is recorded before
//! the move that starts the clock, and is never later than the moment at which a seat runs out of time;
//! it may be earlier. At a deadline the table is loaded, forfeits the round if the time is up, records its
//! next deadline, and is evicted again. So nothing but the next deadline is in memory, and a restart
//! loses nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use table::wire::codes;
use tokio::sync::{Notify, oneshot};
use tokio::time::{sleep, timeout};

use crate::TableId;
use crate::table_request::TableRequest;
use crate::tables::Tables;
use crate::work_pool::Payer;

/// The time at which the first table must be loaded.
#[derive(Debug)]
pub(crate) struct Deadlines {
    /// The earliest deadline, in milliseconds since 1970.
    next: AtomicU64,
    earlier: Notify,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self { next: AtomicU64::new(u64::MAX), earlier: Notify::new() }
    }
}

/// The number of tables that are loaded at once.
const AT_ONCE: usize = 16;

/// The longest sleep: the time of day may be changed meanwhile.
const LONGEST_SLEEP: Duration = Duration::from_mins(1);

/// How long a table may take. It has its own alarm while it is in memory.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a table rests that could not be loaded, in milliseconds.
const REST: u64 = 30_000;

/// How long the timer waits when the directory fails.
const RETRY: Duration = Duration::from_secs(10);

impl Deadlines {
    /// Must be called after a deadline was recorded in the directory.
    pub(crate) fn recorded(&self, deadline: u64) {
        if deadline < self.next.load(Ordering::Acquire) {
            self.earlier.notify_one();
        }
    }
}

/// Loads every table at its deadline.
pub(crate) async fn watch_deadlines(tables: Arc<Tables>) {
    let deadlines = &tables.deadlines;
    loop {
        // A deadline that is recorded while the directory is read wakes the timer again.
        deadlines.next.store(u64::MAX, Ordering::Release);
        let Some(next) = load_due_tables(&tables).await else {
            sleep(RETRY).await;
            continue;
        };
        deadlines.next.store(next, Ordering::Release);
        let wait = Duration::from_millis(next.saturating_sub(tables.unix_time()));
        tokio::select! {
            () = sleep(wait.min(LONGEST_SLEEP)) => {}
            () = deadlines.earlier.notified() => {}
        }
    }
}

/// Loads the tables whose deadline has passed, and returns the first deadline that has not; none if
/// the directory fails.
async fn load_due_tables(tables: &Arc<Tables>) -> Option<u64> {
    loop {
        let deadlines = match tables.directory.deadlines().await {
            Ok(deadlines) => deadlines,
            Err(error) => {
                tracing::warn!(%error, "the deadlines of tables cannot be read");
                return None;
            }
        };
        let now = tables.unix_time();
        let is_due = |(deadline, _): &(u64, TableId)| *deadline <= now;
        let Some(first) = deadlines.first() else { return Some(u64::MAX) };
        if !is_due(first) {
            return Some(first.0);
        }
        let due = stream::iter(deadlines.into_iter().take_while(is_due));
        let checked = due.map(|(_, id)| check(tables, id)).buffer_unordered(AT_ONCE);
        // Each of them has another deadline now, so the next page begins with others.
        if !checked.all(|is_recorded| async move { is_recorded }).await {
            return None;
        }
    }
}

/// Lets a table decide whether the time is up. Returns whether its next deadline is recorded.
async fn check(tables: &Arc<Tables>, id: TableId) -> bool {
    let (answer, answered) = oneshot::channel();
    tables.send(Payer::Server, id, TableRequest::Deadline { answer });
    let next = match timeout(PATIENCE, answered).await {
        Ok(Ok(Ok(()))) => return true,
        Ok(Ok(Err(refusal))) if *refusal.code() == codes::NO_TABLE => None,
        _ => Some(tables.unix_time().saturating_add(REST)),
    };
    let recorded = tables.directory.set_deadline(id, next).await;
    if let Err(error) = &recorded {
        tracing::warn!(table = %id.short(), %error, "a deadline was not recorded");
    }
    recorded.is_ok()
}
