//! Serves tables to people, over HTTP and channels.
//!
//! [`serve`] stands on a [`Foundation`]: a journal, a directory, a [`Catalog`] of games and a page,
//! none of which it knows itself. Each table that somebody needs is in memory, in a task of its own;
//! what it says follows from what its journal gives back.
//!
//! - A [`Journal`] keeps the log of each table, named by a [`TableId`]: it only grows, by
//!   compare-and-append, and an entry is acknowledged once it is durable.
//! - A [`Directory`] beside it knows which tables are open; it may be lost without harm.
//! - A [`Page`] is what browsers are given, if there is one; it was made elsewhere.
//! - [`SqliteJournal`] keeps both in one file, [`MemoryJournal`] in memory, for tests and
//!   measurements.

mod addresses;
mod api;
mod app;
mod around;
mod buckets;
mod catalog;
mod client_address;
mod config;
mod connection;
mod desk;
mod guest;
mod host;
mod house;
mod journal;
mod limits;
mod lobby;
mod metrics;
mod page;
mod pairing;
mod problem;
mod request;
mod room;
mod serve;
mod slow_writer;
mod socket;
mod table_id;
mod tls;
mod told;

pub use catalog::Catalog;
pub use config::Config;
pub use journal::{
    Appended, Directory, Journal, JournalError, LONGEST_SNAPSHOT, Later, Listing, Loss, Losses,
    MOST_ENTRIES, MemoryJournal, NotReady, NotWritten, OpenError, OpenTable, Put, Report, Salvaged,
    Settings, SnapshotText, SqliteJournal, Start, Statistics, Status, Subscription, Tail,
};
pub use limits::{Limits, NoSuchLimit};
pub use page::{Content, Page};
pub use serve::{Foundation, serve};
pub use table_id::{NotATableId, TableId};
pub use tls::{TlsError, acceptor};
