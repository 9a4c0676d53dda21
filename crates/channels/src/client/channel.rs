//! One channel as its client sees it.

use super::Backoff;
use crate::{Frame, Json, ShortText};

/// A channel that the client wants to be in.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) topic: ShortText,
    pub(super) payload: Json,
    pub(super) join_ref: Option<ShortText>,
    pub(super) stage: ChannelState,
    pub(super) tries: u32,
}

/// The state of a channel.
#[derive(Clone, Debug)]
pub(super) enum ChannelState {
    /// The next join is at this time, or as soon as there is a connection.
    Waiting { until: Option<u64> },
    /// A join was sent, and must be answered by this time.
    Joining { until: u64 },
    /// The channel is joined.
    Joined,
    /// A leave was sent, and must be answered by this time.
    Leaving { reference: ShortText, until: u64 },
}

/// The next task of a channel.
pub(super) enum ChannelTick {
    Nothing,
    Rejoin,
    JoinTimedOut,
    Left,
}

impl Channel {
    pub(super) const fn new(topic: ShortText, payload: Json) -> Self {
        let stage = ChannelState::Waiting { until: None };
        Self { topic, payload, join_ref: None, stage, tries: 0 }
    }

    pub(super) const fn is_joined(&self) -> bool {
        matches!(self.stage, ChannelState::Joined)
    }

    pub(super) const fn is_leaving(&self) -> bool {
        matches!(self.stage, ChannelState::Leaving { .. })
    }

    pub(super) fn awaits_join(&self, reference: &ShortText) -> bool {
        matches!(self.stage, ChannelState::Joining { .. })
            && self.join_ref.as_ref() == Some(reference)
    }

    pub(super) fn awaits_leave(&self, to: &ShortText) -> bool {
        matches!(&self.stage, ChannelState::Leaving { reference, .. } if reference == to)
    }

    pub(super) fn welcome(&mut self) {
        self.stage = ChannelState::Joined;
        self.tries = 0;
    }

    /// Waits before the next join.
    pub(super) fn fail(&mut self, backoff: &Backoff, now: u64) {
        self.stage =
            ChannelState::Waiting { until: Some(now.saturating_add(backoff.delay(self.tries))) };
        self.tries = self.tries.saturating_add(1);
    }

    pub(super) const fn deadline(&self) -> Option<u64> {
        match self.stage {
            ChannelState::Waiting { until } => until,
            ChannelState::Joining { until } | ChannelState::Leaving { until, .. } => Some(until),
            ChannelState::Joined => None,
        }
    }

    pub(super) fn due(&self, now: u64) -> ChannelTick {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return ChannelTick::Nothing;
        }
        match self.stage {
            ChannelState::Waiting { .. } => ChannelTick::Rejoin,
            ChannelState::Joining { .. } => ChannelTick::JoinTimedOut,
            ChannelState::Leaving { .. } => ChannelTick::Left,
            ChannelState::Joined => ChannelTick::Nothing,
        }
    }

    pub(super) fn signal(&self, reference: ShortText, event: &'static str) -> Frame {
        Frame::signal(self.join_ref.clone(), Some(reference), self.topic.clone(), event)
    }
}
