//! The states of a closed program as packed values.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{PoisonError, RwLock};

use super::alphabet::{Alphabet, Letters};
use super::locals::{Blueprint, Locals, Unseen};
use super::permutation::Permutation;
use crate::any_b_thread::Body;
use crate::engine::{LiveThreads, Pick};
use crate::error::OutsideAlphabet;
use crate::event::Event;
use crate::name::Name;
use crate::program::Program;
use crate::run::Status;
use crate::snapshot::{Snapshot, ThreadStates};
use crate::state_space::StateSpace;
use crate::strategy::{Choices, Priority, Strategy};
use crate::sync_point::SyncPoint;

/// The state space of a program over a finite alphabet. A state takes a few words.
///
/// Unlike an [`Automaton`](crate::Automaton), it does not store the states.
pub struct ClosedStateSpace<E: Event> {
    blueprint: Blueprint<E>,
    layout: Layout,
    /// For each event, the b-threads that it may concern.
    concerned: Vec<Box<[u32]>>,
    locals: KnownLocals<E>,
    start: PackedState,
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

    fn words(&self) -> &[u64] {
        match &self.0 {
            PackedWords::Few(words) => words,
            PackedWords::Many(words) => words,
        }
    }

    fn words_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            PackedWords::Few(words) => words,
            PackedWords::Many(words) => words,
        }
    }
}

/// All states of a program have the same number of words, so only the words are hashed.
impl Hash for PackedState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words().iter().for_each(|word| state.write_u64(*word));
    }
}

/// The states of b-threads that were seen.
enum KnownLocals<E: Event> {
    /// All b-threads follow scripts, so there is nothing to learn and no lock is needed.
    Scripts(Locals<E>),
    Growing(RwLock<Locals<E>>),
}

impl<E: Event> KnownLocals<E> {
    fn read<T>(&self, read: impl FnOnce(&Locals<E>) -> T) -> T {
        match self {
            Self::Scripts(locals) => read(locals),
            Self::Growing(locals) => read(&locals.read().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// Gives numbers to new states of b-threads until the attempt succeeds.
    fn learning<T>(
        &self,
        blueprint: &Blueprint<E>,
        mut attempt: impl FnMut(&Locals<E>) -> Result<T, Unseen<E>>,
    ) -> Result<T, OutsideAlphabet<E>> {
        loop {
            match (self.read(&mut attempt), self) {
                (Ok(done), _) => return Ok(done),
                (Err(_), Self::Scripts(_)) => unreachable!("scripts have positions, not states"),
                (Err(unseen), Self::Growing(locals)) => {
                    let mut locals = locals.write().unwrap_or_else(PoisonError::into_inner);
                    locals.learn(blueprint, unseen)?;
                }
            }
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
        let blueprint = Blueprint::new(self, Alphabet::new(alphabet))?;
        let layout = Layout::new(self);
        let locals = Locals::new(self);
        let locals = if self.threads().iter().all(|thread| thread.state().is_none()) {
            KnownLocals::Scripts(locals)
        } else {
            KnownLocals::Growing(RwLock::new(locals))
        };
        let thread_states = ThreadStates::at_start(self);
        let start = locals.learning(&blueprint, |locals| locals.at(&blueprint, &thread_states))?;
        let start = layout.pack(&start);
        let events = u32::try_from(blueprint.alphabet.events().len()).expect("events fit");
        let concerned = (0..events).map(|event| concerned_by(&blueprint, event)).collect();
        Ok(ClosedStateSpace { blueprint, layout, concerned, locals, start })
    }
}

/// The b-threads that an event may concern at any sync point.
fn concerned_by<E: Event>(blueprint: &Blueprint<E>, event: u32) -> Box<[u32]> {
    let threads = 0..blueprint.program.threads().len();
    let concerned = threads.filter(|thread| blueprint.may_concern(*thread, event));
    concerned.map(|thread| u32::try_from(thread).expect("threads have 32 bits")).collect()
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

    fn locals<'a>(&'a self, state: &'a PackedState) -> impl Iterator<Item = u32> + Clone + 'a {
        self.layout.unpack(state)
    }

    fn step(&self, state: &PackedState, event: u32) -> Result<PackedState, OutsideAlphabet<E>> {
        self.locals.learning(&self.blueprint, |locals| {
            let mut next = state.clone();
            for &thread in &self.concerned[event as usize] {
                let thread = thread as usize;
                let local = self.layout.get(state, thread);
                if let Some(local) = locals.next(&self.blueprint, thread, local, event)? {
                    self.layout.set(&mut next, thread, local);
                }
            }
            Ok(next)
        })
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
        let outlook =
            self.locals.read(|locals| locals.outlook(&self.blueprint, self.locals(state)));
        let Some(first) = outlook.picks.first() else { return Ok(()) };
        let view = StateView { space: self, state, picks: &outlook.picks };
        for candidate in strategy.possible(&Choices::new(&view, *first)) {
            let event = candidate.pick().request;
            show(self.blueprint.alphabet.event(event), self.step(state, event)?);
        }
        Ok(())
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
            match thread.body() {
                Body::Script { script, .. } => {
                    if let Some(point) = script.point(local) {
                        show(thread.name(), point);
                    }
                }
                Body::Behaviour(_) => {
                    if let Some(point) = self.locals.read(|locals| locals.point(number, local)) {
                        show(thread.name(), &point);
                    }
                }
            }
        }
    }

    fn status(&self, state: &PackedState) -> Status {
        self.locals.read(|locals| locals.outlook(&self.blueprint, self.locals(state))).status
    }

    fn representative(&self, state: PackedState, permutations: &[Permutation]) -> PackedState {
        let images = permutations.iter().map(|each| self.permuted(&state, each));
        images.min().map_or_else(|| state.clone(), |least| least.min(state.clone()))
    }

    fn snapshot(&self, state: &PackedState) -> Snapshot<E> {
        let thread_states =
            self.locals.read(|locals| locals.thread_states(&self.blueprint, self.locals(state)));
        Snapshot::new(self.program().fingerprint(), thread_states, Vec::new(), Priority)
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

/// The b-threads in one state.
struct StateView<'a, E: Event> {
    space: &'a ClosedStateSpace<E>,
    state: &'a PackedState,
    picks: &'a [Pick],
}

impl<E: Event> LiveThreads<E> for StateView<'_, E> {
    fn visit(&self, show: &mut dyn FnMut(&Name, &SyncPoint<E>)) {
        self.space.visit(self.state, show);
    }

    fn picks(&self) -> Vec<Pick> {
        self.picks.to_vec()
    }

    fn ranks(&self, picks: &[Pick]) -> Vec<Option<i32>> {
        let Self { space, state, .. } = self;
        let locals = space.locals(state);
        space.locals.read(|known| known.ranks(&space.blueprint, locals, picks))
    }

    fn requested(&self, pick: Pick) -> &E {
        self.space.blueprint.alphabet.event(pick.request)
    }

    fn name(&self, thread: u32) -> &Name {
        self.space.program().threads()[thread as usize].name()
    }
}

/// The places of the bits of each b-thread.
struct Layout {
    fields: Vec<Field>,
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
        let mut fields = Vec::new();
        let (mut word, mut shift) = (0, 0);
        for thread in program.threads() {
            let bits = match thread.body() {
                Body::Script { script, .. } => bits_of(script.end()),
                Body::Behaviour(_) => STATE_BITS,
            };
            // A field across two words would cost more time than it saves space.
            if shift + bits > 64 {
                (word, shift) = (word + 1, 0);
            }
            fields.push(Field { word, shift, bits });
            shift += bits;
        }
        Self { fields, words: word as usize + 1 }
    }

    fn pack(&self, locals: &[u32]) -> PackedState {
        let mut state = PackedState::zero(self.words);
        for (thread, local) in locals.iter().enumerate() {
            self.set(&mut state, thread, *local);
        }
        state
    }

    fn unpack<'a>(&'a self, state: &'a PackedState) -> impl Iterator<Item = u32> + Clone + 'a {
        self.fields.iter().map(|field| field.get(state))
    }

    fn get(&self, state: &PackedState, thread: usize) -> u32 {
        self.fields[thread].get(state)
    }

    fn set(&self, state: &mut PackedState, thread: usize, local: u32) {
        let Field { word, shift, bits } = self.fields[thread];
        let mask = ((1_u64 << bits) - 1) << shift;
        let word = &mut state.words_mut()[word as usize];
        *word = *word & !mask | u64::from(local) << shift;
    }
}

impl Field {
    fn get(self, state: &PackedState) -> u32 {
        let mask = (1_u64 << self.bits) - 1;
        let bits = state.words()[self.word as usize] >> self.shift & mask;
        u32::try_from(bits).expect("a field has at most 32 bits")
    }
}

/// The number of bits that numbers up to this one need.
fn bits_of(largest: u32) -> u8 {
    // At least one bit: an empty field could lie past the last word.
    u8::try_from((u32::BITS - largest.leading_zeros()).max(1)).expect("there are at most 32")
}
