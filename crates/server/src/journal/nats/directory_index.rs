//! The part of the directory that every server has in memory: listed tables, and deadlines. What follows them also
//! notices a new record of the installation.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::api::{RequestFailure, StoredMessage};
use super::follower::{FollowedFrom, FollowedSubjects, Follower};
use super::installation::RECORD;
use super::live_installation::LiveInstallation;
use super::shards;
use super::state_stream::StateStream;
use crate::TableId;
use crate::journal::arrivals::{ArrivalSender, JournalArrival};
use crate::journal::{Listing, OpenTable, TableStatus};

/// Listed tables that are not idle, and deadlines. It follows the stream, so that it is a moment behind.
#[derive(Debug)]
pub(super) struct DirectoryIndex {
    tables: Mutex<IndexedTables>,
    arrivals: ArrivalSender,
    installation: Arc<LiveInstallation>,
}

#[derive(Debug, Default)]
struct IndexedTables {
    deadlines: BTreeSet<(u64, TableId)>,
    deadline_of: FxHashMap<TableId, u64>,
    /// By creation time and id.
    listed: BTreeMap<(u64, TableId), OpenTable>,
    created_at: FxHashMap<TableId, u64>,
}

/// The kind of values with the records of listed tables.
pub(super) const LISTED: &str = "listed";

/// The kind of values with deadlines.
pub(super) const DEADLINE: &str = "deadline";

/// How long the index waits before it follows the stream again.
const RETRY: Duration = Duration::from_millis(500);

impl DirectoryIndex {
    pub(super) fn new(arrivals: ArrivalSender, installation: Arc<LiveInstallation>) -> Self {
        Self { tables: Mutex::default(), arrivals, installation }
    }

    pub(super) fn set_deadline(&self, table: TableId, deadline: Option<u64>) {
        let mut tables = self.tables();
        if let Some(old) = tables.deadline_of.remove(&table) {
            tables.deadlines.remove(&(old, table));
        }
        if let Some(deadline) = deadline {
            tables.deadline_of.insert(table, deadline);
            tables.deadlines.insert((deadline, table));
        }
    }

    /// The deadline of a table as it was recorded last.
    pub(super) fn deadline(&self, table: TableId) -> Option<u64> {
        self.tables().deadline_of.get(&table).copied()
    }

    /// Lists a table or not; returns its record from before.
    pub(super) fn set_listed(
        &self,
        table: TableId,
        record: Option<OpenTable>,
    ) -> Option<OpenTable> {
        let mut tables = self.tables();
        let created_at = tables.created_at.remove(&table);
        let before = created_at.and_then(|at| tables.listed.remove(&(at, table)));
        if let Some(record) = record {
            tables.created_at.insert(table, record.created_at);
            tables.listed.insert(record.sort_key(), record);
        }
        before
    }

    /// The earliest deadlines, the earliest first.
    pub(super) fn deadlines(&self) -> Vec<(u64, TableId)> {
        self.tables().deadlines.iter().take(Listing::MAX).copied().collect()
    }

    /// Listed tables that are not idle, newest first.
    pub(super) fn listed(&self, listing: &Listing) -> Vec<OpenTable> {
        let tables = self.tables();
        let newest_first = match listing.after {
            Some(after) => tables.listed.range(..after),
            None => tables.listed.range(..),
        };
        let has_status =
            |table: &&OpenTable| listing.status.is_none_or(|status| status == table.status);
        let found = newest_first.rev().map(|(_, table)| table).filter(has_status);
        found.take(listing.limit.min(Listing::MAX)).cloned().collect()
    }

    /// Takes over a value of the stream. What cannot be read counts as removed.
    fn apply(&self, StoredMessage { subject, sequence, payload: value, .. }: &StoredMessage) {
        let Some(table) = shards::id(subject) else {
            return self.installation.adopt(value, *sequence);
        };
        if subject.ends_with(DEADLINE) {
            self.set_deadline(table, serde_json::from_slice(value).ok());
            return;
        }
        let record: Option<OpenTable> = serde_json::from_slice(value).ok();
        let was_listed = self.set_listed(table, record.clone());
        let idle = |record| OpenTable { status: TableStatus::Idle, ..record };
        if let Some(record) = record.or_else(|| was_listed.map(idle)) {
            self.arrivals.send(JournalArrival::Listed(record));
        }
    }

    fn tables(&self) -> MutexGuard<'_, IndexedTables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps the index up to date, for ever. Tells when it has seen everything that was there at the start.
#[expect(clippy::infinite_loop, reason = "its task ends with the journal")]
pub(super) async fn keep_index(
    index: Arc<DirectoryIndex>,
    state: StateStream,
    is_filled: oneshot::Sender<()>,
) {
    let mut is_filled = Some(is_filled);
    loop {
        let Err(failure) = follow(&index, &state, &mut is_filled).await;
        tracing::debug!(%failure, "the list of tables is read again");
        sleep(RETRY).await;
    }
}

/// Follows the stream as long as the consumer lives. It begins with the last value of each key, so that nothing
/// is missed between two consumers.
async fn follow(
    index: &DirectoryIndex,
    state: &StateStream,
    is_filled: &mut Option<oneshot::Sender<()>>,
) -> Result<Infallible, RequestFailure> {
    let subjects = [LISTED, DEADLINE].map(|kind| state.subject(&format!("table.*.*.{kind}")));
    let subjects = [subjects.to_vec(), vec![state.subject(RECORD)]].concat();
    let (stream, from) = (state.name.clone(), FollowedFrom::LastOfEach);
    let followed = FollowedSubjects { stream, subjects, from };
    let mut follower = Follower::start(&state.api, &followed).await?;
    let mut missing = follower.backlog;
    loop {
        if missing == 0
            && let Some(is_filled) = is_filled.take()
        {
            // It fails if nobody waits any more.
            is_filled.send(()).unwrap_or_default();
        }
        let message = follower.next().await?;
        index.apply(&message);
        missing = missing.saturating_sub(1);
    }
}
