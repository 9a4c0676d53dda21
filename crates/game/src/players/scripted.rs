//! What it was told.

use crate::game::Game;
use crate::player::{Choice, GivesUp, Player, Sight};

/// Makes the moves that it was told, in order, legal or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scripted {
    moves: Vec<String>,
}

impl Scripted {
    /// The player that makes these moves.
    pub fn new(moves: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { moves: moves.into_iter().map(Into::into).collect() }
    }
}

impl<G: Game> Player<G> for Scripted {
    fn choose(&mut self, sight: &Sight<'_, G>) -> Result<Choice<G::Move>, GivesUp> {
        let made = sight.moves_made();
        let text = self.moves.get(made).ok_or_else(|| GivesUp::ScriptEnded {
            played: u32::try_from(made).unwrap_or(u32::MAX),
        })?;
        let chosen = sight.game().read_move(text).map_err(|refusal| GivesUp::ScriptUnreadable {
            text: text.clone(),
            why: refusal.to_string(),
        })?;
        Ok(Choice::plain(chosen))
    }
}
