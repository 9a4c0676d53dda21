//! The states of an automaton that were built so far.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use super::bits::Bits;
use crate::machine::{Heard, Pick};
use crate::run::Status;

/// States and transitions that are added and never change or go away, so that
/// many threads read them without a lock while one adds more.
pub(super) struct Table {
    /// How many events there are.
    width: usize,
    /// Each twice as large as the one before, so that states never move.
    chunks: [OnceLock<Chunk>; CHUNKS],
}

struct Chunk {
    states: Box<[OnceLock<State>]>,
    /// For each state, what each event leads to.
    transitions: Box<[AtomicU32]>,
}

/// All that is known of one state.
pub(super) struct State {
    /// How far each b-thread has come: a position, or the number of its state.
    pub(super) locals: Arc<[u32]>,
    /// The requests that can happen, once for each event, highest priority first.
    pub(super) picks: Box<[Pick]>,
    /// The first of them.
    pub(super) first: Option<Pick>,
    /// Why nothing can happen, given that nothing can.
    pub(super) status: Status,
    /// What nobody blocks; found out when somebody asks.
    pub(super) unblocked: OnceLock<Bits>,
}

/// What an event leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transition {
    /// Somebody blocks it.
    Blocked,
    /// To a state.
    To(u32, Heard),
}

const FIRST_CHUNK: u32 = 64;
const CHUNKS: usize = 24;

/// The most states that a table can hold.
pub(super) const MOST_STATES: u32 = (FIRST_CHUNK << CHUNKS) - FIRST_CHUNK;

impl Table {
    pub(super) fn new(width: usize) -> Self {
        Self { width, chunks: [const { OnceLock::new() }; CHUNKS] }
    }

    /// The state of a number that was given out.
    pub(super) fn state(&self, number: u32) -> &State {
        let (chunk, offset) = locate(number);
        let chunk = self.chunks[chunk].get().expect(BUILT);
        chunk.states[offset].get().expect(BUILT)
    }

    /// Adds a state; its number must be the next one.
    pub(super) fn add(&self, number: u32, state: State) {
        let (chunk, offset) = locate(number);
        let chunk = self.chunks[chunk].get_or_init(|| Chunk::new(chunk, self.width));
        let added = chunk.states[offset].set(state);
        assert!(added.is_ok(), "states are added once");
    }

    /// What an event leads to, if that was found out before.
    pub(super) fn transition(&self, from: u32, event: u32) -> Option<Transition> {
        // Pairs with the Release below: who sees the number sees the state.
        Transition::decode(self.slot(from, event).load(Ordering::Acquire))
    }

    /// Notes what an event leads to.
    pub(super) fn connect(&self, from: u32, event: u32, transition: Transition) {
        self.slot(from, event).store(transition.encode(), Ordering::Release);
    }

    fn slot(&self, from: u32, event: u32) -> &AtomicU32 {
        let (chunk, offset) = locate(from);
        let chunk = self.chunks[chunk].get().expect(BUILT);
        &chunk.transitions[offset * self.width + event as usize]
    }
}

const BUILT: &str = "only built states have numbers";

/// The chunk of a state, and its place there.
fn locate(number: u32) -> (usize, usize) {
    let shifted = number + FIRST_CHUNK;
    let chunk = shifted.ilog2() - FIRST_CHUNK.ilog2();
    (chunk as usize, (shifted - (FIRST_CHUNK << chunk)) as usize)
}

impl Chunk {
    fn new(chunk: usize, width: usize) -> Self {
        let count = (FIRST_CHUNK as usize) << chunk;
        Self {
            states: (0..count).map(|_| OnceLock::new()).collect(),
            transitions: (0..count * width).map(|_| AtomicU32::new(UNKNOWN)).collect(),
        }
    }
}

const UNKNOWN: u32 = 0;
const BLOCKED: u32 = 1;

impl Transition {
    /// Zero is unknown, one is blocked; else the state's number and, in the
    /// lowest bit, whether anybody heard.
    fn encode(self) -> u32 {
        match self {
            Self::Blocked => BLOCKED,
            Self::To(state, heard) => (state + 1) * 2 + u32::from(heard == Heard::Yes),
        }
    }

    fn decode(code: u32) -> Option<Self> {
        match code {
            UNKNOWN => None,
            BLOCKED => Some(Self::Blocked),
            code if code % 2 == 0 => Some(Self::To(code / 2 - 1, Heard::No)),
            code => Some(Self::To(code / 2 - 1, Heard::Yes)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNKS, Heard, MOST_STATES, Transition, locate};

    #[test]
    fn every_state_has_a_place_of_its_own() {
        let mut next = (0, 0);
        for number in 0..10_000 {
            assert_eq!(locate(number), next);
            next.1 += 1;
            if next.1 == 64 << next.0 {
                next = (next.0 + 1, 0);
            }
        }
        assert_eq!(locate(MOST_STATES - 1).0, CHUNKS - 1);
    }

    #[test]
    fn transitions_come_out_as_they_went_in() {
        let last = MOST_STATES - 1;
        for transition in [
            Transition::Blocked,
            Transition::To(0, Heard::No),
            Transition::To(0, Heard::Yes),
            Transition::To(last, Heard::No),
            Transition::To(last, Heard::Yes),
        ] {
            assert_eq!(Transition::decode(transition.encode()), Some(transition));
        }
    }
}
