//! What is broken on purpose.

/// What is broken on purpose, to see that it is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sabotage {
    Nothing,
    AcknowledgeBeforeAppending,
    ForgetTheDeduplication,
    SkipARebase,
    IgnoreAConflict,
    BroadcastBeforeCommit,
    /// A refusal is heard, and what was refused is shown as before.
    KeepWhatWasRefused,
}

impl Sabotage {
    /// Whether it takes the place of what an attempt does when its entries were appended.
    pub(crate) const fn is_in_the_attempt(self) -> bool {
        matches!(self, Self::ForgetTheDeduplication | Self::IgnoreAConflict)
    }
}
