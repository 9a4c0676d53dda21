//! What happens at random is what may happen.

use bthread::Generator;

use super::scene::Scene;
use super::violation::Violation;
use crate::game::Game;
use crate::seat::Seat;

/// Where more can happen than this, nobody goes through all of it.
const MOST: usize = 64;

/// What [`Game::play_at_random`] comes to is a position that legal moves or draws come to.
pub(super) fn check<G: Game>(
    scene: &Scene<'_, G>,
    generator: &mut Generator,
) -> Result<(), Violation> {
    let mut next = scene.position.clone();
    let played = scene.game.play_at_random(&mut next, generator);
    played.map_err(|error| Violation::RandomStopped {
        position: scene.text.clone(),
        why: error.to_string(),
    })?;
    match all_next(scene) {
        Some(all) if !all.contains(&next) => Err(Violation::RandomIllegal {
            position: scene.text.clone(),
            next: scene.game.text(&next),
        }),
        _ => Ok(()),
    }
}

/// Every position that can come next, or the same one if the game is over; `None` if there are
/// too many.
fn all_next<G: Game>(scene: &Scene<'_, G>) -> Option<Vec<G::Position>> {
    if !scene.chances.is_empty() {
        return (scene.chances.len() <= MOST).then(|| after_draws(scene));
    }
    let mut choices: Vec<Vec<(Seat, G::Move)>> = vec![Vec::new()];
    for seat in scene.turn.seats().iter() {
        let legal = &scene.legal[seat.index()];
        if choices.len() * legal.len() > MOST {
            return None;
        }
        let with = |made: &Vec<(Seat, G::Move)>, chosen: &G::Move| {
            made.iter().cloned().chain([(seat, chosen.clone())]).collect()
        };
        choices = choices
            .iter()
            .flat_map(|made| legal.iter().map(move |chosen| with(made, chosen)))
            .collect();
    }
    let after = |moves: &Vec<(Seat, G::Move)>| {
        if moves.is_empty() {
            return Some(scene.position.clone());
        }
        scene.game.play(scene.position, moves).ok()
    };
    Some(choices.iter().filter_map(after).collect())
}

fn after_draws<G: Game>(scene: &Scene<'_, G>) -> Vec<G::Position> {
    let after = |drawn: &G::Chance| {
        let mut next = scene.position.clone();
        scene.game.advance_chance(&mut next, drawn).ok()?;
        Some(next)
    };
    scene.chances.iter().filter_map(|(drawn, _)| after(drawn)).collect()
}
