//! Phoenix Channels V2 without I/O: the codec and the state machines of both ends.
//!
//! The server speaks to the unmodified `phoenix` client from npm, the page speaks to the server,
//! and both use this crate. Nothing in it reads a clock, a socket or a random source. [`Server`]
//! and [`Client`] take values (a [`Frame`], the time in milliseconds, a call of the application)
//! and return what must happen, in order, as a list of [`ServerEffect`]s or [`ClientEffect`]s,
//! which the caller performs.
//!
//! - **Frames.** A [`Frame`] is written as a JSON array `[join_ref, ref, topic, event, payload]`.
//!   [`Frame::decode`] parses no more than its [`FrameLimits`] allow and answers strangers' input with a
//!   [`DecodeError`], never with a panic. The binary messages that the `phoenix` client can send are
//!   read as far as a [`Server`] needs to refuse them.
//! - **Server.** One [`Server`] per connection. It asks the application whether a client may join,
//!   answers heartbeats, closes a channel that is joined a second time, ignores frames of earlier
//!   joins, and closes a silent connection.
//! - **Client.** One [`Client`] per page. It numbers its frames, holds pushes back until their
//!   channel is joined, joins again after errors and lost connections with a [`Backoff`] given as
//!   data, and reports for every push that it was answered or timed out.
//! - **Presence.** A [`PresenceTracker`] per topic on the server; a [`PresenceList`] per channel on
//!   the page, which merges as Phoenix's own does.
//! - **Long poll.** Where there is no WebSocket, the server keeps a [`PollSession`].
//!
//! # Example
//!
//! A client joins a channel and is welcomed; the two are connected by nothing but values.
//!
//! ```
//! use channels::{
//!     JoinAnswer, Client, ClientEffect, ClientSettings, Frame, Json, ShortText, FrameLimits, Server,
//!     ServerEffect, ServerSettings,
//! };
//!
//! let mut client = Client::new(ClientSettings::default());
//! let mut server = Server::new(ServerSettings::default(), 0);
//! assert_eq!(client.connect(), [ClientEffect::Connect]);
//! assert_eq!(client.opened(0), []);
//!
//! let seat = Json::of(&serde_json::json!({ "seat": 0 }))?;
//! let (channel, effects) = client.join(ShortText::new("table:1")?, seat, 0)?;
//! let [ClientEffect::Send(frame)] = &effects[..] else { panic!("no frame") };
//! let text = frame.encode();
//! assert_eq!(text, r#"["1","1","table:1","phx_join",{"seat":0}]"#);
//!
//! let frame = Frame::decode(&text, &FrameLimits::default())?;
//! let effects = server.receive(frame, 0);
//! let [ServerEffect::Join { channel: joining, .. }] = &effects[..] else { panic!("no join") };
//! let effects = server.answer(*joining, JoinAnswer::Welcome(Json::empty()))?;
//! let [ServerEffect::Send(reply)] = &effects[..] else { panic!("no reply") };
//!
//! let joined = ClientEffect::Joined { channel, response: Json::empty() };
//! assert_eq!(client.receive(reply.clone(), 0), [joined]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod client;
mod codec;
mod frame;
mod frame_limits;
mod json;
mod longpoll;
mod presence;
mod server;
mod short_text;

pub use client::{
    Backoff, Client, ClientChannel, ClientEffect, ClientError, ClientSettings, PushNumber,
};
pub use codec::{BinaryPush, ClientMessage, DecodeError, FrameField};
pub use frame::{Frame, FrameBody, ReplyStatus};
pub use frame_limits::FrameLimits;
pub use json::{Json, JsonError};
pub use longpoll::{
    EnvelopeError, OutboxFull, PollAnswer, PollSession, PollSettings, PollToken, decode_post,
};
pub use presence::{
    Presence, PresenceDiff, PresenceError, PresenceList, PresenceMeta, PresenceTracker, Presences,
    TrackError,
};
pub use server::{
    ChannelError, JoinAnswer, LeaveCause, ReplyTo, Server, ServerChannel, ServerEffect,
    ServerSettings,
};
pub use short_text::{ShortText, ShortTextError};
