//! The state of a run, as a value.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHashSet;

use crate::any_b_thread::{AnyBThread, BehaviourState, Body};
use crate::event::Event;
use crate::program::{Program, check};
use crate::strategy::Priority;

/// The state of a run: how far its b-threads have come, its queue and its strategy.
///
/// The same snapshot and the same triggers always produce the same trace, in an
/// open run and in a closed one.
///
/// With the feature `serde` any serializer can write a snapshot, if
/// `BThread::persistent` made all b-threads that have a state.
/// `Program::read_snapshot` reads it back.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot<E: Event, S = Priority> {
    program: SnapshotSource<E>,
    positions: Positions,
    extras: Option<Box<SnapshotExtras<E>>>,
    strategy: S,
}

/// The program of a snapshot. Snapshots are compared often, so programs are equal here if their
/// fingerprints are.
#[derive(Clone, Debug)]
struct SnapshotSource<E: Event>(Program<E>);

/// The parts that are empty in most snapshots.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct SnapshotExtras<E: Event> {
    states: Vec<BehaviourState<E>>,
    added: Vec<AnyBThread<E>>,
    queue: Vec<E>,
}

/// How far each b-thread has come.
#[derive(Clone, Debug)]
pub struct ThreadStates<E: Event> {
    /// The positions of the b-threads that follow a script, in order.
    pub(crate) positions: Vec<u32>,
    /// The states of the other b-threads, in order.
    pub(crate) states: Vec<BehaviourState<E>>,
    /// The b-threads that were added while the program ran.
    pub(crate) added: Vec<AnyBThread<E>>,
}

impl<E: Event, S> Snapshot<E, S> {
    pub(crate) fn new(
        program: &Program<E>,
        thread_states: ThreadStates<E>,
        queue: Vec<E>,
        strategy: S,
    ) -> Self {
        let ThreadStates { positions, states, added } = thread_states;
        let positions = Positions::pack(&positions);
        let is_plain = states.is_empty() && added.is_empty() && queue.is_empty();
        let extras = (!is_plain).then(|| Box::new(SnapshotExtras { states, added, queue }));
        Self { program: SnapshotSource(program.clone()), positions, extras, strategy }
    }

    /// How far each b-thread has come, if the snapshot is of this program.
    pub(crate) fn thread_states(&self, program: &Program<E>) -> Option<ThreadStates<E>> {
        let thread_states = self.unpacked();
        (self.program.0.is_alike(program) && thread_states.fits(program)).then_some(thread_states)
    }

    /// How far each b-thread has come.
    pub(crate) fn unpacked(&self) -> ThreadStates<E> {
        let positions = self.positions.unpack().collect();
        let (states, added) = match &self.extras {
            Some(extras) => (extras.states.clone(), extras.added.clone()),
            None => (Vec::new(), Vec::new()),
        };
        ThreadStates { positions, states, added }
    }

    /// The fingerprint of the program, as it is written.
    #[cfg(feature = "serde")]
    pub(crate) fn fingerprint(&self) -> u64 {
        self.program.0.fingerprint().text
    }

    pub(crate) fn program(&self) -> &Program<E> {
        &self.program.0
    }

    pub(crate) fn strategy(&self) -> &S {
        &self.strategy
    }

    pub(crate) fn queue(&self) -> &[E] {
        self.extras.as_ref().map_or(&[], |extras| &extras.queue)
    }

    /// The size in bytes, without states, b-threads that were added to the run, and
    /// queued events.
    pub fn size(&self) -> usize {
        size_of::<Self>() + self.positions.0.len()
    }
}

impl<E: Event> PartialEq for SnapshotSource<E> {
    fn eq(&self, other: &Self) -> bool {
        self.0.has_same_fingerprint(&other.0)
    }
}

impl<E: Event> Eq for SnapshotSource<E> {}

impl<E: Event> Hash for SnapshotSource<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.fingerprint().hash(state);
    }
}

impl<E: Event> ThreadStates<E> {
    /// The b-threads as they start.
    pub(crate) fn at_start(program: &Program<E>) -> Self {
        let (mut positions, mut states) = (Vec::new(), Vec::new());
        for thread in program.threads() {
            match thread.body() {
                Body::Script { position, .. } => positions.push(*position),
                Body::Behaviour(state) => states.push(state.clone()),
            }
        }
        Self { positions, states, added: Vec::new() }
    }

    /// Whether these can be states of the program's b-threads.
    pub(crate) fn fits(&self, program: &Program<E>) -> bool {
        let mut positions = self.positions.iter();
        let mut states = self.states.iter();
        // The name of a b-thread that has ended is free.
        let mut names = FxHashSet::default();
        let each_fits = program.threads().iter().all(|thread| {
            let (fits, is_live) = match thread.body() {
                Body::Script { script, .. } => positions
                    .next()
                    .map_or((false, false), |at| (*at <= script.end(), *at < script.end())),
                Body::Behaviour(_) => {
                    states.next().map_or((false, false), |state| (true, state.is_some()))
                }
            };
            fits && (!is_live || names.insert(thread.name()))
        });
        each_fits
            && positions.next().is_none()
            && states.next().is_none()
            && self.added.iter().all(|thread| check(thread).is_ok())
            && self.added.iter().map(AnyBThread::name).all(|name| names.insert(name))
    }
}

/// Positions with variable length: seven bits to a byte, the lowest first.
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
    fn packed_positions_are_unpacked_unchanged() {
        let positions = [0, 1, 127, 128, 16_383, 16_384, u32::MAX, 3];
        let packed = Positions::pack(&positions);
        assert_eq!(packed.unpack().collect::<Vec<_>>(), positions);
        assert_eq!(packed.0.len(), 1 + 1 + 1 + 2 + 2 + 3 + 5 + 1);
    }
}
