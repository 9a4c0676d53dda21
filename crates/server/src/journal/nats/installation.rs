//! The record of an installation: its key and its epoch.

use axum::body::Bytes;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::nats_open_error::NatsOpenError;
use super::peers::Peers;
use super::state_stream::{StateStream, ValueChange};
use crate::journal::JournalError;
use crate::journal::epoch::random_epoch;
use crate::journal::installation_key::InstallationKey;

/// The record of an installation, which all of its servers share, as it was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Installation {
    pub(super) key: InstallationKey,
    pub(super) epoch: u64,
}

/// Whether the last server has closed the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    /// At this time, in milliseconds since 1970.
    At(u64),
    No,
}

impl Closed {
    /// Whether it was closed so shortly before this time that nobody can have played on and put an older backup
    /// back since. What was closed earlier may be such a backup, which was taken while no server ran.
    const fn is_recent(self, now: u64) -> bool {
        match self {
            Self::At(at) => now.abs_diff(at) <= RECENT,
            Self::No => false,
        }
    }
}

/// The longest time that all servers may be stopped without a new epoch, in milliseconds.
const RECENT: u64 = 120_000;

/// The record as JSON.
#[derive(Debug, Deserialize, Serialize)]
struct InstallationRecord {
    /// In base 64.
    key: String,
    epoch: u64,
    /// When the last server has closed the journal, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    closed_at: Option<u64>,
}

/// The key of the record in the stream.
pub(super) const RECORD: &str = "installation";

impl Installation {
    /// Reads the record, or writes the first one with a new epoch and this key. If two servers begin at once,
    /// one record counts.
    ///
    /// If no other server has the journal open and the last one did not close it a moment ago, an older backup
    /// may have been restored: a new epoch begins. The time is in milliseconds since 1970. Returns the record, its sequence,
    /// and whether it has this key.
    pub(super) async fn load(
        state: &StateStream,
        key: InstallationKey,
        peers: &Peers,
        now: u64,
    ) -> Result<(Self, u64, bool), NatsOpenError> {
        let failed = |error: JournalError| NatsOpenError::NoJetStream { why: error.to_string() };
        let before = state.get(RECORD).await.map_err(failed)?;
        let is_first = !peers.are_there().await?;
        // From now on a server that starts finds this one, or finds that the record has changed.
        peers.answer().await;
        let new = Self { key, epoch: random_epoch()? };
        let begin = |value: Option<&Bytes>| match value {
            None => ValueChange::Put(new.write(Closed::No), new.write(Closed::No)),
            Some(value) if is_first && before.as_ref() == Some(value) => {
                match reopened(value, new, now) {
                    Some(value) => ValueChange::Put(value.clone(), value),
                    None => ValueChange::Keep(value.clone()),
                }
            }
            Some(value) => ValueChange::Keep(value.clone()),
        };
        let (value, sequence) = state.change(RECORD, begin).await.map_err(failed)?;
        let (stored, _) = Self::read(&value).map_err(|why| NatsOpenError::UnknownInstallation {
            stream: state.name.clone(),
            why,
        })?;
        Ok((stored, sequence, stored.key.0 == new.key.0))
    }

    /// The record of a journal that no server has open. It is not changed.
    pub(super) async fn unused(
        state: &StateStream,
        peers: &Peers,
        prefix: &str,
    ) -> Result<Self, NatsOpenError> {
        let stored = state.get(RECORD).await;
        let stored =
            stored.map_err(|error| NatsOpenError::NoJetStream { why: error.to_string() })?;
        let Some(value) = stored else {
            return Err(NatsOpenError::NoJournal { prefix: prefix.to_owned() });
        };
        if peers.are_there().await? {
            return Err(NatsOpenError::InUse { prefix: prefix.to_owned() });
        }
        let stream = state.name.clone();
        let read = Self::read(&value);
        Ok(read.map_err(|why| NatsOpenError::UnknownInstallation { stream, why })?.0)
    }

    pub(super) fn write(&self, closed: Closed) -> Bytes {
        let key = URL_SAFE_NO_PAD.encode(self.key.0);
        let closed_at = match closed {
            Closed::At(at) => Some(at),
            Closed::No => None,
        };
        let record = InstallationRecord { key, epoch: self.epoch, closed_at };
        Bytes::from(serde_json::to_string(&record).expect("the record serializes"))
    }

    pub(super) fn read(value: &Bytes) -> Result<(Self, Closed), String> {
        let record: InstallationRecord =
            serde_json::from_slice(value).map_err(|error| error.to_string())?;
        let key = URL_SAFE_NO_PAD.decode(&record.key).ok();
        let key = key.and_then(|key| <[u8; 32]>::try_from(key).ok());
        let key = key.ok_or_else(|| "its key is not 32 bytes in base 64".to_owned())?;
        let closed = record.closed_at.map_or(Closed::No, Closed::At);
        Ok((Self { key: InstallationKey(key), epoch: record.epoch }, closed))
    }
}

/// The record after the first server has opened a journal that was there, with the epoch of `new` unless the
/// journal was closed a moment ago.
fn reopened(value: &Bytes, new: Installation, now: u64) -> Option<Bytes> {
    let (stored, closed) = Installation::read(value).ok()?;
    let epoch = if closed.is_recent(now) { stored.epoch } else { new.epoch };
    Some(Installation { epoch, ..stored }.write(Closed::No))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installation(epoch: u64) -> Installation {
        Installation { key: InstallationKey([7; 32]), epoch }
    }

    #[track_caller]
    fn check(record: &Bytes, now: u64, expected: u64) {
        let opened = reopened(record, installation(2), now).unwrap();
        let (found, closed) = Installation::read(&opened).unwrap();
        assert_eq!((found.epoch, found.key.0, closed), (expected, [7; 32], Closed::No));
    }

    #[test]
    fn an_epoch_lasts_over_a_short_stop_of_all_servers() {
        let closed = installation(1).write(Closed::At(1_000_000));
        check(&closed, 1_000_000, 1);
        check(&closed, 1_120_000, 1);
        // The clock of the other machine is a little ahead.
        check(&closed, 999_000, 1);
    }

    #[test]
    fn a_journal_that_was_closed_long_ago_may_be_a_backup_and_begins_a_new_epoch() {
        let closed = installation(1).write(Closed::At(1_000_000));
        check(&closed, 1_120_001, 2);
        check(&closed, 1_000, 2);
        check(&installation(1).write(Closed::No), 1_000_000, 2);
        let of_older_servers =
            br#"{"key":"BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc","epoch":1,"is_closed":true}"#;
        check(&Bytes::from_static(of_older_servers), 1_000_000, 2);
    }
}
