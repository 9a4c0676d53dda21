//! One connection: what its client says, and what it is told.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use channels::{
    BinaryPush, ClientMessage, Frame, JoinAnswer, Json, ReplyStatus, ReplyTo, Server,
    ServerChannel, ServerEffect, ServerSettings, ShortText,
};
use table::Token;
use table::wire::{FromClient, Hello};

use crate::TableId;
use crate::addresses::{Entered, Most};
use crate::buckets::{Bucket, Rate};
use crate::guest::{Drawn, GuestId, Outbox, Outgoing};
use crate::house::House;
use crate::limits::Limits;
use crate::request::{Outcome, Reply, Request, answer, codes, payload, refusal, too_many};

/// One connection: which channels its client has joined, and what it may do how often.
///
/// It does no I/O itself, so that WebSocket and long poll share it.
#[derive(Debug)]
pub(crate) struct Connection {
    number: u64,
    household: IpAddr,
    house: Arc<House>,
    server: Server,
    outbox: Outbox,
    places: BTreeMap<ServerChannel, Place>,
    actions: Bucket,
    joins: Bucket,
    limits: channels::FrameLimits,
    /// What holds its seat where a join shows nothing else.
    token: Option<Token>,
}

/// Where a channel leads.
#[derive(Clone, Copy, Debug)]
enum Place {
    Table(TableId),
    Lobby,
}

/// What the client sends is not understood: the connection is to be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Garbage;

/// What is to be sent to the client, in order.
pub(crate) type Sent = Vec<Utf8Bytes>;

impl Connection {
    /// A connection of somebody in this household.
    pub(crate) fn new(
        house: Arc<House>,
        outbox: Outbox,
        idle_timeout: Option<u64>,
        household: IpAddr,
    ) -> Self {
        let now = house.monotonic();
        let limits = &house.limits;
        let settings = ServerSettings { channels: limits.topics_per_connection, idle_timeout };
        Self {
            number: house.next_connection(),
            household,
            server: Server::new(settings, now),
            outbox,
            places: BTreeMap::new(),
            actions: Bucket::full(action_rate(&house), now),
            joins: Bucket::full(join_rate(&house), now),
            limits: frame_limits(limits),
            token: None,
            house,
        }
    }

    /// The same connection of somebody who has shown a token for all its channels.
    pub(crate) fn with_token(self, token: Option<Token>) -> Self {
        Self { token, ..self }
    }

    /// Takes in a text message of the client.
    pub(crate) fn receive_text(&mut self, text: &str) -> Result<Sent, Garbage> {
        let frame = Frame::decode(text, &self.limits).map_err(|_error| Garbage)?;
        Ok(self.receive(frame))
    }

    /// Takes in a binary message of the client.
    pub(crate) fn receive_bytes(&mut self, bytes: &[u8]) -> Result<Sent, Garbage> {
        let push = BinaryPush::decode(bytes, &self.limits).map_err(|_error| Garbage)?;
        Ok(self.receive(push))
    }

    /// Takes in a message of the client.
    pub(crate) fn receive(&mut self, message: impl Into<ClientMessage>) -> Sent {
        let effects = self.server.receive(message, self.house.monotonic());
        self.perform(effects)
    }

    /// Does what a table or the lobby says.
    pub(crate) fn draw(&mut self, drawn: Drawn) -> Sent {
        let outgoing = match drawn {
            Drawn::Outgoing(outgoing) => outgoing,
            Drawn::FellBehind => return self.begin_again(),
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
                    self.places.remove(&channel);
                }
                let Ok(effects) = self.server.answer(channel, answer) else { return Vec::new() };
                let mut sent = self.perform(effects);
                sent.extend(then.into_iter().filter(|_| is_welcome));
                sent
            }
            Outgoing::Fail(channel) => {
                self.places.remove(&channel);
                let effects = self.server.fail(channel).unwrap_or_default();
                self.perform(effects)
            }
        }
    }

    /// Something was lost on the way to a slow reader: all its channels begin again.
    fn begin_again(&mut self) -> Sent {
        self.house.metrics.lagging.inc();
        let mut sent = Vec::new();
        for (channel, place) in std::mem::take(&mut self.places) {
            self.leave(channel, place);
            let effects = self.server.fail(channel).unwrap_or_default();
            sent.extend(self.perform(effects));
        }
        sent
    }

    /// When the client will be given up, unless it is heard of before.
    pub(crate) fn deadline(&self) -> Option<u64> {
        self.server.deadline()
    }

    /// The connection is gone.
    pub(crate) fn end(&mut self) {
        drop(self.server.disconnected());
        for (channel, place) in std::mem::take(&mut self.places) {
            self.leave(channel, place);
        }
    }

    fn leave(&self, channel: ServerChannel, place: Place) {
        let guest = self.guest(channel);
        match place {
            Place::Table(table) => self.house.ask(table, Request::Leave { guest }),
            Place::Lobby => self.house.lobby.leave(guest),
        }
    }

    fn perform(&mut self, effects: Vec<ServerEffect>) -> Sent {
        let mut sent = Vec::new();
        for effect in effects {
            match effect {
                ServerEffect::Send(frame) => sent.push(written(&frame)),
                ServerEffect::Join { channel, topic, payload } => {
                    sent.extend(self.join(channel, &topic, &payload));
                }
                ServerEffect::Push { channel, event, payload, reply_to } => {
                    sent.extend(self.push(channel, &event, &payload, reply_to));
                }
                ServerEffect::Left { channel, .. } => {
                    if let Some(place) = self.places.remove(&channel) {
                        self.leave(channel, place);
                    }
                }
                // The caller looks at the deadline itself.
                ServerEffect::Disconnect => {}
            }
        }
        sent
    }

    fn join(&mut self, channel: ServerChannel, topic: &ShortText, said: &Json) -> Sent {
        let now = self.house.monotonic();
        if let Err(not_yet) = self.joins.take(join_rate(&self.house), now) {
            self.house.metrics.limited("joins_per_second");
            return self.refuse(channel, &too_many("You join too much at once", not_yet));
        }
        if topic.as_str() == "lobby" {
            self.places.insert(channel, Place::Lobby);
            self.house.lobby.join(&self.house, self.guest(channel), self.outbox.clone());
            return Vec::new();
        }
        let table = topic.as_str().strip_prefix("table:").and_then(|id| id.parse().ok());
        let Some(table) = table else {
            let effects = self.server.answer(channel, JoinAnswer::UnknownTopic).unwrap_or_default();
            return self.perform(effects);
        };
        match read(said, Hello::read) {
            Ok(mut hello) => {
                hello.token = hello.token.or_else(|| self.token.clone());
                self.places.insert(channel, Place::Table(table));
                let (guest, outbox) = (self.guest(channel), self.outbox.clone());
                let household = self.household;
                self.house.ask(table, Request::Join { guest, household, outbox, hello });
                Vec::new()
            }
            Err(refusal) => self.refuse(channel, &refusal),
        }
    }

    fn refuse(&mut self, channel: ServerChannel, why: &game::Refusal) -> Sent {
        let answer = JoinAnswer::Refuse(payload(why));
        let effects = self.server.answer(channel, answer).unwrap_or_default();
        self.perform(effects)
    }

    fn push(
        &mut self,
        channel: ServerChannel,
        event: &ShortText,
        said: &Json,
        to: Option<ReplyTo>,
    ) -> Sent {
        let Some(Place::Table(table)) = self.places.get(&channel).copied() else {
            return self.decline(to, &refusal(codes::BAD_REQUEST, "Nothing is heard here"));
        };
        let message = match read(said, |text| FromClient::read(event.as_str(), text)) {
            Ok(message) => message,
            Err(refusal) => return self.decline(to, &refusal),
        };
        let now = self.house.monotonic();
        if let Err(not_yet) = self.actions.take(action_rate(&self.house), now) {
            self.house.metrics.limited("actions_per_second");
            return self.decline(to, &too_many("You do too much at once", not_yet));
        }
        let guest = self.guest(channel);
        let reply = Reply { outbox: self.outbox.clone(), to };
        let request = match message {
            FromClient::Act(action) => Request::Act { guest, action, reply },
            FromClient::Resync(known) => Request::Resync { guest, known, reply },
            FromClient::Emote(emoted) => Request::Emote { guest, emote: emoted.emote },
        };
        self.house.ask(table, request);
        Vec::new()
    }

    fn decline(&mut self, to: Option<ReplyTo>, why: &game::Refusal) -> Sent {
        let Some(to) = to else { return Vec::new() };
        let (status, payload) = answer(&Outcome::<()>::Err(why.clone()));
        self.reply(to, status, payload)
    }

    fn reply(&mut self, to: ReplyTo, status: ReplyStatus, payload: Json) -> Sent {
        // A channel that has ended meanwhile waits for no answer.
        let effects = self.server.reply(to, status, payload).unwrap_or_default();
        self.perform(effects)
    }

    const fn guest(&self, channel: ServerChannel) -> GuestId {
        GuestId { connection: self.number, channel }
    }
}

/// What is looked at of a frame.
pub(crate) const fn frame_limits(limits: &Limits) -> channels::FrameLimits {
    channels::FrameLimits::DEFAULT
        .with_frame_bytes(limits.frame_bytes)
        .with_depth(limits.json_depth)
}

fn action_rate(house: &House) -> Rate {
    Rate::per_second(house.limits.actions_per_second, house.limits.actions_at_once)
}

fn join_rate(house: &House) -> Rate {
    Rate::per_second(house.limits.joins_per_second, house.limits.joins_at_once)
}

/// Reads the JSON of a payload.
fn read<T>(
    said: &Json,
    read: impl FnOnce(&str) -> Result<T, table::wire::WireError>,
) -> Result<T, game::Refusal> {
    read(said.as_str()).map_err(|error| refusal(codes::BAD_REQUEST, error.to_string()))
}

fn written(frame: &Frame) -> Utf8Bytes {
    frame.encode().into()
}

/// A connection that is counted.
#[derive(Debug)]
pub(crate) struct Counted {
    house: Arc<House>,
    entered: Entered,
}

impl Counted {
    /// Counts a connection, unless there are too many.
    pub(crate) fn new(house: &Arc<House>, address: IpAddr) -> Result<Self, &'static str> {
        let Limits { connections: all, connections_per_address: each, .. } = house.limits;
        let entered = house.addresses.enter(address, Most { all, each })?;
        house.metrics.connections.inc();
        Ok(Self { house: Arc::clone(house), entered })
    }

    /// What stands for the household that it comes from.
    pub(crate) const fn household(&self) -> IpAddr {
        self.entered.household()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.house.metrics.connections.dec();
    }
}
