//! The last write that succeeded: whether the next one can be expected to.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::journal::{Appended, JournalError, NotWritten};

/// When the last write that succeeded began; none if a later one failed.
#[derive(Debug, Default)]
pub(super) struct LastWrite(Mutex<Option<Instant>>);

/// How long after a write the cluster is trusted to accept the next one.
const TRUSTED_FOR: Duration = Duration::from_secs(3);

impl LastWrite {
    /// Whether a write that began a moment ago has succeeded.
    pub(super) fn is_recent(&self, now: Instant) -> bool {
        self.began().is_some_and(|began| now.saturating_duration_since(began) <= TRUSTED_FOR)
    }

    /// Notes a write. An answer may come late, so a success says only that there was a majority after the write
    /// began.
    pub(super) fn note(&self, began: Instant, has_succeeded: bool) {
        let mut last = self.began();
        *last = has_succeeded.then(|| last.map_or(began, |last| last.max(began)));
    }

    /// Notes what became of an append. A conflict says nothing: a leader finds it without a majority.
    pub(super) fn note_append(&self, began: Instant, appended: &Result<Appended, JournalError>) {
        match appended {
            Ok(Appended::Conflict(_)) | Err(JournalError::NotWritten(NotWritten::Ahead { .. })) => {
            }
            Ok(Appended::Committed) => self.note(began, true),
            Err(_) => self.note(began, false),
        }
    }

    fn began(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_is_trusted_from_its_beginning_for_a_moment() {
        let (last, began) = (LastWrite::default(), Instant::now());
        assert!(!last.is_recent(began));
        last.note(began, true);
        assert!(last.is_recent(began + TRUSTED_FOR));
        assert!(!last.is_recent(began + TRUSTED_FOR + Duration::from_millis(1)));
        // An older write is answered later.
        let later = began + Duration::from_secs(1);
        last.note(later, true);
        last.note(began, true);
        assert!(last.is_recent(later + TRUSTED_FOR));
        last.note(later, false);
        assert!(!last.is_recent(later));
    }

    #[test]
    fn a_conflict_proves_no_majority() {
        let (last, began) = (LastWrite::default(), Instant::now());
        let conflict = Ok(Appended::Conflict(Vec::new()));
        let ahead = Err(NotWritten::Ahead { last: 1 }.into());
        for nothing_written in [&conflict, &ahead] {
            last.note_append(began, nothing_written);
            assert!(!last.is_recent(began));
        }
        last.note_append(began, &Ok(Appended::Committed));
        for nothing_written in [&conflict, &ahead] {
            last.note_append(began, nothing_written);
            assert!(last.is_recent(began));
        }
        last.note_append(began, &Err(JournalError::Unknown { why: "no answer".to_owned() }));
        assert!(!last.is_recent(began));
    }
}
