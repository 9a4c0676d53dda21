//! A whole server, from outside: over HTTP, `WebSockets` and long polls, on loopback.

mod actions;
mod admin;
mod agreements;
mod analysis;
mod b_threads;
mod codes;
mod computing;
mod deadlines;
mod faulty_journal;
mod fragile_game;
mod gated_games;
mod hasty_clients;
mod hosts;
mod http;
mod journal_admin;
mod journal_faults;
mod limits;
mod lobby;
mod logs;
mod many_tables;
mod metrics;
#[expect(dead_code, reason = "the tests of the journal need the rest")]
#[path = "../journals/nats_server.rs"]
mod nats_server;
mod nodes;
mod openapi;
mod own_rules;
mod page;
mod pairing;
mod polls;
mod presence;
mod problems;
mod reload;
mod responses;
mod schema;
mod seats;
mod shared_journal;
mod shutdown;
mod socket;
mod streams;
mod supervision;
mod table_channels;
mod tables;
mod test_server;
mod tls;
