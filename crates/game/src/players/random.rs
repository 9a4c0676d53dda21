//! Any legal move.

use bthread::Generator;

use crate::game::Game;
use crate::player::{Choice, Player, PlayerError, PlayerView};
use crate::probability::NotCertain;
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::turn::{Outcome, Turn};

/// Chooses any legal move, each equally likely.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    generator: Generator,
}

impl RandomPlayer {
    /// The player that a seed stands for.
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

/// One of the moves, each equally likely; `None` if there is none.
pub(crate) fn any_of<M>(
    mut moves: impl ExactSizeIterator<Item = M>,
    generator: &mut Generator,
) -> Option<M> {
    let chosen = generator.below(moves.len() as u64);
    moves.nth(usize::try_from(chosen).expect("below a length"))
}

/// Plays at random to the end, in this very position, and says how the game ended.
///
/// # Errors
/// If the game refuses what it called legal, or its probabilities do not add up.
pub fn playout<G: Game>(
    game: &G,
    position: &mut G::Position,
    generator: &mut Generator,
) -> Result<Outcome, PlayoutError> {
    loop {
        if let Turn::Over(outcome) = game.turn(position) {
            return Ok(outcome);
        }
        game.play_at_random(position, generator)?;
    }
}

/// Lets something happen at random; what [`Game::play_at_random`] does unless a game knows better.
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
            game.advance(position, &[(seat, chosen)])?;
        }
        Turn::Several(seats) => {
            let choose = |seat| {
                let chosen = any_of(game.legal_moves(position, seat), generator);
                chosen.map(|chosen| (seat, chosen)).ok_or(PlayoutError::NoMove(seat))
            };
            let moves = seats.iter().map(choose).collect::<Result<Vec<_>, _>>()?;
            game.advance(position, &moves)?;
        }
        Turn::Chance => {
            if let Some(drawn) = game.draw(position, generator)? {
                game.advance_chance(position, &drawn)?;
            }
        }
    }
    Ok(())
}

/// A game that contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayoutError {
    /// A seat must choose and has nothing to choose from.
    #[error("{0} must choose and has no legal move")]
    NoMove(Seat),
    /// What was called legal was refused.
    #[error("a legal move was refused: {0}")]
    Refused(#[from] Refusal),
    /// The probabilities do not add up.
    #[error(transparent)]
    NotCertain(#[from] NotCertain),
}
