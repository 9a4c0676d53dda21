//! A whole server, from outside: over HTTP, `WebSockets` and long polls, on loopback.

mod actions;
mod analysis;
mod faulty_journal;
mod fragile_game;
mod http;
mod journal_faults;
mod limits;
mod lobby;
mod logs;
mod openapi;
mod page;
mod pairing;
mod polls;
mod presence;
mod problems;
mod responses;
mod schema;
mod seats;
mod shutdown;
mod socket;
mod streams;
mod supervision;
mod table_channels;
mod tables;
mod test_server;
mod tls;
