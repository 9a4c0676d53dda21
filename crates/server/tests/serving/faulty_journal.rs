//! A journal that fails on demand.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use server::{
    Appended, BoxFuture, CompactedSize, DeleteOutcome, Directory, Journal, JournalError, Listing,
    LogSummary, Loss, Losses, MemoryJournal, NotReady, NotWritten, OpenTable, PutOutcome,
    RulesDigest, SnapshotText, TableId, TableStatus, Tail,
};
use table::{ActionId, Entry, EntryBody};
use tokio::sync::{broadcast, watch};

/// A fault of an append.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// Nothing is written, and the error says so.
    NotWritten,
    /// The entries are written, but the answer is lost.
    Lost,
    /// The entries are not written, and the answer is lost.
    Vanished,
}

/// A journal in memory that fails on demand.
#[derive(Debug)]
pub(crate) struct FaultyJournal {
    inner: MemoryJournal,
    faults: Mutex<VecDeque<Option<Fault>>>,
    failing_reads: AtomicUsize,
    salvaged: AtomicU64,
    losses: broadcast::Sender<Loss>,
    is_held: watch::Sender<bool>,
    waiting: AtomicUsize,
    is_old: AtomicBool,
    is_shared: AtomicBool,
}

impl FaultyJournal {
    pub(crate) fn new() -> Arc<Self> {
        let inner = MemoryJournal::new().expect("the system has random bytes");
        let (faults, failing_reads) = (Mutex::default(), AtomicUsize::new(0));
        let (is_held, waiting) = (watch::Sender::new(false), AtomicUsize::new(0));
        let (salvaged, losses) = (AtomicU64::new(0), broadcast::Sender::new(8));
        let (is_old, is_shared) = (AtomicBool::new(false), AtomicBool::new(false));
        Arc::new(Self {
            inner,
            faults,
            failing_reads,
            salvaged,
            losses,
            is_held,
            waiting,
            is_old,
            is_shared,
        })
    }

    /// Lets the next append fail; further calls are for the appends after it.
    pub(crate) fn fail(&self, fault: Fault) {
        self.fail_after(0, fault);
    }

    /// Lets `good` appends succeed and the next one fail.
    pub(crate) fn fail_after(&self, good: usize, fault: Fault) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.extend(std::iter::repeat_n(None, good));
        faults.push_back(Some(fault));
    }

    /// Lets all reads fail from now on.
    pub(crate) fn fail_reads(&self) {
        self.failing_reads.store(usize::MAX, Ordering::Relaxed);
    }

    /// Lets one read fail.
    pub(crate) fn fail_next_read(&self) {
        self.failing_reads.store(1, Ordering::Relaxed);
    }

    /// Begins a new epoch, as after a salvage.
    pub(crate) fn salvage(&self, loss: Loss) {
        self.salvaged.fetch_add(1, Ordering::Relaxed);
        self.losses.send(loss).expect("the server listens");
    }

    /// Lets reads succeed again.
    pub(crate) fn heal(&self) {
        self.failing_reads.store(0, Ordering::Relaxed);
    }

    /// Drops explanations from now on, like the logs of old versions.
    pub(crate) fn drop_explanations(&self) {
        self.is_old.store(true, Ordering::Relaxed);
    }

    /// Lets servers believe that others have the journal open. Nothing ever arrives from them.
    pub(crate) fn share_silently(&self) {
        self.is_shared.store(true, Ordering::Relaxed);
    }

    /// Holds all appends from now on.
    pub(crate) fn hold(&self) {
        self.is_held.send_replace(true);
    }

    /// Releases the appends.
    pub(crate) fn release(&self) {
        self.is_held.send_replace(false);
    }

    /// The number of appends that are held.
    pub(crate) fn held(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    fn check_reads(&self) -> Result<(), JournalError> {
        let fewer = |left: usize| if left == usize::MAX { Some(left) } else { left.checked_sub(1) };
        match self.failing_reads.try_update(Ordering::Relaxed, Ordering::Relaxed, fewer) {
            Ok(_) => Err(JournalError::NotRead { why: "reads fail in this test".to_owned() }),
            Err(_) => Ok(()),
        }
    }
}

fn drop_explanation(entry: &mut Entry) {
    if let EntryBody::Played { explanation, .. } = &mut entry.body {
        *explanation = None;
    }
}

impl Journal for FaultyJournal {
    fn append(
        &self,
        table: TableId,
        after: u64,
        entries: Vec<Entry>,
    ) -> BoxFuture<'_, Result<Appended, JournalError>> {
        let mut entries = entries;
        if self.is_old.load(Ordering::Relaxed) {
            entries.iter_mut().for_each(drop_explanation);
        }
        Box::pin(async move {
            let mut is_held = self.is_held.subscribe();
            self.waiting.fetch_add(1, Ordering::Relaxed);
            drop(is_held.wait_for(|is_held| !is_held).await);
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            let unknown = || JournalError::Unknown { why: "the answer was lost".to_owned() };
            let fault = self.faults.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            match fault.flatten() {
                None => self.inner.append(table, after, entries).await,
                Some(Fault::NotWritten) => Err(NotWritten::DiskFull.into()),
                Some(Fault::Vanished) => Err(unknown()),
                Some(Fault::Lost) => {
                    self.inner.append(table, after, entries).await?;
                    Err(unknown())
                }
            }
        })
    }

    fn read(
        &self,
        table: TableId,
        after: u64,
        most: usize,
    ) -> BoxFuture<'_, Result<Tail, JournalError>> {
        Box::pin(async move {
            self.check_reads()?;
            let mut tail = self.inner.read(table, after, most).await?;
            tail.epoch += self.salvaged.load(Ordering::Relaxed);
            Ok(tail)
        })
    }

    fn inspect(
        &self,
        table: TableId,
        after: u64,
        most: usize,
    ) -> BoxFuture<'_, Result<Tail, JournalError>> {
        self.read(table, after, most)
    }

    fn find(
        &self,
        table: TableId,
        action: ActionId,
    ) -> BoxFuture<'_, Result<Option<u64>, JournalError>> {
        Box::pin(async move {
            self.check_reads()?;
            self.inner.find(table, action).await
        })
    }

    fn is_shared(&self) -> bool {
        self.is_shared.load(Ordering::Relaxed)
    }

    fn losses(&self) -> Losses {
        Losses::new(self.losses.subscribe())
    }

    fn keep_rules(&self, text: String) -> BoxFuture<'_, Result<RulesDigest, JournalError>> {
        self.inner.keep_rules(text)
    }

    fn rules(&self, digest: RulesDigest) -> BoxFuture<'_, Result<Option<String>, JournalError>> {
        Box::pin(async move {
            self.check_reads()?;
            self.inner.rules(digest).await
        })
    }

    fn keep_snapshot(
        &self,
        table: TableId,
        snapshot: SnapshotText,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        self.inner.keep_snapshot(table, snapshot)
    }

    fn snapshot(
        &self,
        table: TableId,
    ) -> BoxFuture<'_, Result<Option<SnapshotText>, JournalError>> {
        Box::pin(async move {
            self.check_reads()?;
            self.inner.snapshot(table).await
        })
    }

    fn tables(
        &self,
        after: Option<TableId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<LogSummary>, JournalError>> {
        self.inner.tables(after, limit)
    }

    fn size(&self, table: TableId) -> BoxFuture<'_, Result<u64, JournalError>> {
        self.inner.size(table)
    }

    fn delete(
        &self,
        table: TableId,
        last: u64,
    ) -> BoxFuture<'_, Result<DeleteOutcome, JournalError>> {
        Box::pin(async move {
            self.check_reads()?;
            self.inner.delete(table, last).await
        })
    }

    fn compact(&self) -> BoxFuture<'_, Result<CompactedSize, JournalError>> {
        self.inner.compact()
    }

    fn key(&self) -> [u8; 32] {
        self.inner.key()
    }

    fn is_ready(&self) -> BoxFuture<'_, Result<(), NotReady>> {
        Box::pin(
            async move { self.check_reads().map_err(|error| NotReady { why: error.to_string() }) },
        )
    }

    fn close(&self) -> BoxFuture<'_, Result<(), JournalError>> {
        self.inner.close()
    }
}

impl Directory for FaultyJournal {
    fn put(&self, table: OpenTable) -> BoxFuture<'_, Result<PutOutcome, JournalError>> {
        self.inner.put(table)
    }

    fn by_id(&self, table: TableId) -> BoxFuture<'_, Result<Option<OpenTable>, JournalError>> {
        self.inner.by_id(table)
    }

    fn by_code(
        &self,
        code: &str,
        now: u64,
    ) -> BoxFuture<'_, Result<Option<OpenTable>, JournalError>> {
        self.inner.by_code(code, now)
    }

    fn set_code(
        &self,
        table: TableId,
        code: &str,
        until: u64,
    ) -> BoxFuture<'_, Result<PutOutcome, JournalError>> {
        self.inner.set_code(table, code, until)
    }

    fn listed(&self, listing: Listing) -> BoxFuture<'_, Result<Vec<OpenTable>, JournalError>> {
        self.inner.listed(listing)
    }

    fn records(
        &self,
        after: Option<TableId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<OpenTable>, JournalError>> {
        self.inner.records(after, limit)
    }

    fn seats(
        &self,
        table: TableId,
        free: u8,
        status: TableStatus,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        self.inner.seats(table, free, status)
    }

    fn set_deadline(
        &self,
        table: TableId,
        deadline: Option<u64>,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        self.inner.set_deadline(table, deadline)
    }

    fn deadlines(&self) -> BoxFuture<'_, Result<Vec<(u64, TableId)>, JournalError>> {
        self.inner.deadlines()
    }
}
