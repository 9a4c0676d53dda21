//! The journal in JetStream.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::body::Bytes;
use serde::{Deserialize, Serialize};
use table::{ActionId, Entry};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use super::api::JetStreamApi;
use super::asking::QuestionExchange;
use super::checks::{self, StreamKind};
use super::directory_index::{DirectoryIndex, keep_index};
use super::installation::Installation;
use super::last_write::LastWrite;
use super::live_installation::LiveInstallation;
use super::log_stream::LogStream;
use super::nats_open_error::NatsOpenError;
use super::nats_settings::NatsSettings;
use super::notices::NoticeExchange;
use super::peers::Peers;
use super::rules;
use super::state_stream::{StateStream, ValueChange, table_key};
use super::tail::LogTail;
use crate::TableId;
use crate::journal::arrivals::ArrivalSender;
use crate::journal::installation_key::InstallationKey;
use crate::journal::{
    Appended, Arrivals, BoxFuture, CompactedSize, DeleteOutcome, Journal, JournalError,
    JournalMetrics, LogSummary, Losses, MAX_SNAPSHOT_BYTES, NotReady, NotWritten, Notices,
    Questions, RulesDigest, ServerNotice, SnapshotText, Tail, lines,
};

/// A journal in two streams of NATS JetStream, which several servers may have open at the same time.
pub struct NatsJournal {
    api: JetStreamApi,
    logs: Arc<LogStream>,
    state: StateStream,
    pub(super) index: Arc<DirectoryIndex>,
    installation: Arc<LiveInstallation>,
    peers: Peers,
    questions: QuestionExchange,
    held_kinds: Vec<String>,
    metrics: JournalMetrics,
    waiting: AtomicUsize,
    last_write: LastWrite,
    arrivals: ArrivalSender,
    _index_task: AbortOnDropHandle<()>,
    _tail_task: AbortOnDropHandle<()>,
    notices: Arc<NoticeExchange>,
    _notice_task: AbortOnDropHandle<()>,
}

/// A snapshot as JSON.
#[derive(Debug, Deserialize, Serialize)]
struct StoredSnapshot {
    version: u64,
    text: String,
}

/// The kind of values with snapshots.
const SNAPSHOT: &str = "snapshot";

/// The key of the value that is written to see whether the cluster accepts writes.
const PROBE: &str = "probe";

/// How long writing that value may take.
const PROBE_TIME: Duration = Duration::from_secs(2);

/// How long a server waits for what it follows at its start. The list of tables may fill up later.
const FIRST_PATIENCE: Duration = Duration::from_secs(10);

/// How long a server that stops waits until it is recorded that it was the last one.
const CLOSE_PATIENCE: Duration = Duration::from_secs(1);

impl NatsJournal {
    /// Opens the journal of a cluster, and creates it if it does not exist.
    ///
    /// # Errors
    /// If the cluster cannot be reached, or could lose acknowledged entries.
    pub fn open(settings: &NatsSettings) -> BoxFuture<'_, Result<Self, NatsOpenError>> {
        Box::pin(async { Ok(Self::open_with(settings, Some(InstallationKey::random()?)).await?.0) })
    }

    /// Opens a journal that no server has open. Nothing is written to it.
    ///
    /// # Errors
    /// If there is no journal, if a server has it open, and for the reasons of [`NatsJournal::open`].
    pub fn open_to_read(settings: &NatsSettings) -> BoxFuture<'_, Result<Self, NatsOpenError>> {
        Box::pin(async { Ok(Self::open_with(settings, None).await?.0) })
    }

    /// Creates a journal with the key of another installation.
    ///
    /// # Errors
    /// If there is a journal, and for the reasons of [`NatsJournal::open`].
    pub fn create(
        settings: &NatsSettings,
        key: [u8; 32],
    ) -> BoxFuture<'_, Result<Self, NatsOpenError>> {
        Box::pin(async move {
            let (journal, is_new) = Self::open_with(settings, Some(InstallationKey(key))).await?;
            if !is_new {
                return Err(NatsOpenError::NotEmpty { prefix: settings.prefix.clone() });
            }
            Ok(journal)
        })
    }

    /// Opens the journal to read it, or with a key that it has if it is new; tells whether it has that key.
    async fn open_with(
        settings: &NatsSettings,
        key: Option<InstallationKey>,
    ) -> Result<(Self, bool), NatsOpenError> {
        let (api, prefix) = (checks::connect(settings).await?, settings.prefix.clone());
        let (logs, state) = (format!("{prefix}_logs"), format!("{prefix}_state"));
        let state = StateStream::new(api.clone(), state, prefix.clone());
        let peers = Peers::new(api.client().clone(), &prefix)?;
        if key.is_none() {
            checks::check_existence(&api, settings, [&logs, &state.name]).await?;
        }
        checks::check_servers(settings).await?;
        for (name, kind) in [(&logs, StreamKind::Logs), (&state.name, StreamKind::State)] {
            let word = if kind == StreamKind::Logs { "log" } else { "state" };
            checks::open_stream(&api, settings, name, &format!("{prefix}.{word}.>"), kind).await?;
        }
        let (installation, is_new) = if let Some(key) = key {
            let load = Installation::load(&state, key, &peers, unix_time());
            let (read, sequence, is_new) = load.await?;
            (LiveInstallation::writable(read, sequence, state.clone()), is_new)
        } else {
            let read = Installation::unused(&state, &peers, &prefix).await?;
            (LiveInstallation::read_only(read, state.clone()), false)
        };
        let arrivals = ArrivalSender::default();
        let installation = Arc::new(installation);
        let index = Arc::new(DirectoryIndex::new(arrivals.clone(), Arc::clone(&installation)));
        let (filled, is_filled) = oneshot::channel();
        let keep = keep_index(Arc::clone(&index), state.clone(), filled);
        let index_task = AbortOnDropHandle::new(tokio::spawn(keep));
        if timeout(FIRST_PATIENCE, is_filled).await.is_err() {
            tracing::warn!("the list of tables is not complete yet");
        }
        let questions = QuestionExchange::new(api.client().clone(), &prefix);
        let notices = Arc::new(NoticeExchange::new(api.client().clone(), &prefix));
        let exchange = Arc::clone(&notices).run(api.gaps());
        let notice_task = AbortOnDropHandle::new(tokio::spawn(exchange));
        let logs = Arc::new(LogStream::new(api.clone(), logs, prefix));
        let seen = logs.last_sequence().await?;
        let (began, has_begun) = oneshot::channel();
        let (tail_logs, tail_arrivals) = (Arc::clone(&logs), arrivals.clone());
        let tail = LogTail { api: api.clone(), logs: tail_logs, arrivals: tail_arrivals, seen };
        let tail_task = AbortOnDropHandle::new(tokio::spawn(tail.follow(began)));
        if timeout(FIRST_PATIENCE, has_begun).await.is_err() {
            let why = "no consumer can be made".to_owned();
            return Err(NatsOpenError::NoJetStream { why });
        }
        let journal = Self {
            logs,
            api,
            state,
            index,
            installation,
            peers,
            questions,
            held_kinds: settings.held_kinds.clone(),
            metrics: JournalMetrics::default(),
            waiting: AtomicUsize::new(0),
            last_write: LastWrite::default(),
            arrivals,
            _index_task: index_task,
            _tail_task: tail_task,
            notices,
            _notice_task: notice_task,
        };
        Ok((journal, is_new))
    }

    /// The values for a reader, unless the journal is closed.
    pub(super) fn state(&self) -> Result<&StateStream, JournalError> {
        if self.installation.is_closed() {
            return Err(JournalError::closed());
        }
        Ok(&self.state)
    }

    /// The values for a writer, unless the journal is closed or only read.
    pub(super) fn writable_state(&self) -> Result<&StateStream, JournalError> {
        match self.state() {
            Ok(state) if !self.installation.is_read_only => Ok(state),
            _ => Err(NotWritten::Closed.into()),
        }
    }

    /// The logs for a reader, unless the journal is closed.
    fn logs(&self) -> Result<&LogStream, JournalError> {
        self.state().map(|_| &*self.logs)
    }

    /// The logs for a writer, unless the journal is closed.
    fn writable_logs(&self) -> Result<&LogStream, JournalError> {
        self.writable_state().map(|_| &*self.logs)
    }

    async fn append_entries(
        &self,
        table: TableId,
        after: u64,
        entries: &[Entry],
    ) -> Result<Appended, JournalError> {
        let is_held = |kind: &&str| self.held_kinds.iter().any(|held| held == kind);
        if let Some(kind) = entries.iter().map(|entry| entry.body.kind()).find(is_held) {
            return Err(NotWritten::Held { kind }.into());
        }
        let (lines, started) = (lines::encode(after, entries)?, Instant::now());
        let logs = self.writable_logs()?;
        if after == 0
            && let Some(digest) = entries.first().and_then(RulesDigest::named_in)
        {
            rules::assign(&self.state, digest, table).await?;
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = WaitingRequest(&self.waiting);
        let appended = logs.append(table, after, &lines).await;
        drop(waiting);
        self.metrics.commit_seconds.observe(started.elapsed().as_secs_f64());
        if !entries.is_empty() {
            self.last_write.note_append(started, &appended, Instant::now());
        }
        appended
    }

    async fn read_page(
        &self,
        table: TableId,
        after: u64,
        limit: usize,
    ) -> Result<Tail, JournalError> {
        let (entries, last_version) = self.logs()?.read(table, after, limit).await?;
        Ok(Tail { epoch: self.installation.epoch(), entries, last_version })
    }

    async fn put_snapshot(
        &self,
        table: TableId,
        snapshot: SnapshotText,
    ) -> Result<(), JournalError> {
        let SnapshotText { version, text } = snapshot;
        if text.len() > MAX_SNAPSHOT_BYTES {
            return Err(NotWritten::SnapshotTooLong.into());
        }
        let last = self.writable_logs()?.head(table).await?.version;
        if !(1..=last).contains(&version) {
            return Err(NotWritten::Ahead { last }.into());
        }
        let new = serde_json::to_string(&StoredSnapshot { version, text });
        let new = Bytes::from(new.expect("a snapshot serializes"));
        let replace = |value: Option<&Bytes>| match value.and_then(stored_snapshot) {
            Some(kept) if kept.version > version => ValueChange::Keep(()),
            _ => ValueChange::Put(new.clone(), ()),
        };
        self.state.change(&table_key(table, SNAPSHOT), replace).await.map(drop)
    }

    async fn last_snapshot(&self, table: TableId) -> Result<Option<SnapshotText>, JournalError> {
        let value = self.state()?.get(&table_key(table, SNAPSHOT)).await?;
        let Some(snapshot) = value.as_ref().and_then(stored_snapshot) else { return Ok(None) };
        // A server that was slow may have written it after the table was deleted.
        let last = self.logs.head(table).await?.version;
        Ok((snapshot.version <= last).then_some(snapshot))
    }

    async fn delete_table(&self, table: TableId, last: u64) -> Result<DeleteOutcome, JournalError> {
        let deleted = self.writable_logs()?.delete(table, last, unix_time()).await?;
        if deleted == DeleteOutcome::Touched {
            return Ok(deleted);
        }
        let had_record = self.forget(table).await?;
        self.state.remove(&table_key(table, SNAPSHOT)).await?;
        rules::release(&self.state, table).await?;
        let is_there = deleted == DeleteOutcome::Deleted || had_record;
        Ok(if is_there { DeleteOutcome::Deleted } else { DeleteOutcome::NoTable })
    }

    /// The bytes of the stream of logs.
    async fn stream_size(&self) -> Result<u64, JournalError> {
        let state = self.logs()?.stream_state().await.map_err(JournalError::from)?;
        let size = state["bytes"].as_u64().unwrap_or_default();
        self.metrics.size.set(i64::try_from(size).unwrap_or(i64::MAX));
        Ok(size)
    }

    /// Tries a write, unless one has succeeded a moment ago: without a majority of its servers NATS still
    /// answers questions.
    async fn probe(&self) -> Result<(), JournalError> {
        let state = self.writable_state()?;
        self.stream_size().await?;
        let now = Instant::now();
        if !self.last_write.is_recent(now) {
            let written = timeout(PROBE_TIME, state.put(PROBE, Bytes::from_static(b"1"))).await;
            let late = || NotWritten::Failed { why: "NATS did not write in time".to_owned() };
            let written = written.unwrap_or_else(|_elapsed| Err(late().into()));
            self.last_write.note(now, written.is_ok(), Instant::now());
            written?;
        }
        Ok(())
    }
}

/// Counts a request as long as it waits, also if its caller gives up.
struct WaitingRequest<'a>(&'a AtomicUsize);

impl Drop for WaitingRequest<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn stored_snapshot(value: &Bytes) -> Option<SnapshotText> {
    let StoredSnapshot { version, text } = serde_json::from_slice(value).ok()?;
    Some(SnapshotText { version, text })
}

fn unix_time() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl fmt::Debug for NatsJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NatsJournal").field("logs", &self.logs.name).finish_non_exhaustive()
    }
}

impl Journal for NatsJournal {
    fn append(
        &self,
        table: TableId,
        after: u64,
        entries: Vec<Entry>,
    ) -> BoxFuture<'_, Result<Appended, JournalError>> {
        Box::pin(async move { self.append_entries(table, after, &entries).await })
    }

    fn read(
        &self,
        table: TableId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Tail, JournalError>> {
        Box::pin(self.read_page(table, after, limit))
    }

    fn inspect(
        &self,
        table: TableId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Tail, JournalError>> {
        // Nothing is ever cut: JetStream checks what it has stored.
        Box::pin(self.read_page(table, after, limit))
    }

    fn find(
        &self,
        table: TableId,
        action: ActionId,
    ) -> BoxFuture<'_, Result<Option<u64>, JournalError>> {
        Box::pin(async move { self.logs()?.find(table, &action).await })
    }

    fn losses(&self) -> Losses {
        self.installation.losses.subscribe()
    }

    fn arrivals(&self) -> Arrivals {
        self.arrivals.subscribe()
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn announce(&self, notice: ServerNotice) {
        self.notices.announce(notice);
    }

    fn notices(&self) -> Notices {
        self.notices.subscribe()
    }

    fn answer_questions(&self, name: &str) -> BoxFuture<'_, Option<Questions>> {
        let name = name.to_owned();
        Box::pin(async move { self.questions.answer(&name).await })
    }

    fn ask(&self, name: &str, question: String, time: Duration) -> BoxFuture<'_, Option<String>> {
        let name = name.to_owned();
        Box::pin(async move { self.questions.ask(&name, question, time).await })
    }

    fn keep_snapshot(
        &self,
        table: TableId,
        snapshot: SnapshotText,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        Box::pin(self.put_snapshot(table, snapshot))
    }

    fn snapshot(
        &self,
        table: TableId,
    ) -> BoxFuture<'_, Result<Option<SnapshotText>, JournalError>> {
        Box::pin(self.last_snapshot(table))
    }

    fn keep_rules(&self, text: String) -> BoxFuture<'_, Result<RulesDigest, JournalError>> {
        Box::pin(async move { rules::keep(self.writable_state()?, &text).await })
    }

    fn rules(&self, digest: RulesDigest) -> BoxFuture<'_, Result<Option<String>, JournalError>> {
        Box::pin(async move { rules::text(self.state()?, digest).await })
    }

    fn tables(
        &self,
        after: Option<TableId>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<LogSummary>, JournalError>> {
        Box::pin(async move { self.logs()?.tables(after, limit, unix_time()).await })
    }

    fn size(&self, table: TableId) -> BoxFuture<'_, Result<u64, JournalError>> {
        Box::pin(async move { Ok(self.logs()?.head(table).await?.bytes) })
    }

    fn delete(
        &self,
        table: TableId,
        last: u64,
    ) -> BoxFuture<'_, Result<DeleteOutcome, JournalError>> {
        Box::pin(self.delete_table(table, last))
    }

    fn compact(&self) -> BoxFuture<'_, Result<CompactedSize, JournalError>> {
        // JetStream compacts its files without being asked.
        Box::pin(async move {
            let size = self.stream_size().await?;
            Ok(CompactedSize { before: size, after: size })
        })
    }

    fn key(&self) -> [u8; 32] {
        self.installation.key.0
    }

    fn metrics(&self) -> JournalMetrics {
        self.metrics.clone()
    }

    fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    fn is_ready(&self) -> BoxFuture<'_, Result<(), NotReady>> {
        Box::pin(
            async move { self.probe().await.map_err(|error| NotReady { why: error.to_string() }) },
        )
    }

    fn close(&self) -> BoxFuture<'_, Result<(), JournalError>> {
        Box::pin(async move {
            if self.installation.close() {
                return Ok(());
            }
            self.peers.fall_silent().await;
            if !self.installation.is_read_only && self.peers.are_there().await == Ok(false) {
                // If this fails, the next start begins a new epoch.
                let recorded = self.installation.record_close(unix_time());
                drop(timeout(CLOSE_PATIENCE, recorded).await);
            }
            // Nothing is buffered: what was acknowledged is on the disks of the cluster.
            drop(self.api.client().flush().await);
            Ok(())
        })
    }
}
