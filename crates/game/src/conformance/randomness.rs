//! Random plies are legal.

use bthread::Generator;

use super::inspected_position::InspectedPosition;
use super::violation::Violation;
use crate::game::Game;
use crate::seat::Seat;

/// With more next positions than this, they are not listed and not compared.
const MOST_NEXT: usize = 64;

/// [`Game::play_at_random`] leads to a position that legal moves or draws lead to.
pub(super) fn check<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    generator: &mut Generator,
) -> Result<(), Violation> {
    let mut next = inspected.position.clone();
    let played = inspected.game.play_at_random(&mut next, generator);
    played.map_err(|error| Violation::RandomStopped {
        position: inspected.text.clone(),
        error: error.to_string(),
    })?;
    match all_next(inspected) {
        Some(all) if !all.contains(&next) => Err(Violation::RandomIllegal {
            position: inspected.text.clone(),
            next: inspected.game.text(&next),
        }),
        _ => Ok(()),
    }
}

/// All next positions, or the same position if the game is over; `None` if there are too many.
fn all_next<G: Game>(inspected: &InspectedPosition<'_, G>) -> Option<Vec<G::Position>> {
    if !inspected.chances.is_empty() {
        return (inspected.chances.len() <= MOST_NEXT).then(|| after_draws(inspected));
    }
    let mut choices: Vec<Vec<(Seat, G::Move)>> = vec![Vec::new()];
    for seat in inspected.turn.seats().iter() {
        let legal = &inspected.legal[seat.index()];
        if choices.len() * legal.len() > MOST_NEXT {
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
            return Some(inspected.position.clone());
        }
        inspected.game.play_all(inspected.position, moves).ok()
    };
    Some(choices.iter().filter_map(after).collect())
}

fn after_draws<G: Game>(inspected: &InspectedPosition<'_, G>) -> Vec<G::Position> {
    let after = |drawn: &G::Chance| {
        let mut next = inspected.position.clone();
        inspected.game.advance_chance(&mut next, drawn).ok()?;
        Some(next)
    };
    inspected.chances.iter().filter_map(|(drawn, _)| after(drawn)).collect()
}
