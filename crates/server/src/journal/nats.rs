//! The journal in NATS JetStream, which several servers share.
//!
//! A stream of logs has one subject for each table. An append is one message, and names the sequence of the
//! message that it follows: that check is the only lock. A second stream holds the last value of everything
//! else: records of the directory, codes, deadlines, snapshots, and the key of the installation.

mod action_index;
mod api;
mod asking;
mod checks;
mod directory;
mod directory_index;
mod end_belief;
mod follower;
mod head_cache;
mod installation;
mod last_write;
mod live_installation;
mod log_message;
mod log_stream;
mod monitoring;
mod nats_journal;
mod nats_open_error;
mod nats_settings;
mod notices;
mod peers;
mod rules;
mod shards;
mod state_stream;
mod tail;

pub use self::nats_journal::NatsJournal;
pub use self::nats_open_error::NatsOpenError;
pub use self::nats_settings::{InvalidNatsAddress, NatsAddress, NatsSettings};
