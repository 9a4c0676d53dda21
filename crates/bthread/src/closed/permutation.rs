//! Symmetries of a closed program.

use rustc_hash::FxHashMap;

use super::alphabet::{Alphabet, Letters};
use super::number_set::NumberSet;
use super::packed_state::PackedState;
use super::space::ClosedStateSpace;
use crate::any_b_thread::{AnyBThread, Body};
use crate::event::Event;
use crate::event_set::EventSet;
use crate::name::Name;
use crate::script::{Repeat, Script};
use crate::sorting::sort;
use crate::state_space::StateSpace;

/// A permutation of the b-threads of a program that follows from a permutation of its
/// events and maps the program to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    /// The image of each b-thread.
    targets: Vec<usize>,
}

/// Why a program is not symmetric.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotSymmetric<E: Event> {
    /// The function is no permutation of the alphabet.
    #[error("The image of {0} is outside of the alphabet or the image of another event too")]
    Events(E),
    /// No b-thread is the image of this one.
    #[error("No b-thread is the image of {0}")]
    Unmatched(Name),
}

impl<E: Event> ClosedStateSpace<E> {
    /// The permutation of b-threads for a function that permutes the events.
    ///
    /// Priorities are ignored, so the symmetry is only one of exhaustive searches. A
    /// b-thread with a state has only the identity as a symmetry, because functions
    /// cannot be compared.
    ///
    /// # Errors
    /// If the function does not map the program to itself.
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

    /// The image of a state.
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
                repeat: repeat(self.alphabet(), script, to),
                loops: loops(self.alphabet(), script, to),
                points: self.letters_of(number).iter().map(|each| point(each, to)).collect(),
                words: script
                    .points()
                    .iter()
                    .map(|each| (each.is_hot(), each.violated().map(str::to_owned)))
                    .collect(),
                restarts: script
                    .points()
                    .iter()
                    .map(|each| images_of(self.alphabet(), each.restarts(), to))
                    .collect(),
            },
            Body::Behaviour(_) => Portrait::Behaviour(number),
        }
    }
}

/// The image of each event.
fn places<E: Event>(
    alphabet: &Alphabet<E>,
    to: impl Fn(&E) -> E,
) -> Result<Vec<u32>, NotSymmetric<E>> {
    let mut is_free = vec![true; alphabet.events().len()];
    let mut place = |event: &E| {
        let place = alphabet.number(&to(event));
        let place = place.filter(|place| std::mem::take(&mut is_free[*place as usize]));
        place.ok_or_else(|| NotSymmetric::Events(event.clone()))
    };
    alphabet.events().iter().map(&mut place).collect()
}

/// The definition of a b-thread, in a form that can be compared.
#[derive(PartialEq, Eq, Hash)]
enum Portrait {
    Script {
        position: u32,
        repeat: ScriptRepeat,
        loops: Vec<(std::ops::Range<usize>, Vec<u32>)>,
        points: Vec<PointPortrait>,
        words: Vec<(bool, Option<String>)>,
        restarts: Vec<Vec<u32>>,
    },
    /// A b-thread with a state is equal to itself only.
    Behaviour(usize),
}

/// The sets of a sync point, in order of event numbers.
type PointPortrait = ([Vec<u32>; 4], Option<i32>);

fn point(letters: &Letters, to: impl Fn(u32) -> u32 + Copy) -> PointPortrait {
    let requests = images(letters.requests.iter().copied(), to);
    let image = |set: &NumberSet| images(set.numbers().iter().copied(), to);
    let [waits, interrupts, blocks] =
        [&letters.waits, &letters.interrupts, &letters.blocks].map(|set| image(set));
    ([requests, waits, interrupts, blocks], letters.priority)
}

fn images(events: impl Iterator<Item = u32>, to: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut images: Vec<u32> = events.map(to).collect();
    sort(&mut images);
    images
}

/// The images of the events of sets.
fn images_of<E: Event>(
    alphabet: &Alphabet<E>,
    sets: &[EventSet<E>],
    to: impl Fn(u32) -> u32,
) -> Vec<u32> {
    let events = NumberSet::new(alphabet.numbers(sets), alphabet.events().len());
    images(events.numbers().iter().copied(), to)
}

/// The parts of a script that repeat by themselves, and after which events.
fn loops<E: Event>(
    alphabet: &Alphabet<E>,
    script: &Script<E>,
    to: impl Fn(u32) -> u32 + Copy,
) -> Vec<(std::ops::Range<usize>, Vec<u32>)> {
    let loops = script.loops();
    loops
        .map(|(points, again)| {
            (points.clone(), images_of(alphabet, std::slice::from_ref(again), to))
        })
        .collect()
}

/// What a script does after its last sync point.
#[derive(PartialEq, Eq, Hash)]
enum ScriptRepeat {
    Times(u32),
    Forever,
    After(Vec<u32>),
}

fn repeat<E: Event>(
    alphabet: &Alphabet<E>,
    script: &Script<E>,
    to: impl Fn(u32) -> u32,
) -> ScriptRepeat {
    match script.repetition() {
        Repeat::Times(times) => ScriptRepeat::Times(*times),
        Repeat::Forever => ScriptRepeat::Forever,
        Repeat::While(set) => {
            let again = NumberSet::new(
                alphabet.numbers(std::slice::from_ref(set)),
                alphabet.events().len(),
            );
            ScriptRepeat::After(images(again.numbers().iter().copied(), to))
        }
    }
}
