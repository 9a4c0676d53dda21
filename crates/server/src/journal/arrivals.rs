//! What servers append to a journal that they share.

use axum::body::Bytes;
use table::Entry;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver};

use super::{JournalError, OpenTable, lines};
use crate::TableId;

/// What a server has done to a journal, perhaps this one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum JournalArrival {
    /// Entries were appended.
    Entries(ArrivedEntries),
    /// A table was deleted.
    Deleted(TableId),
    /// The record of a listed table has changed.
    Listed(OpenTable),
    /// More has happened than the receiver was told. It must read the logs of all tables that it knows.
    Missed,
}

/// Entries that were appended together. They are not parsed yet, because most tables are not in memory.
#[derive(Clone, Debug)]
pub struct ArrivedEntries {
    /// The table.
    pub table: TableId,
    /// The version of the first entry.
    pub first: u64,
    /// The version of the last entry.
    pub last: u64,
    /// One line for each entry.
    pub(super) lines: Bytes,
}

impl ArrivedEntries {
    /// The entries after a version.
    ///
    /// # Errors
    /// If an entry cannot be read.
    pub fn entries(&self, after: u64) -> Result<Vec<Entry>, JournalError> {
        lines::decode(self.table, self.first, &self.lines, after)
    }
}

/// A receiver of what happens to a journal.
#[derive(Debug)]
pub struct Arrivals(Option<Receiver<JournalArrival>>);

impl Arrivals {
    /// The arrivals of a journal that no other server has open.
    #[must_use]
    pub const fn none() -> Self {
        Self(None)
    }

    /// Waits for the next arrival; returns none if there will be none.
    ///
    /// If the caller is too slow to receive everything, it receives [`JournalArrival::Missed`].
    pub async fn next(&mut self) -> Option<JournalArrival> {
        match self.0.as_mut()?.recv().await {
            Ok(arrival) => Some(arrival),
            Err(RecvError::Lagged(_)) => Some(JournalArrival::Missed),
            Err(RecvError::Closed) => None,
        }
    }
}

/// The number of arrivals that wait for a slow receiver.
const CAPACITY: usize = 4_096;

/// The sending end of [`Arrivals`].
#[derive(Clone, Debug)]
pub(super) struct ArrivalSender(broadcast::Sender<JournalArrival>);

impl Default for ArrivalSender {
    fn default() -> Self {
        Self(broadcast::Sender::new(CAPACITY))
    }
}

impl ArrivalSender {
    /// A receiver of everything from now on.
    pub(super) fn subscribe(&self) -> Arrivals {
        Arrivals(Some(self.0.subscribe()))
    }

    pub(super) fn send(&self, arrival: JournalArrival) {
        // It fails if there is no receiver.
        self.0.send(arrival).map(drop).unwrap_or_default();
    }
}
