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

/// The record of an installation, which all of its servers share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Installation {
    pub(super) key: InstallationKey,
    pub(super) epoch: u64,
}

/// Whether the last server has closed the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closed {
    Yes,
    No,
}

/// The record as JSON.
#[derive(Debug, Deserialize, Serialize)]
struct InstallationRecord {
    /// In base 64.
    key: String,
    epoch: u64,
    /// Whether the last server has closed the journal.
    #[serde(default)]
    is_closed: bool,
}

/// The key of the record in the stream.
const RECORD: &str = "installation";

impl Installation {
    /// Reads the record, or writes the first one with a new epoch and this key. If two servers begin at once,
    /// one record counts.
    ///
    /// If no other server has the journal open and the last one did not close it, an older backup may have been
    /// restored: a new epoch begins.
    pub(super) async fn load(
        state: &StateStream,
        key: InstallationKey,
        peers: &Peers,
    ) -> Result<(Self, bool), NatsOpenError> {
        let failed = |error: JournalError| NatsOpenError::NoJetStream { why: error.to_string() };
        let before = state.get(RECORD).await.map_err(failed)?;
        let is_first = !peers.are_there().await;
        // From now on a server that starts finds this one, or finds that the record has changed.
        peers.answer().await;
        let new = Self { key, epoch: random_epoch()? };
        let begin = |value: Option<&Bytes>| match value {
            None => ValueChange::Put(new.write(Closed::No), new.write(Closed::No)),
            Some(value) if is_first && before.as_ref() == Some(value) => match reopened(value, new)
            {
                Some(value) => ValueChange::Put(value.clone(), value),
                None => ValueChange::Keep(value.clone()),
            },
            Some(value) => ValueChange::Keep(value.clone()),
        };
        let (value, _) = state.change(RECORD, begin).await.map_err(failed)?;
        let (stored, _) = Self::read(&value).map_err(|why| NatsOpenError::UnknownInstallation {
            stream: state.name.clone(),
            why,
        })?;
        Ok((stored, stored.key.0 == new.key.0))
    }

    /// Records that the last server has closed the journal, so that the next start knows that nothing was lost.
    pub(super) async fn close(&self, state: &StateStream) -> Result<(), JournalError> {
        let close = |value: Option<&Bytes>| match value.map(Self::read) {
            Some(Ok((stored, Closed::No))) if stored.epoch == self.epoch => {
                ValueChange::Put(self.write(Closed::Yes), ())
            }
            _ => ValueChange::Keep(()),
        };
        state.change(RECORD, close).await.map(drop)
    }

    fn write(&self, closed: Closed) -> Bytes {
        let key = URL_SAFE_NO_PAD.encode(self.key.0);
        let is_closed = closed == Closed::Yes;
        let record = InstallationRecord { key, epoch: self.epoch, is_closed };
        Bytes::from(serde_json::to_string(&record).expect("the record serializes"))
    }

    fn read(value: &Bytes) -> Result<(Self, Closed), String> {
        let record: InstallationRecord =
            serde_json::from_slice(value).map_err(|error| error.to_string())?;
        let key = URL_SAFE_NO_PAD.decode(&record.key).ok();
        let key = key.and_then(|key| <[u8; 32]>::try_from(key).ok());
        let key = key.ok_or_else(|| "its key is not 32 bytes in base 64".to_owned())?;
        let closed = if record.is_closed { Closed::Yes } else { Closed::No };
        Ok((Self { key: InstallationKey(key), epoch: record.epoch }, closed))
    }
}

/// The record after the first server has opened a journal that was there, with the epoch of `new` unless the
/// journal was closed.
fn reopened(value: &Bytes, new: Installation) -> Option<Bytes> {
    let (stored, closed) = Installation::read(value).ok()?;
    let epoch = if closed == Closed::Yes { stored.epoch } else { new.epoch };
    Some(Installation { epoch, ..stored }.write(Closed::No))
}
