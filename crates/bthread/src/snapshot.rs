//! How far a run has come, as a value.

use std::hash::Hash;

use rustc_hash::FxHashSet;

use crate::event::Event;
use crate::program::{Program, check};
use crate::strategy::Priority;
use crate::thread::{BThread, Body, State};

/// How far a run has come: its b-threads' own states, its queue and its strategy.
///
/// The same snapshot and the same events always give the same trace, whichever
/// way the program runs.
///
/// With the feature `serde` it can be written down with any serializer, if all
/// b-threads with a state were made with `BThread::persistent`, and read back
/// with `Program::read_snapshot`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot<E: Event, S = Priority> {
    program: u64,
    positions: Positions,
    rest: Option<Box<Rest<E>>>,
    strategy: S,
}

/// What few programs have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Rest<E: Event> {
    states: Vec<State<E>>,
    added: Vec<BThread<E>>,
    queue: Vec<E>,
}

/// How far each b-thread has come.
#[derive(Clone, Debug)]
pub struct Standing<E: Event> {
    /// Of each b-thread that follows a script, in order.
    pub(crate) positions: Vec<u32>,
    /// Of each b-thread that has a state, in order.
    pub(crate) states: Vec<State<E>>,
    /// The b-threads that were added while the program ran.
    pub(crate) added: Vec<BThread<E>>,
}

impl<E: Event, S> Snapshot<E, S> {
    pub(crate) fn new(program: u64, standing: Standing<E>, queue: Vec<E>, strategy: S) -> Self {
        let Standing { positions, states, added } = standing;
        let positions = Positions::pack(&positions);
        let is_plain = states.is_empty() && added.is_empty() && queue.is_empty();
        let rest = (!is_plain).then(|| Box::new(Rest { states, added, queue }));
        Self { program, positions, rest, strategy }
    }

    /// How far each b-thread has come, if they are those of the program.
    pub(crate) fn standing(&self, program: &Program<E>) -> Option<Standing<E>> {
        let standing = self.unpacked();
        (self.program == program.fingerprint() && standing.fits(program)).then_some(standing)
    }

    /// How far each b-thread has come.
    pub(crate) fn unpacked(&self) -> Standing<E> {
        let positions = self.positions.unpack().collect();
        let (states, added) = match &self.rest {
            Some(rest) => (rest.states.clone(), rest.added.clone()),
            None => (Vec::new(), Vec::new()),
        };
        Standing { positions, states, added }
    }

    /// Of which program it was taken.
    #[cfg(feature = "serde")]
    pub(crate) fn fingerprint(&self) -> u64 {
        self.program
    }

    pub(crate) fn strategy(&self) -> &S {
        &self.strategy
    }

    pub(crate) fn queue(&self) -> &[E] {
        self.rest.as_ref().map_or(&[], |rest| &rest.queue)
    }

    /// The bytes that this snapshot takes, beside what its b-threads with a
    /// state, those added to the run and queued events take.
    pub fn size(&self) -> usize {
        size_of::<Self>() + self.positions.0.len()
    }
}

impl<E: Event> Standing<E> {
    /// Each b-thread as far as it had come when it was put into the program.
    pub(crate) fn at_start(program: &Program<E>) -> Self {
        let (mut positions, mut states) = (Vec::new(), Vec::new());
        for thread in program.threads() {
            match thread.body() {
                Body::Script { position, .. } => positions.push(*position),
                Body::Behaviour(stateful) => states.push(stateful.state.clone()),
            }
        }
        Self { positions, states, added: Vec::new() }
    }

    /// Whether the program has such b-threads, and they can have come so far.
    pub(crate) fn fits(&self, program: &Program<E>) -> bool {
        let mut positions = self.positions.iter();
        let mut states = self.states.iter();
        let each_fits = program.threads().iter().all(|thread| match thread.body() {
            Body::Script { script, .. } => positions.next().is_some_and(|at| *at <= script.end()),
            Body::Behaviour(_) => states.next().is_some(),
        });
        let mut names = FxHashSet::default();
        let is_new = |name| program.thread(name).is_none() && names.insert(name);
        each_fits
            && positions.next().is_none()
            && states.next().is_none()
            && self.added.iter().all(|thread| check(thread).is_ok())
            && self.added.iter().map(BThread::name).all(is_new)
    }
}

/// Positions in as few bytes as they need: seven bits to a byte, the lowest first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Positions(Box<[u8]>);

impl Positions {
    fn pack(positions: &[u32]) -> Self {
        let mut bytes = Vec::with_capacity(positions.len());
        for &position in positions {
            let mut left = position;
            loop {
                let [low, ..] = left.to_le_bytes();
                left >>= 7;
                if left == 0 {
                    bytes.push(low);
                    break;
                }
                bytes.push(low | 0x80);
            }
        }
        Self(bytes.into())
    }

    fn unpack(&self) -> impl Iterator<Item = u32> {
        let mut bytes = self.0.iter();
        std::iter::from_fn(move || {
            let mut position = 0;
            for shift in (0..).step_by(7) {
                let byte = *bytes.next()?;
                position |= u32::from(byte & 0x7F) << shift;
                if byte < 0x80 {
                    break;
                }
            }
            Some(position)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Positions;

    #[test]
    fn positions_come_out_as_they_went_in() {
        let positions = [0, 1, 127, 128, 16_383, 16_384, u32::MAX, 3];
        let packed = Positions::pack(&positions);
        assert_eq!(packed.unpack().collect::<Vec<_>>(), positions);
        assert_eq!(packed.0.len(), 1 + 1 + 1 + 2 + 2 + 3 + 5 + 1);
    }
}
