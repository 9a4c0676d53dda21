//! The player that follows a script.

use crate::game::Game;
use crate::player::{Choice, Player, PlayerError, PlayerView};

/// Makes the moves of its script in order, legal or not. After a refusal it makes the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptedPlayer {
    moves: Vec<String>,
}

impl ScriptedPlayer {
    /// A player with this script.
    pub fn new(moves: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { moves: moves.into_iter().map(Into::into).collect() }
    }
}

impl<G: Game> Player<G> for ScriptedPlayer {
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let made = player_view.moves_made() + player_view.refusals();
        let text = self.moves.get(made).ok_or_else(|| PlayerError::ScriptEnded {
            played: u32::try_from(made).unwrap_or(u32::MAX),
        })?;
        let chosen = player_view.game().read_move(text).map_err(|refusal| {
            PlayerError::ScriptUnreadable { text: text.clone(), reason: refusal.to_string() }
        })?;
        Ok(Choice::plain(chosen))
    }
}
