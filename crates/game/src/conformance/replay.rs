//! Replays of games.

use super::known_positions::hash;
use super::random_game::RandomGame;
use super::violation::Violation;
use crate::game::Game;
use crate::matches::{Match, OnIllegalMove};

/// A replay of a game leads to the same positions.
pub(super) fn check<G: Game>(game: &G, random_game: &RandomGame<G>) -> Result<(), Violation> {
    let history = random_game.history.iter().cloned();
    let replayed = Match::replay(game.clone(), OnIllegalMove::default(), history).map_err(
        |(plies, refusal)| Violation::ReplayRefused { plies, refusal: Box::new(refusal) },
    )?;
    is_the_same(game, random_game.history.len(), random_game.position(), replayed.position())?;
    for (plies, position) in random_game.positions.iter().enumerate() {
        let again = replayed.position_after(plies).expect("all plies were replayed");
        is_the_same(game, plies, position, &again)?;
    }
    Ok(())
}

fn is_the_same<G: Game>(
    game: &G,
    plies: usize,
    position: &G::Position,
    again: &G::Position,
) -> Result<(), Violation> {
    let (one, other) = (game.text(position), game.text(again));
    if position != again || one != other || game.turn(position) != game.turn(again) {
        return Err(Violation::ReplayDiffers { plies, one, other });
    }
    if hash(position) != hash(again) {
        return Err(Violation::HashDiffers { position: one });
    }
    Ok(())
}
