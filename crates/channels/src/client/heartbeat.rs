//! Heartbeats, which notice a server that is gone.

use super::Refs;
use crate::frame::{HEARTBEAT, PHOENIX};
use crate::{Frame, ShortText};

/// The state of the heartbeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heartbeat {
    /// There is no connection, or it needs no heartbeats.
    Off,
    /// The next one is sent at this time.
    Due { at: u64 },
    /// One was sent and must be answered by this time.
    Sent { reference: ShortText, until: u64 },
}

/// The next task of the heartbeat.
pub(super) enum HeartbeatTick {
    /// Nothing is due.
    Nothing,
    /// Send this heartbeat.
    Send(Frame),
    /// The server did not answer.
    Missed,
}

impl Heartbeat {
    pub(super) fn start(interval: Option<u64>, now: u64) -> Self {
        interval.map_or(Self::Off, |interval| Self::Due { at: now.saturating_add(interval) })
    }

    pub(super) const fn deadline(&self) -> Option<u64> {
        match self {
            Self::Off => None,
            Self::Due { at: time } | Self::Sent { until: time, .. } => Some(*time),
        }
    }

    pub(super) fn answered(&mut self, by: &ShortText, interval: Option<u64>, now: u64) {
        if matches!(self, Self::Sent { reference, .. } if reference == by) {
            *self = Self::start(interval, now);
        }
    }

    pub(super) fn tick(
        &mut self,
        interval: Option<u64>,
        now: u64,
        refs: &mut Refs,
    ) -> HeartbeatTick {
        match (&*self, interval) {
            (Self::Sent { until, .. }, _) if *until <= now => HeartbeatTick::Missed,
            (Self::Due { at }, Some(interval)) if *at <= now => {
                let reference = refs.next();
                let until = now.saturating_add(interval);
                *self = Self::Sent { reference: reference.clone(), until };
                let topic = ShortText::known(PHOENIX);
                HeartbeatTick::Send(Frame::signal(None, Some(reference), topic, HEARTBEAT))
            }
            _ => HeartbeatTick::Nothing,
        }
    }
}
