//! Pushes that wait for their channel or their reply.

use super::{ClientChannel, ClientEffect, PushNumber, Refs};
use crate::{FrameBody, Json, ShortText};

/// All pushes without a reply, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Pushes {
    waiting: Vec<(PushNumber, Push)>,
    last: u64,
}

#[derive(Clone, Debug)]
struct Push {
    channel: ClientChannel,
    until: u64,
    stage: PushState,
}

#[derive(Clone, Debug)]
enum PushState {
    Held { event: ShortText, payload: Json },
    Sent { reference: ShortText },
}

impl Pushes {
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn deadline(&self) -> Option<u64> {
        self.waiting.iter().map(|(_, push)| push.until).min()
    }

    /// Keeps a push until its channel is joined.
    pub(super) fn hold(
        &mut self,
        channel: ClientChannel,
        event: ShortText,
        payload: Json,
        until: u64,
    ) -> PushNumber {
        self.last += 1;
        let number = PushNumber(self.last);
        let stage = PushState::Held { event, payload };
        self.waiting.push((number, Push { channel, until, stage }));
        number
    }

    /// The pushes that waited for a channel; from now on they wait for their replies.
    pub(super) fn release(
        &mut self,
        channel: ClientChannel,
        until: u64,
        refs: &mut Refs,
    ) -> Vec<(ShortText, FrameBody)> {
        let pushes = self.waiting.iter_mut().map(|(_, push)| push);
        let pushes = pushes.filter(|push| push.channel == channel);
        pushes.filter_map(|push| push.release(until, refs)).collect()
    }

    /// Removes the push that a reply answers.
    pub(super) fn settle(&mut self, channel: ClientChannel, to: &ShortText) -> Option<PushNumber> {
        let mut waiting = self.waiting.iter();
        let place = waiting.position(|(_, push)| push.channel == channel && push.awaits(to))?;
        Some(self.waiting.remove(place).0)
    }

    /// Removes the pushes that timed out.
    pub(super) fn expire(&mut self, now: u64) -> Vec<ClientEffect> {
        let expired = self.waiting.extract_if(.., |(_, push)| push.until <= now);
        expired.map(|(push, _)| ClientEffect::TimedOut { push }).collect()
    }
}

impl Push {
    fn awaits(&self, to: &ShortText) -> bool {
        matches!(&self.stage, PushState::Sent { reference } if reference == to)
    }

    fn release(&mut self, until: u64, refs: &mut Refs) -> Option<(ShortText, FrameBody)> {
        let reference = match self.stage {
            PushState::Held { .. } => refs.next(),
            PushState::Sent { .. } => return None,
        };
        self.until = until;
        let sent = PushState::Sent { reference: reference.clone() };
        match std::mem::replace(&mut self.stage, sent) {
            PushState::Held { event, payload } => {
                Some((reference, FrameBody::Event { event, payload }))
            }
            PushState::Sent { .. } => None,
        }
    }
}
