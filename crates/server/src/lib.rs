//! Serves tables over HTTP and Phoenix Channels.
//!
//! [`serve`] needs [`Services`]: a journal, a directory, a [`Catalog`] of games and a page. Each table
//! that is in use has a task of its own and is in memory; its state advances only by entries that its
//! journal has committed.
//!
//! - A [`Journal`] keeps the log of each table, named by a [`TableId`]. Logs only grow, by
//!   compare-and-append, and an entry is acknowledged once it is durable.
//! - A [`Directory`] lists the open tables. It may be lost without harm.
//! - A [`Page`] is the page for browsers, if there is one.
//! - [`SqliteJournal`] keeps journal and directory in one file; [`NatsJournal`] keeps them in a cluster of
//!   NATS servers; [`MemoryJournal`] keeps them in memory, for tests and measurements.

mod accept;
mod access_log;
mod address_buckets;
mod admin;
mod analysis_cache;
mod api;
mod app;
mod audience;
mod broadcast;
mod catalog;
mod client_address;
mod clock_comparison;
mod code_guesses;
mod config;
mod connection;
mod connection_activity;
mod connection_counts;
mod cors;
mod deadlines;
mod fair_queue;
mod game_cache;
mod gauged_queue;
mod guarded_stream;
mod http_connection;
mod journal;
mod journaled_table;
mod keeping;
mod limits;
mod lobby;
mod metrics;
mod middleware;
mod outbox;
mod page;
mod pairing;
mod phase;
mod problem;
mod push_reply;
mod rate_limits;
mod refusal_delay;
mod refusals;
mod remote_audience;
mod request_form;
mod request_lines;
mod serve;
mod socket;
mod subscriber;
mod supervisor;
mod table_deletion;
mod table_id;
mod table_request;
mod table_secret;
mod table_task;
mod tables;
mod tls;
mod wall_clock;
mod work_pool;
mod write_timeout;

pub use admin::{AdminToken, AdminTokenError};
pub use api::docs::openapi_document;
pub use catalog::{Catalog, GameDescription, RulesAuthor};
pub use config::{Config, LiveConfig};
pub use journal::{
    Appended, Arrivals, ArrivedEntries, BoxFuture, CompactedSize, DeleteOutcome, Directory,
    InspectedLog, InvalidNatsAddress, InvalidRulesDigest, Journal, JournalArrival, JournalError,
    JournalMetrics, Listing, LogSummary, Loss, Losses, MAX_ENTRIES, MAX_RULES_BYTES,
    MAX_SNAPSHOT_BYTES, MAX_TABLES, MemoryJournal, NatsAddress, NatsJournal, NatsOpenError,
    NatsSettings, NotReady, NotWritten, NoticeArrival, NoticeBody, Notices, OpenError, OpenReport,
    OpenTable, PairingOffer, PairingTurn, PreviousStop, PutOutcome, Questions, RulesDigest,
    Salvaged, ServerNotice, ServerQuestion, Settings, SnapshotText, SqliteJournal, StoredTable,
    TableStatus, Tail, delete_at_any_version,
};
pub use limits::{Limits, UnknownLimit, UselessLimit};
pub use page::{Content, Page};
pub use serve::{Listener, Listeners, Services, StopRequests, serve};
pub use table_id::{InvalidTableId, TableId};
pub use table_secret::table_secret;
pub use tls::{Tls, TlsError};
pub use wall_clock::WallClock;
