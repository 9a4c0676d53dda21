//! Why a journal in JetStream is not opened.

use super::api::RequestFailure;

/// Why a journal in JetStream is not opened. Nothing was changed, except that streams that did not exist may
/// have been created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NatsOpenError {
    /// No server can be reached.
    #[error("no server of NATS can be reached at {address}: {why}")]
    NotConnected {
        /// The addresses.
        address: String,
        /// What went wrong.
        why: String,
    },
    /// A file with certificates, keys or credentials cannot be used.
    #[error("{path} cannot be used to connect to NATS: {why}")]
    UnusableFile {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// The server is too old.
    #[error("NATS {found} is too old: install {wanted} or newer on all servers of the cluster")]
    TooOld {
        /// The version of the server.
        found: String,
        /// The oldest version that works.
        wanted: &'static str,
    },
    /// JetStream is switched off, or refused a request.
    #[error(
        "JetStream did not answer: {why}. Check that all servers of the cluster run with JetStream, and that \
         the credentials may use it"
    )]
    NoJetStream {
        /// What went wrong.
        why: String,
    },
    /// A stream has settings with which acknowledged moves could be lost.
    #[error(
        "the stream {stream} would break the promise that no acknowledged move is lost: {why}. Change it with \
         `nats stream edit {stream}`, or use another prefix"
    )]
    UnsafeStream {
        /// The name of the stream.
        stream: String,
        /// The setting.
        why: String,
    },
    /// A server does not flush entries to disk before it acknowledges them.
    #[error(
        "the NATS server at {monitor} flushes to disk only now and then, so that a power cut loses acknowledged \
         moves: set `sync_interval: always` in the section jetstream of its configuration"
    )]
    NotFlushed {
        /// The monitoring address.
        monitor: String,
    },
    /// The key of the installation makes no sense.
    #[error("the record of this installation in the stream {stream} makes no sense: {why}")]
    UnknownInstallation {
        /// The name of the stream.
        stream: String,
        /// What went wrong.
        why: String,
    },
    /// The journal already belongs to an installation.
    #[error("there is a journal with the prefix {prefix} already: use another prefix")]
    NotEmpty {
        /// The prefix.
        prefix: String,
    },
    /// There is no journal to read.
    #[error("there is no journal with the prefix {prefix}")]
    NoJournal {
        /// The prefix.
        prefix: String,
    },
    /// Servers have the journal open, and would write while it is read.
    #[error(
        "servers use the journal with the prefix {prefix}: stop them, or copy it through the admin listener of \
         one with --server"
    )]
    InUse {
        /// The prefix.
        prefix: String,
    },
    /// The system has no random source.
    #[error("the system has no random source: {0}")]
    NoRandomness(#[from] getrandom::Error),
}

impl NatsOpenError {
    /// Whether the settings are wrong, and not the cluster.
    #[must_use]
    pub const fn is_wrong_setting(&self) -> bool {
        use NatsOpenError::{InUse, NoJournal, NotEmpty, UnusableFile};
        matches!(self, UnusableFile { .. } | NotEmpty { .. } | NoJournal { .. } | InUse { .. })
    }
}

impl From<RequestFailure> for NatsOpenError {
    fn from(failure: RequestFailure) -> Self {
        Self::NoJetStream { why: failure.to_string() }
    }
}
