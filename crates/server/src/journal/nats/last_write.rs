//! The last write that succeeded: whether the next one can be expected to.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::journal::{Appended, JournalError, NotWritten};

/// What the last writes have shown.
#[derive(Debug, Default)]
pub(super) struct LastWrite(Mutex<LastOutcomes>);

#[derive(Clone, Copy, Debug, Default)]
struct LastOutcomes {
    /// When the last write that succeeded began.
    succeeded: Option<Instant>,
    /// When a write has failed last.
    failed: Option<Instant>,
}

/// How long after a write the cluster is trusted to accept the next one.
const TRUSTED_FOR: Duration = Duration::from_secs(3);

impl LastWrite {
    /// Whether a write that began a moment ago has succeeded, and none has failed since it began.
    pub(super) fn is_recent(&self, now: Instant) -> bool {
        let LastOutcomes { succeeded, failed } = *self.outcomes();
        let is_recent = |began| now.saturating_duration_since(began) <= TRUSTED_FOR;
        succeeded.is_some_and(|began| is_recent(began) && failed.is_none_or(|at| at < began))
    }

    /// Notes a write that has ended now. Its answer may have come late, so a success says only that there was a
    /// majority after the write began.
    pub(super) fn note(&self, began: Instant, has_succeeded: bool, now: Instant) {
        let mut last = self.outcomes();
        if has_succeeded {
            last.succeeded = last.succeeded.max(Some(began));
        } else {
            last.failed = last.failed.max(Some(now));
        }
    }

    /// Notes what became of an append. A conflict says nothing: a leader finds it without a majority.
    pub(super) fn note_append(
        &self,
        began: Instant,
        appended: &Result<Appended, JournalError>,
        now: Instant,
    ) {
        match appended {
            Ok(Appended::Conflict(_)) | Err(JournalError::NotWritten(NotWritten::Ahead { .. })) => {
            }
            Ok(Appended::Committed) => self.note(began, true, now),
            Err(_) => self.note(began, false, now),
        }
    }

    fn outcomes(&self) -> MutexGuard<'_, LastOutcomes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes as they end: when each began and ended, in milliseconds, and whether it succeeded.
    #[track_caller]
    fn check(writes: &[(u64, u64, bool)], trusted: std::ops::Range<u64>) {
        let (last, start) = (LastWrite::default(), Instant::now());
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        for (began, ended, has_succeeded) in writes {
            last.note(at(*began), *has_succeeded, at(*ended));
        }
        let end = writes.iter().map(|(_, ended, _)| *ended).max().unwrap_or_default();
        let found: Vec<_> = (end..end + 9_000).filter(|now| last.is_recent(at(*now))).collect();
        assert_eq!(found, trusted.collect::<Vec<_>>());
    }

    #[test]
    fn a_write_is_trusted_from_its_beginning_for_a_moment() {
        check(&[], 0..0);
        check(&[(0, 5, true)], 5..3_001);
        // The answer has come late: there may have been no majority for a while.
        check(&[(0, 2_900, true)], 2_900..3_001);
        check(&[(0, 3_100, true)], 0..0);
        check(&[(0, 5, true), (10, 6_010, false)], 0..0);
    }

    #[test]
    fn concurrent_writes_may_end_in_any_order() {
        check(&[(1_000, 1_005, true), (0, 1_010, true)], 1_010..4_001);
        check(&[(0, 5, true), (10, 50, false), (40, 60, true)], 0..0);
        // One that began before another failed proves nothing about the time after that.
        check(&[(20, 50, false), (0, 60, true)], 0..0);
        check(&[(20, 50, false), (51, 60, true)], 60..3_052);
        // The failure of an older write is known later.
        check(&[(100, 105, true), (0, 200, false)], 0..0);
    }

    #[test]
    fn a_conflict_proves_no_majority() {
        let (last, began) = (LastWrite::default(), Instant::now());
        let soon = began + Duration::from_millis(1);
        let conflict = Ok(Appended::Conflict(Vec::new()));
        let ahead = Err(NotWritten::Ahead { last: 1 }.into());
        for nothing_written in [&conflict, &ahead] {
            last.note_append(began, nothing_written, soon);
            assert!(!last.is_recent(soon));
        }
        last.note_append(began, &Ok(Appended::Committed), soon);
        for nothing_written in [&conflict, &ahead] {
            last.note_append(began, nothing_written, soon);
            assert!(last.is_recent(soon));
        }
        let lost = Err(JournalError::Unknown { why: "no answer".to_owned() });
        last.note_append(began, &lost, soon);
        assert!(!last.is_recent(soon));
    }
}
