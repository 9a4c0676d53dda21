//! What the leader of the stream says about the end of a log.

use super::log_message::LogHead;

/// Whether the end of a log, as the leader says it, can be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndBelief {
    Current,
    /// The log ends before a version that the caller believes to be there, or everything in it was removed. It is
    /// believed if it stays so.
    Short,
    /// This server has seen a later message of the log.
    OutOfDate,
}

impl EndBelief {
    /// Compares an end with the last one that this server has seen, and with a version that should be there.
    pub(super) fn of(head: LogHead, seen: Option<LogHead>, known: u64) -> Self {
        if head.sequence == 0 {
            // The mark of a deleted table is removed after a while.
            let is_gone = seen.map_or(known == 0, |seen| seen.version == 0);
            return if is_gone { Self::Current } else { Self::Short };
        }
        if seen.is_some_and(|seen| head.sequence < seen.sequence) {
            return Self::OutOfDate;
        }
        let is_mark = head.version == 0;
        if is_mark || head.version >= known { Self::Current } else { Self::Short }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(sequence: u64, version: u64) -> LogHead {
        LogHead { sequence, version, ..LogHead::default() }
    }

    #[track_caller]
    fn check(said: LogHead, seen: Option<LogHead>, known: u64, expected: EndBelief) {
        assert_eq!(EndBelief::of(said, seen, known), expected);
    }

    #[test]
    fn a_leader_that_is_behind_is_not_believed() {
        check(head(40, 7), None, 0, EndBelief::Current);
        check(head(40, 7), Some(head(40, 7)), 7, EndBelief::Current);
        check(head(40, 7), Some(head(30, 6)), 0, EndBelief::Current);
        check(head(30, 6), Some(head(40, 7)), 0, EndBelief::OutOfDate);
        check(head(30, 6), None, 7, EndBelief::Short);
    }

    #[test]
    fn a_log_that_is_gone_is_believed_after_a_while_or_with_its_mark() {
        check(head(0, 0), None, 0, EndBelief::Current);
        check(head(0, 0), Some(head(40, 7)), 0, EndBelief::Short);
        check(head(0, 0), None, 7, EndBelief::Short);
        // The mark of the deleted table, and then nothing.
        check(head(50, 0), Some(head(40, 7)), 7, EndBelief::Current);
        check(head(0, 0), Some(head(50, 0)), 7, EndBelief::Current);
        // A table that was begun again.
        check(head(60, 2), Some(head(40, 7)), 0, EndBelief::Current);
    }
}
