//! What a client asks its caller to do.

use crate::{Frame, Json, ReplyStatus, ShortText};

/// A channel that a client wants to be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientChannel(pub(super) u64);

/// A push, from its sending to its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PushNumber(pub(super) u64);

/// What a client's caller must do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientEffect {
    /// Open a connection, then call [`Client::opened`](crate::Client::opened) or
    /// [`Client::lost`](crate::Client::lost).
    Connect,
    /// Close the connection; the client has already noted that it is gone.
    Disconnect,
    /// Send a frame to the server.
    Send(Frame),
    /// The channel is joined, for the first time or again.
    Joined {
        /// The channel.
        channel: ClientChannel,
        /// What the server says to that.
        response: Json,
    },
    /// The server does not let us in. The client tries again until the channel is left.
    Refused {
        /// The channel.
        channel: ClientChannel,
        /// Why not.
        response: Json,
    },
    /// The server did not answer a join. The client tries again until the channel is left.
    JoinTimedOut {
        /// The channel.
        channel: ClientChannel,
    },
    /// The channel broke or the connection was lost. The client joins again by itself.
    Failed {
        /// The channel.
        channel: ClientChannel,
    },
    /// The channel is closed for good.
    Closed {
        /// The channel, which is no more.
        channel: ClientChannel,
    },
    /// The server sent an event.
    Happened {
        /// The channel.
        channel: ClientChannel,
        /// The name of the event.
        event: ShortText,
        /// Its particulars.
        payload: Json,
    },
    /// The server answered a push.
    Replied {
        /// The push.
        push: PushNumber,
        /// Whether it went well.
        status: ReplyStatus,
        /// The answer.
        response: Json,
    },
    /// The server did not answer a push; whether it took it in is not known.
    TimedOut {
        /// The push.
        push: PushNumber,
    },
}

/// Why a client did not do what its application wished. Nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The channel is closed or being left.
    #[error("the channel has ended; nothing was sent")]
    Ended,
    /// There are as many channels as the settings allow.
    #[error("there are too many channels; nothing was sent")]
    TooManyChannels,
    /// As many pushes are waiting as the settings allow.
    #[error("too many pushes wait for an answer; nothing was sent")]
    TooManyPushes,
    /// The name of the event belongs to the protocol.
    #[error("event names that begin with phx_ belong to the protocol; nothing was sent")]
    ReservedEvent,
}
