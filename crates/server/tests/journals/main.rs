//! The conformance suite of journals, and the journal in a file under damage.

mod compaction;
mod conformance;
mod damage;
mod deletion;
mod directory;
mod fixtures;
mod memory;
mod processes;
mod races;
mod sqlite;
mod upkeep;
