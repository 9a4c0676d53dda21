//! Phoenix Channels V2 without I/O: the codec and the state machines of both ends.
//!
//! The server speaks to the unmodified `phoenix` client from npm, the page speaks to the server,
//! and both use this crate. Nothing in it reads a clock, a socket or a random source. [`Server`]
//! and [`Client`] take values (a [`Frame`], the time in milliseconds, a wish of the application)
//! and return what must happen, in order, as a list of [`ServerEffect`]s or [`ClientEffect`]s; the
//! caller does it.
//!
//! - **Frames.** A [`Frame`] is written as a JSON array `[join_ref, ref, topic, event, payload]` or,
//!   if its payload is bytes, in a binary form. [`Frame::decode_text`] and [`Frame::decode_binary`]
//!   look at no more than their [`Limits`] allow and answer strangers' input with a
//!   [`DecodeError`], never with a panic.
//! - **Server.** One [`Server`] per connection. It asks the application whether a client may join,
//!   answers heartbeats, closes a channel that is joined a second time, ignores frames of earlier
//!   joins, and gives a silent client up.
//! - **Client.** One [`Client`] per page. It numbers its frames, holds pushes back until their
//!   channel is joined, joins again after errors and lost connections with a [`Backoff`] given as
//!   data, and tells of every push that it was answered or timed out.
//! - **Presence.** A [`PresenceTracker`] per topic on the server; a [`PresenceList`] per channel on
//!   the page, which merges as Phoenix's own does.
//! - **Long poll.** Where there is no WebSocket: a [`PollSession`] on the server, a [`Poller`] on
//!   the page.
//!
//! # Example
//!
//! A client joins a channel and is welcomed; the two are connected by nothing but values.
//!
//! ```
//! use channels::{
//!     Answer, Client, ClientEffect, ClientSettings, Encoded, Frame, Json, Label, Limits, Payload,
//!     Sender, Server, ServerEffect, ServerSettings,
//! };
//!
//! let mut client = Client::new(ClientSettings::default());
//! let mut server = Server::new(ServerSettings::default(), 0);
//! assert_eq!(client.connect(), [ClientEffect::Connect]);
//! assert_eq!(client.opened(0), []);
//!
//! let seat = Json::of(&serde_json::json!({ "seat": 0 }))?;
//! let (channel, effects) = client.join(Label::new("table:1")?, seat.into(), 0)?;
//! let [ClientEffect::Send(frame)] = &effects[..] else { panic!("the join is sent") };
//! let sent = frame.encode(Sender::Client)?;
//! let text = r#"["1","1","table:1","phx_join",{"seat":0}]"#;
//! assert_eq!(sent, Encoded::Text(text.to_owned()));
//!
//! let frame = Frame::decode(&sent, Sender::Client, &Limits::default())?;
//! let effects = server.receive(frame, 0);
//! let [ServerEffect::Join { channel: joining, .. }] = &effects[..] else { panic!("it is asked") };
//! let effects = server.answer(*joining, Answer::Welcome(Payload::empty()))?;
//! let [ServerEffect::Send(reply)] = &effects[..] else { panic!("the client is told") };
//!
//! let joined = ClientEffect::Joined { channel, response: Payload::empty() };
//! assert_eq!(client.receive(reply.clone(), 0), [joined]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod client;
mod codec;
mod frame;
mod label;
mod limits;
mod longpoll;
mod payload;
mod presence;
mod server;

pub use client::{
    Backoff, Client, ClientChannel, ClientEffect, ClientError, ClientSettings, PushNumber,
};
pub use codec::{DecodeError, EncodeError, Encoded, Field, Sender};
pub use frame::{Frame, FrameBody, Status};
pub use label::{Label, LabelError};
pub use limits::Limits;
pub use longpoll::{
    EnvelopeError, OutboxFull, PollAnswer, PollEffect, PollSession, PollSettings, PollToken,
    Poller, PollerError, decode_post,
};
pub use payload::{Json, JsonError, Payload, ReadError};
pub use presence::{
    Meta, Presence, PresenceChange, PresenceDiff, PresenceError, PresenceList, PresenceTracker,
    Presences, TrackError,
};
pub use server::{
    Answer, Cause, ChannelError, ReplyTo, Server, ServerChannel, ServerEffect, ServerSettings,
};
