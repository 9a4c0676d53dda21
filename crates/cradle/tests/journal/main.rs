//! `cradle journal` on folders and on running servers.

mod command;
mod copying;
mod damage;
mod deleting;
mod journal_server;
mod nats;
#[path = "../../../server/tests/journals/nats_server.rs"]
mod nats_server;
mod reading;
