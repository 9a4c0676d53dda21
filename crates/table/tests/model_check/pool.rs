//! Numbers for values: values with equal keys have equal numbers.

use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

/// A value with a text that identifies it.
pub(crate) trait PoolKey {
    fn key(&self) -> String;
}

/// All values so far, so that a state of the model is a few small numbers.
pub(crate) struct Pool<T>(Mutex<PoolValues<T>>);

struct PoolValues<T> {
    values: Vec<Arc<T>>,
    numbers: FxHashMap<String, u32>,
}

impl<T: PoolKey> Pool<T> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(PoolValues { values: Vec::new(), numbers: FxHashMap::default() }))
    }

    /// The number of a value.
    pub(crate) fn number(&self, value: T) -> u32 {
        let mut pool = self.0.lock().expect("no thread panicked with the lock");
        let next = u32::try_from(pool.values.len()).expect("the number fits");
        let number = *pool.numbers.entry(value.key()).or_insert(next);
        if number == next {
            pool.values.push(Arc::new(value));
        }
        number
    }

    /// The value of a number.
    pub(crate) fn value(&self, number: u32) -> Arc<T> {
        let pool = self.0.lock().expect("no thread panicked with the lock");
        let place = usize::try_from(number).expect("the number fits");
        Arc::clone(&pool.values[place])
    }
}

/// A cache of results. Equal numbers mean equal values, so no result is computed twice.
pub(crate) struct Memory<A>(Mutex<FxHashMap<[u32; 4], A>>);

impl<A: Clone> Memory<A> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(FxHashMap::default()))
    }

    /// The result for these numbers.
    pub(crate) fn of(&self, numbers: [u32; 4], compute: impl FnOnce() -> A) -> A {
        let known = self.0.lock().expect("no thread panicked with the lock").get(&numbers).cloned();
        known.unwrap_or_else(|| {
            let answer = compute();
            let mut memory = self.0.lock().expect("no thread panicked with the lock");
            memory.insert(numbers, answer.clone());
            answer
        })
    }
}
