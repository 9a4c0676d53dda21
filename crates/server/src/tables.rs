//! All tables of a server.

mod computing;
mod presence;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use table::wire::codes;
use table::{Entry, TableSecret};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use crate::address_buckets::AddressBuckets;
use crate::analysis_cache::AnalysisCache;
use crate::catalog::Catalog;
use crate::clock_comparison::ClockComparison;
use crate::config::LiveConfig;
use crate::connection_counts::ConnectionCounts;
use crate::deadlines::Deadlines;
use crate::game_cache::GameCache;
use crate::gauged_queue::{GaugedReceiver, GaugedSender, gauged_queue};
use crate::journal::{
    Arrivals, DeleteOutcome, Directory, Journal, JournalArrival, JournalError, Loss, Losses,
    NotWritten,
};
use crate::limits::Limits;
use crate::lobby::Lobby;
use crate::metrics::Metrics;
use crate::refusals::refusal;
use crate::supervisor::{delete_table, run_table};
use crate::table_deletion::Deletion;
use crate::table_request::TableRequest;
use crate::table_secret::table_secret;
use crate::wall_clock::WallClock;
use crate::work_pool::{Payer, WorkPool};
use crate::{TableId, TableStatus};

/// All tables of a server, and their shared state. Each table that is in use has a task and is in
/// memory.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) directory: Arc<dyn Directory>,
    pub(crate) catalog: Arc<dyn Catalog>,
    games: GameCache,
    pub(crate) analyses: AnalysisCache,
    workers: WorkPool,
    work_budgets: AddressBuckets,
    pub(crate) config: Arc<LiveConfig>,
    clock: WallClock,
    other_clocks: ClockComparison,
    pub(crate) metrics: Metrics,
    mailboxes: Mutex<HashMap<TableId, GaugedSender<(Payer, TableRequest)>>>,
    /// The tables with a full mailbox that must read their logs.
    catching_up: Mutex<HashSet<TableId>>,
    /// When notices of other servers were lost last.
    last_gap: Mutex<Option<Instant>>,
    pub(crate) tasks: TaskTracker,
    pub(crate) lobby: Lobby,
    pub(crate) deadlines: Deadlines,
    /// WebSockets and long polls, by address.
    pub(crate) sockets: ConnectionCounts,
    /// Channels and streams of tables, by address.
    pub(crate) channels: ConnectionCounts,
    next_connection: AtomicU64,
    /// A number that no other server has.
    server: u64,
    started: Instant,
}

impl Tables {
    pub(crate) fn new(
        journal: Arc<dyn Journal>,
        directory: Arc<dyn Directory>,
        catalog: Arc<dyn Catalog>,
        config: Arc<LiveConfig>,
    ) -> Self {
        let metrics = Metrics::new(&journal.metrics());
        Self {
            journal,
            directory,
            catalog,
            games: GameCache::new(metrics.games.clone()),
            analyses: AnalysisCache::default(),
            workers: WorkPool::new(WorkPool::usual_workers(), metrics.work.clone()),
            work_budgets: AddressBuckets::default(),
            clock: config.get().clock.clone(),
            other_clocks: ClockComparison::default(),
            config,
            metrics,
            mailboxes: Mutex::default(),
            catching_up: Mutex::default(),
            last_gap: Mutex::default(),
            tasks: TaskTracker::new(),
            lobby: Lobby::default(),
            deadlines: Deadlines::default(),
            sockets: ConnectionCounts::default(),
            channels: ConnectionCounts::default(),
            next_connection: AtomicU64::new(0),
            // Without randomness there are no tables either.
            server: getrandom::u64().unwrap_or_default(),
            started: Instant::now(),
        }
    }

    /// The limits at this moment.
    pub(crate) fn limits(&self) -> Limits {
        self.config.limits()
    }

    /// Warns if the clock is ahead by which another server has just written these entries.
    pub(crate) fn compare_clocks(&self, entries: &[Entry]) {
        let Some(last) = entries.last() else { return };
        if let Some(ahead) = self.other_clocks.finding(last.at, self.unix_time()) {
            tracing::warn!(
                milliseconds = ahead,
                "the clock of another server is ahead of the clock of this one, so it ends the time of players too \
                 early: synchronize both"
            );
        }
    }

    /// Sends a request to a table, which is loaded if it is not in memory. A request that cannot be
    /// delivered is refused.
    pub(crate) fn send(self: &Arc<Self>, payer: Payer, id: TableId, request: TableRequest) {
        let mut mailboxes = self.mailboxes();
        // The lock is held until the request is delivered, so that the table is not evicted meanwhile.
        let Some(mailbox) = mailboxes.get(&id) else {
            return self.start(&mut mailboxes, payer, id, request);
        };
        match mailbox.try_send((payer, request)) {
            Ok(()) => {}
            Err(TrySendError::Closed((_, request))) => {
                self.start(&mut mailboxes, payer, id, request);
            }
            Err(TrySendError::Full((_, request))) => {
                drop(mailboxes);
                self.metrics.limited("table_mailbox");
                let why = "This table is too busy. Nothing has changed: try again";
                request.refuse(refusal(codes::BUSY, why));
            }
        }
    }

    /// Starts the task of a table, with its first request.
    fn start(
        self: &Arc<Self>,
        mailboxes: &mut HashMap<TableId, GaugedSender<(Payer, TableRequest)>>,
        payer: Payer,
        id: TableId,
        request: TableRequest,
    ) {
        // A table at its deadline is evicted at once, and few are loaded at a time.
        let is_limited =
            !matches!(request, TableRequest::Deadline { .. } | TableRequest::Delete(_));
        if is_limited && mailboxes.len() >= self.limits().live_tables as usize {
            self.metrics.limited("live_tables");
            let why = "The server has too many tables open. Nothing has changed: try again later";
            return request.refuse(refusal(codes::BUSY, why));
        }
        let (sender, mailbox) =
            gauged_queue(self.limits().table_mailbox, &self.metrics.table_requests);
        if let TableRequest::Delete(deletion) = request {
            // The table need not be loaded, and perhaps cannot be.
            self.tasks.spawn(delete_table(Arc::clone(self), id, deletion, mailbox));
        } else {
            drop(sender.try_send((payer, request)));
            self.tasks.spawn(run_table(Arc::clone(self), payer, id, mailbox));
        }
        mailboxes.insert(id, sender);
        self.metrics.live_tables.set(i64::try_from(mailboxes.len()).unwrap_or(i64::MAX));
    }

    /// Deletes a table, if its log ends with the version `last` or if there is none. Its subscribers have
    /// to join again, and learn that there is no such table.
    pub(crate) async fn delete(
        self: &Arc<Self>,
        id: TableId,
        last: Option<u64>,
    ) -> Result<DeleteOutcome, JournalError> {
        let (answer, answered) = oneshot::channel();
        self.send(Payer::Server, id, TableRequest::Delete(Deletion { last, answer }));
        answered.await.unwrap_or_else(|_closed| Err(NotWritten::Closed.into()))
    }

    /// Makes tables in memory reload whenever their logs may have lost entries.
    pub(crate) async fn reload_after_losses(self: Arc<Self>, mut losses: Losses) {
        while let Some(loss) = losses.next().await {
            let mailboxes: Vec<_> = match loss {
                Loss::Table(id) => self.mailboxes().get(&id).cloned().into_iter().collect(),
                Loss::AnyTable => self.mailboxes().values().cloned().collect(),
            };
            // A table with a full mailbox delays only itself.
            let reload = async |mailbox: GaugedSender<(Payer, TableRequest)>| {
                drop(mailbox.send((Payer::Server, TableRequest::Reload)).await);
            };
            stream::iter(mailboxes).for_each_concurrent(None, reload).await;
        }
    }

    /// Whether other servers may have the journal open.
    pub(crate) fn is_shared(&self) -> bool {
        self.journal.is_shared()
    }

    /// Tells tables in memory what other servers do.
    pub(crate) async fn follow_arrivals(self: Arc<Self>, mut arrivals: Arrivals) {
        while let Some(arrival) = arrivals.next().await {
            match arrival {
                JournalArrival::Entries(entries) => {
                    self.tell(entries.table, TableRequest::Arrived(entries));
                }
                JournalArrival::Listed(table) => self.lobby.changed(&table),
                JournalArrival::Deleted(id) => self.tell(id, TableRequest::Reload),
                JournalArrival::Missed => self.catch_up_all(),
            }
        }
    }

    fn catch_up_all(self: &Arc<Self>) {
        // Without the lock, which each of them needs.
        let ids: Vec<_> = self.mailboxes().keys().copied().collect();
        for id in ids {
            self.tell(id, TableRequest::CatchUp);
        }
    }

    /// Tells a table what other servers do, if it is in memory. A table with a full mailbox reads its log, and
    /// tells who is there, once there is room.
    fn tell(self: &Arc<Self>, id: TableId, request: TableRequest) {
        let Some(mailbox) = self.mailboxes().get(&id).cloned() else { return };
        let request = match mailbox.try_send((Payer::Server, request)) {
            Err(TrySendError::Full((_, request))) => match request.when_there_is_room() {
                Some(request) => request,
                None => return,
            },
            Ok(()) | Err(TrySendError::Closed(_)) => return,
        };
        if !self.catching_up().insert(id) {
            return;
        }
        let tables = Arc::clone(self);
        self.tasks.spawn(async move {
            let caught = || {
                tables.catching_up().remove(&id);
            };
            mailbox.send_after((Payer::Server, request), caught).await;
        });
    }

    /// Removes a table from memory and returns true, unless a request is waiting for it.
    pub(crate) fn evict(
        &self,
        id: TableId,
        mailbox: &GaugedReceiver<(Payer, TableRequest)>,
    ) -> bool {
        let mut mailboxes = self.mailboxes();
        if !mailbox.is_empty() {
            return false;
        }
        mailboxes.remove(&id);
        self.metrics.live_tables.set(i64::try_from(mailboxes.len()).unwrap_or(i64::MAX));
        true
    }

    /// Whether no other table can be loaded.
    pub(crate) fn are_full(&self) -> bool {
        self.mailboxes().len() >= self.limits().live_tables as usize
    }

    /// Closes all mailboxes: tables in memory finish the requests that are waiting, and end.
    pub(crate) fn close(&self) {
        self.mailboxes().clear();
        self.tasks.close();
    }

    fn catching_up(&self) -> MutexGuard<'_, HashSet<TableId>> {
        self.catching_up.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn last_gap(&self) -> MutexGuard<'_, Option<Instant>> {
        self.last_gap.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn mailboxes(&self) -> MutexGuard<'_, HashMap<TableId, GaugedSender<(Payer, TableRequest)>>> {
        self.mailboxes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The secret of a table.
    pub(crate) fn secret(&self, id: TableId) -> TableSecret {
        table_secret(&self.journal.key(), id)
    }

    /// Loads a table. If no client connects to it, it is evicted after a while and marked idle in the
    /// directory.
    pub(crate) fn load(self: &Arc<Self>, payer: Payer, id: TableId) {
        // No caller waits for the answer.
        let (answer, _) = oneshot::channel();
        self.send(payer, id, TableRequest::Attendance { answer });
    }

    /// Updates the directory and the lobby: the number of free seats of a table, and its status.
    pub(crate) fn seats_changed(self: &Arc<Self>, id: TableId, free: u8, status: TableStatus) {
        let tables = Arc::clone(self);
        if status == TableStatus::Idle {
            self.lobby.mark_idle(id);
        } else {
            self.lobby.mark_active(id);
        }
        if status != TableStatus::Waiting {
            self.lobby.closed(id);
        }
        self.tasks.spawn(async move {
            if let Err(error) = tables.directory.seats(id, free, status).await {
                tracing::warn!(table = %id.short(), %error, "the directory was not updated");
            }
        });
    }

    /// A number that no other connection has.
    pub(crate) fn next_connection(&self) -> u64 {
        self.next_connection.fetch_add(1, Ordering::Relaxed)
    }

    /// Milliseconds since 1970, for timestamps.
    pub(crate) fn unix_time(&self) -> u64 {
        self.clock.unix_time()
    }

    /// Milliseconds on a monotonic clock.
    pub(crate) fn monotonic(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// The instant of a timestamp in milliseconds since 1970.
    pub(crate) fn instant_of(&self, unix: u64) -> Instant {
        Instant::now() + Duration::from_millis(unix.saturating_sub(self.unix_time()))
    }
}
