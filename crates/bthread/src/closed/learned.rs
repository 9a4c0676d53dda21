//! The states of b-threads that were seen, with numbers.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::alphabet::{Alphabet, Letters};
use super::blueprint::SYNC_POINT_BYTES;
use super::builder::ALLOCATION;
use super::number_set::KnownSets;
use crate::any_b_thread::{self, BehaviourState};
use crate::error::OutsideAlphabet;
use crate::event::Event;
use crate::name::Name;
use crate::sync_point::SyncPoint;

/// The states that were seen of each b-thread that has one.
pub(super) struct Learned<E: Event> {
    seen: Vec<SeenStates<E>>,
    /// For each event, the b-threads that move at it in some state that was seen, except those in
    /// which too many events move the b-thread to list it under each.
    concerned: Vec<Vec<u32>>,
    /// How many more states may be learnt.
    room: u32,
    /// How many more steps may be remembered.
    step_room: u32,
}

/// The states of one b-thread.
struct SeenStates<E: Event> {
    states: Vec<SeenState<E>>,
    numbers: FxHashMap<BehaviourState<E>, u32>,
    /// The next state after an event, by number of state and event.
    steps: FxHashMap<(u32, u32), u32>,
}

/// One state of a b-thread.
pub(super) struct SeenState<E: Event> {
    pub(super) state: BehaviourState<E>,
    /// The sync point, unless the b-thread has ended.
    pub(super) stand: Option<(Arc<SyncPoint<E>>, Letters)>,
}

/// What an event does to a b-thread in a state that was seen.
pub(super) enum SeenStep<E: Event> {
    Stays,
    /// To a state that was seen.
    To(u32),
    /// To a state that has no number, or a step that is not remembered.
    Unseen(BehaviourState<E>),
}

/// The steps that are remembered for each state that has a number.
const STEPS_PER_STATE: u32 = 16;

impl<E: Event> Learned<E> {
    pub(super) fn new(alphabet: &Alphabet<E>, threads: usize, cap: u32) -> Self {
        let seen = (0..threads).map(|_| SeenStates {
            states: Vec::new(),
            numbers: FxHashMap::default(),
            steps: FxHashMap::default(),
        });
        Self {
            seen: seen.collect(),
            concerned: vec![Vec::new(); alphabet.events().len()],
            room: cap,
            step_room: cap.saturating_mul(STEPS_PER_STATE),
        }
    }

    /// The memory of the states that were seen, in bytes, about.
    pub(super) fn memory(&self) -> usize {
        let seen = self.seen.iter().map(|seen| {
            let letters = seen.states.iter().filter_map(|state| state.stand.as_ref());
            let letters = letters.map(|(_, letters)| letters.bytes() + SYNC_POINT_BYTES);
            let states = seen.states.len() * 2 * (size_of::<SeenState<E>>() + ALLOCATION);
            states + letters.sum::<usize>() + seen.steps.capacity() * size_of::<[u32; 3]>()
        });
        let lists = self.concerned.iter().map(|list| list.capacity() * size_of::<u32>());
        seen.chain(lists).sum()
    }

    /// The b-threads that may move at an event, by their places among those that have a state.
    pub(super) fn concerned(&self, event: u32) -> &[u32] {
        &self.concerned[event as usize]
    }

    pub(super) fn state(&self, ordinal: u32, number: u32) -> &SeenState<E> {
        &self.seen[ordinal as usize].states[number as usize]
    }

    pub(super) fn letters(&self, ordinal: u32, number: u32) -> Option<&Letters> {
        self.state(ordinal, number).stand.as_ref().map(|(_, letters)| letters)
    }

    /// The sync point of a b-thread in a state that has a number, unless it has ended.
    pub(super) fn point(&self, ordinal: u32, number: u32) -> Option<&Arc<SyncPoint<E>>> {
        self.state(ordinal, number).stand.as_ref().map(|(point, _)| point)
    }

    /// The number of a state, if it was seen.
    #[expect(clippy::ref_option, reason = "it is the key of a map")]
    pub(super) fn number(&self, ordinal: u32, state: &BehaviourState<E>) -> Option<u32> {
        self.seen[ordinal as usize].numbers.get(state).copied()
    }

    /// What an event does to a b-thread in a state.
    pub(super) fn step(&self, ordinal: u32, from: u32, number: u32, event: &E) -> SeenStep<E> {
        let Some(letters) = self.letters(ordinal, from) else { return SeenStep::Stays };
        let is_interrupted = letters.interrupts.contains(number);
        if !is_interrupted && !letters.goes_on_at(number) {
            return SeenStep::Stays;
        }
        if let Some(next) = self.seen[ordinal as usize].steps.get(&(from, number)) {
            return SeenStep::To(*next);
        }
        let mut state = None;
        if !is_interrupted {
            state.clone_from(&self.state(ordinal, from).state);
            any_b_thread::go_on(&mut state, event);
        }
        // A full memory of steps is no reason to ask for more room.
        match self.number(ordinal, &state) {
            Some(next) if self.step_room == 0 => SeenStep::To(next),
            Some(_) | None => SeenStep::Unseen(state),
        }
    }

    /// Remembers a step to a state that has a number.
    pub(super) fn remember(&mut self, ordinal: u32, from: u32, event: u32, next: u32) {
        if self.step_room > 0 {
            self.step_room -= 1;
            self.seen[ordinal as usize].steps.insert((from, event), next);
        }
    }

    /// The number of a state. It gets one if there is room for more.
    pub(super) fn learn(
        &mut self,
        alphabet: &Alphabet<E>,
        ordinal: u32,
        name: &Name,
        state: BehaviourState<E>,
    ) -> Result<Option<u32>, OutsideAlphabet<E>> {
        match self.number(ordinal, &state) {
            Some(number) => Ok(Some(number)),
            None if self.room == 0 => Ok(None),
            None => {
                let number = self.learn_anyway(alphabet, ordinal, name, state)?;
                self.room -= 1;
                Ok(Some(number))
            }
        }
    }

    /// Gives a state a number.
    pub(super) fn learn_anyway(
        &mut self,
        alphabet: &Alphabet<E>,
        ordinal: u32,
        name: &Name,
        state: BehaviourState<E>,
    ) -> Result<u32, OutsideAlphabet<E>> {
        let point = state.as_ref().and_then(|state| state.sync_point());
        let stand = point.map(|point| {
            let letters = alphabet.letters(name, &point, &mut KnownSets::forgetting())?;
            Ok((Arc::new(point), letters))
        });
        let stand = stand.transpose()?;
        if let Some((_, letters)) = stand.as_ref().filter(|(_, letters)| !letters.is_wide) {
            for event in letters.concerns() {
                let listed = &mut self.concerned[event as usize];
                if let Err(place) = listed.binary_search(&ordinal) {
                    listed.insert(place, ordinal);
                }
            }
        }
        let SeenStates { states, numbers, .. } = &mut self.seen[ordinal as usize];
        let number = u32::try_from(states.len()).expect("states fit into memory");
        states.push(SeenState { state: state.clone(), stand });
        numbers.insert(state, number);
        Ok(number)
    }
}
