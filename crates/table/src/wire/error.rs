//! Reading messages, and the errors.

use serde::de::DeserializeOwned;

/// The most bytes that a message of a client has.
pub const MAX_MESSAGE_BYTES: usize = 16 * 1024;

/// Why a message cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// Its event is not known here.
    #[error("a message of the kind {0:?} is not known here")]
    UnknownKind(String),
    /// It is longer than any message of a client.
    #[error("a message has at most {most} bytes", most = MAX_MESSAGE_BYTES)]
    TooLong,
    /// Its payload does not fit its event.
    #[error("the message {kind} cannot be read: {why}")]
    Unreadable {
        /// The name of the event.
        kind: String,
        /// The problem of the payload.
        why: String,
    },
}

impl WireError {
    /// An event that is not known here; a long name is cut.
    pub(super) fn unknown(event: &str) -> Self {
        Self::UnknownKind(event.chars().take(64).collect())
    }
}

/// Reads the payload of a message from a client, unless it is too long.
pub(super) fn read_bounded<T: DeserializeOwned>(
    event: &str,
    payload: &str,
) -> Result<T, WireError> {
    if payload.len() > MAX_MESSAGE_BYTES {
        return Err(WireError::TooLong);
    }
    read(event, payload)
}

/// Reads the payload of a message.
pub(super) fn read<T: DeserializeOwned>(event: &str, payload: &str) -> Result<T, WireError> {
    let unreadable = |error: serde_json::Error| WireError::Unreadable {
        kind: event.to_owned(),
        why: error.to_string(),
    };
    serde_json::from_str(payload).map_err(unreadable)
}
