//! The server's end of one connection.

use std::collections::BTreeMap;

use crate::frame::{CLOSE, ERROR, HEARTBEAT, JOIN, LEAVE, PHOENIX, is_reserved};
use crate::{BinaryPush, ClientMessage, Frame, FrameBody, Json, ReplyStatus, ShortText};

/// The server's end of one connection, with the channels that its client has joined.
///
/// It takes frames, times and the application's decisions, and returns what must happen, in order.
/// It keeps only its channels, whose number is bounded. Times are milliseconds on any clock that
/// does not go back.
#[derive(Clone, Debug)]
pub struct Server {
    settings: ServerSettings,
    channels: BTreeMap<ShortText, Membership>,
    last_id: u64,
    heard_at: u64,
}

/// The limits of one connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerSettings {
    /// The most channels that a client may be in or have asked to join.
    pub channels: u32,
    /// The milliseconds without a message after which the connection is closed. A long poll has
    /// none: its client sends no heartbeats, and its [`PollSession`](crate::PollSession) notices
    /// when it is gone.
    pub idle_timeout: Option<u64>,
}

impl Default for ServerSettings {
    /// 32 channels, and the 60 seconds of Phoenix.
    fn default() -> Self {
        Self { channels: 32, idle_timeout: Some(60_000) }
    }
}

/// One join of a channel on one connection; a later join of the same topic is another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerChannel(u64);

/// What a server must do next.
#[derive(Debug, PartialEq, Eq)]
pub enum ServerEffect {
    /// Send a frame to the client.
    Send(Frame),
    /// Decide whether the client may join, then call [`Server::answer`].
    Join {
        /// The channel to be joined.
        channel: ServerChannel,
        /// Its topic.
        topic: ShortText,
        /// The client's payload.
        payload: Json,
    },
    /// Handle a push of the client to a channel.
    Push {
        /// The channel.
        channel: ServerChannel,
        /// The name of the event.
        event: ShortText,
        /// Its payload.
        payload: Json,
        /// Where the reply goes, if the client wants one.
        reply_to: Option<ReplyTo>,
    },
    /// Stop serving a channel that the client had joined or asked to join.
    Left {
        /// The channel.
        channel: ServerChannel,
        /// Its topic.
        topic: ShortText,
        /// Why it ended.
        cause: LeaveCause,
    },
    /// Close the connection: the client was silent for too long.
    Disconnect,
}

/// Why a channel ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaveCause {
    /// The client left.
    Left,
    /// The client joined the same topic again.
    JoinedAgain,
    /// The connection is gone.
    Disconnected,
}

/// The right to reply to one push, once.
#[derive(Debug, PartialEq, Eq)]
pub struct ReplyTo {
    channel: ServerChannel,
    reference: ShortText,
}

/// The application's answer to a client that wants to join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JoinAnswer {
    /// It may; this is the reply.
    Welcome(Json),
    /// It may not; this is the refusal.
    Refuse(Json),
    /// There is no such topic.
    UnknownTopic,
}

/// Why a command to a channel did nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChannelError {
    /// The channel has ended; the application may not know it yet.
    #[error("the channel has ended; nothing was sent")]
    Ended,
    /// The client has not joined yet.
    #[error("the client has not joined yet; nothing was sent")]
    NotJoined,
    /// The client has joined already.
    #[error("the client has already joined; nothing was sent")]
    AlreadyJoined,
}

#[derive(Clone, Debug)]
struct Membership {
    id: ServerChannel,
    join_ref: Option<ShortText>,
    stage: MembershipState,
}

#[derive(Clone, Debug)]
enum MembershipState {
    Joining { reference: Option<ShortText> },
    Joined,
}

/// The head of a client's frame.
struct FrameHead {
    join_ref: Option<ShortText>,
    reference: Option<ShortText>,
    topic: ShortText,
}

impl Server {
    /// The server's end of a connection that opens now.
    pub const fn new(settings: ServerSettings, now: u64) -> Self {
        Self { settings, channels: BTreeMap::new(), last_id: 0, heard_at: now }
    }

    /// Handles a message from the client.
    pub fn receive(&mut self, message: impl Into<ClientMessage>, now: u64) -> Vec<ServerEffect> {
        self.heard_at = now;
        match message.into() {
            ClientMessage::Frame(frame) => self.receive_frame(frame),
            ClientMessage::Binary(BinaryPush { join_ref, reference, topic }) => {
                vec![FrameHead { join_ref, reference, topic }.refused("payload is not JSON")]
            }
        }
    }

    fn receive_frame(&mut self, frame: Frame) -> Vec<ServerEffect> {
        let Frame { join_ref, reference, topic, body } = frame;
        let heard = FrameHead { join_ref, reference, topic };
        // A server asks nothing of its clients, so a reply answers nothing.
        let FrameBody::Event { event, payload } = body else { return Vec::new() };
        match (heard.topic.as_str(), event.as_str()) {
            (PHOENIX, HEARTBEAT) => vec![heard.without_join_ref().granted(Json::empty())],
            (PHOENIX, _) => vec![heard.unmatched()],
            (_, JOIN) => self.join(heard, payload),
            (_, LEAVE) => self.leave(heard),
            _ => self.push_from_client(heard, event, payload),
        }
    }

    /// Lets a client join a channel, or refuses it.
    ///
    /// # Errors
    ///
    /// If the channel has ended or was answered before.
    pub fn answer(
        &mut self,
        channel: ServerChannel,
        answer: JoinAnswer,
    ) -> Result<Vec<ServerEffect>, ChannelError> {
        let (topic, found) = self.find(channel)?;
        let MembershipState::Joining { reference } = &found.stage else {
            return Err(ChannelError::AlreadyJoined);
        };
        let heard = FrameHead {
            join_ref: found.join_ref.clone(),
            reference: reference.clone(),
            topic: topic.clone(),
        };
        Ok(vec![self.settle(heard, answer)])
    }

    /// Replies to a push.
    ///
    /// # Errors
    ///
    /// If the channel has ended: the client no longer waits.
    pub fn reply(
        &mut self,
        to: ReplyTo,
        status: ReplyStatus,
        response: Json,
    ) -> Result<Vec<ServerEffect>, ChannelError> {
        let (topic, channel) = self.joined(to.channel)?;
        let join_ref = channel.join_ref.clone();
        let frame = Frame::reply(join_ref, Some(to.reference), topic.clone(), (status, response));
        Ok(vec![ServerEffect::Send(frame)])
    }

    /// Fails a channel (`phx_error`): the client joins again.
    ///
    /// No [`ServerEffect::Left`] follows: the application knows.
    ///
    /// # Errors
    ///
    /// If the channel has ended.
    pub fn fail(&mut self, channel: ServerChannel) -> Result<Vec<ServerEffect>, ChannelError> {
        let (topic, channel) = self.find(channel)?;
        let topic = topic.clone();
        let frame = channel.signal(topic.clone(), ERROR);
        self.channels.remove(&topic);
        Ok(vec![ServerEffect::Send(frame)])
    }

    /// Ends all channels because the connection is gone.
    pub fn disconnected(&mut self) -> Vec<ServerEffect> {
        let channels = std::mem::take(&mut self.channels);
        let left = channels.into_iter().map(|(topic, channel)| ServerEffect::Left {
            channel: channel.id,
            topic,
            cause: LeaveCause::Disconnected,
        });
        left.collect()
    }

    /// Closes the connection if the client was silent for too long.
    pub fn tick(&mut self, now: u64) -> Vec<ServerEffect> {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return Vec::new();
        }
        let mut effects = self.disconnected();
        effects.push(ServerEffect::Disconnect);
        effects
    }

    /// When [`Server::tick`] will close the connection, unless the client sends something before.
    pub fn deadline(&self) -> Option<u64> {
        Some(self.heard_at.saturating_add(self.settings.idle_timeout?))
    }

    fn join(&mut self, heard: FrameHead, payload: Json) -> Vec<ServerEffect> {
        // The old channel is closed first, as Phoenix does.
        let mut effects = self.close_for(&heard.topic, LeaveCause::JoinedAgain);
        if self.channels.len() >= self.settings.channels as usize {
            effects.push(heard.refused("too many channels"));
            return effects;
        }
        self.last_id += 1;
        let channel = ServerChannel(self.last_id);
        let FrameHead { join_ref, reference, topic } = heard;
        let stage = MembershipState::Joining { reference };
        self.channels.insert(topic.clone(), Membership { id: channel, join_ref, stage });
        effects.push(ServerEffect::Join { channel, topic, payload });
        effects
    }

    fn settle(&mut self, heard: FrameHead, answer: JoinAnswer) -> ServerEffect {
        if let JoinAnswer::Welcome(response) = answer {
            if let Some(channel) = self.channels.get_mut(&heard.topic) {
                channel.stage = MembershipState::Joined;
            }
            return heard.granted(response);
        }
        self.channels.remove(&heard.topic);
        match answer {
            JoinAnswer::Refuse(response) => heard.answered(ReplyStatus::Error, response),
            _ => heard.unmatched(),
        }
    }

    fn leave(&mut self, heard: FrameHead) -> Vec<ServerEffect> {
        match self.channels.get(&heard.topic) {
            Some(channel) if channel.join_ref != heard.join_ref => Vec::new(),
            Some(_) => {
                let closing = self.close_for(&heard.topic, LeaveCause::Left);
                let mut effects = vec![heard.granted(Json::empty())];
                effects.extend(closing);
                effects
            }
            // The channel was closed while the client was about to leave it.
            None => vec![heard.granted(Json::empty())],
        }
    }

    fn push_from_client(
        &mut self,
        heard: FrameHead,
        event: ShortText,
        payload: Json,
    ) -> Vec<ServerEffect> {
        match self.channels.get(&heard.topic) {
            // The push was meant for an earlier join, which has ended.
            Some(channel) if channel.join_ref != heard.join_ref => Vec::new(),
            Some(channel) if channel.is_joined() && is_reserved(&event) => {
                vec![heard.refused("reserved event")]
            }
            Some(channel) if channel.is_joined() => {
                let channel = channel.id;
                let reply_to = heard.reference.map(|reference| ReplyTo { channel, reference });
                vec![ServerEffect::Push { channel, event, payload, reply_to }]
            }
            _ => vec![heard.unmatched()],
        }
    }

    /// Closes the channel on a topic, if there is one, because the client left or joined again.
    fn close_for(&mut self, topic: &ShortText, cause: LeaveCause) -> Vec<ServerEffect> {
        let Some(channel) = self.channels.remove(topic) else { return Vec::new() };
        let left = ServerEffect::Left { channel: channel.id, topic: topic.clone(), cause };
        vec![ServerEffect::Send(channel.signal(topic.clone(), CLOSE)), left]
    }

    fn joined(&self, channel: ServerChannel) -> Result<(&ShortText, &Membership), ChannelError> {
        let found = self.find(channel)?;
        if found.1.is_joined() { Ok(found) } else { Err(ChannelError::NotJoined) }
    }

    fn find(&self, channel: ServerChannel) -> Result<(&ShortText, &Membership), ChannelError> {
        let mut channels = self.channels.iter();
        channels.find(|(_, found)| found.id == channel).ok_or(ChannelError::Ended)
    }
}

impl Membership {
    const fn is_joined(&self) -> bool {
        matches!(self.stage, MembershipState::Joined)
    }

    // Phoenix sends the ref of the join as the ref of the frame, too.
    fn signal(&self, topic: ShortText, event: &'static str) -> Frame {
        Frame::signal(self.join_ref.clone(), self.join_ref.clone(), topic, event)
    }
}

impl FrameHead {
    fn granted(self, response: Json) -> ServerEffect {
        self.answered(ReplyStatus::Ok, response)
    }

    fn answered(self, status: ReplyStatus, response: Json) -> ServerEffect {
        let Self { join_ref, reference, topic } = self;
        ServerEffect::Send(Frame::reply(join_ref, reference, topic, (status, response)))
    }

    fn refused(self, reason: &'static str) -> ServerEffect {
        let Self { join_ref, reference, topic } = self;
        ServerEffect::Send(Frame::refusal(join_ref, reference, topic, reason))
    }

    // There is no channel, so the reply belongs to no join.
    fn unmatched(self) -> ServerEffect {
        self.without_join_ref().refused("unmatched topic")
    }

    fn without_join_ref(self) -> Self {
        Self { join_ref: None, ..self }
    }
}
