//! A whole server, from outside: over HTTP, `WebSockets` and long polls, on loopback.

mod actions;
mod analysis;
mod codes;
mod deadlines;
mod faulty_journal;
mod fragile_game;
mod http;
mod journal_faults;
mod limits;
mod lobby;
mod logs;
mod page;
mod pairing;
mod polls;
mod presence;
mod problems;
mod responses;
mod seats;
mod shutdown;
mod socket;
mod supervision;
mod table_channels;
mod tables;
mod test_server;
mod tls;
