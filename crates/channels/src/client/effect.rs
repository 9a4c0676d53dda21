//! The effects of a client, which its caller performs.

use crate::{Frame, Json, ReplyStatus, ShortText};

/// A channel that a client wants to be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientChannel(pub(super) u64);

/// The number of a push, by which its reply is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PushNumber(pub(super) u64);

/// What a client's caller must do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientEffect {
    /// Open a connection, then call [`Client::opened`](crate::Client::opened) or
    /// [`Client::lost`](crate::Client::lost).
    Connect,
    /// Close the connection; the client counts it as gone already.
    Disconnect,
    /// Send a frame to the server.
    Send(Frame),
    /// The channel is joined, for the first time or again.
    Joined {
        /// The channel.
        channel: ClientChannel,
        /// The server's reply.
        response: Json,
    },
    /// The server refused the join. The client retries until the channel is left.
    Refused {
        /// The channel.
        channel: ClientChannel,
        /// The refusal.
        response: Json,
    },
    /// The server did not answer a join. The client retries until the channel is left.
    JoinTimedOut {
        /// The channel.
        channel: ClientChannel,
    },
    /// The channel failed or the connection was lost. The client will join again.
    Failed {
        /// The channel.
        channel: ClientChannel,
    },
    /// The channel has ended.
    Closed {
        /// The channel.
        channel: ClientChannel,
    },
    /// The server sent an event.
    Happened {
        /// The channel.
        channel: ClientChannel,
        /// The name of the event.
        event: ShortText,
        /// Its payload.
        payload: Json,
    },
    /// The server answered a push.
    Replied {
        /// The push.
        push: PushNumber,
        /// Whether it succeeded.
        status: ReplyStatus,
        /// The answer.
        response: Json,
    },
    /// The server did not reply to a push, which it may or may not have handled.
    TimedOut {
        /// The push.
        push: PushNumber,
    },
}

/// Why a call was refused. Nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The channel is closed or being left.
    #[error("the channel has ended; nothing was sent")]
    Ended,
    /// There are too many channels.
    #[error("there are too many channels; nothing was sent")]
    TooManyChannels,
    /// Too many pushes wait for a reply.
    #[error("too many pushes wait for an answer; nothing was sent")]
    TooManyPushes,
    /// The name of the event is reserved for the protocol.
    #[error("event names that begin with phx_ belong to the protocol; nothing was sent")]
    ReservedEvent,
}
