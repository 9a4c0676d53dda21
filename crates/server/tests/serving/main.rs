//! A whole server, from outside: over HTTP, `WebSockets` and long polls, on loopback.

mod actions;
mod faulty;
mod fragile;
mod http;
mod journal_faults;
mod limits;
mod lobby;
mod logs;
mod page;
mod pages;
mod pairing;
mod polls;
mod presence;
mod problems;
mod running;
mod seats;
mod shutdown;
mod socket;
mod supervision;
mod table_channels;
mod tables;
mod tls;
