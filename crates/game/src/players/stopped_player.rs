//! The stand-in for a perfect player whose search was stopped.

use super::mcts::MctsPlayer;
use crate::game::Game;
use crate::player::{Choice, Player, PlayerError, PlayerView};
use crate::stop_flag::StopFlag;

/// Chooses by a short search that nobody stops, and says that this is an estimate.
#[derive(Clone, Debug)]
pub(crate) struct StoppedPlayer(MctsPlayer);

/// Few enough to end at once.
const SIMULATIONS: u32 = 100;

impl StoppedPlayer {
    /// The player with this seed, in a game that hides nothing.
    pub(crate) fn seeded(seed: u64) -> Self {
        Self(MctsPlayer::unchecked(SIMULATIONS, seed, &StopFlag::default()))
    }
}

impl<G: Game> Player<G> for StoppedPlayer {
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let mut choice = self.0.choose(player_view)?;
        if let Some(explanation) = &mut choice.explanation {
            let estimate = &explanation.sentence;
            explanation.sentence = format!(
                "the search for a perfect move was stopped; this is an estimate: {estimate}"
            );
        }
        Ok(choice)
    }
}
