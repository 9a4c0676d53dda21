//! The client's end of a connection that may be lost and opened again.

use crate::frame::{CLOSE, ERROR, JOIN, LEAVE, is_reserved};
use crate::{Frame, FrameBody, Json, ReplyStatus, ShortText};

mod channel;
mod channel_list;
mod connection;
mod effect;
mod heartbeat;
mod pushes;
mod settings;

use channel::{Channel, ChannelState, ChannelTick};
use channel_list::ChannelList;
use connection::ConnectionState;
use heartbeat::{Heartbeat, HeartbeatTick};
use pushes::Pushes;

pub use effect::{ClientChannel, ClientEffect, ClientError, PushNumber};
pub use settings::{Backoff, ClientSettings};

/// The client's end: the channels that the application wants to be in, over one connection after
/// another.
///
/// It takes frames, times, changes of the connection and the application's calls, and returns what
/// must happen, in order. Times are milliseconds on any clock that does not go back; call
/// [`Client::tick`] at [`Client::deadline`]. It does what the `phoenix` client from npm does:
/// channels are joined again after errors and lost connections, pushes wait until their channel is
/// joined, and every push is answered or times out.
#[derive(Clone, Debug)]
pub struct Client {
    settings: ClientSettings,
    connection: ConnectionState,
    heartbeat: Heartbeat,
    channels: ChannelList,
    pushes: Pushes,
    refs: Refs,
    last_channel: u64,
}

/// The refs of the client's frames.
#[derive(Clone, Debug, Default)]
struct Refs(u64);

impl Refs {
    fn next(&mut self) -> ShortText {
        self.0 += 1;
        ShortText::number(self.0)
    }
}

impl Client {
    /// A client without a connection.
    pub fn new(settings: ClientSettings) -> Self {
        Self {
            connection: ConnectionState::Unwanted,
            heartbeat: Heartbeat::Off,
            channels: ChannelList::default(),
            pushes: Pushes::default(),
            refs: Refs::default(),
            last_channel: 0,
            settings,
        }
    }

    /// Asks for a connection, and for a new one whenever it is lost.
    pub fn connect(&mut self) -> Vec<ClientEffect> {
        if !self.connection.is_unwanted() {
            return Vec::new();
        }
        self.connection = ConnectionState::Connecting { tries: 0 };
        vec![ClientEffect::Connect]
    }

    /// Closes the connection; channels are joined again after the next [`Client::connect`].
    pub fn disconnect(&mut self) -> Vec<ClientEffect> {
        if self.connection.is_unwanted() {
            return Vec::new();
        }
        self.connection = ConnectionState::Unwanted;
        let mut effects = vec![ClientEffect::Disconnect];
        effects.extend(self.interrupt());
        effects
    }

    /// Connects at once instead of at the next try: the network may be back.
    pub fn hurry(&mut self) -> Vec<ClientEffect> {
        self.tick_link(u64::MAX).into_iter().collect()
    }

    /// Notes that the connection is open.
    pub fn opened(&mut self, now: u64) -> Vec<ClientEffect> {
        if !self.connection.is_connecting() {
            return Vec::new();
        }
        self.connection = ConnectionState::Open;
        self.heartbeat = Heartbeat::start(self.settings.heartbeat, now);
        self.for_each_channel(|client, channel| client.start(channel, now))
    }

    /// Notes that the connection is gone, or could not be opened.
    pub fn lost(&mut self, now: u64) -> Vec<ClientEffect> {
        if !self.connection.is_connecting() && !self.connection.is_open() {
            return Vec::new();
        }
        self.connection = self.connection.wait(&self.settings.reconnect, now);
        self.interrupt()
    }

    /// Joins a channel as soon as there is a connection, and again after it was lost.
    ///
    /// A channel that is on the same topic already is left first.
    ///
    /// # Errors
    ///
    /// If there are too many channels.
    pub fn join(
        &mut self,
        topic: ShortText,
        payload: Json,
        now: u64,
    ) -> Result<(ClientChannel, Vec<ClientEffect>), ClientError> {
        if self.channels.len() >= self.settings.channels as usize {
            return Err(ClientError::TooManyChannels);
        }
        let mut effects = self.leave_duplicate(&topic, now);
        self.last_channel += 1;
        let number = ClientChannel(self.last_channel);
        self.channels.push(number, Channel::new(topic, payload));
        if self.connection.is_open() {
            effects.extend(self.send_join(number, now));
        }
        Ok((number, effects))
    }

    /// Changes the payload of the channel's next join, such as the last known version.
    ///
    /// # Errors
    ///
    /// If the channel has ended.
    pub fn rejoin_with(
        &mut self,
        channel: ClientChannel,
        payload: Json,
    ) -> Result<(), ClientError> {
        let channel = self.channels.get_mut(channel).ok_or(ClientError::Ended)?;
        channel.payload = payload;
        Ok(())
    }

    /// Sends an event to a channel, now or when it is joined.
    ///
    /// Exactly one [`ClientEffect::Replied`] or [`ClientEffect::TimedOut`] follows.
    ///
    /// # Errors
    ///
    /// If the channel has ended, the event's name is reserved for the protocol, or too many pushes
    /// wait.
    pub fn push(
        &mut self,
        channel: ClientChannel,
        event: ShortText,
        payload: Json,
        now: u64,
    ) -> Result<(PushNumber, Vec<ClientEffect>), ClientError> {
        let found = self.channels.get(channel).filter(|found| !found.is_leaving());
        let is_joined = found.ok_or(ClientError::Ended)?.is_joined();
        if is_reserved(&event) {
            return Err(ClientError::ReservedEvent);
        }
        if self.pushes.len() >= self.settings.pushes as usize {
            return Err(ClientError::TooManyPushes);
        }
        let until = now.saturating_add(self.settings.timeout);
        let number = self.pushes.hold(channel, event, payload, until);
        let effects = if is_joined { self.send_held(channel, now) } else { Vec::new() };
        Ok((number, effects))
    }

    /// Leaves a channel.
    ///
    /// # Errors
    ///
    /// If the channel has ended or is being left.
    pub fn leave(
        &mut self,
        channel: ClientChannel,
        now: u64,
    ) -> Result<Vec<ClientEffect>, ClientError> {
        let found = self.channels.get_mut(channel).filter(|found| !found.is_leaving());
        let found = found.ok_or(ClientError::Ended)?;
        if !self.connection.is_open() {
            return Ok(self.forget(channel));
        }
        let reference = self.refs.next();
        let frame = found.signal(reference.clone(), LEAVE);
        let mut effects = vec![ClientEffect::Send(frame)];
        if found.is_joined() {
            let until = now.saturating_add(self.settings.timeout);
            found.stage = ChannelState::Leaving { reference, until };
        } else {
            effects.extend(self.forget(channel));
        }
        Ok(effects)
    }

    /// Handles a frame from the server.
    pub fn receive(&mut self, frame: Frame, now: u64) -> Vec<ClientEffect> {
        if !self.connection.is_open() {
            return Vec::new();
        }
        if let Some(reference) = &frame.reference {
            self.heartbeat.answered(reference, self.settings.heartbeat, now);
        }
        let Frame { join_ref, reference, topic, body } = frame;
        let members = self.members(&topic, join_ref.as_ref());
        match body {
            FrameBody::Reply { status, response } => {
                let Some(reference) = reference else { return Vec::new() };
                self.replied(&members, &reference, status, &response, now)
            }
            FrameBody::Event { event, payload } => {
                let channels = members.into_iter();
                channels.flat_map(|channel| self.happened(channel, &event, &payload, now)).collect()
            }
        }
    }

    /// Handles everything that is due.
    pub fn tick(&mut self, now: u64) -> Vec<ClientEffect> {
        let mut effects = Vec::from_iter(self.tick_link(now));
        effects.extend(self.tick_heartbeat(now));
        effects.extend(self.for_each_channel(|client, channel| client.tick_channel(channel, now)));
        effects.extend(self.pushes.expire(now));
        effects
    }

    /// When [`Client::tick`] has something to do next.
    pub fn deadline(&self) -> Option<u64> {
        let channels = self.channels.iter().filter_map(|(_, channel)| channel.deadline());
        let others =
            [self.connection.deadline(), self.heartbeat.deadline(), self.pushes.deadline()];
        channels.chain(others.into_iter().flatten()).min()
    }

    /// Whether the channel is joined, so that pushes are sent at once.
    pub fn has_joined(&self, channel: ClientChannel) -> bool {
        self.channels.get(channel).is_some_and(Channel::is_joined)
    }

    /// The ref of a channel's current join, which tells [`PresenceList`](crate::PresenceList)
    /// whether its state is up to date.
    pub fn join_ref(&self, channel: ClientChannel) -> Option<&ShortText> {
        self.channels.get(channel)?.join_ref.as_ref()
    }

    fn tick_link(&mut self, now: u64) -> Option<ClientEffect> {
        let tries = self.connection.due(now)?;
        self.connection = ConnectionState::Connecting { tries };
        Some(ClientEffect::Connect)
    }

    fn tick_heartbeat(&mut self, now: u64) -> Vec<ClientEffect> {
        match self.heartbeat.tick(self.settings.heartbeat, now, &mut self.refs) {
            HeartbeatTick::Nothing => Vec::new(),
            HeartbeatTick::Send(frame) => vec![ClientEffect::Send(frame)],
            HeartbeatTick::Missed => {
                let mut effects = vec![ClientEffect::Disconnect];
                effects.extend(self.lost(now));
                effects
            }
        }
    }

    fn tick_channel(&mut self, number: ClientChannel, now: u64) -> Vec<ClientEffect> {
        let Some(channel) = self.channels.get_mut(number) else { return Vec::new() };
        match channel.due(now) {
            ChannelTick::Nothing => Vec::new(),
            ChannelTick::Rejoin => self.send_join(number, now),
            ChannelTick::Left => self.forget(number),
            ChannelTick::JoinTimedOut => {
                // The reply may have been lost, so the server may think that the client has joined.
                let leave = channel.signal(self.refs.next(), LEAVE);
                channel.fail(&self.settings.rejoin, now);
                vec![ClientEffect::Send(leave), ClientEffect::JoinTimedOut { channel: number }]
            }
        }
    }

    /// The channels on the topic of a frame, unless the frame belongs to another join.
    fn members(&self, topic: &ShortText, join_ref: Option<&ShortText>) -> Vec<ClientChannel> {
        let channels = self.channels.iter();
        let members = channels.filter(|(_, channel)| {
            channel.topic == *topic
                && join_ref.is_none_or(|join_ref| channel.join_ref.as_ref() == Some(join_ref))
        });
        members.map(|(number, _)| number).collect()
    }

    fn replied(
        &mut self,
        members: &[ClientChannel],
        reference: &ShortText,
        status: ReplyStatus,
        response: &Json,
        now: u64,
    ) -> Vec<ClientEffect> {
        for number in members {
            let Some(channel) = self.channels.get_mut(*number) else { continue };
            if channel.awaits_join(reference) {
                return self.join_replied(*number, status, response.clone(), now);
            }
            if channel.awaits_leave(reference) {
                return self.forget(*number);
            }
            if let Some(push) = self.pushes.settle(*number, reference) {
                return vec![ClientEffect::Replied { push, status, response: response.clone() }];
            }
        }
        Vec::new()
    }

    fn join_replied(
        &mut self,
        number: ClientChannel,
        status: ReplyStatus,
        response: Json,
        now: u64,
    ) -> Vec<ClientEffect> {
        let Some(channel) = self.channels.get_mut(number) else { return Vec::new() };
        match status {
            ReplyStatus::Ok => {
                channel.welcome();
                let mut effects = vec![ClientEffect::Joined { channel: number, response }];
                effects.extend(self.send_held(number, now));
                effects
            }
            ReplyStatus::Error => {
                channel.fail(&self.settings.rejoin, now);
                vec![ClientEffect::Refused { channel: number, response }]
            }
        }
    }

    fn happened(
        &mut self,
        number: ClientChannel,
        event: &ShortText,
        payload: &Json,
        now: u64,
    ) -> Vec<ClientEffect> {
        let Some(channel) = self.channels.get_mut(number) else { return Vec::new() };
        match (event.as_str(), &channel.stage) {
            (CLOSE, _) => self.forget(number),
            (_, ChannelState::Leaving { .. } | ChannelState::Waiting { .. }) => Vec::new(),
            (ERROR, _) => {
                channel.fail(&self.settings.rejoin, now);
                vec![ClientEffect::Failed { channel: number }]
            }
            _ => vec![ClientEffect::Happened {
                channel: number,
                event: event.clone(),
                payload: payload.clone(),
            }],
        }
    }

    fn send_join(&mut self, number: ClientChannel, now: u64) -> Vec<ClientEffect> {
        let Some(channel) = self.channels.get_mut(number) else { return Vec::new() };
        let reference = self.refs.next();
        channel.join_ref = Some(reference.clone());
        channel.stage = ChannelState::Joining { until: now.saturating_add(self.settings.timeout) };
        let body =
            FrameBody::Event { event: ShortText::known(JOIN), payload: channel.payload.clone() };
        let topic = channel.topic.clone();
        let join_ref = Some(reference.clone());
        vec![ClientEffect::Send(Frame { join_ref, reference: Some(reference), topic, body })]
    }

    /// Sends the pushes that waited for the channel to be joined.
    fn send_held(&mut self, number: ClientChannel, now: u64) -> Vec<ClientEffect> {
        let Some(channel) = self.channels.get(number) else { return Vec::new() };
        let until = now.saturating_add(self.settings.timeout);
        let held = self.pushes.release(number, until, &mut self.refs);
        let frames = held.into_iter().map(|(reference, body)| Frame {
            join_ref: channel.join_ref.clone(),
            reference: Some(reference),
            topic: channel.topic.clone(),
            body,
        });
        frames.map(ClientEffect::Send).collect()
    }

    fn leave_duplicate(&mut self, topic: &ShortText, now: u64) -> Vec<ClientEffect> {
        let is_same = |channel: &Channel| channel.topic == *topic && !channel.is_leaving();
        let same = self.channels.iter().find(|(_, channel)| is_same(channel));
        let Some((number, _)) = same else { return Vec::new() };
        self.leave(number, now).unwrap_or_default()
    }

    /// Resets the heartbeat and all joins of the lost connection.
    fn interrupt(&mut self) -> Vec<ClientEffect> {
        self.heartbeat = Heartbeat::Off;
        self.for_each_channel(Self::interrupt_channel)
    }

    fn for_each_channel(
        &mut self,
        mut act: impl FnMut(&mut Self, ClientChannel) -> Vec<ClientEffect>,
    ) -> Vec<ClientEffect> {
        let mut effects = Vec::new();
        let channels: Vec<_> = self.channels.iter().map(|(number, _)| number).collect();
        for channel in channels {
            effects.extend(act(self, channel));
        }
        effects
    }

    fn interrupt_channel(&mut self, number: ClientChannel) -> Vec<ClientEffect> {
        let Some(channel) = self.channels.get_mut(number) else { return Vec::new() };
        if channel.is_leaving() {
            // The server drops the channel together with the connection.
            return self.forget(number);
        }
        match std::mem::replace(&mut channel.stage, ChannelState::Waiting { until: None }) {
            ChannelState::Waiting { .. } => Vec::new(),
            _ => vec![ClientEffect::Failed { channel: number }],
        }
    }

    /// Joins on a new connection; failures on the last one do not count.
    fn start(&mut self, number: ClientChannel, now: u64) -> Vec<ClientEffect> {
        let Some(channel) = self.channels.get_mut(number) else { return Vec::new() };
        channel.tries = 0;
        self.send_join(number, now)
    }

    fn forget(&mut self, number: ClientChannel) -> Vec<ClientEffect> {
        let forgotten = self.channels.remove(number);
        forgotten.map(|_| ClientEffect::Closed { channel: number }).into_iter().collect()
    }
}
