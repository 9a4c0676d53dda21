//! The table of states of an automaton.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::engine::{Handled, Pick};
use crate::run::Status;

/// States and transitions. They are added and never change or go away, so several threads
/// can read them without a lock while one adds more.
pub(super) struct Table {
    /// The numbers at the start of a row, before those of the events: which events are not blocked,
    /// and the first request that can happen.
    header: usize,
    /// The length of a row.
    stride: usize,
    /// Each chunk is twice as large as the one before, so states never move.
    chunks: [OnceLock<Chunk>; CHUNKS],
}

struct Chunk {
    states: Box<[OnceLock<BuiltState>]>,
    /// A row for each state: which events are not blocked, and the transition of each event. It has
    /// all that a step needs close together, because the cost of a step is the memory that it
    /// touches. A transition also says which of the first 32 events are not blocked after it, so
    /// that players of small games need not wait for the next row.
    rows: Box<[AtomicU64]>,
}

/// The other facts about a state.
pub(super) struct BuiltState {
    /// How far each b-thread has come: its position or the number of its state, in bytes.
    pub(super) locals: Arc<[u8]>,
    /// The requests that can happen, one for each event, highest priority first.
    pub(super) picks: Box<[Pick]>,
    /// The first of them.
    pub(super) first: Option<Pick>,
    /// The status, provided that no requested event can happen.
    pub(super) status: Status,
}

/// The effect of an event in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transition {
    /// It is blocked.
    Blocked,
    /// It leads to a state.
    To(Spot, Handled, Rest),
}

/// The place of a state in the table: its chunk and its place there, so that finding it takes no
/// arithmetic. It is never zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot(u32);

/// The bits of the place in a chunk; the largest chunk has fewer places than that.
const PLACE_BITS: u32 = 25;

impl Spot {
    /// The place of the state with this number.
    pub(super) fn new(number: u32) -> Self {
        let shifted = number + FIRST_CHUNK;
        let chunk = shifted.ilog2() - FIRST_CHUNK.ilog2();
        Self((chunk + 1) << PLACE_BITS | (shifted - (FIRST_CHUNK << chunk)))
    }

    /// The number of the state: how many were added before it.
    fn number(self) -> u32 {
        let (chunk, place) = (self.0 >> PLACE_BITS, self.0 % (1 << PLACE_BITS));
        (FIRST_CHUNK << (chunk - 1)) - FIRST_CHUNK + place
    }

    #[inline]
    fn chunk(self) -> usize {
        (self.0 >> PLACE_BITS) as usize - 1
    }

    #[inline]
    fn place(self) -> usize {
        (self.0 % (1 << PLACE_BITS)) as usize
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

/// Whether a requested event can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// No requested event can happen.
    Quiet,
    /// Some requested event can happen.
    Moving,
}

const FIRST_CHUNK: u32 = 64;
const CHUNKS: usize = 19;

/// The maximum number of states in a table.
pub(super) const MOST_STATES: u32 = (FIRST_CHUNK << CHUNKS) - FIRST_CHUNK;

impl Table {
    pub(super) fn new(width: usize) -> Self {
        let header = width.div_ceil(64) + 1;
        let chunks = [const { OnceLock::new() }; CHUNKS];
        Self { header, stride: header + width, chunks }
    }

    /// The memory of the chunks, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let chunks = self.chunks.iter().filter_map(OnceLock::get);
        chunks.map(|chunk| size_of_val(&*chunk.states) + size_of_val(&*chunk.rows)).sum()
    }

    /// The state at a spot.
    #[inline]
    pub(super) fn state(&self, at: Spot) -> &BuiltState {
        self.chunk(at).states[at.place()].get().expect(BUILT)
    }

    #[inline]
    fn chunk(&self, at: Spot) -> &Chunk {
        self.chunks[at.chunk()].get().expect(BUILT)
    }

    /// Adds a state, given which events of each word of 64 are not blocked. Its spot must be the
    /// next one.
    pub(super) fn add(&self, at: Spot, state: BuiltState, unblocked: impl Fn(u32) -> u64) {
        let chunk = &self.chunks[at.chunk()];
        let chunk = chunk.get_or_init(|| Chunk::new(at.chunk(), self.stride));
        let row = &chunk.rows[at.place() * self.stride..][..self.stride];
        let (header, slots) = row.split_at(self.header);
        let first = state.first.map_or(NOTHING, |pick| u64::from(pick.request) + 1);
        header[self.header - 1].store(first, Ordering::Relaxed);
        // Threads that read the spot of the state also see these stores.
        for (place, word) in header[..self.header - 1].iter().zip(0..) {
            place.store(unblocked(word), Ordering::Relaxed);
        }
        for (event, slot) in (0..).zip(slots) {
            if unblocked(event / u64::BITS) >> (event % u64::BITS) & 1 == 0 {
                slot.store(BLOCKED.into(), Ordering::Relaxed);
            }
        }
        let added = chunk.states[at.place()].set(state);
        assert!(added.is_ok(), "states are added once");
    }

    /// The first 64 events that are not blocked in a state. Bits past the last event are 0.
    #[inline]
    pub(super) fn first_unblocked(&self, at: Spot) -> u64 {
        self.chunk(at).rows[at.place() * self.stride].load(Ordering::Relaxed)
    }

    /// The row of a state.
    #[inline]
    pub(super) fn row(&self, at: Spot) -> TableRow<'_> {
        let row = &self.chunk(at).rows[at.place() * self.stride..];
        TableRow(&row[..self.header - 1])
    }

    /// The first request that can happen in a state, if any.
    #[inline]
    pub(super) fn first(&self, at: Spot) -> Option<u32> {
        let place = at.place() * self.stride + self.header - 1;
        let first = self.chunk(at).rows[place].load(Ordering::Relaxed).checked_sub(1);
        first.map(lower_half)
    }

    /// The transition of an event, if it is known.
    #[inline]
    pub(super) fn transition(&self, from: Spot, event: u32) -> Option<Transition> {
        self.transition_and_unblocked(from, event).0
    }

    /// The transition of an event, if it is known, and which of the first 32 events are not blocked
    /// after it.
    #[inline]
    pub(super) fn transition_and_unblocked(
        &self,
        from: Spot,
        event: u32,
    ) -> (Option<Transition>, u32) {
        // Pairs with the Release below: a thread that sees the spot sees the state.
        let slot = self.slot(from, event).load(Ordering::Acquire);
        (Transition::decode(lower_half(slot)), lower_half(slot >> 32))
    }

    /// Stores the transition of an event.
    pub(super) fn connect(&self, from: Spot, event: u32, transition: Transition) {
        let unblocked = match transition {
            Transition::To(next, ..) => self.first_unblocked(next),
            Transition::Blocked => 0,
        };
        let slot = unblocked << 32 | u64::from(transition.encode());
        self.slot(from, event).store(slot, Ordering::Release);
    }

    #[inline]
    fn slot(&self, from: Spot, event: u32) -> &AtomicU64 {
        &self.chunk(from).rows[from.place() * self.stride + self.header + event as usize]
    }
}

/// The start of a row: which events are not blocked in a state.
#[derive(Clone, Copy)]
pub(super) struct TableRow<'a>(&'a [AtomicU64]);

impl TableRow<'_> {
    /// The events of a word of 64 that are not blocked. Bits past the last event are 0.
    #[inline]
    pub(super) fn unblocked(self, word: u32) -> u64 {
        self.0.get(word as usize).map_or(0, |word| word.load(Ordering::Relaxed))
    }
}

const BUILT: &str = "only built states have spots";

impl Chunk {
    fn new(chunk: usize, stride: usize) -> Self {
        let count = (FIRST_CHUNK as usize) << chunk;
        Self {
            states: (0..count).map(|_| OnceLock::new()).collect(),
            rows: (0..count * stride).map(|_| AtomicU64::new(UNKNOWN.into())).collect(),
        }
    }
}

/// The lower half of the bits of a word.
#[inline]
fn lower_half(word: u64) -> u32 {
    u32::try_from(word & u64::from(u32::MAX)).expect("it is half of a word")
}

/// No requested event can happen.
const NOTHING: u64 = 0;

const UNKNOWN: u32 = 0;
const BLOCKED: u32 = 1;

impl Transition {
    /// Zero is unknown, one is blocked. Otherwise it is the state's spot and, in the two
    /// lowest bits, whether a b-thread reacted and whether the state is quiet.
    fn encode(self) -> u32 {
        match self {
            Self::Blocked => BLOCKED,
            Self::To(state, handled, rest) => {
                let handled = u32::from(handled == Handled::Yes);
                state.0 << 2 | u32::from(rest == Rest::Quiet) << 1 | handled
            }
        }
    }

    #[inline]
    fn decode(code: u32) -> Option<Self> {
        match code {
            UNKNOWN => None,
            BLOCKED => Some(Self::Blocked),
            code => {
                let handled = if code & 1 == 0 { Handled::No } else { Handled::Yes };
                let rest = if code & 2 == 0 { Rest::Moving } else { Rest::Quiet };
                Some(Self::To(Spot(code >> 2), handled, rest))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNKS, Handled, MOST_STATES, Rest, Spot, Transition};

    #[test]
    fn every_state_has_a_spot_of_its_own() {
        let mut next = (0, 0);
        for number in 0..10_000 {
            let spot = Spot::new(number);
            assert_eq!((spot.chunk(), spot.place()), next);
            assert_eq!(spot.number(), number);
            next.1 += 1;
            if next.1 == 64 << next.0 {
                next = (next.0 + 1, 0);
            }
        }
        let last = Spot::new(MOST_STATES - 1);
        assert_eq!((last.chunk(), last.number()), (CHUNKS - 1, MOST_STATES - 1));
    }

    #[test]
    fn transitions_come_out_as_they_went_in() {
        let (first, last) = (Spot::new(0), Spot::new(MOST_STATES - 1));
        for transition in [
            Transition::Blocked,
            Transition::To(first, Handled::No, Rest::Moving),
            Transition::To(first, Handled::Yes, Rest::Quiet),
            Transition::To(last, Handled::No, Rest::Quiet),
            Transition::To(last, Handled::Yes, Rest::Moving),
        ] {
            assert_eq!(Transition::decode(transition.encode()), Some(transition));
        }
    }
}
