//! What happened once happens again.

use super::known::hash;
use super::violation::Violation;
use super::walk::Walk;
use crate::game::Game;
use crate::matches::{Match, Policy};

/// Replaying a game comes to the same positions.
pub(super) fn check<G: Game>(game: &G, walk: &Walk<G>) -> Result<(), Violation> {
    let history = walk.history.iter().cloned();
    let replayed = Match::replay(game.clone(), Policy::default(), history)
        .map_err(|(step, refusal)| Violation::ReplayRefused { step, refusal: Box::new(refusal) })?;
    is_the_same(game, walk.history.len(), walk.position(), replayed.position())?;
    for (steps, position) in walk.positions.iter().enumerate() {
        let again = replayed.position_after(steps).expect("all that happened was replayed");
        is_the_same(game, steps, position, &again)?;
    }
    Ok(())
}

fn is_the_same<G: Game>(
    game: &G,
    steps: usize,
    position: &G::Position,
    again: &G::Position,
) -> Result<(), Violation> {
    let (one, other) = (game.text(position), game.text(again));
    if position != again || one != other || game.turn(position) != game.turn(again) {
        return Err(Violation::ReplayDiffers { steps, one, other });
    }
    if hash(position) != hash(again) {
        return Err(Violation::HashDiffers { position: one });
    }
    Ok(())
}
