//! Quick pairing: players who accept any opponent.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use table::Digest;
use tokio::sync::oneshot;
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::{Instant, sleep};

use crate::TableId;
use crate::journal::PairingOffer;
use crate::table_request::{Attendance, TableRequest};
use crate::tables::Tables;
use crate::work_pool::Payer;

/// The players who wait for an opponent or were paired lately, by game. Players of one game are paired
/// one after the other, so that no two get the same seat. Players of other games do not wait for them.
#[derive(Debug, Default)]
pub(crate) struct Pairing(std::sync::Mutex<HashMap<String, Arc<Mutex<PairingState>>>>);

/// The player who waits for an opponent in one game, and the players who were paired lately.
#[derive(Debug, Default)]
pub(crate) struct PairingState {
    waiting: Option<WaitingPlayer>,
    /// The oldest first.
    paired: VecDeque<PairedPlayer>,
}

/// A player who waits for an opponent.
#[derive(Clone, Copy, Debug)]
struct WaitingPlayer {
    table: TableId,
    /// On the monotonic clock.
    since: u64,
    /// The digest of the token, if the player has made it.
    token: Option<Digest>,
}

/// A player who was paired, and has made the token of the seat.
#[derive(Debug)]
struct PairedPlayer {
    token: Digest,
    table: TableId,
    /// On the monotonic clock.
    at: u64,
}

/// A player who waits, at a table with a free seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaitingOpponent {
    pub(crate) table: TableId,
    token: Option<Digest>,
}

/// How long a player has to connect after the seat was taken, in milliseconds.
const CONNECT_GRACE: u64 = 15_000;

/// How long other servers may take to tell who is connected to a table.
const ANSWER_TIME: Duration = Duration::from_millis(500);

/// How long a paired player may ask again for the same seat, in milliseconds: perhaps the first answer
/// was lost.
const REPEAT_WINDOW: u64 = 60_000;

/// The largest number of games to remember; when it is exceeded, those that nobody is being paired for
/// are forgotten.
const MAX_GAMES: usize = 1_000;

/// The largest number of paired players of one game to remember; when it is exceeded, the oldest are
/// forgotten.
const MAX_PAIRED: usize = 1_000;

impl Pairing {
    /// The players of a game, until the guard is dropped.
    pub(crate) async fn lock(&self, game: &str) -> OwnedMutexGuard<PairingState> {
        let state = {
            let mut games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if games.len() >= MAX_GAMES && !games.contains_key(game) {
                games.retain(|_, state| Arc::strong_count(state) > 1);
            }
            Arc::clone(games.entry(game.to_owned()).or_default())
        };
        state.lock_owned().await
    }
}

impl PairingState {
    /// The table of a player who asks again: where it waits, or where it was paired lately.
    pub(crate) async fn find_again(
        &mut self,
        tables: &Arc<Tables>,
        token: Digest,
    ) -> Option<TableId> {
        let now = tables.monotonic();
        let waiting = self.waiting.as_mut().filter(|waiting| waiting.token == Some(token));
        if let Some(waiting) = waiting {
            // A player who was connected and has left does not wait.
            if attendance(tables, waiting.table).await != Attendance::Over {
                waiting.since = now;
                return Some(waiting.table);
            }
            self.waiting = None;
            return None;
        }
        let is_it =
            |paired: &&PairedPlayer| paired.token == token && now < paired.at + REPEAT_WINDOW;
        // The newest counts.
        self.paired.iter().rev().find(is_it).map(|paired| paired.table)
    }

    /// The player who waits for this game, if it is still there.
    pub(crate) async fn take_opponent(&mut self, tables: &Arc<Tables>) -> Option<WaitingOpponent> {
        let WaitingPlayer { table, since, token } = self.waiting.take()?;
        let is_there = match attendance(tables, table).await {
            Attendance::Present => true,
            Attendance::NotYet => tables.monotonic() < since + CONNECT_GRACE,
            Attendance::Over => false,
        };
        is_there.then_some(WaitingOpponent { table, token })
    }

    /// The player who waits at another server, if it is still there.
    pub(crate) async fn accept_offer(
        &self,
        tables: &Arc<Tables>,
        offer: PairingOffer,
    ) -> Option<WaitingOpponent> {
        let opponent = WaitingOpponent { table: offer.table, token: None };
        let end = Instant::now() + ANSWER_TIME;
        loop {
            match attendance(tables, offer.table).await {
                Attendance::Present => return Some(opponent),
                Attendance::Over => return None,
                // The table was just loaded: other servers are about to tell who is there.
                Attendance::NotYet if Instant::now() < end => sleep(ANSWER_TIME / 10).await,
                Attendance::NotYet => {
                    let is_new = tables.unix_time() < offer.since.saturating_add(CONNECT_GRACE);
                    return is_new.then_some(opponent);
                }
            }
        }
    }

    /// Records that a player waits.
    pub(crate) fn wait(&mut self, tables: &Tables, table: TableId, token: Option<Digest>) {
        self.waiting = Some(WaitingPlayer { table, since: tables.monotonic(), token });
    }

    /// Records that the opponent and the player with this token were paired.
    pub(crate) fn pair(
        &mut self,
        tables: &Tables,
        opponent: WaitingOpponent,
        token: Option<Digest>,
    ) {
        let at = tables.monotonic();
        for token in [opponent.token, token].into_iter().flatten() {
            self.paired.push_back(PairedPlayer { token, table: opponent.table, at });
        }
        while self.paired.len() > MAX_PAIRED
            || self.paired.front().is_some_and(|first| first.at + REPEAT_WINDOW <= at)
        {
            self.paired.pop_front();
        }
    }
}

async fn attendance(tables: &Arc<Tables>, table: TableId) -> Attendance {
    let (answer, answered) = oneshot::channel();
    tables.send(Payer::Server, table, TableRequest::Attendance { answer });
    answered.await.unwrap_or(Attendance::Over)
}
