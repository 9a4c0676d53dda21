//! The directory of open tables.

use std::fmt;
use std::future::ready;

use serde::{Deserialize, Serialize};

use super::{BoxFuture, JournalError};
use crate::TableId;

/// Lists the open tables. Apart from codes and public listing, its contents follow from the logs, so
/// that it may be lost without harm: a table whose deadline was lost is timed out when it is next loaded.
pub trait Directory: fmt::Debug + Send + Sync {
    /// Adds a table, or replaces its record.
    fn put(&self, table: OpenTable) -> BoxFuture<'_, Result<PutOutcome, JournalError>>;

    /// The table with this id.
    fn by_id(&self, table: TableId) -> BoxFuture<'_, Result<Option<OpenTable>, JournalError>>;

    /// The table with a code that is valid at a time in milliseconds since 1970: it has not expired, and
    /// the table has a free seat.
    fn by_code(
        &self,
        code: &str,
        now: u64,
    ) -> BoxFuture<'_, Result<Option<OpenTable>, JournalError>>;

    /// Gives a table a code until a time. An unknown table is ignored.
    fn set_code(
        &self,
        table: TableId,
        code: &str,
        until: u64,
    ) -> BoxFuture<'_, Result<PutOutcome, JournalError>>;

    /// The publicly listed tables, newest first.
    fn listed(&self, listing: Listing) -> BoxFuture<'_, Result<Vec<OpenTable>, JournalError>>;

    /// All records in the order of their ids: at most `limit` after the given one, and never more than
    /// [`MAX_TABLES`](super::MAX_TABLES). An empty page is the end.
    fn records(
        &self,
        after: Option<TableId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<OpenTable>, JournalError>>;

    /// Updates the number of free seats and the status of a table. An unknown table is ignored.
    fn seats(
        &self,
        table: TableId,
        free: u8,
        status: TableStatus,
    ) -> BoxFuture<'_, Result<(), JournalError>>;

    /// Records when a table must be loaded because a clock may have run out, in milliseconds since 1970;
    /// none if no clock runs. An unknown table is ignored.
    fn set_deadline(
        &self,
        table: TableId,
        deadline: Option<u64>,
    ) -> BoxFuture<'_, Result<(), JournalError>>;

    /// Makes sure that no later deadline than this one is recorded for a table. An unknown table is ignored.
    fn expect_deadline(
        &self,
        table: TableId,
        deadline: u64,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        self.set_deadline(table, Some(deadline))
    }

    /// Takes the turn to pair players of a game until a time, if no other server has it at this time, and returns
    /// the turn with the offer of the server before. Times are in milliseconds since 1970.
    ///
    /// A directory of one server has no other offers.
    fn begin_pairing(
        &self,
        game: &str,
        until: u64,
        now: u64,
    ) -> BoxFuture<'_, Result<Option<PairingTurn>, JournalError>> {
        let _ = (game, now);
        Box::pin(ready(Ok(Some(PairingTurn { until, offer: None }))))
    }

    /// Ends the turn, with a table at which a player waits or none.
    fn end_pairing(
        &self,
        game: &str,
        offer: Option<PairingOffer>,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let _ = (game, offer);
        Box::pin(ready(Ok(())))
    }

    /// The tables with the earliest deadlines, at most [`Listing::MAX`] of them, the earliest first.
    fn deadlines(&self) -> BoxFuture<'_, Result<Vec<(u64, TableId)>, JournalError>>;
}

/// The turn of a server to pair players of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairingTurn {
    /// When the turn ends at the latest: its server may die.
    pub until: u64,
    /// The table at which a player waits, perhaps at another server.
    pub offer: Option<PairingOffer>,
}

/// A table at which a player waits for an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairingOffer {
    /// The table.
    pub table: TableId,
    /// Since when, in milliseconds since 1970.
    pub since: u64,
}

impl PairingTurn {
    /// Takes the turn until a time, unless it is taken now. Returns it with the offer.
    pub(super) fn begin(&mut self, until: u64, now: u64) -> Option<Self> {
        if now < self.until {
            return None;
        }
        let offer = self.offer.take();
        self.until = until;
        Some(Self { until, offer })
    }
}

/// The record of an open table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenTable {
    /// The id.
    pub id: TableId,
    /// The spoken code; no two tables have the same.
    pub code: String,
    /// When the code expires, in milliseconds since 1970.
    pub code_until: u64,
    /// The game, with its parameters.
    pub game: String,
    /// Whether the table is listed publicly.
    pub is_listed: bool,
    /// When the table was created, in milliseconds since 1970.
    pub created_at: u64,
    /// The number of free seats.
    pub free_seats: u8,
    /// The status.
    pub status: TableStatus,
}

/// The status of an open table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableStatus {
    /// It waits for players.
    Waiting,
    /// All seats are taken.
    Playing,
    /// No client is connected.
    Idle,
}

/// The outcome of [`Directory::put`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutOutcome {
    /// The record was stored.
    Done,
    /// Another table has the same code: nothing was changed.
    CodeTaken,
}

/// A query for publicly listed tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listing {
    /// Only tables with this status.
    pub status: Option<TableStatus>,
    /// Only tables after this one in the list, which is named by its creation time and its id.
    pub after: Option<(u64, TableId)>,
    /// The largest number of tables to return, at most 100.
    pub limit: usize,
}

impl Listing {
    /// The largest limit.
    pub const MAX: usize = 100;
}

impl OpenTable {
    /// Whether the code is valid at a time: it has not expired, and there is a free seat.
    #[must_use]
    pub const fn has_valid_code(&self, now: u64) -> bool {
        now < self.code_until && self.free_seats > 0
    }

    /// The key by which tables are sorted: ids distinguish tables of the same moment.
    pub(super) const fn sort_key(&self) -> (u64, TableId) {
        (self.created_at, self.id)
    }
}
