//! The record of an installation as long as a server has the journal open.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use axum::body::Bytes;

use super::installation::{Closed, Installation, RECORD};
use super::state_stream::{StateStream, ValueChange};
use crate::journal::installation_key::InstallationKey;
use crate::journal::losses::LossSender;
use crate::journal::{JournalError, Loss};

/// The record of an installation, which other servers may change.
///
/// A server that was cut off does not answer one that starts, which then begins a new epoch. It learns of it when it
/// reaches NATS again.
#[derive(Debug)]
pub(super) struct LiveInstallation {
    pub(super) key: InstallationKey,
    epoch: AtomicU64,
    /// The sequence of the record: a replica may tell of an older one.
    sequence: AtomicU64,
    pub(super) losses: LossSender,
    is_closed: AtomicBool,
    pub(super) is_read_only: bool,
    state: StateStream,
}

impl LiveInstallation {
    /// The record with a sequence, as it was read when the journal was opened to read and write it.
    pub(super) fn writable(read: Installation, sequence: u64, state: StateStream) -> Self {
        let sequence = AtomicU64::new(sequence);
        Self { is_read_only: false, sequence, ..Self::read_only(read, state) }
    }

    /// The same for a journal that was opened to read it only.
    pub(super) fn read_only(read: Installation, state: StateStream) -> Self {
        Self {
            key: read.key,
            epoch: AtomicU64::new(read.epoch),
            sequence: AtomicU64::new(0),
            losses: LossSender::default(),
            is_closed: AtomicBool::new(false),
            is_read_only: true,
            state,
        }
    }

    pub(super) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// Whether this server has closed the journal.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    /// Closes the journal for this server; returns whether it was closed before.
    pub(super) fn close(&self) -> bool {
        self.losses.close();
        self.is_closed.swap(true, Ordering::AcqRel)
    }

    /// Takes over a record, unless a later one is known. In a new epoch everything in memory must be read again.
    pub(super) fn adopt(self: &Arc<Self>, value: &Bytes, sequence: u64) {
        if self.sequence.fetch_max(sequence, Ordering::AcqRel) > sequence {
            return;
        }
        let (stored, closed) = match Installation::read(value) {
            Ok((stored, closed)) if stored.key.0 == self.key.0 => (stored, closed),
            Ok(_) => return tracing::error!("the installation in NATS has another key now"),
            Err(why) => {
                return tracing::error!(why, "the record of the installation makes no sense");
            }
        };
        if self.epoch.swap(stored.epoch, Ordering::AcqRel) != stored.epoch {
            tracing::warn!("another server has begun a new epoch: all tables are loaded again");
            self.losses.send(Loss::AnyTable);
        }
        if closed != Closed::No && !self.is_closed() && !self.is_read_only {
            let installation = Arc::clone(self);
            tokio::spawn(async move { installation.reopen().await });
        }
    }

    /// Records that the journal is open, although a server believed that it was the last one.
    async fn reopen(&self) {
        let reopen = |value: Option<&Bytes>| match value.map(Installation::read) {
            Some(Ok((stored, Closed::At(_)))) if !self.is_closed() => {
                ValueChange::Put(stored.write(Closed::No), ())
            }
            _ => ValueChange::Keep(()),
        };
        if let Err(error) = self.state.change(RECORD, reopen).await {
            tracing::warn!(%error, "it was not recorded that a server is running");
        }
    }

    /// Records that the last server has closed the journal at a time in milliseconds since 1970, so that the next
    /// start knows that nothing was lost.
    pub(super) async fn record_close(&self, now: u64) -> Result<(), JournalError> {
        let close = |value: Option<&Bytes>| match value.map(Installation::read) {
            Some(Ok((stored, Closed::No))) if stored.epoch == self.epoch() => {
                ValueChange::Put(stored.write(Closed::At(now)), ())
            }
            _ => ValueChange::Keep(()),
        };
        self.state.change(RECORD, close).await.map(drop)
    }
}
