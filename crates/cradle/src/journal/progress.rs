//! The progress of long work, on standard error.

use std::time::{Duration, Instant};

use crate::console;
use crate::quantity::count;

/// Counts what is done. If standard error is a terminal and the work takes more than a second, it says so
/// once a second.
#[derive(Debug)]
pub(super) struct Progress {
    what: &'static str,
    done: u64,
    shown: Instant,
    is_shown: bool,
}

const PAUSE: Duration = Duration::from_secs(1);

impl Progress {
    /// Counts things by their name in the plural: `tables verified`.
    pub(super) fn new(what: &'static str) -> Self {
        let is_shown = console::is_error_a_terminal();
        Self { what, done: 0, shown: Instant::now(), is_shown }
    }

    pub(super) fn add(&mut self, number: u64) {
        self.done += number;
        if self.is_shown && self.shown.elapsed() >= PAUSE {
            self.shown = Instant::now();
            // The work goes on even if its progress cannot be shown.
            drop(console::mention(&format!("{} {}", count(self.done), self.what)));
        }
    }

    pub(super) const fn done(&self) -> u64 {
        self.done
    }
}
