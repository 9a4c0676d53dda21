//! Which tables are open.

use std::fmt;

use super::{JournalError, Later};
use crate::TableId;

/// Knows which tables are open. All but the codes and who wants to be listed follows from the logs,
/// so that it may be lost without harm.
pub trait Directory: fmt::Debug + Send + Sync {
    /// Adds a table, or changes what is known of it.
    fn put(&self, table: OpenTable) -> Later<'_, Result<Put, JournalError>>;

    /// The table with a code.
    fn by_code(&self, code: &str) -> Later<'_, Result<Option<OpenTable>, JournalError>>;

    /// The tables that want to be listed, newest first.
    fn listed(&self, listing: Listing) -> Later<'_, Result<Vec<OpenTable>, JournalError>>;

    /// Says how many seats of a table are free, and what happens there; one that is not known stays
    /// unknown.
    fn seats(
        &self,
        table: TableId,
        free: u8,
        status: Status,
    ) -> Later<'_, Result<(), JournalError>>;

    /// Forgets a table; one that is not known is none the less.
    fn remove(&self, table: TableId) -> Later<'_, Result<(), JournalError>>;
}

/// What is known of an open table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTable {
    /// What it is called.
    pub id: TableId,
    /// What people say to each other to find it; no two tables have the same.
    pub code: String,
    /// Its game, with its parameters.
    pub game: String,
    /// Whether strangers are shown it.
    pub is_listed: bool,
    /// When it was made, in milliseconds.
    pub created_at: u64,
    /// How many may still join.
    pub free_seats: u8,
    /// What happens there.
    pub status: Status,
}

/// What happens at an open table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It waits for players.
    Waiting,
    /// Its players play.
    Playing,
    /// Nobody is there.
    Idle,
}

/// What came of putting a table into the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    /// It is there.
    Done,
    /// Another table has its code: nothing was changed.
    CodeTaken,
}

/// Which listed tables are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listing {
    /// Only those at which this happens.
    pub status: Option<Status>,
    /// Only those that come after the table that was made then and is called so.
    pub after: Option<(u64, TableId)>,
    /// How many at most, and never more than 100.
    pub most: usize,
}

impl Listing {
    /// How many tables are listed at once at most.
    pub(super) const MOST: usize = 100;
}

impl OpenTable {
    /// What newest first means: tables of the same moment are told apart by their ids.
    pub(super) const fn place(&self) -> (u64, TableId) {
        (self.created_at, self.id)
    }
}
