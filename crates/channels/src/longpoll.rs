//! The long poll: what its requests and answers carry.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;

use crate::frame_limits::exceeds;
use crate::{BinaryPush, ClientMessage, DecodeError, Frame, FrameLimits};

mod session;

pub use session::{OutboxFull, PollSession, PollSettings};

/// The JSON body of every answer to a long poll. The HTTP status is always 200.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PollAnswer {
    /// Text frames for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<String>>,
    /// How it went; one of the numbers of HTTP.
    pub status: u16,
    /// The name of the session, which the client's next requests carry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<PollToken>,
}

/// The name of a session: whoever knows it can speak in it, so it is not shown.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PollToken(String);

impl PollToken {
    /// A token with this text, which the caller made so that nobody can guess it.
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The text, for the query of a request.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PollToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PollToken(not shown)")
    }
}

/// There are messages, or a post was taken in.
pub(crate) const OK: u16 = 200;
/// There was nothing to say for a while.
pub(crate) const NO_CONTENT: u16 = 204;
/// The client may not connect.
pub(crate) const FORBIDDEN: u16 = 403;
/// There is no such session, or there is a new one.
pub(crate) const GONE: u16 = 410;

impl PollAnswer {
    /// To a post whose frames were taken in.
    pub const fn accepted() -> Self {
        Self::bare(OK)
    }

    /// To a client that may not connect.
    pub const fn forbidden() -> Self {
        Self::bare(FORBIDDEN)
    }

    /// To a post for a session that is no more.
    pub const fn gone() -> Self {
        Self::bare(GONE)
    }

    const fn bare(status: u16) -> Self {
        Self { messages: None, status, token: None }
    }

    /// Writes the answer's body.
    pub fn encode(&self) -> String {
        serde_json::to_string(self).expect("texts and a number have a form in JSON")
    }
}

/// Why the body of a request or an answer was refused. Nothing of it was taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnvelopeError {
    /// It is longer than accepted; it was not looked into.
    #[error("the body is longer than {limit} bytes")]
    TooLong {
        /// The limit that it exceeds.
        limit: u32,
    },
    /// It holds more frames than accepted.
    #[error("the body holds more than {limit} frames")]
    TooManyFrames {
        /// The limit that it exceeds.
        limit: u32,
    },
    /// A line is neither a text frame nor one in base64.
    #[error("line {line} of the body is neither JSON nor base64")]
    NotBase64 {
        /// The line, from 1.
        line: u32,
    },
    /// A line is no frame.
    #[error("line {line} of the body: {error}")]
    Frame {
        /// The line, from 1.
        line: u32,
        /// What is wrong with it.
        error: DecodeError,
    },
}

fn check_length(body: &str, limits: &FrameLimits) -> Result<(), EnvelopeError> {
    let limit = limits.body_bytes;
    if exceeds(body.len(), limit) { Err(EnvelopeError::TooLong { limit }) } else { Ok(()) }
}

/// Reads the frames in a post's body (`application/x-ndjson`): one in each line, those that are
/// not text in base64.
///
/// # Errors
///
/// If a line is no frame of a client, or the body goes beyond the limits.
pub fn decode_post(body: &str, limits: &FrameLimits) -> Result<Vec<ClientMessage>, EnvelopeError> {
    check_length(body, limits)?;
    let mut frames = Vec::new();
    for (line, text) in (1_u32..).zip(body.split('\n')) {
        if line > limits.batch_frames {
            return Err(EnvelopeError::TooManyFrames { limit: limits.batch_frames });
        }
        let text = text.strip_suffix('\r').unwrap_or(text);
        frames.push(decode_line(text, line, limits)?);
    }
    Ok(frames)
}

fn decode_line(
    text: &str,
    line: u32,
    limits: &FrameLimits,
) -> Result<ClientMessage, EnvelopeError> {
    let message = if text.starts_with('[') {
        Frame::decode(text, limits).map(ClientMessage::from)
    } else {
        let bytes = BASE64_STANDARD.decode(text).ok().ok_or(EnvelopeError::NotBase64 { line })?;
        BinaryPush::decode(&bytes, limits).map(ClientMessage::from)
    };
    message.map_err(|error| EnvelopeError::Frame { line, error })
}
