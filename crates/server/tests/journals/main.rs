//! The conformance suite of journals, the journal in a file under damage, and the journal in JetStream.

mod compaction;
mod conformance;
mod credentials;
mod cut_connection;
mod damage;
mod deletion;
mod directory;
mod fixtures;
mod memory;
mod nats;
mod nats_cluster;
mod nats_epochs;
mod nats_server;
mod processes;
mod races;
mod rules;
mod sqlite;
mod upkeep;
