//! Programs: ordered lists of b-threads.

use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHasher};

use crate::any_b_thread::{AnyBThread, Body};
use crate::error::ProgramError;
use crate::event::Event;
use crate::name::Name;
use crate::open::{Core, ProgramPlan};
use crate::sync_point::SyncPoint;

/// An ordered list of uniquely named b-threads. Earlier ones have higher priority.
///
/// Cloning is cheap: all clones and all runs share one list.
pub struct Program<E: Event>(Arc<SharedProgram<E>>);

struct SharedProgram<E: Event> {
    threads: Vec<AnyBThread<E>>,
    numbers: FxHashMap<Name, u32>,
    plan: ProgramPlan<E>,
    start: OnceLock<Core<E>>,
    fingerprint: OnceLock<ProgramFingerprint>,
}

/// Tells programs apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ProgramFingerprint {
    /// A hash of the whole definition as text, the same on every machine.
    pub(crate) text: u64,
    /// A hash of the types of behaviours and predicates, which may have the same texts. It is only
    /// valid in one process, and is not written.
    types: u64,
}

impl<E: Event> Program<E> {
    /// A program of these b-threads, highest priority first.
    ///
    /// # Errors
    /// If two b-threads have the same name, or one cannot run.
    pub fn new(
        threads: impl IntoIterator<Item = impl Into<AnyBThread<E>>>,
    ) -> Result<Self, ProgramError> {
        Self::of(AnyBThread::all(threads))
    }

    fn of(threads: Vec<AnyBThread<E>>) -> Result<Self, ProgramError> {
        let mut numbers = FxHashMap::default();
        for (number, thread) in (0..).zip(&threads) {
            check(thread)?;
            if numbers.insert(thread.name().clone(), number).is_some() {
                return Err(ProgramError::DuplicateName(thread.name().clone()));
            }
        }
        let plan = ProgramPlan::new(&threads);
        let (start, fingerprint) = (OnceLock::new(), OnceLock::new());
        Ok(Self(Arc::new(SharedProgram { threads, numbers, plan, start, fingerprint })))
    }

    /// The b-threads, highest priority first.
    pub fn threads(&self) -> &[AnyBThread<E>] {
        &self.0.threads
    }

    /// The b-thread with this name, or all b-threads of this family.
    pub fn named<'a>(&'a self, words: &'a str) -> impl Iterator<Item = &'a AnyBThread<E>> {
        self.threads().iter().filter(move |thread| thread.name().is(words))
    }

    /// The b-thread with this name.
    pub fn thread(&self, name: &Name) -> Option<&AnyBThread<E>> {
        self.number(name).map(|number| &self.threads()[number as usize])
    }

    /// The number of the b-thread with this name.
    pub(crate) fn number(&self, name: &Name) -> Option<u32> {
        self.0.numbers.get(name).copied()
    }

    /// The numbers of the b-threads that may reach a sync point for which the test
    /// holds. For a b-thread with a state that is unknown, so it is included.
    pub fn threads_that_may_reach(&self, test: impl Fn(&SyncPoint<E>) -> bool) -> Vec<usize> {
        let may = |thread: &AnyBThread<E>| thread.may_reach(&test).unwrap_or(true);
        (0..self.threads().len()).filter(|number| may(&self.threads()[*number])).collect()
    }

    /// The numbers of the b-threads whose scripts repeat for ever, although an interrupt can end
    /// them.
    pub fn threads_that_interrupts_end(&self) -> Vec<usize> {
        let can_end = |thread: &AnyBThread<E>| match thread.body() {
            Body::Script { script, .. } => script.ends_only_by_interrupts(),
            Body::Behaviour(_) => false,
        };
        (0..self.threads().len()).filter(|number| can_end(&self.threads()[*number])).collect()
    }

    /// Whether this is the other program, or looks like it.
    pub(crate) fn has_same_fingerprint(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.fingerprint() == other.fingerprint()
    }

    /// Whether this is the other program, or one with equal b-threads, as far as functions can be
    /// compared. Equal fingerprints do not suffice: different kinds may have the same text.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        self.has_same_fingerprint(other) && self == other
    }

    /// Whether all predicates have the same answers for some events as those of a program that is
    /// alike.
    pub(crate) fn answers_like(&self, other: &Self, events: &[E]) -> bool {
        if Arc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        let (mut own, mut others) = (Vec::new(), Vec::new());
        self.threads().iter().for_each(|thread| thread.predicates(&mut |each| own.push(each)));
        other.threads().iter().for_each(|thread| thread.predicates(&mut |each| others.push(each)));
        own.into_iter().zip(others).all(|(own, other)| own.answers_like(other, events))
    }

    /// What tells this program from others.
    pub(crate) fn fingerprint(&self) -> ProgramFingerprint {
        *self.0.fingerprint.get_or_init(|| {
            let (mut text, mut types) = (TextHash::default(), FxHasher::default());
            for thread in self.threads() {
                thread.spell(&mut text).expect("a hash accepts any text");
                thread.types(&mut |each| each.hash(&mut types));
            }
            ProgramFingerprint { text: text.0, types: types.finish() }
        })
    }

    pub(crate) fn plan(&self) -> &ProgramPlan<E> {
        &self.0.plan
    }

    /// The start of every open run. Copying it is cheaper than building it.
    pub(crate) fn start_of_open_runs(&self) -> &Core<E> {
        self.0.start.get_or_init(|| Core::at_start(self))
    }
}

/// Checks that a b-thread can run.
pub(crate) fn check<E: Event>(thread: &AnyBThread<E>) -> Result<(), ProgramError> {
    match thread.body() {
        _ if thread.name().as_str().is_empty() => Err(ProgramError::Nameless),
        Body::Script { script, .. } if script.positions().is_none() => {
            Err(ProgramError::ScriptTooLong(thread.name().clone()))
        }
        Body::Script { .. } | Body::Behaviour(_) => Ok(()),
    }
}

/// FNV-1a over text. The hash of the standard library may differ between machines
/// and versions.
struct TextHash(u64);

impl Default for TextHash {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Write for TextHash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        Ok(())
    }
}

impl<E: Event> Clone for Program<E> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<E: Event> PartialEq for Program<E> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.threads() == other.threads()
    }
}

impl<E: Event> Eq for Program<E> {}

impl<E: Event> fmt::Debug for Program<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.threads().iter().map(AnyBThread::name)).finish()
    }
}

/// Every b-thread with its definition.
impl<E: Event> fmt::Display for Program<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.threads().iter().try_for_each(|thread| thread.fmt(f))
    }
}
