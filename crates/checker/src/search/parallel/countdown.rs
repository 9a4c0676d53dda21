//! Work that several threads wait for.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::lock;

/// Counts what is still to be done.
pub(super) struct Countdown {
    left: Mutex<usize>,
    changed: Condvar,
}

impl Countdown {
    pub(super) fn new(left: usize) -> Self {
        Self { left: Mutex::new(left), changed: Condvar::new() }
    }

    fn left(&self) -> MutexGuard<'_, usize> {
        lock(&self.left)
    }

    /// Counts one as done when it is dropped.
    pub(super) fn guard(&self) -> CountdownGuard<'_> {
        CountdownGuard(self)
    }

    /// Waits until all is done.
    pub(super) fn wait(&self) {
        let waited = self.changed.wait_while(self.left(), |left| *left > 0);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

pub(super) struct CountdownGuard<'a>(&'a Countdown);

impl Drop for CountdownGuard<'_> {
    fn drop(&mut self) {
        *self.0.left() -= 1;
        self.0.changed.notify_all();
    }
}
