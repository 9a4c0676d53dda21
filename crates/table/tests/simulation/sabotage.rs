//! Deliberate mistakes that the checks must find.

/// A deliberate mistake that the checks must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sabotage {
    Nothing,
    AcknowledgeBeforeAppending,
    SkipDeduplication,
    SkipRebase,
    IgnoreConflict,
    BroadcastBeforeCommit,
    /// A client ignores a refusal and keeps showing the action.
    KeepRefusedAction,
    /// A node refuses an action that is only early.
    RefuseEarlyAction,
    /// A node sends the first seat's view to every client.
    ShowHiddenInformation,
    /// A backup is restored without a new epoch.
    KeepEpoch,
    /// A client that starts over from another log sends actions that this log can never decide.
    KeepImpossibleAction,
    /// A client goes back to the version of a node that is behind.
    FollowStaleNode,
    /// A node writes a computer player's move without its explanation.
    OmitExplanation,
}

impl Sabotage {
    /// Whether it replaces the last step of an attempt, after its entries were appended.
    pub(crate) const fn replaces_the_attempt(self) -> bool {
        matches!(self, Self::SkipDeduplication | Self::IgnoreConflict)
    }
}
