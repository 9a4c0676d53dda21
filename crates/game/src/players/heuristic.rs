//! The player that follows the estimate of a game.

use bthread::Generator;

use super::pick::best_of;
use super::suitability::GameFeatures;
use crate::game::{Game, seat_name};
use crate::player::{CannotPlay, Choice, Player, PlayerError, PlayerView};
use crate::players::Unsolvable;
use crate::seat::Seat;
use crate::turn::Turn;

/// Makes the move after which the game's [estimate](Game::estimate) is best. It does not search.
#[derive(Clone, Debug)]
pub struct HeuristicPlayer {
    generator: Generator,
}

/// The estimate of an end that a seat has won: above all others.
const WON: f64 = 2_000.0;

impl HeuristicPlayer {
    /// The player with this seed.
    ///
    /// # Errors
    /// If the game has no estimate, hides something, or has simultaneous moves.
    pub fn new<G: Game>(game: &G, seat: Seat, seed: u64) -> Result<Self, CannotPlay> {
        let reason = if game.hides() {
            Some(Unsolvable::Hidden.to_string())
        } else if GameFeatures::of(game).at_once {
            Some(Unsolvable::AtOnce.to_string())
        } else if game.estimate(&game.start(), seat).is_none() {
            Some("nobody has written an estimate of its positions".to_owned())
        } else {
            None
        };
        match reason {
            Some(reason) => Err(CannotPlay::new("heuristic", game, seat, reason)),
            None => Ok(Self { generator: Generator::seeded(seed) }),
        }
    }
}

impl<G: Game> Player<G> for HeuristicPlayer {
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let (game, seat) = (player_view.game(), player_view.seat());
        let position = player_view.position().ok_or(PlayerError::NothingToChoose)?;
        let estimates: Vec<f64> = player_view
            .legal_moves()
            .map(|chosen| {
                let mut next = position.clone();
                game.apply(&mut next, seat, &chosen);
                estimate(game, &next, seat)
            })
            .collect();
        let place = best_of(&estimates, &mut self.generator);
        let place = place.ok_or(PlayerError::NothingToChoose)?;
        let chosen = player_view.legal_moves().nth(place).ok_or(PlayerError::NothingToChoose)?;
        let (whose, best) = (seat_name(game, seat), estimates[place]);
        let sentence = if best >= WON {
            format!("{chosen} wins for {whose} at once")
        } else {
            format!(
                "{chosen} leads to an estimate of {best:.0} of 1000 for {whose}, the best of {}",
                estimates.len()
            )
        };
        Ok(Choice::because(chosen, sentence))
    }
}

/// The estimate of a position for a seat, also if the game is over or chance draws next.
pub(super) fn estimate<G: Game>(game: &G, position: &G::Position, seat: Seat) -> f64 {
    match game.turn(position) {
        Turn::Over(outcome) => {
            let (own, best) = (outcome.score(seat), outcome.scores().iter().max());
            match outcome.is_draw() {
                true => 0.0,
                false if Some(&own) == best => WON,
                false => -WON,
            }
        }
        Turn::Chance => {
            let chances = game.chances(position).into_iter();
            let values = chances.map(|(drawn, probability)| {
                let mut next = position.clone();
                game.apply_chance(&mut next, &drawn);
                // After a draw it is a seat's turn in most games; otherwise the estimate counts.
                let value = match game.turn(&next) {
                    Turn::Chance => game.estimate(&next, seat).map_or(0.0, f64::from),
                    _ => estimate(game, &next, seat),
                };
                probability.value() * value
            });
            values.sum()
        }
        Turn::One(_) | Turn::Several(_) => game.estimate(position, seat).map_or(0.0, f64::from),
    }
}
