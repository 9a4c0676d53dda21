//! A state of a closed program in as few bits as possible.

use std::hash::{Hash, Hasher};

use super::standing::Motion;
use crate::any_b_thread::Body;
use crate::event::Event;
use crate::program::Program;
use crate::script::Script;

/// A state of a [`ClosedStateSpace`](crate::ClosedStateSpace): how far all b-threads have come, in as few
/// bits as possible.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackedState(PackedWords);

/// Most programs need few words, which need no allocation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PackedWords {
    Few([u64; FEW]),
    Many(Box<[u64]>),
}

/// The number of words that need no allocation.
pub(super) const FEW: usize = 2;

impl PackedState {
    fn zero(words: usize) -> Self {
        Self(if words <= FEW {
            PackedWords::Few([0; FEW])
        } else {
            PackedWords::Many(vec![0; words].into())
        })
    }

    /// The words, if they are few.
    #[inline]
    pub(super) fn few_words(&self) -> Option<[u64; FEW]> {
        match &self.0 {
            PackedWords::Few(words) => Some(*words),
            PackedWords::Many(_) => None,
        }
    }

    /// The state of few words.
    #[inline]
    pub(super) fn of_few_words(words: [u64; FEW]) -> Self {
        Self(PackedWords::Few(words))
    }

    #[inline]
    pub(super) fn words(&self) -> &[u64] {
        match &self.0 {
            PackedWords::Few(words) => words,
            PackedWords::Many(words) => words,
        }
    }

    #[inline]
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
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

/// The places of the bits of each b-thread.
pub(super) struct Layout {
    pub(super) fields: Vec<Field>,
    /// The b-thread of each bit.
    threads: Vec<u32>,
    pub(super) words: usize,
}

/// Some adjacent bits of a state.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub(super) word: u32,
    pub(super) shift: u8,
    pub(super) bits: u8,
}

/// The bits for the number of a state; how many states there are is unknown.
const STATE_BITS: u8 = 32;

impl Layout {
    pub(super) fn new<E: Event>(program: &Program<E>) -> Self {
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

    pub(super) fn pack(&self, threads: u32, local: impl Fn(u32) -> u32) -> PackedState {
        let mut state = PackedState::zero(self.words);
        for thread in 0..threads {
            self.set(&mut state, thread as usize, local(thread));
        }
        state
    }

    fn thread_at(&self, word: usize, bit: u32) -> u32 {
        self.threads[word * 64 + bit as usize]
    }

    /// Calls `show` with what lies between two states: the b-threads that differ. The others cost
    /// nothing but the comparison of words.
    #[inline]
    pub(super) fn each_motion(
        &self,
        from: &PackedState,
        to: &PackedState,
        mut show: impl FnMut(Motion),
    ) {
        let words = from.words().iter().zip(to.words());
        for (word, (was, is)) in words.enumerate() {
            let mut changed = was ^ is;
            while changed != 0 {
                let thread = self.thread_at(word, changed.trailing_zeros());
                let field = self.fields[thread as usize];
                show(Motion { thread, from: field.value(*was), to: field.value(*is) });
                changed &= !field.mask();
            }
        }
    }

    pub(super) fn get(&self, state: &PackedState, thread: usize) -> u32 {
        let field = self.fields[thread];
        field.value(state.words()[field.word as usize])
    }

    #[inline]
    pub(super) fn set(&self, state: &mut PackedState, thread: usize, local: u32) {
        let field = self.fields[thread];
        let word = &mut state.words_mut()[field.word as usize];
        *word = *word & !field.mask() | u64::from(local) << field.shift;
    }
}

impl Field {
    #[inline]
    pub(super) fn mask(self) -> u64 {
        ((1 << self.bits) - 1) << self.shift
    }

    #[inline]
    pub(super) fn value(self, word: u64) -> u32 {
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
