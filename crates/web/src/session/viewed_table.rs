//! A table that the server shows, because the page cannot follow its log.

use game::{Refusal, Seat};
use table::{ActionBody, TableView};

use super::Intent;
use super::finished_round::RoundEnding;

/// A table that the server shows, because the page cannot follow its log: the game hides something, or
/// only the server has its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewedTable {
    /// The table as the server shows it to this person.
    pub view: TableView,
    /// The person's seat; a spectator has none.
    pub seat: Option<Seat>,
    /// How the shown round ended, if the next one has begun already.
    pub ending: Option<RoundEnding>,
    /// The person's action that waits for an answer.
    pub pending: Option<ActionBody>,
    /// The seats whose players are connected.
    pub connected: Vec<Seat>,
    /// How long a player must be without a connection before the round can be claimed, in milliseconds.
    pub claim_after: Option<u64>,
    /// Whether the server can be reached.
    pub is_connected: bool,
}

impl ViewedTable {
    /// The action for an intent, for the round and ply that are shown.
    #[must_use]
    pub fn action(view: &TableView, intent: Intent) -> ActionBody {
        intent.action((view.round, view.ply), view.version)
    }

    /// A refusal at a table whose rules a player wrote: what a rule says is marked as that player's
    /// sentence.
    #[must_use]
    pub(super) fn marked(view: &TableView, refusal: &Refusal) -> Refusal {
        let marked = refusal.reasons().cloned().map(|mut reason| {
            if view.own_rules && !reason.because.is_empty() {
                reason.message = format!("The author of these rules says: “{}”", reason.message);
            }
            reason
        });
        Refusal::if_any(marked).err().unwrap_or_else(|| refusal.clone())
    }
}
