//! Frames, the messages between a client and a server.

use crate::{Json, ShortText};

/// The topic of the connection itself.
pub(crate) const PHOENIX: &str = "phoenix";
/// Asks whether the other end responds.
pub(crate) const HEARTBEAT: &str = "heartbeat";
/// Asks to join a channel.
pub(crate) const JOIN: &str = "phx_join";
/// Leaves a channel.
pub(crate) const LEAVE: &str = "phx_leave";
/// Answers a client's frame.
pub(crate) const REPLY: &str = "phx_reply";
/// Reports that a channel failed.
pub(crate) const ERROR: &str = "phx_error";
/// Reports that a channel is closed.
pub(crate) const CLOSE: &str = "phx_close";

/// Whether an event's name is reserved for the protocol.
pub(crate) fn is_reserved(event: &ShortText) -> bool {
    event.as_str().starts_with("phx_")
}

/// One message between a client and a server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The ref of the join that this frame belongs to.
    pub join_ref: Option<ShortText>,
    /// The client's number for this frame; the reply repeats it.
    pub reference: Option<ShortText>,
    /// The channel's topic.
    pub topic: ShortText,
    /// The content.
    pub body: FrameBody,
}

/// The content of a frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FrameBody {
    /// An event, which is never `phx_reply`.
    Event {
        /// The name of the event.
        event: ShortText,
        /// Its payload.
        payload: Json,
    },
    /// The answer to a client's frame (`phx_reply`).
    Reply {
        /// Whether the request succeeded.
        status: ReplyStatus,
        /// The answer.
        response: Json,
    },
}

/// Whether a client's request succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReplyStatus {
    /// It succeeded.
    Ok,
    /// It was refused or failed.
    Error,
}

impl ReplyStatus {
    /// The word in a frame.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
        }
    }

    /// The status for the word in a frame.
    pub(crate) fn of(word: &str) -> Option<Self> {
        [Self::Ok, Self::Error].into_iter().find(|status| status.as_str() == word)
    }
}

impl Frame {
    /// A frame that is the same for all clients on a topic: encode it once and send it to all.
    pub fn broadcast(topic: ShortText, event: ShortText, payload: Json) -> Self {
        Self { join_ref: None, reference: None, topic, body: FrameBody::Event { event, payload } }
    }

    /// An event of the protocol, with an empty payload.
    pub(crate) fn signal(
        join_ref: Option<ShortText>,
        reference: Option<ShortText>,
        topic: ShortText,
        event: &'static str,
    ) -> Self {
        let body = FrameBody::Event { event: ShortText::known(event), payload: Json::empty() };
        Self { join_ref, reference, topic, body }
    }

    /// The answer to a frame.
    pub(crate) fn reply(
        join_ref: Option<ShortText>,
        reference: Option<ShortText>,
        topic: ShortText,
        answer: (ReplyStatus, Json),
    ) -> Self {
        let (status, response) = answer;
        Self { join_ref, reference, topic, body: FrameBody::Reply { status, response } }
    }

    /// The answer to a frame that is refused, with the reason.
    pub(crate) fn refusal(
        join_ref: Option<ShortText>,
        reference: Option<ShortText>,
        topic: ShortText,
        reason: &'static str,
    ) -> Self {
        let json = Json::of(&RefusalPayload { reason }).expect("a struct of text serializes");
        Self::reply(join_ref, reference, topic, (ReplyStatus::Error, json))
    }
}

#[derive(serde::Serialize)]
struct RefusalPayload {
    reason: &'static str,
}
