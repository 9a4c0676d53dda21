//! What becomes of a state when events change places.

use rustc_hash::FxHashMap;

use super::alphabet::{Alphabet, Letters};
use super::bits::Bits;
use super::space::{ClosedStateSpace, PackedState};
use crate::any_b_thread::{AnyBThread, Body};
use crate::event::Event;
use crate::name::Name;
use crate::script::{Repeat, Script};
use crate::state_space::StateSpace;

/// A way in which b-threads change places, because events do, and the program
/// stays the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    /// Where each b-thread goes.
    targets: Vec<usize>,
}

/// Why a program does not stay the same when events change places.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotSymmetric<E: Event> {
    /// Two events go to the same place, or one goes out of the alphabet.
    #[error("{0} has no place of its own to go to")]
    Events(E),
    /// No other b-thread says the same of the events in their new places.
    #[error("No b-thread takes the place of {0}")]
    Unmatched(Name),
}

impl<E: Event> ClosedStateSpace<E> {
    /// What becomes of b-threads when each event goes where the function says.
    ///
    /// Priorities are not looked at: what stays the same is what can happen
    /// where all choices are free. A b-thread with a state stays the same only
    /// if no event moves, because its function cannot be compared.
    ///
    /// # Errors
    /// If the program does not stay the same.
    pub fn permutation(&self, to: impl Fn(&E) -> E) -> Result<Permutation, NotSymmetric<E>> {
        let alphabet = self.alphabet();
        let places = places(alphabet, to)?;
        let moves_something = (0..).zip(&places).any(|(event, place)| event != *place);
        let mut threads = self.program().threads().iter();
        let behaving = threads.find(|thread| thread.state().is_some());
        if let (true, Some(thread)) = (moves_something, behaving) {
            return Err(NotSymmetric::Unmatched(thread.name().clone()));
        }
        let mut takers: FxHashMap<Portrait, Vec<usize>> = FxHashMap::default();
        for (number, thread) in self.program().threads().iter().enumerate().rev() {
            let portrait = self.portrait(number, thread, |event| event);
            takers.entry(portrait).or_default().push(number);
        }
        let targets = self.program().threads().iter().enumerate().map(|(number, thread)| {
            let image = self.portrait(number, thread, |event| places[event as usize]);
            let taker = takers.get_mut(&image).and_then(Vec::pop);
            taker.ok_or_else(|| NotSymmetric::Unmatched(thread.name().clone()))
        });
        Ok(Permutation { targets: targets.collect::<Result<_, _>>()? })
    }

    /// The state in which every b-thread stands where the one stood whose place it takes.
    pub fn permuted(&self, state: &PackedState, permutation: &Permutation) -> PackedState {
        let mut image = state.clone();
        for (number, target) in permutation.targets.iter().enumerate() {
            self.copy_local(state, number, &mut image, *target);
        }
        image
    }

    fn portrait(
        &self,
        number: usize,
        thread: &AnyBThread<E>,
        to: impl Fn(u32) -> u32 + Copy,
    ) -> Portrait {
        match thread.body() {
            Body::Script { script, position } => Portrait::Script {
                position: *position,
                turn: turn(self.alphabet(), script, to),
                points: self.letters_of(number).iter().map(|each| point(each, to)).collect(),
                words: script
                    .points()
                    .iter()
                    .map(|each| (each.is_hot(), each.violated().map(str::to_owned)))
                    .collect(),
            },
            Body::Behaviour(_) => Portrait::Behaviour(number),
        }
    }
}

/// The place of each event.
fn places<E: Event>(
    alphabet: &Alphabet<E>,
    to: impl Fn(&E) -> E,
) -> Result<Vec<u32>, NotSymmetric<E>> {
    let mut taken = Bits::none(alphabet.events().len());
    let place = |event: &E| {
        let place = alphabet.number(&to(event)).filter(|place| taken.insert(*place));
        place.ok_or_else(|| NotSymmetric::Events(event.clone()))
    };
    alphabet.events().iter().map(place).collect()
}

/// All that decides what a b-thread does, in a form that can be compared.
#[derive(PartialEq, Eq, Hash)]
enum Portrait {
    Script {
        position: u32,
        turn: Turn,
        points: Vec<PointPortrait>,
        words: Vec<(bool, Option<String>)>,
    },
    /// Such a b-thread is like no other.
    Behaviour(usize),
}

/// What a sync point requests, goes on at, is interrupted by and blocks, in order of numbers.
type PointPortrait = ([Vec<u32>; 4], Option<i32>);

fn point(letters: &Letters, to: impl Fn(u32) -> u32 + Copy) -> PointPortrait {
    let requests = images(letters.requests.iter().copied(), to);
    let [moves, interrupts, blocks] =
        [&letters.moves, &letters.interrupts, &letters.blocks].map(|bits| images(bits.iter(), to));
    ([requests, moves, interrupts, blocks], letters.priority)
}

fn images(events: impl Iterator<Item = u32>, to: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut images: Vec<u32> = events.map(to).collect();
    images.sort_unstable();
    images
}

/// What a script does after its last sync point.
#[derive(PartialEq, Eq, Hash)]
enum Turn {
    Times(u32),
    Forever,
    After(Vec<u32>),
}

fn turn<E: Event>(alphabet: &Alphabet<E>, script: &Script<E>, to: impl Fn(u32) -> u32) -> Turn {
    match script.repetition() {
        Repeat::Times(times) => Turn::Times(*times),
        Repeat::Forever => Turn::Forever,
        Repeat::While(set) => {
            let again = Bits::of(alphabet.events(), std::slice::from_ref(set));
            Turn::After(images(again.iter(), to))
        }
    }
}
