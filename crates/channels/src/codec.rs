//! Frames as they travel: which of the two forms, and what can be wrong with one.

use crate::{Frame, FrameBody, JsonError, LabelError, Limits, Payload};

mod binary;
mod text;

/// A frame as it travels: one message of a WebSocket.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Encoded {
    /// A text message, which never holds a line break.
    Text(String),
    /// A binary message.
    Binary(Vec<u8>),
}

/// Who sent a binary frame: the two ends write them differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sender {
    /// The client, whose pushes carry a ref.
    Client,
    /// The server, whose pushes carry none.
    Server,
}

/// A part of a frame's head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
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

impl std::fmt::Display for Field {
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

/// Why a message is no frame. Nothing of it was taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// It is longer than accepted; it was not looked into.
    #[error("the frame is longer than {limit} bytes")]
    TooLong {
        /// The limit that it exceeds.
        limit: u32,
    },
    /// A text frame is not a JSON array of five elements.
    #[error("the frame is not a JSON array of five elements")]
    NotFiveElements,
    /// A part of the head is not a string (nor, where that is allowed, null).
    #[error("the frame's {0} is not a string")]
    NotText(Field),
    /// A part of the head is too short or too long.
    #[error("the frame's {0} {1}")]
    Label(Field, LabelError),
    /// The payload goes beyond the limits.
    #[error("the frame's payload is refused: {0}")]
    Payload(JsonError),
    /// A `phx_reply` is not an object with a status and a response.
    #[error("the reply has no status or no response")]
    NotAReply,
    /// The status of a reply is neither `ok` nor `error`.
    #[error("the reply's status is neither ok nor error")]
    UnknownStatus,
    /// A binary frame ends before its head does.
    #[error("the binary frame is cut off")]
    CutOff,
    /// A binary frame is of a kind that its sender does not send.
    #[error("the binary frame is of the unknown kind {0}")]
    UnknownKind(u8),
}

/// Why a frame cannot be written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// A server's binary event has no place for a ref, and a client sends no binary replies.
    #[error("this sender has no binary form for this frame")]
    NoBinaryForm,
}

impl Frame {
    /// Reads a text message; both ends write them alike.
    ///
    /// # Errors
    ///
    /// If the message is no frame or goes beyond the limits.
    pub fn decode_text(message: &str, limits: &Limits) -> Result<Self, DecodeError> {
        text::decode(message, limits)
    }

    /// Reads a binary message.
    ///
    /// # Errors
    ///
    /// If the message is no frame of this sender or goes beyond the limits.
    pub fn decode_binary(
        message: &[u8],
        sender: Sender,
        limits: &Limits,
    ) -> Result<Self, DecodeError> {
        binary::decode(message, sender, limits)
    }

    /// Reads a message of either form.
    ///
    /// # Errors
    ///
    /// If the message is no frame of this sender or goes beyond the limits.
    pub fn decode(message: &Encoded, sender: Sender, limits: &Limits) -> Result<Self, DecodeError> {
        match message {
            Encoded::Text(message) => Self::decode_text(message, limits),
            Encoded::Binary(message) => Self::decode_binary(message, sender, limits),
        }
    }

    /// Writes the frame down; the payload decides on the form.
    ///
    /// # Errors
    ///
    /// If the payload is binary and the sender has no such binary frame. What [`Server`] and
    /// [`Client`] ask to be sent can always be written down.
    ///
    /// [`Server`]: crate::Server
    /// [`Client`]: crate::Client
    pub fn encode(&self, sender: Sender) -> Result<Encoded, EncodeError> {
        match &self.body {
            FrameBody::Event { event, payload: Payload::Json(json) } => {
                Ok(Encoded::Text(text::encode_event(self, event, json)))
            }
            FrameBody::Reply { status, response: Payload::Json(json) } => {
                Ok(Encoded::Text(text::encode_reply(self, *status, json)))
            }
            FrameBody::Event { event, payload: Payload::Binary(bytes) } => {
                binary::encode_event(self, event, bytes, sender).map(Encoded::Binary)
            }
            FrameBody::Reply { status, response: Payload::Binary(bytes) } => {
                binary::encode_reply(self, *status, bytes, sender).map(Encoded::Binary)
            }
        }
    }
}
