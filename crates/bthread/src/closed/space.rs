//! The states of a closed program as packed values.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::alphabet::{Alphabet, Letters};
use super::blueprint::{Blueprint, Concern, EventLists};
use super::local_state::LocalState;
use super::permutation::Permutation;
use super::standing::{self, Motion};
use crate::any_b_thread::Body;
use crate::engine::{LiveThreads, Pick};
use crate::error::OutsideAlphabet;
use crate::event::Event;
use crate::name::Name;
use crate::program::Program;
use crate::run::Status;
use crate::script::Script;
use crate::snapshot::{Snapshot, ThreadStates};
use crate::state_space::{Explore, StateSpace};
use crate::strategy::{Choices, Possible, Priority, Strategy};
use crate::sync_point::SyncPoint;

/// The state space of a program over a finite alphabet. A state takes a few words.
///
/// Unlike an [`Automaton`](crate::Automaton), it does not store the states.
pub struct ClosedStateSpace<E: Event> {
    blueprint: Blueprint<E>,
    layout: Layout,
    /// For each event, the b-threads that may move at it, if all have lists of steps.
    concerned: Option<EventLists<PackedConcern>>,
    start: PackedState,
}

/// A b-thread that may move at an event.
#[derive(Clone, Copy)]
struct PackedConcern {
    field: Field,
    /// Where the steps of the b-thread begin for this event.
    steps: u32,
}

/// A state of a [`ClosedStateSpace`]: how far all b-threads have come, in as few
/// bits as possible.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackedState(PackedWords);

/// Most programs need few words, which need no allocation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PackedWords {
    Few([u64; FEW]),
    Many(Box<[u64]>),
}

const FEW: usize = 2;

impl PackedState {
    fn zero(words: usize) -> Self {
        Self(if words <= FEW {
            PackedWords::Few([0; FEW])
        } else {
            PackedWords::Many(vec![0; words].into())
        })
    }

    #[inline]
    fn words(&self) -> &[u64] {
        match &self.0 {
            PackedWords::Few(words) => words,
            PackedWords::Many(words) => words,
        }
    }

    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            PackedWords::Few(words) => words,
            PackedWords::Many(words) => words,
        }
    }
}

/// All states of a program have the same number of words, so only the words are hashed.
impl Hash for PackedState {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            PackedWords::Few([low, high]) => {
                state.write_u128(u128::from(*high) << 64 | u128::from(*low));
            }
            PackedWords::Many(words) => words.iter().for_each(|word| state.write_u64(*word)),
        }
    }
}

impl<E: Event> Program<E> {
    /// The state space of this program, over an alphabet: all events that there are.
    ///
    /// # Errors
    /// If a b-thread requests an event that is not in the alphabet.
    pub fn closed_space(
        &self,
        alphabet: impl IntoIterator<Item = E>,
    ) -> Result<ClosedStateSpace<E>, OutsideAlphabet<E>> {
        let blueprint = Blueprint::new(self, Alphabet::new(alphabet), u32::MAX)?;
        let layout = Layout::new(self);
        let start = LocalState::new(&blueprint, ThreadStates::at_start(self))?;
        let start = layout.pack(blueprint.threads(), |thread| start.local(&blueprint, thread));
        let concerned = blueprint.is_short().then(|| layout.concerned(&blueprint));
        Ok(ClosedStateSpace { blueprint, layout, concerned, start })
    }
}

impl<E: Event> ClosedStateSpace<E> {
    pub(super) fn alphabet(&self) -> &Alphabet<E> {
        &self.blueprint.alphabet
    }

    /// The sync points of a b-thread that follows a script.
    pub(super) fn letters_of(&self, thread: usize) -> &[Letters] {
        self.blueprint.script(thread)
    }

    /// Copies the local of a b-thread in one state to another b-thread in another state.
    pub(super) fn copy_local(
        &self,
        from: &PackedState,
        source: usize,
        to: &mut PackedState,
        target: usize,
    ) {
        self.layout.set(to, target, self.layout.get(from, source));
    }

    /// The b-threads in a state.
    fn local(&self, state: &PackedState) -> LocalState<E> {
        let locals = (0..self.blueprint.threads()).map(|thread| self.local_of(state, thread));
        LocalState::with_numbers(&self.blueprint, locals)
    }

    fn local_of(&self, state: &PackedState, thread: u32) -> u32 {
        self.layout.get(state, thread as usize)
    }
}

impl<E: Event> StateSpace for ClosedStateSpace<E> {
    type Event = E;
    type State = PackedState;

    fn program(&self) -> &Program<E> {
        &self.blueprint.program
    }

    fn start(&self) -> PackedState {
        self.start.clone()
    }

    fn successors(
        &self,
        state: &PackedState,
        strategy: &impl Strategy<E>,
        show: &mut dyn FnMut(&E, PackedState),
    ) -> Result<(), OutsideAlphabet<E>> {
        SpaceExplorer::new(self, state.clone()).successors(state, strategy, show)
    }

    fn explore<'a, S: Strategy<E> + Sync>(
        &'a self,
        strategy: &'a S,
    ) -> Explore<'a, E, PackedState> {
        let mut explorer = SpaceExplorer::new(self, self.start.clone());
        Box::new(move |state, show| explorer.successors(state, strategy, show))
    }

    fn visit_some(
        &self,
        state: &PackedState,
        threads: &mut dyn Iterator<Item = usize>,
        show: &mut dyn FnMut(&Name, &SyncPoint<E>),
    ) {
        for number in threads {
            let thread = &self.program().threads()[number];
            let local = self.layout.get(state, number);
            if let Body::Script { script, .. } = thread.body() {
                script.point(local).into_iter().for_each(|point| show(thread.name(), point));
            } else if let Some(ordinal) = self.blueprint.ordinal(number) {
                let point = self.blueprint.state_point(ordinal, local);
                if let Some(point) = &point {
                    show(thread.name(), point);
                }
            }
        }
    }

    fn status(&self, state: &PackedState) -> Status {
        let learned = self.blueprint.learned();
        let mut status = Status::Finished;
        for thread in 0..self.blueprint.threads() {
            let local = self.local_of(state, thread);
            match standing::letters(&self.blueprint, Some(&learned), thread, local) {
                Some(letters) if letters.asks() => return Status::Stuck,
                Some(_) => status = Status::Waiting,
                None => {}
            }
        }
        status
    }

    fn representative(&self, state: PackedState, permutations: &[Permutation]) -> PackedState {
        let images = permutations.iter().map(|each| self.permuted(&state, each));
        images.min().map_or_else(|| state.clone(), |least| least.min(state.clone()))
    }

    fn snapshot(&self, state: &PackedState) -> Snapshot<E> {
        let thread_states = self.local(state).thread_states(&self.blueprint);
        Snapshot::new(self.program().fingerprint(), thread_states, Vec::new(), Priority)
    }
}

/// Goes from state to state. What is known about the last state is changed where the next one
/// differs from it, so the b-threads that stand still cost nothing.
struct SpaceExplorer<'a, E: Event> {
    space: &'a ClosedStateSpace<E>,
    at: PackedState,
    local: LocalState<E>,
    picks: Vec<Pick>,
}

impl<'a, E: Event> SpaceExplorer<'a, E> {
    fn new(space: &'a ClosedStateSpace<E>, at: PackedState) -> Self {
        let local = space.local(&at);
        Self { space, at, local, picks: Vec::new() }
    }

    fn go_to(&mut self, state: &PackedState) {
        let Self { space, at, local, .. } = self;
        let words = at.words().iter().zip(state.words());
        for (word, (was, is)) in words.enumerate() {
            let mut changed = was ^ is;
            while changed != 0 {
                let thread = space.layout.thread_at(word, changed.trailing_zeros());
                let field = space.layout.fields[thread as usize];
                let (from, to) = (field.value(*was), field.value(*is));
                local.relocate(&space.blueprint, Motion { thread, from, to });
                changed &= !field.mask();
            }
        }
        at.clone_from(state);
    }

    fn successors(
        &mut self,
        state: &PackedState,
        strategy: &impl Strategy<E>,
        show: &mut dyn FnMut(&E, PackedState),
    ) -> Result<(), OutsideAlphabet<E>> {
        self.go_to(state);
        let mut picks = std::mem::take(&mut self.picks);
        picks.clear();
        self.picks_of(strategy, &mut picks);
        let shown = picks.iter().try_for_each(|pick| {
            let next = self.after(pick.request)?;
            show(self.space.blueprint.alphabet.event(pick.request), next);
            Ok(())
        });
        self.picks = picks;
        shown
    }

    /// The requests that the strategy may choose.
    fn picks_of<S: Strategy<E>>(&self, strategy: &S, picks: &mut Vec<Pick>) {
        let blueprint = &self.space.blueprint;
        match S::POSSIBLE {
            Possible::First => picks.extend(self.local.first(blueprint)),
            Possible::All => self.local.add_picks(blueprint, picks),
            Possible::Some => {
                if let Some(first) = self.local.first(blueprint) {
                    let candidates = strategy.possible(&Choices::new(self, first));
                    picks.extend(candidates.iter().map(crate::strategy::Candidate::pick));
                }
            }
        }
    }

    /// The state after an event.
    #[inline]
    fn after(&self, event: u32) -> Result<PackedState, OutsideAlphabet<E>> {
        let Self { space, at, local, .. } = self;
        let mut next = at.clone();
        let words = next.words_mut();
        match &space.concerned {
            Some(concerned) if !local.is_watching() => {
                for PackedConcern { field, steps } in concerned.of(event) {
                    let word = &mut words[field.word as usize];
                    let from = field.value(*word);
                    if let Some(to) = space.blueprint.step_at(steps + from).next() {
                        *word ^= u64::from(from ^ u32::from(to)) << field.shift;
                    }
                }
            }
            _ => local.each_motion(&space.blueprint, event, |Motion { thread, from, to }| {
                let field = space.layout.fields[thread as usize];
                words[field.word as usize] ^= u64::from(from ^ to) << field.shift;
            })?,
        }
        Ok(next)
    }
}

impl<E: Event> LiveThreads<E> for SpaceExplorer<'_, E> {
    fn visit(&self, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        self.local.visit(&self.space.blueprint, show);
    }

    fn picks(&self) -> Vec<Pick> {
        self.local.picks(&self.space.blueprint)
    }

    fn ranks(&self, picks: &[Pick]) -> Vec<Option<i32>> {
        self.local.ranks(&self.space.blueprint, picks)
    }

    fn requested(&self, pick: Pick) -> &E {
        self.space.blueprint.alphabet.event(pick.request)
    }

    fn name(&self, thread: u32) -> &Name {
        self.space.program().threads()[thread as usize].name()
    }
}

impl<E: Event> fmt::Debug for ClosedStateSpace<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClosedSpace")
            .field("program", self.program())
            .field("words", &self.layout.words)
            .finish_non_exhaustive()
    }
}

/// The places of the bits of each b-thread.
struct Layout {
    fields: Vec<Field>,
    /// The b-thread of each bit.
    threads: Vec<u32>,
    words: usize,
}

#[derive(Clone, Copy)]
struct Field {
    word: u32,
    shift: u8,
    bits: u8,
}

/// The bits for the number of a state; how many states there are is unknown.
const STATE_BITS: u8 = 32;

impl Layout {
    fn new<E: Event>(program: &Program<E>) -> Self {
        let (mut fields, mut threads) = (Vec::new(), Vec::new());
        let (mut word, mut shift) = (0, 0);
        for (number, thread) in (0..).zip(program.threads()) {
            let bits = match thread.body() {
                Body::Script { script, position } => bits_of(largest(script, *position)),
                Body::Behaviour(_) => STATE_BITS,
            };
            // A field across two words would cost more time than it saves space.
            if shift + bits > 64 {
                (word, shift) = (word + 1, 0);
            }
            fields.push(Field { word, shift, bits });
            shift += bits;
            threads.resize(word as usize * 64 + usize::from(shift), number);
        }
        Self { fields, threads, words: word as usize + 1 }
    }

    fn pack(&self, threads: u32, local: impl Fn(u32) -> u32) -> PackedState {
        let mut state = PackedState::zero(self.words);
        for thread in 0..threads {
            self.set(&mut state, thread as usize, local(thread));
        }
        state
    }

    fn concerned<E: Event>(&self, blueprint: &Blueprint<E>) -> EventLists<PackedConcern> {
        let packed = |concern: &Concern| PackedConcern {
            field: self.fields[concern.thread as usize],
            steps: concern.steps,
        };
        let events = 0..blueprint.alphabet.width();
        let lists = events.map(|event| blueprint.concerned(event).iter().map(packed).collect());
        EventLists::new(lists.collect())
    }

    fn thread_at(&self, word: usize, bit: u32) -> u32 {
        self.threads[word * 64 + bit as usize]
    }

    fn get(&self, state: &PackedState, thread: usize) -> u32 {
        let field = self.fields[thread];
        field.value(state.words()[field.word as usize])
    }

    #[inline]
    fn set(&self, state: &mut PackedState, thread: usize, local: u32) {
        let field = self.fields[thread];
        let word = &mut state.words_mut()[field.word as usize];
        *word = *word & !field.mask() | u64::from(local) << field.shift;
    }
}

impl Field {
    #[inline]
    fn mask(self) -> u64 {
        ((1 << self.bits) - 1) << self.shift
    }

    #[inline]
    fn value(self, word: u64) -> u32 {
        let bits = word >> self.shift & ((1 << self.bits) - 1);
        u32::try_from(bits).expect("a field has at most 32 bits")
    }
}

/// The largest position of a script. Some scripts never end.
fn largest<E: Event>(script: &Script<E>, start: u32) -> u32 {
    let goes_on = script.is_endless() && start < script.end();
    if goes_on { script.end() - 1 } else { script.end() }
}

/// The number of bits that numbers up to this one need.
fn bits_of(largest: u32) -> u8 {
    // At least one bit: an empty field could lie past the last word.
    u8::try_from((u32::BITS - largest.leading_zeros()).max(1)).expect("there are at most 32")
}
