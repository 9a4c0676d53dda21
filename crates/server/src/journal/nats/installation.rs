//! The record of an installation: its key and its epoch.

use axum::body::Bytes;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::nats_open_error::NatsOpenError;
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

/// The record as JSON.
#[derive(Debug, Deserialize, Serialize)]
struct InstallationRecord {
    /// In base 64.
    key: String,
    epoch: u64,
}

/// The key of the record in the stream.
const RECORD: &str = "installation";

impl Installation {
    /// Reads the record, or writes the first one with a new epoch and this key. If two servers begin at once,
    /// one record counts.
    pub(super) async fn load(
        state: &StateStream,
        key: InstallationKey,
    ) -> Result<(Self, bool), NatsOpenError> {
        let new = Self { key, epoch: random_epoch()? };
        let create = |value: Option<&Bytes>| match value {
            Some(value) => ValueChange::Keep(value.clone()),
            None => ValueChange::Put(new.write(), new.write()),
        };
        let changed = state.change(RECORD, create).await;
        let (value, _) = changed
            .map_err(|error: JournalError| NatsOpenError::NoJetStream { why: error.to_string() })?;
        let stored = Self::read(&value).map_err(|why| NatsOpenError::UnknownInstallation {
            stream: state.name.clone(),
            why,
        })?;
        Ok((stored, stored.key.0 == new.key.0))
    }

    fn write(&self) -> Bytes {
        let key = URL_SAFE_NO_PAD.encode(self.key.0);
        let record = InstallationRecord { key, epoch: self.epoch };
        Bytes::from(serde_json::to_string(&record).expect("the record serializes"))
    }

    fn read(value: &Bytes) -> Result<Self, String> {
        let record: InstallationRecord =
            serde_json::from_slice(value).map_err(|error| error.to_string())?;
        let key = URL_SAFE_NO_PAD.decode(&record.key).ok();
        let key = key.and_then(|key| <[u8; 32]>::try_from(key).ok());
        let key = key.ok_or_else(|| "its key is not 32 bytes in base 64".to_owned())?;
        Ok(Self { key: InstallationKey(key), epoch: record.epoch })
    }
}
