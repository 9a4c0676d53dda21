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
    /// What was meant for later is refused as if that were for ever.
    RefuseWhatIsEarly,
    /// Everybody is told what only the first seat may see.
    ShowWhatIsHidden,
    /// A backup was restored, and nobody is told.
    KeepTheEpoch,
    /// Who starts over from another log sends again what that has no room for.
    InsistOnWhatIsGone,
    /// Who knows more than a node takes that back.
    BelieveWhoIsBehind,
    /// A node writes the move of a computer without its explanation.
    WithholdTheExplanation,
}

impl Sabotage {
    /// Whether it takes the place of what an attempt does when its entries were appended.
    pub(crate) const fn is_in_the_attempt(self) -> bool {
        matches!(self, Self::ForgetTheDeduplication | Self::IgnoreAConflict)
    }
}
