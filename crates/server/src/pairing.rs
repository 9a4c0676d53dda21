//! Quick pairing: who wants to play with anybody.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::Mutex;
use tokio::sync::oneshot;

use crate::TableId;
use crate::house::House;
use crate::request::{Attendance, Request};

/// Who waits for somebody to play with, by game. Others wait while one is paired, so that no two meet
/// at the same seat.
#[derive(Debug, Default)]
pub(crate) struct Pairing(Mutex<HashMap<String, Waits>>);

/// A table at which somebody waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waits {
    pub(crate) table: TableId,
    /// On a clock that does not go back.
    pub(crate) since: u64,
}

/// The tables at which somebody waits, held by who looks for one.
pub(crate) type Held<'a> = tokio::sync::MutexGuard<'a, HashMap<String, Waits>>;

/// For how long somebody who has not connected yet is believed to come: it has only just been told
/// where its seat is.
const GRACE: u64 = 15_000;

/// For how many games somebody waits at most; beyond that, old ones are forgotten.
const MOST: usize = 1_000;

impl Pairing {
    pub(crate) async fn hold(&self) -> Held<'_> {
        self.0.lock().await
    }
}

/// The table at which somebody waits for this game and is still there.
pub(crate) async fn partner(
    house: &Arc<House>,
    waiting: &mut Held<'_>,
    game: &str,
) -> Option<TableId> {
    let Waits { table, since } = waiting.remove(game)?;
    let (answer, answered) = oneshot::channel();
    house.ask(table, Request::Attendance { answer });
    let waits = match answered.await.unwrap_or(Attendance::Over) {
        Attendance::Now => true,
        Attendance::NotYet => house.monotonic() < since + GRACE,
        Attendance::Over => false,
    };
    waits.then_some(table)
}

/// Notes that somebody waits.
pub(crate) fn wait(house: &House, waiting: &mut Held<'_>, game: String, table: TableId) {
    if waiting.len() >= MOST {
        waiting.clear();
    }
    waiting.insert(game, Waits { table, since: house.monotonic() });
}
