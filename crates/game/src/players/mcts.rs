//! The player that searches with Monte Carlo tree search.

mod joint;
mod tree;
mod tree_choice;
mod tree_node;
mod widths;

use bthread::Generator;

pub(crate) use tree::SearchTree;

use crate::game::{Game, seat_name};
use crate::player::{CannotPlay, Choice, Player, PlayerError, PlayerView};
use crate::players::Unsolvable;
use crate::seat::Seat;
use crate::stop_flag::StopFlag;

/// Searches with a number of simulations, each of which ends in a random game.
///
/// It plays all games that hide nothing. Every seat plays for itself (UCT). With one or two seats the
/// tree also keeps what is certain: a win or a loss that is proved below a node is never tried again,
/// and a proved position ends the search. Draws of chance are sampled by their probability. Where
/// seats choose at once, each learns by regret matching, which approaches a mixed equilibrium;
/// decoupled UCT, the alternative, can settle on a move that the other seat exploits.
#[derive(Clone, Debug)]
pub struct MctsPlayer {
    simulations: u32,
    stop: StopFlag,
    generator: Generator,
}

impl MctsPlayer {
    /// The player with this many simulations for each move.
    ///
    /// # Errors
    /// If the game hides something.
    pub fn new<G: Game>(
        game: &G,
        seat: Seat,
        simulations: u32,
        seed: u64,
        stop: &StopFlag,
    ) -> Result<Self, CannotPlay> {
        if game.hides() {
            let name = format!("mcts:{simulations}");
            return Err(CannotPlay::new(&name, game, seat, Unsolvable::Hidden.to_string()));
        }
        Ok(Self { simulations, stop: stop.clone(), generator: Generator::seeded(seed) })
    }
}

impl<G: Game> Player<G> for MctsPlayer {
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let (game, seat) = (player_view.game(), player_view.seat());
        let in_turn = player_view.turn().seats().contains(seat);
        let position = player_view.position().filter(|_| in_turn);
        let position = position.ok_or(PlayerError::NothingToChoose)?;
        let seed = Generator::seeded(self.generator.next_bits());
        let mut tree = SearchTree::new(game, position, seed);
        tree.search(self.simulations, &self.stop)
            .map_err(|error| PlayerError::BrokenRules(error.to_string()))?;
        let best = tree.best(seat, &mut self.generator).ok_or(PlayerError::NothingToChoose)?;
        let chosen = game.legal_moves(position, seat).nth(best.place);
        let chosen = chosen.ok_or(PlayerError::NothingToChoose)?;
        let whose = seat_name(game, seat);
        let value = if best.is_proved {
            format!("has proved {:+} for {whose}", best.value)
        } else {
            format!("expects {:+.3} for {whose}", best.value)
        };
        let sentence = format!(
            "mcts {value} after {} simulations; {chosen} was tried {} times; best line {}",
            tree.simulations(),
            best.visits,
            tree.best_line().join(" ")
        );
        Ok(Choice::because(chosen, sentence))
    }
}
