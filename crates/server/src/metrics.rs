//! Metrics for operators.

mod process;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::game_cache::CacheGauges;
use crate::journal::{JournalMetrics, TableStatus};
use crate::work_pool::PoolGauges;
use process::ProcessCollector;

/// The metrics of a server. `docs/server.md` describes each of them.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    pub(crate) live_tables: Gauge,
    tables: Family<TableStatusLabel, Gauge>,
    pub(crate) connections: Gauge,
    pub(crate) created_tables: Counter,
    pub(crate) deleted_tables: Counter,
    pub(crate) accepted: Counter,
    pub(crate) refused: Family<CodeLabel, Counter>,
    requests: Family<StatusLabel, Counter>,
    request_seconds: Family<RequestLabels, Histogram, fn() -> Histogram>,
    pub(crate) limited: Family<CodeLabel, Counter>,
    pub(crate) append_seconds: Histogram,
    pub(crate) restarts: Counter,
    pub(crate) set_aside: Counter,
    pub(crate) slow_readers: Counter,
    /// Messages in all outboxes.
    pub(crate) outgoing: Gauge,
    /// Requests in the mailboxes of all tables.
    pub(crate) table_requests: Gauge,
    /// Requests that wait for the journal.
    pub(crate) journal_requests: Gauge,
    pub(crate) work: PoolGauges,
    pub(crate) games: CacheGauges,
}

/// The code of a refusal, or the name of a limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct CodeLabel {
    code: String,
}

/// The status of a response.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct StatusLabel {
    status: u16,
}

/// The status of a table in memory: `waiting` or `playing`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TableStatusLabel {
    status: &'static str,
}

/// A kind of requests. The method is one of those that the server knows, and the route is a template,
/// so that strangers cannot invent labels.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct RequestLabels {
    pub(crate) method: &'static str,
    pub(crate) route: String,
    /// The class of the status, as in `2xx`.
    pub(crate) status: &'static str,
}

impl Metrics {
    pub(crate) fn new(journal: &JournalMetrics) -> Self {
        let mut metrics = Self {
            registry: Registry::default(),
            live_tables: Gauge::default(),
            tables: Family::default(),
            connections: Gauge::default(),
            created_tables: Counter::default(),
            deleted_tables: Counter::default(),
            accepted: Counter::default(),
            refused: Family::default(),
            requests: Family::default(),
            // From 0.5 ms to 8 s.
            request_seconds: Family::new_with_constructor(|| {
                Histogram::new(exponential_buckets(0.0005, 4.0, 8))
            }),
            limited: Family::default(),
            // From 0.1 ms to 1.6 s.
            append_seconds: Histogram::new(exponential_buckets(0.0001, 2.0, 15)),
            restarts: Counter::default(),
            set_aside: Counter::default(),
            slow_readers: Counter::default(),
            outgoing: Gauge::default(),
            table_requests: Gauge::default(),
            journal_requests: Gauge::default(),
            work: PoolGauges::default(),
            games: CacheGauges::default(),
        };
        metrics.registry.register_collector(Box::new(ProcessCollector::new()));
        metrics.register_tables();
        metrics.register_clients();
        metrics.register_journal(journal);
        metrics.register_work();
        metrics
    }

    fn register_tables(&mut self) {
        let registry = self.registry.sub_registry_with_prefix("cradle");
        let version = vec![("version", env!("CARGO_PKG_VERSION"))];
        registry.register("build", "The version of the server", Info::new(version));
        registry.register("live_tables", "Tables in memory", self.live_tables.clone());
        registry.register("tables", "Tables in memory, by status", self.tables.clone());
        registry.register("created_tables", "Tables created", self.created_tables.clone());
        registry.register("deleted_tables", "Tables deleted", self.deleted_tables.clone());
        let accepted = "Actions that were recorded and acknowledged";
        registry.register("actions_accepted", accepted, self.accepted.clone());
        registry.register("actions_refused", "Actions refused, by code", self.refused.clone());
        let restarts = "Tables that failed and were loaded again";
        registry.register("table_restarts", restarts, self.restarts.clone());
        let set_aside = "Tables that kept failing and were set aside";
        registry.register("tables_set_aside", set_aside, self.set_aside.clone());
        let waiting = "Requests that wait at tables";
        registry.register("table_requests_waiting", waiting, self.table_requests.clone());
    }

    fn register_clients(&mut self) {
        let registry = self.registry.sub_registry_with_prefix("cradle");
        let connections = "Open WebSockets, long polls and streams";
        registry.register("connections", connections, self.connections.clone());
        registry.register("http_requests", "HTTP requests, by status", self.requests.clone());
        let seconds = "Time until the response began, by method, route and class of status";
        let histograms = self.request_seconds.clone();
        registry.register_with_unit("http_request_duration", seconds, Unit::Seconds, histograms);
        let limited = "Requests and connections beyond a limit, by the name of the limit";
        registry.register("limited", limited, self.limited.clone());
        let slow_readers = "Connections that read too slowly and had to join again";
        registry.register("slow_readers", slow_readers, self.slow_readers.clone());
        let outgoing = "Messages that wait to be sent to connections";
        registry.register("messages_waiting", outgoing, self.outgoing.clone());
    }

    fn register_journal(&mut self, journal: &JournalMetrics) {
        let registry = self.registry.sub_registry_with_prefix("cradle");
        let append =
            "Time that the journal took to make entries durable, with the time in its queue";
        let histogram = self.append_seconds.clone();
        registry.register_with_unit("journal_append", append, Unit::Seconds, histogram);
        let commit = "Time of one commit, which waits for the disk";
        let histogram = journal.commit_seconds.clone();
        registry.register_with_unit("journal_commit", commit, Unit::Seconds, histogram);
        let batch = "Writes in one commit";
        registry.register("journal_batch_writes", batch, journal.batch_writes.clone());
        let size = "Bytes of the journal's files";
        registry.register_with_unit("journal_size", size, Unit::Bytes, journal.size.clone());
        let waiting = "Requests that wait for the journal";
        registry.register("journal_requests_waiting", waiting, self.journal_requests.clone());
    }

    fn register_work(&mut self) {
        let registry = self.registry.sub_registry_with_prefix("cradle");
        let queued = "Builds, searches and computers' moves that wait for a worker";
        registry.register("work_queue_length", queued, self.work.queued.clone());
        let busy = "Workers that build a game, search one, or choose a computer's move";
        registry.register("work_busy_workers", busy, self.work.busy.clone());
        let bytes = "Memory of the games that are built, with their solutions";
        registry.register_with_unit("game_cache", bytes, Unit::Bytes, self.games.bytes.clone());
        registry.register("cached_games", "Games that are built", self.games.games.clone());
    }

    /// All metrics, in the text format of `OpenMetrics`.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &self.registry)
            .expect("writing to a string cannot fail");
        text
    }

    /// The number of tables in memory with this status.
    pub(crate) fn tables_with(&self, status: TableStatus) -> Gauge {
        let status = match status {
            TableStatus::Waiting => "waiting",
            TableStatus::Playing => "playing",
            TableStatus::Idle => "idle",
        };
        self.tables.get_or_create_owned(&TableStatusLabel { status })
    }

    pub(crate) fn refused(&self, code: &str) {
        self.refused.get_or_create(&CodeLabel { code: code.to_owned() }).inc();
    }

    pub(crate) fn limited(&self, limit: &str) {
        self.limited.get_or_create(&CodeLabel { code: limit.to_owned() }).inc();
    }

    /// Counts a response and the time until it began.
    pub(crate) fn answered(&self, status: u16, labels: &RequestLabels, seconds: f64) {
        self.requests.get_or_create(&StatusLabel { status }).inc();
        self.request_seconds.get_or_create(labels).observe(seconds);
    }
}
