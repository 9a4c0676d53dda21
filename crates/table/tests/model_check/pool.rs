//! Values with small numbers: values with equal texts have equal numbers.

use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

/// A value that is told apart from others by all that matters of it, as text.
pub(crate) trait Told {
    fn told(&self) -> String;
}

/// All values that were ever met, so that states of the model are a few small numbers.
pub(crate) struct Pool<T>(Mutex<Met<T>>);

struct Met<T> {
    values: Vec<Arc<T>>,
    numbers: FxHashMap<String, u32>,
}

impl<T: Told> Pool<T> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Met { values: Vec::new(), numbers: FxHashMap::default() }))
    }

    /// The number of a value.
    pub(crate) fn number(&self, value: T) -> u32 {
        let mut met = self.0.lock().expect("nobody panics here");
        let next = u32::try_from(met.values.len()).expect("there are few");
        let number = *met.numbers.entry(value.told()).or_insert(next);
        if number == next {
            met.values.push(Arc::new(value));
        }
        number
    }

    /// The value of a number.
    pub(crate) fn value(&self, number: u32) -> Arc<T> {
        let met = self.0.lock().expect("nobody panics here");
        let place = usize::try_from(number).expect("there are few");
        Arc::clone(&met.values[place])
    }
}

/// What was found out before: the same numbers mean the same values, so nothing is done twice.
pub(crate) struct Memory<A>(Mutex<FxHashMap<[u32; 4], A>>);

impl<A: Clone> Memory<A> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(FxHashMap::default()))
    }

    /// What follows from these numbers.
    pub(crate) fn of(&self, numbers: [u32; 4], find_out: impl FnOnce() -> A) -> A {
        let known = self.0.lock().expect("nobody panics here").get(&numbers).cloned();
        known.unwrap_or_else(|| {
            let answer = find_out();
            let mut memory = self.0.lock().expect("nobody panics here");
            memory.insert(numbers, answer.clone());
            answer
        })
    }
}
