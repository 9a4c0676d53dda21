//! What a person wants to do at a table.

use game::MoveText;

/// What a person wants to do at a table. The round and the ply follow from what is shown, see
/// [`SessionView::action`](super::SessionView::action).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Make a move.
    Play(MoveText),
    /// Resign, or concede a lost round.
    Forfeit,
    /// Agree that nobody has won.
    Tie,
    /// Start the next round.
    NextRound,
}

impl Intent {
    /// A move by its text.
    #[must_use]
    pub fn play(chosen: &str) -> Self {
        let Ok(chosen) = chosen.parse();
        Self::Play(chosen)
    }
}
