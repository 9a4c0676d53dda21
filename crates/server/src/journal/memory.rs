//! A journal in memory, for tests and measurements.

use std::collections::BTreeMap;
use std::fmt;
use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use table::{ActionId, Entry};

use super::watchers::Watchers;
use super::{
    Appended, Directory, Journal, JournalError, LONGEST_SNAPSHOT, Later, Listing, Losses,
    MOST_ENTRIES, NotReady, NotWritten, OpenTable, Put, SnapshotText, Status, Subscription, Tail,
    lines, random_epoch,
};
use crate::TableId;

/// A journal that forgets everything when it is dropped.
#[derive(Debug)]
pub struct MemoryJournal {
    shared: Arc<Shared>,
    key: Key,
}

struct Key([u8; 32]);

#[derive(Debug)]
struct Shared {
    epoch: u64,
    kept: Mutex<Kept>,
    watchers: Watchers,
}

#[derive(Debug, Default)]
struct Kept {
    is_closed: bool,
    logs: FxHashMap<TableId, Log>,
    directory: BTreeMap<TableId, OpenTable>,
}

#[derive(Debug, Default)]
struct Log {
    entries: Vec<Entry>,
    actions: FxHashMap<ActionId, u64>,
    snapshot: Option<SnapshotText>,
}

impl MemoryJournal {
    /// An empty journal with a new key.
    ///
    /// # Errors
    /// If the system has no random source.
    pub fn new() -> Result<Self, getrandom::Error> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)?;
        let (kept, watchers) = (Mutex::default(), Watchers::default());
        let shared = Shared { epoch: random_epoch()?, kept, watchers };
        Ok(Self { shared: Arc::new(shared), key: Key(key) })
    }
}

impl Shared {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is kept, for whoever reads.
    fn readable(&self) -> Result<MutexGuard<'_, Kept>, JournalError> {
        let kept = self.kept();
        if kept.is_closed { Err(JournalError::closed()) } else { Ok(kept) }
    }

    /// What is kept, for whoever writes.
    fn writable(&self) -> Result<MutexGuard<'_, Kept>, NotWritten> {
        let kept = self.kept();
        if kept.is_closed { Err(NotWritten::Closed) } else { Ok(kept) }
    }

    fn append(
        &self,
        table: TableId,
        after: u64,
        entries: Vec<Entry>,
    ) -> Result<Appended, JournalError> {
        lines(after, &entries)?;
        let mut kept = self.writable()?;
        let last = kept.logs.get(&table).map_or(0, Log::last_version);
        if after > last {
            return Err(NotWritten::Ahead { last }.into());
        }
        if after < last {
            return Ok(Appended::Conflict(kept.logs[&table].after(after, usize::MAX)));
        }
        if entries.is_empty() {
            return Ok(Appended::Committed);
        }
        let log = kept.logs.entry(table).or_default();
        log.extend(entries);
        self.watchers.tell([(table, log.last_version())]);
        Ok(Appended::Committed)
    }

    fn read(&self, table: TableId, after: u64, most: usize) -> Result<Tail, JournalError> {
        let kept = self.readable()?;
        let log = kept.logs.get(&table);
        let entries = log.map_or_else(Vec::new, |log| log.after(after, most.min(MOST_ENTRIES)));
        Ok(Tail { epoch: self.epoch, entries, last_version: log.map_or(0, Log::last_version) })
    }

    fn keep_snapshot(&self, table: TableId, snapshot: SnapshotText) -> Result<(), JournalError> {
        if snapshot.text.len() > LONGEST_SNAPSHOT {
            return Err(NotWritten::SnapshotTooLong.into());
        }
        let mut kept = self.writable()?;
        let last = kept.logs.get(&table).map_or(0, Log::last_version);
        match kept.logs.get_mut(&table) {
            Some(log) if (1..=last).contains(&snapshot.version) => {
                let is_newer = |kept: &SnapshotText| kept.version <= snapshot.version;
                if log.snapshot.as_ref().is_none_or(is_newer) {
                    log.snapshot = Some(snapshot);
                }
                Ok(())
            }
            _ => Err(NotWritten::Ahead { last }.into()),
        }
    }

    fn put(&self, table: OpenTable) -> Result<Put, JournalError> {
        let mut kept = self.writable()?;
        let is_other = |other: &OpenTable| other.code == table.code && other.id != table.id;
        if kept.directory.values().any(is_other) {
            return Ok(Put::CodeTaken);
        }
        kept.directory.insert(table.id, table);
        Ok(Put::Done)
    }

    fn listed(&self, listing: &Listing) -> Result<Vec<OpenTable>, JournalError> {
        let kept = self.readable()?;
        let is_asked_for = |table: &&OpenTable| {
            let has_status = listing.status.is_none_or(|status| status == table.status);
            let comes_after = listing.after.is_none_or(|place| table.place() < place);
            table.is_listed && has_status && comes_after
        };
        let mut tables: Vec<_> = kept.directory.values().filter(is_asked_for).cloned().collect();
        tables.sort_by_key(|table| std::cmp::Reverse(table.place()));
        tables.truncate(listing.most.min(Listing::MOST));
        Ok(tables)
    }
}

impl Log {
    fn last_version(&self) -> u64 {
        self.entries.last().map_or(0, |entry| entry.version)
    }

    fn after(&self, after: u64, most: usize) -> Vec<Entry> {
        let start = usize::try_from(after).unwrap_or(usize::MAX);
        self.entries.iter().skip(start).take(most).cloned().collect()
    }

    fn extend(&mut self, entries: Vec<Entry>) {
        for entry in entries {
            if let Some(action) = &entry.action {
                self.actions.entry(action.clone()).or_insert(entry.version);
            }
            self.entries.push(entry);
        }
    }
}

/// An answer that is there already.
fn now<'a, T: Send + 'a>(answer: T) -> Later<'a, T> {
    Box::pin(ready(answer))
}

impl Journal for MemoryJournal {
    fn append(
        &self,
        table: TableId,
        after: u64,
        entries: Vec<Entry>,
    ) -> Later<'_, Result<Appended, JournalError>> {
        now(self.shared.append(table, after, entries))
    }

    fn read(
        &self,
        table: TableId,
        after: u64,
        most: usize,
    ) -> Later<'_, Result<Tail, JournalError>> {
        now(self.shared.read(table, after, most))
    }

    fn find(
        &self,
        table: TableId,
        action: ActionId,
    ) -> Later<'_, Result<Option<u64>, JournalError>> {
        let found = |kept: MutexGuard<'_, Kept>| {
            kept.logs.get(&table).and_then(|log| log.actions.get(&action).copied())
        };
        now(self.shared.readable().map(found))
    }

    fn subscribe(&self, table: TableId, after: u64) -> Subscription {
        let shared = Arc::clone(&self.shared);
        let pages = move |after| now(shared.read(table, after, MOST_ENTRIES));
        Subscription::new(table, after, self.shared.watchers.watch(table), Box::new(pages))
    }

    fn losses(&self) -> Losses {
        self.shared.watchers.losses()
    }

    fn keep_snapshot(
        &self,
        table: TableId,
        snapshot: SnapshotText,
    ) -> Later<'_, Result<(), JournalError>> {
        now(self.shared.keep_snapshot(table, snapshot))
    }

    fn snapshot(&self, table: TableId) -> Later<'_, Result<Option<SnapshotText>, JournalError>> {
        let snapshot =
            |kept: MutexGuard<'_, Kept>| kept.logs.get(&table).and_then(|log| log.snapshot.clone());
        now(self.shared.readable().map(snapshot))
    }

    fn key(&self) -> [u8; 32] {
        self.key.0
    }

    fn is_ready(&self) -> Later<'_, Result<(), NotReady>> {
        let not_ready = |error: NotWritten| NotReady { why: error.to_string() };
        now(self.shared.writable().map(drop).map_err(not_ready))
    }

    fn close(&self) -> Later<'_, Result<(), JournalError>> {
        self.shared.kept().is_closed = true;
        self.shared.watchers.close();
        now(Ok(()))
    }
}

impl Directory for MemoryJournal {
    fn put(&self, table: OpenTable) -> Later<'_, Result<Put, JournalError>> {
        now(self.shared.put(table))
    }

    fn by_code(&self, code: &str) -> Later<'_, Result<Option<OpenTable>, JournalError>> {
        let found = |kept: MutexGuard<'_, Kept>| {
            kept.directory.values().find(|table| table.code == code).cloned()
        };
        now(self.shared.readable().map(found))
    }

    fn listed(&self, listing: Listing) -> Later<'_, Result<Vec<OpenTable>, JournalError>> {
        now(self.shared.listed(&listing))
    }

    fn seats(
        &self,
        table: TableId,
        free: u8,
        status: Status,
    ) -> Later<'_, Result<(), JournalError>> {
        let change = |mut kept: MutexGuard<'_, Kept>| {
            if let Some(table) = kept.directory.get_mut(&table) {
                (table.free_seats, table.status) = (free, status);
            }
        };
        now(self.shared.writable().map(change).map_err(JournalError::from))
    }

    fn remove(&self, table: TableId) -> Later<'_, Result<(), JournalError>> {
        let remove = |mut kept: MutexGuard<'_, Kept>| drop(kept.directory.remove(&table));
        now(self.shared.writable().map(remove).map_err(JournalError::from))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a secret")
    }
}
