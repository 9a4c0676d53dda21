//! `cradle journal`: lists, shows, exports, deletes, verifies, copies and compacts what a server keeps.

mod admin_client;
mod command;
mod compact;
mod copy;
mod delete;
mod export;
mod export_format;
mod filter;
mod list;
mod log_text;
mod progress;
mod show;
mod source;
mod table_argument;
mod table_log;
mod utc;
mod verify;

pub(crate) use self::command::JournalCommand;
pub(crate) use self::table_argument::marked;
