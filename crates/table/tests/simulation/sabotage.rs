//! Deliberate mistakes, which the checks must notice.

/// A deliberate mistake, which the checks must notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sabotage {
    Nothing,
    AcknowledgeBeforeAppending,
    ForgetTheDeduplication,
    SkipARebase,
    IgnoreAConflict,
    BroadcastBeforeCommit,
    /// A client ignores a refusal and keeps showing the action.
    KeepWhatWasRefused,
    /// An action that is meant for later is refused for good.
    RefuseWhatIsEarly,
    /// Every client is sent what only the first seat may see.
    ShowWhatIsHidden,
    /// A backup is restored without a new epoch.
    KeepTheEpoch,
    /// A client that starts over from another log sends actions that this log can never decide.
    InsistOnWhatIsGone,
    /// A client that knows more than a node goes back to what the node knows.
    BelieveWhoIsBehind,
    /// A node writes the move of a computer without its explanation.
    WithholdTheExplanation,
}

impl Sabotage {
    /// Whether it replaces what an attempt does after its entries were appended.
    pub(crate) const fn is_in_the_attempt(self) -> bool {
        matches!(self, Self::ForgetTheDeduplication | Self::IgnoreAConflict)
    }
}
