//! The player that searches with Monte Carlo tree search.

mod joint;
mod tree;
mod tree_choice;
mod tree_node;
mod widths;

use bthread::Generator;

pub(crate) use tree::SearchTree;
pub(crate) use tree_choice::TreeChoice;

use crate::game::{Game, seat_name};
use crate::player::{CannotPlay, Choice, Player, PlayerError, PlayerView};
use crate::players::Unsolvable;
use crate::seat::Seat;
use crate::stop_flag::StopFlag;
use crate::turn::Turn;

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
    /// The simulations for the last move.
    simulated: u32,
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
        Ok(Self::unchecked(simulations, seed, stop))
    }

    /// As [`MctsPlayer::new`], in a game that hides nothing.
    pub(super) fn unchecked(simulations: u32, seed: u64, stop: &StopFlag) -> Self {
        let (stop, generator) = (stop.clone(), Generator::seeded(seed));
        Self { simulations, stop, generator, simulated: 0 }
    }

    /// The simulations for the last move: fewer than it may use if the move was the only one, the
    /// position was proved, or the search was stopped.
    #[must_use]
    pub fn simulated(&self) -> u32 {
        self.simulated
    }
}

/// What a search says of the move without an alternative: it has nothing to find out.
const ONLY_MOVE: &str = "it is the only move";

impl<G: Game> Player<G> for MctsPlayer {
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let (game, seat) = (player_view.game(), player_view.seat());
        let in_turn = player_view.turn().seats().contains(seat);
        let position = player_view.position().filter(|_| in_turn);
        let position = position.ok_or(PlayerError::NothingToChoose)?;
        let seed = Generator::seeded(self.generator.next_bits());
        self.simulated = 0;
        if player_view.turn() == Turn::One(seat)
            && let (Some(only), None) = first_two(game.legal_moves(position, seat))
        {
            return Ok(Choice::because(only, ONLY_MOVE));
        }
        let mut tree = SearchTree::new(game, position, seed);
        tree.search(self.simulations, &self.stop)
            .map_err(|error| PlayerError::BrokenRules(error.to_string()))?;
        self.simulated = tree.simulations();
        let best = tree.best(seat, &mut self.generator).ok_or(PlayerError::NothingToChoose)?;
        let chosen = game.legal_moves(position, seat).nth(best.place);
        let chosen = chosen.ok_or(PlayerError::NothingToChoose)?;
        let whose = seat_name(game, seat);
        let value = if best.is_proved {
            format!("has proved {:+} for {whose}", best.value)
        } else {
            format!("expects {:+.3} for {whose}", best.value)
        };
        let (simulations, visits) = (tree.simulations(), best.visits);
        let drawn = |share| format!("; it is drawn in {:.1} % of cases", 100.0 * share);
        let drawn = best.probability.map(drawn).unwrap_or_default();
        let line = tree.best_line();
        let before = if line.is_empty() { "" } else { "; best line " };
        let sentence = format!(
            "mcts {value} after {simulations} simulations; {chosen} was tried {visits} times{drawn}\
             {before}{}",
            line.join(" ")
        );
        Ok(Choice::because(chosen, sentence))
    }
}

fn first_two<M>(mut moves: impl Iterator<Item = M>) -> (Option<M>, Option<M>) {
    (moves.next(), moves.next())
}
