//! Stopping a long search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells a search that nobody needs its result any more. All copies are one flag.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<FlagState>);

#[derive(Debug, Default)]
struct FlagState {
    is_set: AtomicBool,
    pause: Option<fn()>,
}

impl StopFlag {
    /// A flag that calls `pause` whenever a search looks at it, so that a long search can let others go first.
    #[must_use]
    pub fn pausing(pause: fn()) -> Self {
        Self(Arc::new(FlagState { is_set: AtomicBool::new(false), pause: Some(pause) }))
    }

    /// Tells the search to stop.
    pub fn stop(&self) {
        self.0.is_set.store(true, Ordering::Relaxed);
    }

    /// Whether the search should stop.
    #[must_use]
    pub fn is_set(&self) -> bool {
        if let Some(pause) = self.0.pause {
            pause();
        }
        self.0.is_set.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;
    use crate::players::SearchBudget;

    #[test]
    fn a_search_pauses_again_and_again_until_it_is_stopped() {
        static PAUSES: AtomicU32 = AtomicU32::new(0);
        let stop = StopFlag::pausing(|| {
            PAUSES.fetch_add(1, Ordering::Relaxed);
        });
        let mut budget = SearchBudget::new(u64::MAX, &stop);
        for _ in 0..100_000 {
            budget.step().unwrap();
        }
        let pauses = PAUSES.load(Ordering::Relaxed);
        assert!((50..1_000).contains(&pauses), "{pauses}");
        stop.clone().stop();
        assert!(stop.is_set() && (0..100_000).any(|_| budget.step().is_err()));
    }
}
