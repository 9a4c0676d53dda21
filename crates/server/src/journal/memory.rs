//! A journal in memory, for tests and measurements.

use std::collections::{BTreeMap, BTreeSet};
use std::future::ready;
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use rustc_hash::FxHashMap;
use table::{ActionId, Entry};

use super::arrivals::ArrivalSender;
use super::epoch::random_epoch;
use super::installation_key::InstallationKey;
use super::losses::LossSender;
use super::notices::NoticeSender;
use super::questions::QuestionBoard;
use super::{
    Appended, Arrivals, ArrivedEntries, BoxFuture, CompactedSize, DeleteOutcome, Directory,
    Journal, JournalArrival, JournalError, Listing, LogSummary, Losses, MAX_ENTRIES,
    MAX_RULES_BYTES, MAX_SNAPSHOT_BYTES, MAX_TABLES, NotReady, NotWritten, NoticeArrival, Notices,
    OpenTable, PairingOffer, PairingTurn, PutOutcome, Questions, RulesDigest, ServerNotice,
    SnapshotText, TableStatus, Tail, lines,
};
use crate::TableId;

/// A journal that loses everything when it is dropped.
#[derive(Debug)]
pub struct MemoryJournal {
    key: InstallationKey,
    epoch: u64,
    contents: Mutex<MemoryContents>,
    losses: LossSender,
    /// If several servers share the journal.
    arrivals: Option<ArrivalSender>,
    notices: NoticeSender,
    questions: QuestionBoard,
}

#[derive(Debug, Default)]
struct MemoryContents {
    is_closed: bool,
    logs: FxHashMap<TableId, MemoryLog>,
    /// The keys of `logs`, in order.
    ids: BTreeSet<TableId>,
    directory: BTreeMap<TableId, OpenTable>,
    pairing: FxHashMap<String, PairingTurn>,
    deadlines: BTreeMap<TableId, u64>,
    rules: BTreeMap<RulesDigest, MemoryRules>,
}

/// A text of rules.
#[derive(Debug)]
struct MemoryRules {
    text: String,
    /// The number of tables that name it.
    tables: usize,
}

#[derive(Debug, Default)]
struct MemoryLog {
    entries: Vec<Entry>,
    snapshot: Option<SnapshotText>,
}

impl MemoryJournal {
    /// An empty journal with a new key.
    ///
    /// # Errors
    /// If the system has no random source.
    pub fn new() -> Result<Self, getrandom::Error> {
        Ok(Self {
            key: InstallationKey::random()?,
            epoch: random_epoch()?,
            contents: Mutex::default(),
            losses: LossSender::default(),
            arrivals: None,
            notices: NoticeSender::default(),
            questions: QuestionBoard::default(),
        })
    }

    /// An empty journal for several servers in one process.
    ///
    /// # Errors
    /// If the system has no random source.
    pub fn shared() -> Result<Self, getrandom::Error> {
        Ok(Self { arrivals: Some(ArrivalSender::default()), ..Self::new()? })
    }

    fn contents(&self) -> MutexGuard<'_, MemoryContents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The contents for a reader, unless the journal is closed.
    fn readable(&self) -> Result<MutexGuard<'_, MemoryContents>, JournalError> {
        let contents = self.contents();
        if contents.is_closed { Err(JournalError::closed()) } else { Ok(contents) }
    }

    /// The contents for a writer, unless the journal is closed.
    fn writable(&self) -> Result<MutexGuard<'_, MemoryContents>, NotWritten> {
        let contents = self.contents();
        if contents.is_closed { Err(NotWritten::Closed) } else { Ok(contents) }
    }

    fn append_now(
        &self,
        table: TableId,
        after: u64,
        entries: Vec<Entry>,
    ) -> Result<Appended, JournalError> {
        let lines = lines::encode(after, &entries)?;
        let mut contents = self.writable()?;
        let last = contents.logs.get(&table).map_or(0, MemoryLog::last_version);
        if after > last {
            return Err(NotWritten::Ahead { last }.into());
        }
        if after < last {
            return Ok(Appended::Conflict(contents.logs[&table].after(after, usize::MAX)));
        }
        if entries.is_empty() {
            return Ok(Appended::Committed);
        }
        if last == 0 {
            contents.begin(table, &entries)?;
        }
        let (first, last) = (after + 1, after + entries.len() as u64);
        contents.logs.entry(table).or_default().entries.extend(entries);
        // Under the lock, so that arrivals are in the order of appends.
        if let Some(arrivals) = &self.arrivals {
            let lines = Bytes::from(lines.join("\n"));
            arrivals.send(JournalArrival::Entries(ArrivedEntries { table, first, last, lines }));
        }
        drop(contents);
        Ok(Appended::Committed)
    }

    fn read_now(&self, table: TableId, after: u64, limit: usize) -> Result<Tail, JournalError> {
        let contents = self.readable()?;
        let log = contents.logs.get(&table);
        let entries = log.map_or_else(Vec::new, |log| log.after(after, limit.min(MAX_ENTRIES)));
        let last_version = log.map_or(0, MemoryLog::last_version);
        Ok(Tail { epoch: self.epoch, entries, last_version })
    }

    fn keep_snapshot_now(
        &self,
        table: TableId,
        snapshot: SnapshotText,
    ) -> Result<(), JournalError> {
        if snapshot.text.len() > MAX_SNAPSHOT_BYTES {
            return Err(NotWritten::SnapshotTooLong.into());
        }
        let mut contents = self.writable()?;
        let last = contents.logs.get(&table).map_or(0, MemoryLog::last_version);
        match contents.logs.get_mut(&table) {
            Some(log) if (1..=last).contains(&snapshot.version) => {
                let is_older = |kept: &SnapshotText| kept.version <= snapshot.version;
                if log.snapshot.as_ref().is_none_or(is_older) {
                    log.snapshot = Some(snapshot);
                }
                Ok(())
            }
            _ => Err(NotWritten::Ahead { last }.into()),
        }
    }

    fn keep_rules_now(&self, text: String) -> Result<RulesDigest, JournalError> {
        if text.len() > MAX_RULES_BYTES {
            return Err(NotWritten::RulesTooLong.into());
        }
        let digest = RulesDigest::of(&text);
        let rules = || MemoryRules { text, tables: 0 };
        self.writable()?.rules.entry(digest).or_insert_with(rules);
        Ok(digest)
    }

    fn tables_now(
        &self,
        after: Option<TableId>,
        limit: usize,
    ) -> Result<Vec<LogSummary>, JournalError> {
        let contents = self.readable()?;
        let summary = |id: &TableId| contents.logs.get(id).map(|log| log.summary(*id));
        let ids = contents.ids.range(later_than(after)).take(limit.min(MAX_TABLES));
        Ok(ids.filter_map(summary).collect())
    }

    fn size_now(&self, table: TableId) -> Result<u64, JournalError> {
        let contents = self.readable()?;
        let size = |entry: &Entry| entry.write().len() as u64;
        Ok(contents.logs.get(&table).map_or(0, |log| log.entries.iter().map(size).sum()))
    }

    fn delete_now(&self, table: TableId, last: u64) -> Result<DeleteOutcome, JournalError> {
        let mut contents = self.writable()?;
        let found = contents.logs.get(&table).map_or(0, MemoryLog::last_version);
        if found != last && found > 0 {
            return Ok(DeleteOutcome::Touched);
        }
        contents.ids.remove(&table);
        let log = contents.logs.remove(&table);
        contents.release_rules(log.as_ref());
        let record = contents.directory.remove(&table);
        contents.deadlines.remove(&table);
        let is_there = log.is_some() || record.is_some();
        if let Some(arrivals) = &self.arrivals {
            arrivals.send(JournalArrival::Deleted(table));
        }
        drop(contents);
        Ok(if is_there { DeleteOutcome::Deleted } else { DeleteOutcome::NoTable })
    }

    fn records_now(
        &self,
        after: Option<TableId>,
        limit: usize,
    ) -> Result<Vec<OpenTable>, JournalError> {
        let contents = self.readable()?;
        let records = contents.directory.range(later_than(after)).take(limit.min(MAX_TABLES));
        Ok(records.map(|(_, record)| record.clone()).collect())
    }

    fn put_now(&self, table: OpenTable) -> Result<PutOutcome, JournalError> {
        let mut contents = self.writable()?;
        if contents.is_taken(&table.code, table.id) {
            return Ok(PutOutcome::CodeTaken);
        }
        self.tell_listed(&table);
        contents.directory.insert(table.id, table);
        Ok(PutOutcome::Done)
    }

    fn tell_listed(&self, table: &OpenTable) {
        if let Some(arrivals) = self.arrivals.as_ref().filter(|_| table.is_listed) {
            arrivals.send(JournalArrival::Listed(table.clone()));
        }
    }

    fn set_code_now(
        &self,
        table: TableId,
        code: &str,
        until: u64,
    ) -> Result<PutOutcome, JournalError> {
        let mut contents = self.writable()?;
        if contents.is_taken(code, table) {
            return Ok(PutOutcome::CodeTaken);
        }
        if let Some(table) = contents.directory.get_mut(&table) {
            (table.code, table.code_until) = (code.to_owned(), until);
        }
        Ok(PutOutcome::Done)
    }

    fn deadlines_now(&self) -> Result<Vec<(u64, TableId)>, JournalError> {
        let contents = self.readable()?;
        let mut deadlines: Vec<_> =
            contents.deadlines.iter().map(|(table, deadline)| (*deadline, *table)).collect();
        deadlines.sort_unstable();
        deadlines.truncate(Listing::MAX);
        Ok(deadlines)
    }

    fn listed_now(&self, listing: &Listing) -> Result<Vec<OpenTable>, JournalError> {
        let contents = self.readable()?;
        let is_wanted = |table: &&OpenTable| {
            let has_status = listing.status.is_none_or(|status| status == table.status);
            let comes_after = listing.after.is_none_or(|after| table.sort_key() < after);
            table.is_listed && has_status && comes_after
        };
        let mut tables: Vec<_> = contents.directory.values().filter(is_wanted).cloned().collect();
        tables.sort_by_key(|table| std::cmp::Reverse(table.sort_key()));
        tables.truncate(listing.limit.min(Listing::MAX));
        Ok(tables)
    }
}

/// The range of ids after this one.
fn later_than(after: Option<TableId>) -> (Bound<TableId>, Bound<TableId>) {
    (after.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded)
}

impl MemoryContents {
    /// Begins the log of a table, whose rules must be kept if it names any.
    fn begin(&mut self, table: TableId, entries: &[Entry]) -> Result<(), NotWritten> {
        if let Some(digest) = entries.first().and_then(RulesDigest::named_in) {
            self.rules.get_mut(&digest).ok_or(NotWritten::NoRules)?.tables += 1;
        }
        self.ids.insert(table);
        Ok(())
    }

    /// Removes the rules of a table that was deleted, unless another table names them.
    fn release_rules(&mut self, log: Option<&MemoryLog>) {
        let first = log.and_then(|log| log.entries.first());
        let Some(digest) = first.and_then(RulesDigest::named_in) else { return };
        if let Some(rules) = self.rules.get_mut(&digest) {
            rules.tables -= 1;
            if rules.tables == 0 {
                self.rules.remove(&digest);
            }
        }
    }

    /// Whether another table has this code, valid or not.
    fn is_taken(&self, code: &str, table: TableId) -> bool {
        self.directory.values().any(|other| other.code == code && other.id != table)
    }
}

impl MemoryLog {
    fn summary(&self, id: TableId) -> LogSummary {
        let last = self.entries.last();
        let version = last.map_or(0, |entry| entry.version);
        LogSummary { id, version, touched_at: last.map(|entry| entry.at) }
    }

    fn last_version(&self) -> u64 {
        self.entries.last().map_or(0, |entry| entry.version)
    }

    fn after(&self, after: u64, limit: usize) -> Vec<Entry> {
        let start = usize::try_from(after).unwrap_or(usize::MAX);
        self.entries.iter().skip(start).take(limit).cloned().collect()
    }

    /// The version of the first entry of an action. An action is rarely looked up, so no index is kept.
    fn find(&self, action: &ActionId) -> Option<u64> {
        let is_it = |entry: &&Entry| entry.action.as_ref() == Some(action);
        self.entries.iter().find(is_it).map(|entry| entry.version)
    }
}

/// A future that is ready.
fn now<'a, T: Send + 'a>(answer: T) -> BoxFuture<'a, T> {
    Box::pin(ready(answer))
}

impl Journal for MemoryJournal {
    fn append(
        &self,
        table: TableId,
        after: u64,
        entries: Vec<Entry>,
    ) -> BoxFuture<'_, Result<Appended, JournalError>> {
        now(self.append_now(table, after, entries))
    }

    fn read(
        &self,
        table: TableId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Tail, JournalError>> {
        now(self.read_now(table, after, limit))
    }

    fn inspect(
        &self,
        table: TableId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Tail, JournalError>> {
        now(self.read_now(table, after, limit))
    }

    fn find(
        &self,
        table: TableId,
        action: ActionId,
    ) -> BoxFuture<'_, Result<Option<u64>, JournalError>> {
        let found = |contents: MutexGuard<'_, MemoryContents>| {
            contents.logs.get(&table).and_then(|log| log.find(&action))
        };
        now(self.readable().map(found))
    }

    fn losses(&self) -> Losses {
        self.losses.subscribe()
    }

    fn arrivals(&self) -> Arrivals {
        self.arrivals.as_ref().map_or_else(Arrivals::none, ArrivalSender::subscribe)
    }

    fn is_shared(&self) -> bool {
        self.arrivals.is_some()
    }

    fn announce(&self, notice: ServerNotice) {
        self.notices.send(NoticeArrival::Told([notice].into()));
    }

    fn notices(&self) -> Notices {
        self.notices.subscribe()
    }

    fn answer_questions(&self, name: &str) -> BoxFuture<'_, Option<Questions>> {
        now(self.is_shared().then(|| self.questions.answer(name)))
    }

    fn ask(&self, name: &str, question: String, _: Duration) -> BoxFuture<'_, Option<String>> {
        let name = name.to_owned();
        Box::pin(async move { self.questions.ask(&name, question).await })
    }

    fn keep_snapshot(
        &self,
        table: TableId,
        snapshot: SnapshotText,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        now(self.keep_snapshot_now(table, snapshot))
    }

    fn snapshot(
        &self,
        table: TableId,
    ) -> BoxFuture<'_, Result<Option<SnapshotText>, JournalError>> {
        let snapshot = |contents: MutexGuard<'_, MemoryContents>| {
            contents.logs.get(&table).and_then(|log| log.snapshot.clone())
        };
        now(self.readable().map(snapshot))
    }

    fn keep_rules(&self, text: String) -> BoxFuture<'_, Result<RulesDigest, JournalError>> {
        now(self.keep_rules_now(text))
    }

    fn rules(&self, digest: RulesDigest) -> BoxFuture<'_, Result<Option<String>, JournalError>> {
        let text = |contents: MutexGuard<'_, MemoryContents>| {
            contents.rules.get(&digest).map(|rules| rules.text.clone())
        };
        now(self.readable().map(text))
    }

    fn tables(
        &self,
        after: Option<TableId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<LogSummary>, JournalError>> {
        now(self.tables_now(after, limit))
    }

    fn size(&self, table: TableId) -> BoxFuture<'_, Result<u64, JournalError>> {
        now(self.size_now(table))
    }

    fn delete(
        &self,
        table: TableId,
        last: u64,
    ) -> BoxFuture<'_, Result<DeleteOutcome, JournalError>> {
        now(self.delete_now(table, last))
    }

    fn compact(&self) -> BoxFuture<'_, Result<CompactedSize, JournalError>> {
        now(self.writable().map(|_| CompactedSize::default()).map_err(JournalError::from))
    }

    fn key(&self) -> [u8; 32] {
        self.key.0
    }

    fn is_ready(&self) -> BoxFuture<'_, Result<(), NotReady>> {
        let not_ready = |error: NotWritten| NotReady { why: error.to_string() };
        now(self.writable().map(drop).map_err(not_ready))
    }

    fn close(&self) -> BoxFuture<'_, Result<(), JournalError>> {
        self.contents().is_closed = true;
        self.losses.close();
        now(Ok(()))
    }
}

impl Directory for MemoryJournal {
    fn put(&self, table: OpenTable) -> BoxFuture<'_, Result<PutOutcome, JournalError>> {
        now(self.put_now(table))
    }

    fn by_id(&self, table: TableId) -> BoxFuture<'_, Result<Option<OpenTable>, JournalError>> {
        let found =
            |contents: MutexGuard<'_, MemoryContents>| contents.directory.get(&table).cloned();
        now(self.readable().map(found))
    }

    fn by_code(
        &self,
        code: &str,
        at: u64,
    ) -> BoxFuture<'_, Result<Option<OpenTable>, JournalError>> {
        let found = |contents: MutexGuard<'_, MemoryContents>| {
            let table = contents.directory.values().find(|table| table.code == code);
            table.filter(|table| table.has_valid_code(at)).cloned()
        };
        now(self.readable().map(found))
    }

    fn set_code(
        &self,
        table: TableId,
        code: &str,
        until: u64,
    ) -> BoxFuture<'_, Result<PutOutcome, JournalError>> {
        now(self.set_code_now(table, code, until))
    }

    fn listed(&self, listing: Listing) -> BoxFuture<'_, Result<Vec<OpenTable>, JournalError>> {
        now(self.listed_now(&listing))
    }

    fn records(
        &self,
        after: Option<TableId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<OpenTable>, JournalError>> {
        now(self.records_now(after, limit))
    }

    fn seats(
        &self,
        table: TableId,
        free: u8,
        status: TableStatus,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let change = |mut contents: MutexGuard<'_, MemoryContents>| {
            if let Some(table) = contents.directory.get_mut(&table) {
                (table.free_seats, table.status) = (free, status);
                self.tell_listed(table);
            }
        };
        now(self.writable().map(change).map_err(JournalError::from))
    }

    fn set_deadline(
        &self,
        table: TableId,
        deadline: Option<u64>,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let change = |mut contents: MutexGuard<'_, MemoryContents>| match deadline {
            Some(deadline) if contents.directory.contains_key(&table) => {
                contents.deadlines.insert(table, deadline);
            }
            _ => drop(contents.deadlines.remove(&table)),
        };
        now(self.writable().map(change).map_err(JournalError::from))
    }

    fn expect_deadline(
        &self,
        table: TableId,
        deadline: u64,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let change = |mut contents: MutexGuard<'_, MemoryContents>| {
            if contents.directory.contains_key(&table) {
                let recorded = contents.deadlines.entry(table).or_insert(deadline);
                *recorded = deadline.min(*recorded);
            }
        };
        now(self.writable().map(change).map_err(JournalError::from))
    }

    fn deadlines(&self) -> BoxFuture<'_, Result<Vec<(u64, TableId)>, JournalError>> {
        now(self.deadlines_now())
    }

    fn begin_pairing(
        &self,
        game: &str,
        until: u64,
        at: u64,
    ) -> BoxFuture<'_, Result<Option<PairingTurn>, JournalError>> {
        let begin = |mut contents: MutexGuard<'_, MemoryContents>| {
            let turn = contents.pairing.entry(game.to_owned()).or_default();
            turn.begin(until, at)
        };
        now(self.writable().map(begin).map_err(JournalError::from))
    }

    fn end_pairing(
        &self,
        game: &str,
        offer: Option<PairingOffer>,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        let end = |mut contents: MutexGuard<'_, MemoryContents>| {
            contents.pairing.insert(game.to_owned(), PairingTurn { until: 0, offer });
        };
        now(self.writable().map(end).map_err(JournalError::from))
    }
}
