//! Compares the clock of this server with those of others that share its journal.

use std::sync::atomic::{AtomicU64, Ordering};

/// Notices that another server's clock is ahead: it then ends the time of players too early.
#[derive(Debug, Default)]
pub(crate) struct ClockComparison {
    /// Until this time nothing more is told, in milliseconds since 1970.
    told_until: AtomicU64,
}

/// How far clocks may differ, in milliseconds. Entries need some milliseconds from one server to another, which
/// makes the other clock look less far ahead than it is.
const TOLERATED: u64 = 1_000;

/// The time between two findings, in milliseconds.
const EVERY: u64 = 60_000;

impl ClockComparison {
    /// How far the clock is ahead by which another server has just written an entry, in milliseconds, if that is
    /// too far and was not told lately. Times are in milliseconds since 1970.
    pub(crate) fn finding(&self, written_at: u64, now: u64) -> Option<u64> {
        let ahead = written_at.saturating_sub(now);
        if ahead <= TOLERATED {
            return None;
        }
        let told_until = self.told_until.load(Ordering::Relaxed);
        if now < told_until {
            return None;
        }
        let (set, read) = (Ordering::Relaxed, Ordering::Relaxed);
        let is_told = self.told_until.compare_exchange(told_until, now + EVERY, set, read).is_ok();
        is_told.then_some(ahead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_ahead_is_found_once_in_a_while() {
        let comparison = ClockComparison::default();
        assert_eq!(comparison.finding(105_000, 100_000), Some(5_000));
        assert_eq!(comparison.finding(105_001, 100_001), None, "it was told just before");
        assert_eq!(comparison.finding(165_000, 100_000 + EVERY), Some(5_000));
    }

    #[test]
    fn small_differences_and_clocks_that_are_behind_are_not_found() {
        let comparison = ClockComparison::default();
        for written_at in [0, 95_000, 100_000, 100_000 + TOLERATED] {
            assert_eq!(comparison.finding(written_at, 100_000), None, "{written_at}");
        }
        assert_eq!(comparison.finding(101_001, 100_000), Some(1_001));
    }
}
