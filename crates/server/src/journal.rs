//! Journals: the logs of tables, kept durably.

mod arrivals;
mod directory;
mod epoch;
mod error;
mod installation_key;
mod interface;
mod journal_metrics;
mod lines;
mod losses;
mod memory;
mod nats;
mod notice;
mod notices;
mod questions;
mod rules_digest;
mod sqlite;
mod stored_table;
mod upkeep;

pub use self::arrivals::{Arrivals, ArrivedEntries, JournalArrival};
pub use self::directory::{
    Directory, Listing, OpenTable, PairingOffer, PairingTurn, PutOutcome, TableStatus,
};
pub use self::error::{JournalError, NotReady, NotWritten};
pub use self::interface::{
    Appended, BoxFuture, Journal, MAX_ENTRIES, MAX_RULES_BYTES, MAX_SNAPSHOT_BYTES, MAX_TABLES,
    SnapshotText, Tail,
};
pub use self::journal_metrics::JournalMetrics;
pub use self::losses::{Loss, Losses};
pub use self::memory::MemoryJournal;
pub use self::nats::{InvalidNatsAddress, NatsAddress, NatsJournal, NatsOpenError, NatsSettings};
pub use self::notice::{NoticeBody, ServerNotice};
pub use self::notices::{NoticeArrival, Notices};
pub use self::questions::{Questions, ServerQuestion};
pub use self::rules_digest::{InvalidRulesDigest, RulesDigest};
pub use self::sqlite::{OpenError, OpenReport, PreviousStop, Salvaged, Settings, SqliteJournal};
pub use self::stored_table::{InspectedLog, StoredTable};
pub use self::upkeep::{CompactedSize, DeleteOutcome, LogSummary, delete_at_any_version};
