//! The client's end of a long poll.

use super::{EnvelopeError, FORBIDDEN, GONE, NO_CONTENT, OK, PollAnswer, PollToken, encode_line};
use crate::limits::exceeds;
use crate::{DecodeError, EncodeError, Frame, Limits, Sender};

/// The client's end of a long poll: one request for messages after another, and one post at a
/// time.
///
/// It stands where a WebSocket would: it opens, delivers frames, takes frames, and is lost.
#[derive(Clone, Debug)]
pub struct Poller {
    limits: Limits,
    stage: Stage,
    queue: Vec<String>,
    is_posting: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    Opening,
    Open { token: PollToken },
    Closed,
}

/// What a poller's caller must do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PollEffect {
    /// Ask for messages, with the token if there is one.
    Get {
        /// Goes into the query.
        token: Option<PollToken>,
    },
    /// Post these lines as `application/x-ndjson`.
    Post {
        /// Goes into the query.
        token: PollToken,
        /// The frames.
        body: String,
    },
    /// The connection is open.
    Opened,
    /// A frame came.
    Deliver(Frame),
    /// The connection is gone; requests that run can be given up.
    Lost,
}

/// Why a poller did not take something in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PollerError {
    /// The body of an answer cannot be read; the connection is lost.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// A message in an answer is no frame; the connection is lost.
    #[error(transparent)]
    Frame(#[from] DecodeError),
    /// The server does not let us in; trying again is useless.
    #[error("the server forbids the connection")]
    Forbidden,
    /// The status of an answer is not one of a long poll's; the connection is lost.
    #[error("the server answered with status {0}; the connection is lost")]
    Status(u16),
    /// An answer does not name its session; the connection is lost.
    #[error("the server's answer has no token; the connection is lost")]
    NoToken,
    /// A frame cannot be written down; it was not sent.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// There is no connection; the frame was not sent.
    #[error("the long poll is not open; the frame was not sent")]
    NotOpen,
    /// Too many frames wait for the running post; the frame was not sent.
    #[error("too many frames wait to be posted; the frame was not sent")]
    QueueFull,
}

impl Poller {
    /// How many frames wait for the running post to end.
    pub const MAX_QUEUE: usize = 1_024;

    /// Starts a connection.
    pub const fn open(limits: Limits) -> (Self, PollEffect) {
        let poller = Self { limits, stage: Stage::Opening, queue: Vec::new(), is_posting: false };
        (poller, PollEffect::Get { token: None })
    }

    /// Takes in the answer to a request for messages.
    ///
    /// # Errors
    ///
    /// If the answer makes no sense; the connection is then closed.
    pub fn answered(&mut self, body: &str) -> Result<Vec<PollEffect>, PollerError> {
        let stage = std::mem::replace(&mut self.stage, Stage::Closed);
        let answer = PollAnswer::decode(body, &self.limits)?;
        let token = answer.token.ok_or(PollerError::NoToken);
        match (answer.status, stage) {
            (_, Stage::Closed) => Ok(Vec::new()),
            (GONE, Stage::Opening) => Ok(vec![self.poll(token?), PollEffect::Opened]),
            // The session is gone; channels must be joined again.
            (GONE, Stage::Open { .. }) => Ok(vec![PollEffect::Lost]),
            (OK | NO_CONTENT, Stage::Open { .. }) => {
                let mut effects = self.deliver(&answer.messages.unwrap_or_default())?;
                effects.push(self.poll(token?));
                Ok(effects)
            }
            (FORBIDDEN, _) => Err(PollerError::Forbidden),
            (status, _) => Err(PollerError::Status(status)),
        }
    }

    /// Takes in the answer to a post.
    ///
    /// # Errors
    ///
    /// If the answer makes no sense; the connection is then closed.
    pub fn posted(&mut self, body: &str) -> Result<Vec<PollEffect>, PollerError> {
        self.is_posting = false;
        let answer = PollAnswer::decode(body, &self.limits);
        match answer.map(|answer| answer.status) {
            _ if self.stage == Stage::Closed => Ok(Vec::new()),
            Ok(OK) => Ok(self.post()),
            Ok(_) => Ok(self.failed()),
            Err(error) => {
                self.stage = Stage::Closed;
                Err(error.into())
            }
        }
    }

    /// Learns that a request failed or took too long.
    pub fn failed(&mut self) -> Vec<PollEffect> {
        match std::mem::replace(&mut self.stage, Stage::Closed) {
            Stage::Closed => Vec::new(),
            Stage::Opening | Stage::Open { .. } => vec![PollEffect::Lost],
        }
    }

    /// Posts a frame now, or after the post that is running.
    ///
    /// # Errors
    ///
    /// If the connection is not open, too many frames are waiting, or the frame has no form.
    pub fn send(&mut self, frame: &Frame) -> Result<Vec<PollEffect>, PollerError> {
        if !matches!(self.stage, Stage::Open { .. }) {
            return Err(PollerError::NotOpen);
        }
        if self.queue.len() >= Self::MAX_QUEUE {
            return Err(PollerError::QueueFull);
        }
        self.queue.push(encode_line(frame.encode(Sender::Client)?));
        Ok(self.post())
    }

    fn poll(&mut self, token: PollToken) -> PollEffect {
        self.stage = Stage::Open { token: token.clone() };
        PollEffect::Get { token: Some(token) }
    }

    fn deliver(&self, messages: &[String]) -> Result<Vec<PollEffect>, PollerError> {
        let frames = messages.iter().map(|message| Frame::decode_text(message, &self.limits));
        Ok(frames.map(|frame| frame.map(PollEffect::Deliver)).collect::<Result<_, _>>()?)
    }

    fn post(&mut self) -> Vec<PollEffect> {
        let Stage::Open { token } = &self.stage else { return Vec::new() };
        if self.is_posting || self.queue.is_empty() {
            return Vec::new();
        }
        self.is_posting = true;
        let lines: Vec<String> = self.queue.drain(..self.fitting()).collect();
        vec![PollEffect::Post { token: token.clone(), body: lines.join("\n") }]
    }

    /// How many frames one post carries: at least one, and no more than a server with the same limits
    /// accepts.
    fn fitting(&self) -> usize {
        let lengths = self.queue.iter().take(self.limits.batch_frames as usize);
        let ends = lengths.scan(0_usize, |end, line| {
            *end = end.saturating_add(line.len());
            Some(std::mem::replace(end, end.saturating_add(1)))
        });
        ends.take_while(|end| !exceeds(*end, self.limits.body_bytes)).count().max(1)
    }
}
