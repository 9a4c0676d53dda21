//! Decoding errors.

use crate::{JsonError, ShortTextError};

/// A part of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrameField {
    /// The ref of the join.
    JoinRef,
    /// The ref of the frame.
    Reference,
    /// The topic.
    Topic,
    /// The name of the event.
    Event,
    /// The status of a reply.
    Status,
}

impl std::fmt::Display for FrameField {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::JoinRef => "join_ref",
            Self::Reference => "ref",
            Self::Topic => "topic",
            Self::Event => "event",
            Self::Status => "status",
        })
    }
}

/// Why a message is no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// It is longer than a frame may be, so it was not parsed.
    #[error("the frame is longer than {limit} bytes")]
    TooLong {
        /// The limit that it exceeds.
        limit: u32,
    },
    /// It is not a JSON array of five elements.
    #[error("the frame is not a JSON array of five elements")]
    NotFiveElements,
    /// A part of the head is not a string (nor, where that is allowed, null).
    #[error("the frame's {0} is not a string")]
    NotText(FrameField),
    /// A part of the head is too short or too long.
    #[error("the frame's {0} {1}")]
    ShortText(FrameField, ShortTextError),
    /// The payload exceeds the limits.
    #[error("the frame's payload is refused: {0}")]
    Payload(JsonError),
    /// A `phx_reply` is not an object with a status and a response.
    #[error("the reply has no status or no response")]
    NotAReply,
    /// The status of a reply is neither `ok` nor `error`.
    #[error("the reply's status is neither ok nor error")]
    UnknownStatus,
    /// A binary message ends before its head does.
    #[error("the binary message is cut off")]
    CutOff,
    /// A binary message is of a kind that clients do not send.
    #[error("the binary message is of the unknown kind {0}")]
    UnknownKind(u8),
}
