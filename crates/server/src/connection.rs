//! One connection of a client of channels.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use channels::{
    BinaryPush, ClientMessage, Frame, JoinAnswer, Json, ReplyStatus, ReplyTo, Server,
    ServerChannel, ServerEffect, ServerSettings, ShortText,
};
use game::Refusal;
use table::Token;
use table::wire::{FromClient, Hello, WireError, codes};

use crate::TableId;
use crate::connection_counts::{ConnectionLimits, ConnectionSlot};
use crate::limits::Limits;
use crate::outbox::{Outbox, OutboxItem, Outgoing};
use crate::push_reply::{PushReply, payload, reply};
use crate::rate_limits::{Bucket, Rate};
use crate::refusals::{refusal, too_many};
use crate::subscriber::SubscriberId;
use crate::table_request::TableRequest;
use crate::tables::Tables;
use crate::work_pool::Payer;

/// One connection: the channels that its client has joined, and its rate limits.
///
/// It does no I/O, so that WebSocket and long poll share it.
#[derive(Debug)]
pub(crate) struct Connection {
    number: u64,
    address: IpAddr,
    tables: Arc<Tables>,
    server: Server,
    outbox: Outbox,
    topics: BTreeMap<ServerChannel, Topic>,
    actions: Bucket,
    joins: Bucket,
    limits: channels::FrameLimits,
    /// The token for joins that show none.
    token: Option<Token>,
}

/// The subject of a channel.
#[derive(Debug)]
enum Topic {
    Table { id: TableId, _counted: CountedChannel },
    Lobby,
}

/// The client sent something that is not a frame: the connection must be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InvalidFrame;

/// Encoded frames for the client, in order.
pub(crate) type EncodedFrames = Vec<Utf8Bytes>;

impl Connection {
    /// A connection from this address.
    pub(crate) fn new(
        tables: Arc<Tables>,
        outbox: Outbox,
        idle_timeout: Option<u64>,
        address: IpAddr,
    ) -> Self {
        let now = tables.monotonic();
        let limits = tables.limits();
        let settings = ServerSettings { channels: limits.topics_per_connection, idle_timeout };
        Self {
            number: tables.next_connection(),
            address,
            server: Server::new(settings, now),
            outbox,
            topics: BTreeMap::new(),
            actions: Bucket::full(action_rate(&tables), now),
            joins: Bucket::full(join_rate(&tables), now),
            limits: frame_limits(&limits),
            token: None,
            tables,
        }
    }

    /// The same connection with a token for all its channels.
    pub(crate) fn with_token(self, token: Option<Token>) -> Self {
        Self { token, ..self }
    }

    /// Receives a text message of the client.
    pub(crate) fn receive_text(&mut self, text: &str) -> Result<EncodedFrames, InvalidFrame> {
        let frame = Frame::decode(text, &self.limits).map_err(|_error| InvalidFrame)?;
        Ok(self.receive(frame))
    }

    /// Receives a binary message of the client.
    pub(crate) fn receive_bytes(&mut self, bytes: &[u8]) -> Result<EncodedFrames, InvalidFrame> {
        let push = BinaryPush::decode(bytes, &self.limits).map_err(|_error| InvalidFrame)?;
        Ok(self.receive(push))
    }

    /// Receives a message of the client.
    pub(crate) fn receive(&mut self, message: impl Into<ClientMessage>) -> EncodedFrames {
        let effects = self.server.receive(message, self.tables.monotonic());
        self.perform(effects)
    }

    /// Returns the frames to send for an item of the outbox.
    pub(crate) fn deliver(&mut self, item: OutboxItem) -> EncodedFrames {
        let outgoing = match item {
            OutboxItem::Outgoing(outgoing) => outgoing,
            OutboxItem::Overflow => return self.fail_all(),
        };
        match outgoing {
            Outgoing::Frame(text) => vec![text],
            Outgoing::Reply(reply) => {
                let (to, status, payload) = *reply;
                self.reply(to, status, payload)
            }
            Outgoing::Answer(answer) => {
                let (channel, answer, then) = *answer;
                let is_welcome = matches!(answer, JoinAnswer::Welcome(_));
                if !is_welcome {
                    self.topics.remove(&channel);
                }
                let Ok(effects) = self.server.answer(channel, answer) else { return Vec::new() };
                let mut frames = self.perform(effects);
                frames.extend(then.into_iter().filter(|_| is_welcome));
                frames
            }
            Outgoing::Fail(channel) => {
                self.topics.remove(&channel);
                let effects = self.server.fail(channel).unwrap_or_default();
                self.perform(effects)
            }
        }
    }

    /// Fails all channels, because frames for a slow reader were dropped: the client joins again.
    fn fail_all(&mut self) -> EncodedFrames {
        self.tables.metrics.slow_readers.inc();
        let mut frames = Vec::new();
        for (channel, topic) in std::mem::take(&mut self.topics) {
            self.leave(channel, &topic);
            let effects = self.server.fail(channel).unwrap_or_default();
            frames.extend(self.perform(effects));
        }
        frames
    }

    /// When the connection is closed unless the client sends something before.
    pub(crate) fn deadline(&self) -> Option<u64> {
        self.server.deadline()
    }

    /// Leaves all channels, because the connection is gone.
    pub(crate) fn end(&mut self) {
        drop(self.server.disconnected());
        for (channel, topic) in std::mem::take(&mut self.topics) {
            self.leave(channel, &topic);
        }
    }

    /// Sends a request of this client to a table.
    fn send(&self, table: TableId, request: TableRequest) {
        self.tables.send(Payer::at(self.address), table, request);
    }

    fn leave(&self, channel: ServerChannel, topic: &Topic) {
        let subscriber = self.subscriber(channel);
        match topic {
            Topic::Table { id, .. } => self.send(*id, TableRequest::Leave { subscriber }),
            Topic::Lobby => self.tables.lobby.leave(subscriber),
        }
    }

    fn perform(&mut self, effects: Vec<ServerEffect>) -> EncodedFrames {
        let mut frames = Vec::new();
        for effect in effects {
            match effect {
                ServerEffect::Send(frame) => frames.push(encode(&frame)),
                ServerEffect::Join { channel, topic, payload } => {
                    frames.extend(self.join(channel, &topic, &payload));
                }
                ServerEffect::Push { channel, event, payload, reply_to } => {
                    frames.extend(self.push(channel, &event, &payload, reply_to));
                }
                ServerEffect::Left { channel, .. } => {
                    if let Some(topic) = self.topics.remove(&channel) {
                        self.leave(channel, &topic);
                    }
                }
                // The caller watches the deadline.
                ServerEffect::Disconnect => {}
            }
        }
        frames
    }

    fn join(&mut self, channel: ServerChannel, topic: &ShortText, hello: &Json) -> EncodedFrames {
        let now = self.tables.monotonic();
        if let Err(retry) = self.joins.take(join_rate(&self.tables), now) {
            self.tables.metrics.limited("joins_per_second");
            return self.refuse(channel, &too_many("You join too many channels at once", retry));
        }
        if topic.as_str() == "lobby" {
            self.topics.insert(channel, Topic::Lobby);
            let subscriber = self.subscriber(channel);
            self.tables.lobby.join(&self.tables, subscriber, self.outbox.clone());
            return Vec::new();
        }
        let table = topic.as_str().strip_prefix("table:").and_then(|id| id.parse().ok());
        let Some(table) = table else {
            let effects = self.server.answer(channel, JoinAnswer::UnknownTopic).unwrap_or_default();
            return self.perform(effects);
        };
        match parse(hello, Hello::read) {
            Ok(mut hello) => {
                hello.token = hello.token.or_else(|| self.token.clone());
                let counted = match CountedChannel::new(&self.tables, self.address) {
                    Ok(counted) => counted,
                    Err(refusal) => return self.refuse(channel, &refusal),
                };
                self.topics.insert(channel, Topic::Table { id: table, _counted: counted });
                let (subscriber, outbox) = (self.subscriber(channel), self.outbox.clone());
                let address = self.address;
                let request = TableRequest::Join { subscriber, address, outbox, hello };
                self.send(table, request);
                Vec::new()
            }
            Err(refusal) => self.refuse(channel, &refusal),
        }
    }

    fn refuse(&mut self, channel: ServerChannel, refusal: &Refusal) -> EncodedFrames {
        let answer = JoinAnswer::Refuse(payload(refusal));
        let effects = self.server.answer(channel, answer).unwrap_or_default();
        self.perform(effects)
    }

    fn push(
        &mut self,
        channel: ServerChannel,
        event: &ShortText,
        message: &Json,
        to: Option<ReplyTo>,
    ) -> EncodedFrames {
        let Some(&Topic::Table { id: table, .. }) = self.topics.get(&channel) else {
            return self.decline(to, refusal(codes::BAD_REQUEST, "This channel takes no messages"));
        };
        let message = match parse(message, |text| FromClient::read(event.as_str(), text)) {
            Ok(message) => message,
            Err(refusal) => return self.decline(to, refusal),
        };
        let now = self.tables.monotonic();
        if let Err(retry) = self.actions.take(action_rate(&self.tables), now) {
            self.tables.metrics.limited("actions_per_second");
            return self.decline(to, too_many("You send too many actions at once", retry));
        }
        let subscriber = self.subscriber(channel);
        let reply = PushReply { outbox: self.outbox.clone(), to };
        let request = match message {
            FromClient::Act(action) => TableRequest::Act { subscriber, action, reply },
            FromClient::Resync(known) => TableRequest::Resync { subscriber, known, reply },
            FromClient::Emote(emoted) => TableRequest::Emote { subscriber, emote: emoted.emote },
        };
        self.send(table, request);
        Vec::new()
    }

    fn decline(&mut self, to: Option<ReplyTo>, refusal: Refusal) -> EncodedFrames {
        let Some(to) = to else { return Vec::new() };
        let (status, payload) = reply(&Err::<(), _>(refusal));
        self.reply(to, status, payload)
    }

    fn reply(&mut self, to: ReplyTo, status: ReplyStatus, payload: Json) -> EncodedFrames {
        // A channel that has ended meanwhile waits for no reply.
        let effects = self.server.reply(to, status, payload).unwrap_or_default();
        self.perform(effects)
    }

    const fn subscriber(&self, channel: ServerChannel) -> SubscriberId {
        SubscriberId { connection: self.number, channel }
    }
}

/// The limits of one frame.
pub(crate) const fn frame_limits(limits: &Limits) -> channels::FrameLimits {
    channels::FrameLimits::DEFAULT
        .with_frame_bytes(limits.frame_bytes)
        .with_depth(limits.json_depth)
}

fn action_rate(tables: &Tables) -> Rate {
    let limits = tables.limits();
    Rate::per_second(limits.actions_per_second, limits.actions_at_once)
}

fn join_rate(tables: &Tables) -> Rate {
    let limits = tables.limits();
    Rate::per_second(limits.joins_per_second, limits.joins_at_once)
}

/// Parses the JSON of a payload.
fn parse<T>(payload: &Json, read: impl FnOnce(&str) -> Result<T, WireError>) -> Result<T, Refusal> {
    read(payload.as_str()).map_err(|error| refusal(codes::BAD_REQUEST, error.to_string()))
}

fn encode(frame: &Frame) -> Utf8Bytes {
    frame.encode().into()
}

/// A WebSocket, a long poll or a stream that is counted as long as this value lives.
#[derive(Debug)]
pub(crate) struct CountedSocket {
    tables: Arc<Tables>,
    slot: ConnectionSlot,
}

impl CountedSocket {
    /// Counts a socket, or returns the name of the limit that it would exceed.
    pub(crate) fn new(tables: &Arc<Tables>, address: IpAddr) -> Result<Self, &'static str> {
        let Limits { connections, connections_per_address, .. } = tables.limits();
        let limits = ConnectionLimits { total: connections, per_address: connections_per_address };
        let slot = tables.sockets.acquire(address, limits)?;
        tables.metrics.connections.inc();
        Ok(Self { tables: Arc::clone(tables), slot })
    }

    /// The address of the client, as limits count it.
    pub(crate) const fn address(&self) -> IpAddr {
        self.slot.address()
    }
}

/// A channel or a stream of a table that is counted as long as this value lives.
#[derive(Debug)]
pub(crate) struct CountedChannel {
    _slot: ConnectionSlot,
}

impl CountedChannel {
    /// Counts a channel, or refuses one that would be too many for its address.
    pub(crate) fn new(tables: &Tables, address: IpAddr) -> Result<Self, Refusal> {
        let per_address = tables.limits().channels_per_address;
        let limits = ConnectionLimits { total: u32::MAX, per_address };
        let slot = tables.channels.acquire(address, limits).map_err(|_limit| {
            tables.metrics.limited("channels_per_address");
            let why = "Your address has too many tables open. Nothing has changed: leave some, and try again";
            refusal(codes::TOO_MANY, why)
        })?;
        Ok(Self { _slot: slot })
    }
}

impl Drop for CountedSocket {
    fn drop(&mut self) {
        self.tables.metrics.connections.dec();
    }
}
