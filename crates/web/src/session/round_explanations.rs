//! The explanations of computer moves in a round.

use game::MoveExplanation;
use table::{Entry, EntryBody};

/// The explanations of computer moves in a round, by the number of moves on the board before each.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundExplanations {
    /// The number of moves and draws on the board.
    moves: u32,
    known: Vec<(u32, MoveExplanation)>,
}

impl RoundExplanations {
    /// Those in the entries of a round.
    pub(super) fn of(entries: &[Entry]) -> Self {
        let mut all = Self::default();
        for entry in entries {
            all.note(&entry.body);
        }
        all
    }

    pub(super) fn known(&self) -> &[(u32, MoveExplanation)] {
        &self.known
    }

    /// Follows what happens at the table.
    pub(super) fn note(&mut self, body: &EntryBody) {
        match body {
            EntryBody::Played { explanation, .. } => {
                let explanation = explanation.as_deref().cloned();
                self.known.extend(explanation.map(|explanation| (self.moves, explanation)));
                self.moves += 1;
            }
            EntryBody::Revealed { .. } | EntryBody::Chance { .. } => self.moves += 1,
            EntryBody::TakebackGranted { back_to, .. } => {
                self.moves = *back_to;
                self.known.retain(|(at, _)| at < back_to);
            }
            EntryBody::Forfeited { .. }
            | EntryBody::Tied { .. }
            | EntryBody::NextRound { .. }
            | EntryBody::Claimed { .. } => *self = Self::default(),
            _ => {}
        }
    }
}
