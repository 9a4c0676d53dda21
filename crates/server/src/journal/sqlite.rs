//! A journal in a file of `SQLite`.

mod batch;
mod chain;
mod compaction;
mod cut;
mod database;
mod deletion;
mod directory;
mod fault_hook;
mod folder;
mod heads;
mod journal_threads;
mod listing;
mod log;
mod open;
mod open_error;
mod queue;
mod read_only;
mod reader;
mod report;
mod rules;
mod salvage;
mod settings;

mod sqlite_journal;
mod storage_error;
mod writer;

#[cfg(test)]
mod tests;

pub use self::open_error::OpenError;
pub use self::report::{OpenReport, PreviousStop, Salvaged};
pub use self::settings::Settings;
pub use self::sqlite_journal::SqliteJournal;
