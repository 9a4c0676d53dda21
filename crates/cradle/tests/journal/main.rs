//! `cradle journal` on folders and on running servers.

mod command;
mod copying;
mod damage;
mod deleting;
mod journal_server;
mod reading;
