//! One channel as its client sees it.

use super::Backoff;
use crate::{Frame, Label, Payload};

/// A channel that the client wants to be in.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) topic: Label,
    pub(super) payload: Payload,
    pub(super) join_ref: Option<Label>,
    pub(super) stage: Stage,
    pub(super) tries: u32,
}

/// How far the channel has come.
#[derive(Clone, Debug)]
pub(super) enum Stage {
    /// It is joined at a time, or as soon as there is a connection.
    Waiting { until: Option<u64> },
    /// The server has been asked, and must answer before a time.
    Joining { until: u64 },
    /// The server has let us in.
    Joined,
    /// The server has been told that we go, and must answer before a time.
    Leaving { reference: Label, until: u64 },
}

/// What a tick asks of a channel.
pub(super) enum Due {
    Nothing,
    Rejoin,
    JoinTimedOut,
    Left,
}

impl Channel {
    pub(super) const fn new(topic: Label, payload: Payload) -> Self {
        let stage = Stage::Waiting { until: None };
        Self { topic, payload, join_ref: None, stage, tries: 0 }
    }

    pub(super) const fn is_joined(&self) -> bool {
        matches!(self.stage, Stage::Joined)
    }

    pub(super) const fn is_leaving(&self) -> bool {
        matches!(self.stage, Stage::Leaving { .. })
    }

    pub(super) fn awaits_join(&self, reference: &Label) -> bool {
        matches!(self.stage, Stage::Joining { .. }) && self.join_ref.as_ref() == Some(reference)
    }

    pub(super) fn awaits_leave(&self, to: &Label) -> bool {
        matches!(&self.stage, Stage::Leaving { reference, .. } if reference == to)
    }

    pub(super) fn welcome(&mut self) {
        self.stage = Stage::Joined;
        self.tries = 0;
    }

    /// Waits before the next join.
    pub(super) fn fail(&mut self, backoff: &Backoff, now: u64) {
        self.stage = Stage::Waiting { until: Some(now.saturating_add(backoff.delay(self.tries))) };
        self.tries = self.tries.saturating_add(1);
    }

    pub(super) const fn deadline(&self) -> Option<u64> {
        match self.stage {
            Stage::Waiting { until } => until,
            Stage::Joining { until } | Stage::Leaving { until, .. } => Some(until),
            Stage::Joined => None,
        }
    }

    pub(super) fn due(&self, now: u64) -> Due {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return Due::Nothing;
        }
        match self.stage {
            Stage::Waiting { .. } => Due::Rejoin,
            Stage::Joining { .. } => Due::JoinTimedOut,
            Stage::Leaving { .. } => Due::Left,
            Stage::Joined => Due::Nothing,
        }
    }

    pub(super) fn signal(&self, reference: Label, event: &'static str) -> Frame {
        Frame::signal(self.join_ref.clone(), Some(reference), self.topic.clone(), event)
    }
}
