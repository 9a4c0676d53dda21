//! All tables of a server.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::{StreamExt as _, stream};
use game::AnyGame;
use sha2::{Digest as _, Sha256};
use table::TableSecret;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use crate::addresses::Addresses;
use crate::catalog::Catalog;
use crate::host::host;
use crate::journal::{Directory, Journal, Loss, Losses};
use crate::limits::Limits;
use crate::lobby::Lobby;
use crate::metrics::Metrics;
use crate::request::{Request, refusal};
use crate::{Status, TableId};

/// How many games are kept for tables to come.
const MOST_GAMES: usize = 64;

/// All tables of a server: those that somebody needs are in memory, with a task for each.
#[derive(Debug)]
pub(crate) struct House {
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) directory: Arc<dyn Directory>,
    pub(crate) catalog: Arc<dyn Catalog>,
    games: Mutex<HashMap<String, AnyGame>>,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    tables: Mutex<HashMap<TableId, mpsc::Sender<Request>>>,
    pub(crate) hosts: TaskTracker,
    pub(crate) lobby: Lobby,
    pub(crate) addresses: Addresses,
    connections: AtomicU64,
    began: Instant,
}

impl House {
    pub(crate) fn new(
        journal: Arc<dyn Journal>,
        directory: Arc<dyn Directory>,
        catalog: Arc<dyn Catalog>,
        limits: Limits,
    ) -> Self {
        Self {
            journal,
            directory,
            catalog,
            games: Mutex::default(),
            limits,
            metrics: Metrics::new(),
            tables: Mutex::default(),
            hosts: TaskTracker::new(),
            lobby: Lobby::default(),
            addresses: Addresses::default(),
            connections: AtomicU64::new(0),
            began: Instant::now(),
        }
    }

    /// Asks a table for something. It is taken into memory if it is not there; whoever asks is told
    /// if it cannot be asked.
    pub(crate) fn ask(self: &Arc<Self>, id: TableId, request: Request) {
        let mut tables = self.tables();
        // The lock is held while the request is put down, so that no table is forgotten meanwhile.
        let Some(table) = tables.get(&id) else { return self.open(&mut tables, id, request) };
        match table.try_send(request) {
            Ok(()) => {}
            Err(TrySendError::Closed(request)) => self.open(&mut tables, id, request),
            Err(TrySendError::Full(request)) => {
                drop(tables);
                self.metrics.limited("table_mailbox");
                let why = "This table has too much to do: try again";
                request.refuse(refusal(table::wire::codes::BUSY, why));
            }
        }
    }

    fn open(
        self: &Arc<Self>,
        tables: &mut HashMap<TableId, mpsc::Sender<Request>>,
        id: TableId,
        request: Request,
    ) {
        if tables.len() >= self.limits.live_tables as usize {
            self.metrics.limited("live_tables");
            return request.refuse(refusal(
                table::wire::codes::BUSY,
                "The server has no room for more tables",
            ));
        }
        let (sender, mailbox) = mpsc::channel(self.limits.table_mailbox.max(1) as usize);
        drop(sender.try_send(request));
        tables.insert(id, sender);
        self.metrics.live_tables.set(i64::try_from(tables.len()).unwrap_or(i64::MAX));
        self.hosts.spawn(host(Arc::clone(self), id, mailbox));
    }

    /// Lets tables in memory read their logs again whenever these may have lost something.
    pub(crate) async fn heed(self: Arc<Self>, mut losses: Losses) {
        while let Some(loss) = losses.next().await {
            let tables: Vec<_> = match loss {
                Loss::Of(id) => self.tables().get(&id).cloned().into_iter().collect(),
                Loss::Anywhere => self.tables().values().cloned().collect(),
            };
            // Who has a full mailbox is waited for, and holds up nobody else.
            let tell = async |table: mpsc::Sender<Request>| {
                drop(table.send(Request::ReadAgain).await);
            };
            stream::iter(tables).for_each_concurrent(None, tell).await;
        }
    }

    /// The game of this name. All tables share it: what one has found out about its rules, others know.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    pub(crate) fn game(&self, name: &str) -> Result<AnyGame, String> {
        let games = || self.games.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(game) = games().get(name) {
            return Ok(game.clone());
        }
        let game = self.catalog.game(name)?;
        let mut games = games();
        // There are as many names as numbers: those that were made up do not pile up.
        if games.len() >= MOST_GAMES {
            games.clear();
        }
        games.insert(name.to_owned(), game.clone());
        Ok(game)
    }

    /// Lets a table leave the memory, unless something waits for it.
    pub(crate) fn forget(&self, id: TableId, mailbox: &mpsc::Receiver<Request>) -> bool {
        let mut tables = self.tables();
        if !mailbox.is_empty() {
            return false;
        }
        tables.remove(&id);
        self.metrics.live_tables.set(i64::try_from(tables.len()).unwrap_or(i64::MAX));
        true
    }

    /// No table is asked any more; those that are in memory end when they have done what waits.
    pub(crate) fn close(&self) {
        self.tables().clear();
        self.hosts.close();
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<TableId, mpsc::Sender<Request>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The secret of a table: it follows from that of the installation, so that every node knows it.
    pub(crate) fn secret(&self, id: TableId) -> TableSecret {
        let digest = Sha256::new()
            .chain_update(self.journal.key())
            .chain_update(b"table")
            .chain_update(id.bits())
            .finalize();
        TableSecret::new(digest.into())
    }

    /// Takes a table into memory: there it notices when nobody comes, and tells the directory.
    pub(crate) fn look_after(self: &Arc<Self>, id: TableId) {
        // Nobody waits for the answer.
        let (answer, _) = oneshot::channel();
        self.ask(id, Request::Attendance { answer });
    }

    /// Tells the directory how many seats of a table are free, and what happens there.
    pub(crate) fn seats_changed(self: &Arc<Self>, id: TableId, free: u8, status: Status) {
        let house = Arc::clone(self);
        if status == Status::Idle {
            self.lobby.give_up(id);
        } else {
            self.lobby.revive(id);
        }
        if status != Status::Waiting {
            self.lobby.closed(id);
        }
        self.hosts.spawn(async move {
            if let Err(error) = house.directory.seats(id, free, status).await {
                tracing::warn!(table = %id.short(), %error, "the directory is behind");
            }
        });
    }

    /// A number that no other connection has.
    pub(crate) fn next_connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    /// Milliseconds since 1970, for what is written down.
    #[expect(clippy::unused_self, reason = "clocks are asked for in one place")]
    pub(crate) fn unix_time(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    /// Milliseconds on a clock that does not go back.
    pub(crate) fn monotonic(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// When it will be so many milliseconds since 1970.
    pub(crate) fn instant_of(&self, unix: u64) -> Instant {
        Instant::now() + Duration::from_millis(unix.saturating_sub(self.unix_time()))
    }
}
