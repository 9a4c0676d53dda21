//! Quick pairing: who wants to play with anybody.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use table::Digest;
use tokio::sync::oneshot;
use tokio::sync::{Mutex, MutexGuard};

use crate::TableId;
use crate::house::House;
use crate::request::{Attendance, Request};

/// Who waits for somebody to play with, and who has just met. Others wait while one is paired, so that
/// no two meet at the same seat.
#[derive(Debug, Default)]
pub(crate) struct Pairing(Mutex<Met>);

/// Who waits, by game, and who has met.
#[derive(Debug, Default)]
pub(crate) struct Met {
    waiting: HashMap<String, Waits>,
    /// Those who met first are first.
    paired: VecDeque<Paired>,
}

/// A table at which somebody waits.
#[derive(Clone, Copy, Debug)]
struct Waits {
    table: TableId,
    /// On a clock that does not go back.
    since: u64,
    /// What stands for the token of who waits, if it has made one itself.
    token: Option<Digest>,
}

/// Somebody who has made its token itself and has met somebody.
#[derive(Debug)]
struct Paired {
    token: Digest,
    game: String,
    table: TableId,
    /// On a clock that does not go back.
    at: u64,
}

/// For how long somebody who has not connected yet is believed to come: it has only just been told
/// where its seat is.
const GRACE: u64 = 15_000;

/// For how long who has met somebody may ask again where: perhaps it was not told.
const ASKS_AGAIN: u64 = 60_000;

/// For how many games somebody waits at most; beyond that, old ones are forgotten.
const MOST: usize = 1_000;

/// How many who have met somebody are remembered at most; beyond that, old ones are forgotten.
const MOST_PAIRED: usize = 10_000;

impl Pairing {
    pub(crate) async fn hold(&self) -> MutexGuard<'_, Met> {
        self.0.lock().await
    }
}

impl Met {
    /// The table of who asks again: it waits there, or it has just met somebody there.
    pub(crate) async fn again(
        &mut self,
        house: &Arc<House>,
        game: &str,
        token: Digest,
    ) -> Option<TableId> {
        let now = house.monotonic();
        if let Some(waits) = self.waiting.get_mut(game).filter(|waits| waits.token == Some(token)) {
            // Who was there and has left does not wait, whoever asks.
            if attendance(house, waits.table).await != Attendance::Over {
                waits.since = now;
                return Some(waits.table);
            }
            self.waiting.remove(game);
            return None;
        }
        let is_it = |paired: &&Paired| {
            paired.token == token && paired.game == game && now < paired.at + ASKS_AGAIN
        };
        // Who met twice wants to know where it met last.
        self.paired.iter().rev().find(is_it).map(|paired| paired.table)
    }

    /// The table at which somebody waits for this game and is still there.
    pub(crate) async fn partner(&mut self, house: &Arc<House>, game: &str) -> Option<Partner> {
        let Waits { table, since, token } = self.waiting.remove(game)?;
        let waits = match attendance(house, table).await {
            Attendance::Now => true,
            Attendance::NotYet => house.monotonic() < since + GRACE,
            Attendance::Over => false,
        };
        waits.then_some(Partner { table, token })
    }

    /// Notes that somebody waits.
    pub(crate) fn wait(
        &mut self,
        house: &House,
        game: String,
        table: TableId,
        token: Option<Digest>,
    ) {
        if self.waiting.len() >= MOST {
            self.waiting.clear();
        }
        self.waiting.insert(game, Waits { table, since: house.monotonic(), token });
    }

    /// Notes that two have met: one who waited, and one who has made this token.
    pub(crate) fn meet(
        &mut self,
        house: &House,
        game: &str,
        partner: Partner,
        token: Option<Digest>,
    ) {
        let at = house.monotonic();
        for token in [partner.token, token].into_iter().flatten() {
            let (game, table) = (game.to_owned(), partner.table);
            self.paired.push_back(Paired { token, game, table, at });
        }
        while self.paired.len() > MOST_PAIRED
            || self.paired.front().is_some_and(|first| first.at + ASKS_AGAIN <= at)
        {
            self.paired.pop_front();
        }
    }
}

/// Somebody who waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partner {
    pub(crate) table: TableId,
    token: Option<Digest>,
}

/// Whether somebody is at a table.
async fn attendance(house: &Arc<House>, table: TableId) -> Attendance {
    let (answer, answered) = oneshot::channel();
    house.ask(table, Request::Attendance { answer });
    answered.await.unwrap_or(Attendance::Over)
}
