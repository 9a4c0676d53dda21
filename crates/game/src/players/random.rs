//! The random player, and random playouts.

use bthread::Generator;

use crate::game::Game;
use crate::player::{Choice, Player, PlayerError, PlayerView};
use crate::probability::BadProbabilities;
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::turn::{Outcome, Turn};

/// Chooses a random legal move, each equally likely.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    generator: Generator,
}

impl RandomPlayer {
    /// The random player with this seed.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { generator: Generator::seeded(seed) }
    }
}

impl<G: Game> Player<G> for RandomPlayer {
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let chosen = any_of(player_view.legal_moves(), &mut self.generator);
        chosen.map(Choice::plain).ok_or(PlayerError::NothingToChoose)
    }
}

/// A random move, each equally likely; `None` if there is none.
fn any_of<M>(mut moves: impl ExactSizeIterator<Item = M>, generator: &mut Generator) -> Option<M> {
    let chosen = generator.below(moves.len() as u64);
    moves.nth(usize::try_from(chosen).expect("the index is below a length"))
}

/// Plays at random to the end, in this position, and returns the outcome.
///
/// # Errors
/// If the game refuses a legal move, or its probabilities do not add up.
pub fn playout<G: Game>(
    game: &G,
    position: &mut G::Position,
    generator: &mut Generator,
) -> Result<Outcome, PlayoutError> {
    loop {
        if let Some(outcome) = game.play_out(position, generator, u32::MAX)? {
            return Ok(outcome);
        }
    }
}

/// Plays one random ply: the default of [`Game::play_at_random`].
pub(crate) fn play_at_random<G: Game>(
    game: &G,
    position: &mut G::Position,
    generator: &mut Generator,
) -> Result<(), PlayoutError> {
    match game.turn(position) {
        Turn::Over(_) => {}
        Turn::One(seat) => {
            let chosen = any_of(game.legal_moves(position, seat), generator);
            let chosen = chosen.ok_or(PlayoutError::NoMove(seat))?;
            game.advance(position, seat, chosen)?;
        }
        Turn::Several(seats) => {
            let choose = |seat| {
                let chosen = any_of(game.legal_moves(position, seat), generator);
                chosen.map(|chosen| (seat, chosen)).ok_or(PlayoutError::NoMove(seat))
            };
            let moves = seats.iter().map(choose).collect::<Result<Vec<_>, _>>()?;
            game.advance_all(position, &moves)?;
        }
        Turn::Chance => {
            if let Some(drawn) = game.draw_chance(position, generator)? {
                game.advance_chance(position, &drawn)?;
            }
        }
    }
    Ok(())
}

/// Why a playout stopped: the game contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayoutError {
    /// It is a seat's turn, and it has no legal move.
    #[error("{0} must choose and has no legal move")]
    NoMove(Seat),
    /// The game refused a legal move.
    #[error("a legal move was refused: {0}")]
    Refused(#[from] Refusal),
    /// The probabilities do not add up.
    #[error(transparent)]
    BadProbabilities(#[from] BadProbabilities),
}
