//! B-threads with a state, for the random programs.

use bthread::{Behaviour, SyncPoint};

use crate::spec::{COLOURS, Colour, PointSpec, SetSpec, Signal};

/// A state with a step function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SampleBehaviour {
    /// Requests a signal `left` more times, and ends.
    Countdown { left: u8, request: Signal },
    /// Counts signals for ever, and requests one after every `every` signals.
    Tally { heard: u32, of: SetSpec, every: u32, request: Signal },
    /// Answers a signal with the next colour, until it is interrupted.
    Echo { heard: Option<Signal>, of: SetSpec, until: SetSpec },
    /// Requests the numbers of a colour in turn, also beyond the alphabet.
    Climber { colour: Colour, at: u8, top: u8 },
    /// Blocks all signals that it has seen, until there are enough.
    Grudge { seen: Vec<Signal>, of: SetSpec, enough: u8 },
    /// Blocks a set every other time.
    Switch { is_on: bool, toggle: SetSpec, blocks: SetSpec },
}

impl SampleBehaviour {
    /// The current sync point, or `None` if the b-thread has ended.
    pub(crate) fn current_point(&self) -> Option<PointSpec> {
        let mut point = PointSpec::default();
        match self {
            Self::Countdown { left: 0, .. } => return None,
            Self::Climber { at, top, .. } if at >= top => return None,
            Self::Grudge { seen, enough, .. } if seen.len() >= usize::from(*enough) => return None,
            Self::Countdown { request, .. } => {
                point.is_hot = true;
                point.requests.push(*request);
            }
            Self::Tally { heard, of, every, request } => {
                point.waits.push(of.clone());
                if heard % every == every - 1 {
                    point.requests.push(*request);
                }
            }
            Self::Echo { heard, of, until } => {
                point.waits.push(of.clone());
                point.interrupts.push(until.clone());
                point.requests.extend(heard.map(answer));
            }
            Self::Climber { colour, at, .. } => {
                point.requests.push(Signal { colour: *colour, number: *at });
            }
            Self::Grudge { seen, of, .. } => {
                point.waits.push(of.clone());
                point.blocks.push(SetSpec::Several(seen.clone()));
            }
            Self::Switch { is_on, toggle, blocks } => {
                point.waits.push(toggle.clone());
                point.blocks.extend(is_on.then(|| blocks.clone()));
            }
        }
        Some(point)
    }

    /// The state after a signal that it requested or waited for.
    pub(crate) fn after(mut self, signal: Signal) -> Self {
        match &mut self {
            Self::Countdown { left, .. } => *left -= 1,
            Self::Tally { heard, .. } => *heard += 1,
            Self::Echo { heard, .. } => {
                let is_answer = heard.map(answer) == Some(signal);
                *heard = (!is_answer).then_some(signal);
            }
            Self::Climber { at, .. } => *at += 1,
            Self::Grudge { seen, .. } => seen.push(signal),
            Self::Switch { is_on, .. } => *is_on = !*is_on,
        }
        self
    }
}

/// The same number in the next colour.
fn answer(signal: Signal) -> Signal {
    let at = COLOURS.iter().position(|colour| *colour == signal.colour);
    let next = at.map_or(0, |at| (at + 1) % COLOURS.len());
    Signal { colour: COLOURS[next], number: signal.number }
}

impl Behaviour<Signal> for SampleBehaviour {
    fn sync_point(&self) -> Option<SyncPoint<Signal>> {
        self.current_point().map(|point| point.to_point())
    }

    fn go_on(&mut self, signal: &Signal) {
        *self = self.clone().after(*signal);
    }
}
