//! Metrics for operators.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use crate::game_cache::CacheGauges;
use crate::work_pool::PoolGauges;

/// The metrics of a server.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    pub(crate) live_tables: Gauge,
    pub(crate) connections: Gauge,
    pub(crate) created_tables: Counter,
    pub(crate) deleted_tables: Counter,
    pub(crate) accepted: Counter,
    pub(crate) refused: Family<CodeLabel, Counter>,
    pub(crate) requests: Family<StatusLabel, Counter>,
    pub(crate) limited: Family<CodeLabel, Counter>,
    pub(crate) append_seconds: Histogram,
    pub(crate) restarts: Counter,
    pub(crate) set_aside: Counter,
    pub(crate) slow_readers: Counter,
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

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("cradle"),
            live_tables: Gauge::default(),
            connections: Gauge::default(),
            created_tables: Counter::default(),
            deleted_tables: Counter::default(),
            accepted: Counter::default(),
            refused: Family::default(),
            requests: Family::default(),
            limited: Family::default(),
            // From 0.1 ms to 1.6 s.
            append_seconds: Histogram::new(exponential_buckets(0.0001, 2.0, 15)),
            restarts: Counter::default(),
            set_aside: Counter::default(),
            slow_readers: Counter::default(),
            work: PoolGauges::default(),
            games: CacheGauges::default(),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register("live_tables", "Tables in memory", self.live_tables.clone());
        registry.register(
            "connections",
            "Open WebSockets and long polls",
            self.connections.clone(),
        );
        registry.register("created_tables", "Tables created", self.created_tables.clone());
        registry.register("deleted_tables", "Tables deleted", self.deleted_tables.clone());
        let accepted = "Actions that were recorded and acknowledged";
        registry.register("actions_accepted", accepted, self.accepted.clone());
        registry.register("actions_refused", "Actions refused, by code", self.refused.clone());
        registry.register("http_requests", "HTTP requests, by status", self.requests.clone());
        let limited = "Requests and connections beyond a limit, by the name of the limit";
        registry.register("limited", limited, self.limited.clone());
        let append = "Time that the journal took to make entries durable";
        let histogram = self.append_seconds.clone();
        registry.register_with_unit("journal_append", append, Unit::Seconds, histogram);
        registry.register(
            "table_restarts",
            "Tables that failed and were loaded again",
            self.restarts.clone(),
        );
        registry.register(
            "tables_set_aside",
            "Tables that kept failing and were set aside",
            self.set_aside.clone(),
        );
        let slow_readers = "Connections that read too slowly and had to join again";
        registry.register("slow_readers", slow_readers, self.slow_readers.clone());
        self.register_work();
    }

    fn register_work(&mut self) {
        let registry = &mut self.registry;
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

    pub(crate) fn refused(&self, code: &str) {
        self.refused.get_or_create(&CodeLabel { code: code.to_owned() }).inc();
    }

    pub(crate) fn limited(&self, limit: &str) {
        self.limited.get_or_create(&CodeLabel { code: limit.to_owned() }).inc();
    }

    pub(crate) fn answered(&self, status: u16) {
        self.requests.get_or_create(&StatusLabel { status }).inc();
    }
}
