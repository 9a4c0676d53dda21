//! Frames, apart from how they are written down.

use crate::{Json, ShortText};

/// The topic of the connection itself.
pub(crate) const PHOENIX: &str = "phoenix";
/// Asks whether the other end is there.
pub(crate) const HEARTBEAT: &str = "heartbeat";
/// Asks to be let into a channel.
pub(crate) const JOIN: &str = "phx_join";
/// Says that the client goes.
pub(crate) const LEAVE: &str = "phx_leave";
/// Answers a client's frame.
pub(crate) const REPLY: &str = "phx_reply";
/// Says that a channel broke.
pub(crate) const ERROR: &str = "phx_error";
/// Says that a channel is closed.
pub(crate) const CLOSE: &str = "phx_close";

/// Whether the protocol keeps an event's name for itself.
pub(crate) fn is_reserved(event: &ShortText) -> bool {
    event.as_str().starts_with("phx_")
}

/// One message between a client and a server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The ref of the join that this frame belongs to.
    pub join_ref: Option<ShortText>,
    /// The number that the client gave to its frame; a reply repeats it.
    pub reference: Option<ShortText>,
    /// The channel's topic.
    pub topic: ShortText,
    /// What is said.
    pub body: FrameBody,
}

/// What a frame says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FrameBody {
    /// Something happened, or shall happen. The event is never `phx_reply`.
    Event {
        /// The name of the event.
        event: ShortText,
        /// Its particulars.
        payload: Json,
    },
    /// The answer to a client's frame (`phx_reply`).
    Reply {
        /// Whether it went well.
        status: ReplyStatus,
        /// The answer.
        response: Json,
    },
}

/// Whether what a client asked for went well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReplyStatus {
    /// It did.
    Ok,
    /// It did not.
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

    /// The status that a word in a frame stands for.
    pub(crate) fn of(word: &str) -> Option<Self> {
        [Self::Ok, Self::Error].into_iter().find(|status| status.as_str() == word)
    }
}

impl Frame {
    /// A frame that is the same for everybody on a topic: encode it once, send it to all.
    pub fn broadcast(topic: ShortText, event: ShortText, payload: Json) -> Self {
        Self { join_ref: None, reference: None, topic, body: FrameBody::Event { event, payload } }
    }

    /// An event of the protocol, without particulars.
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

    /// The answer to a frame that cannot be served, with a word for why.
    pub(crate) fn refusal(
        join_ref: Option<ShortText>,
        reference: Option<ShortText>,
        topic: ShortText,
        reason: &'static str,
    ) -> Self {
        let json =
            Json::of(&RefusalPayload { reason }).expect("a struct of text has a form in JSON");
        Self::reply(join_ref, reference, topic, (ReplyStatus::Error, json))
    }
}

#[derive(serde::Serialize)]
struct RefusalPayload {
    reason: &'static str,
}
