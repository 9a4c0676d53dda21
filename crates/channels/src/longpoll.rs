//! The bodies of a long poll's requests and answers.

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
    /// The result, as an HTTP status.
    pub status: u16,
    /// The token of the session, for the client's next requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<PollToken>,
}

/// The token of a session. It is a secret: a client that knows it can use the session.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PollToken(String);

impl PollToken {
    /// A token with this text, which must be unpredictable.
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

/// There are messages, or a post was accepted.
pub(crate) const OK: u16 = 200;
/// There were no messages for a while.
pub(crate) const NO_CONTENT: u16 = 204;
/// The client may not connect.
pub(crate) const FORBIDDEN: u16 = 403;
/// The session does not exist, or is new.
pub(crate) const GONE: u16 = 410;

impl PollAnswer {
    /// The answer to a post that was accepted.
    pub const fn accepted() -> Self {
        Self::bare(OK)
    }

    /// The answer to a client that may not connect.
    pub const fn forbidden() -> Self {
        Self::bare(FORBIDDEN)
    }

    /// The answer to a post for a session that has ended.
    pub const fn gone() -> Self {
        Self::bare(GONE)
    }

    const fn bare(status: u16) -> Self {
        Self { messages: None, status, token: None }
    }

    /// Writes the answer's body.
    pub fn encode(&self) -> String {
        serde_json::to_string(self).expect("texts and a number serialize")
    }
}

/// Why the body of a post is refused. None of its frames was handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnvelopeError {
    /// It is too long, so it was not parsed.
    #[error("the body is longer than {limit} bytes")]
    TooLong {
        /// The limit that it exceeds.
        limit: u32,
    },
    /// It holds too many frames.
    #[error("the body holds more than {limit} frames")]
    TooManyFrames {
        /// The limit that it exceeds.
        limit: u32,
    },
    /// A line is neither JSON nor base64.
    #[error("line {line} of the body is neither JSON nor base64")]
    NotBase64 {
        /// The line, from 1.
        line: u32,
    },
    /// A line is not a frame.
    #[error("line {line} of the body: {error}")]
    Frame {
        /// The line, from 1.
        line: u32,
        /// The problem.
        error: DecodeError,
    },
}

fn check_length(body: &str, limits: &FrameLimits) -> Result<(), EnvelopeError> {
    let limit = limits.body_bytes;
    if exceeds(body.len(), limit) { Err(EnvelopeError::TooLong { limit }) } else { Ok(()) }
}

/// Reads the messages in the body of a post (`application/x-ndjson`): one in each line, binary ones
/// in base64.
///
/// # Errors
///
/// If a line is not a message of a client, or the body exceeds the limits.
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
