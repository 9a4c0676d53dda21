//! Chance draws what the game lists, and nothing else.

use bthread::Generator;
use rustc_hash::FxHashSet;

use super::inspected_position::InspectedPosition;
use super::legality::is_mute;
use super::random_game::PlayedPly;
use super::violation::Violation;
use crate::game::Game;
use crate::ply::Ply;
use crate::probability::{BadProbabilities, Probability};
use crate::turn::Turn;

/// Impossible draws are refused and change nothing. Returns the number of draws that were tried.
pub(super) fn check_impossible_draws<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    remembered: &[G::Chance],
) -> Result<u64, Violation> {
    let mut count = 0;
    for drawn in remembered.iter().filter(|drawn| !can_be_drawn(inspected, drawn)) {
        let mut next = inspected.position.clone();
        let Err(refusal) = inspected.game.advance_chance(&mut next, drawn) else {
            return Err(Violation::ImpossibleDrawn(inspected.drawn_at(drawn)));
        };
        if next != *inspected.position {
            return Err(Violation::ChanceChanged(inspected.drawn_at(drawn)));
        }
        if is_mute(&refusal) {
            return Err(Violation::MuteChance(inspected.drawn_at(drawn)));
        }
        count += 1;
    }
    Ok(count)
}

/// Lets chance draw; `None` unless it is the turn of chance.
pub(super) fn draw<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    generator: &mut Generator,
) -> Result<Option<PlayedPly<G>>, Violation> {
    let drawn = inspected.game.draw_chance(inspected.position, generator);
    let drawn = drawn.map_err(|error| bad_probabilities(inspected, error))?;
    let fits = match &drawn {
        Some(drawn) => can_be_drawn(inspected, drawn),
        None => inspected.chances.is_empty(),
    };
    if !fits {
        let drawn = drawn.as_ref().map(ToString::to_string);
        return Err(Violation::WrongDraw { position: inspected.text.clone(), drawn });
    }
    for (each, _) in &inspected.chances {
        after(inspected, each)?;
    }
    let Some(drawn) = drawn else { return Ok(None) };
    let next = after(inspected, &drawn)?;
    Ok(Some(PlayedPly { ply: Ply::Chance(drawn), next }))
}

fn can_be_drawn<G: Game>(inspected: &InspectedPosition<'_, G>, drawn: &G::Chance) -> bool {
    inspected.chances.iter().any(|(other, _)| other == drawn)
}

/// The chances of a position, checked.
pub(super) fn checked_chances<G: Game>(
    inspected: &InspectedPosition<'_, G>,
) -> Result<Vec<(G::Chance, Probability)>, Violation> {
    let chances = inspected.game.chances(inspected.position);
    let position = inspected.text.clone();
    match (chances.first(), inspected.turn == Turn::Chance) {
        (None, false) => return Ok(chances),
        (None, true) => return Err(Violation::NoChances { position }),
        (Some((drawn, _)), false) => {
            return Err(Violation::ChanceOutOfTurn(inspected.drawn_at(drawn)));
        }
        (Some(_), true) => {}
    }
    if inspected.game.chances(inspected.position) != chances {
        return Err(Violation::ChancesChange { position });
    }
    let mut known = FxHashSet::default();
    if let Some((twice, _)) = chances.iter().find(|(drawn, _)| !known.insert(drawn)) {
        return Err(Violation::ChanceTwice(inspected.drawn_at(twice)));
    }
    let probabilities: Vec<_> = chances.iter().map(|(_, probability)| *probability).collect();
    Probability::weights(&probabilities).map_err(|error| bad_probabilities(inspected, error))?;
    Ok(chances)
}

fn bad_probabilities<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    error: BadProbabilities,
) -> Violation {
    Violation::BadProbabilities { position: inspected.text.clone(), error }
}

fn after<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    drawn: &G::Chance,
) -> Result<G::Position, Violation> {
    let mut next = inspected.position.clone();
    inspected.game.advance_chance(&mut next, drawn).map_err(|refusal| {
        let (at, refusal) = (inspected.drawn_at(drawn), Box::new(refusal));
        Violation::ChanceRefused { at, refusal }
    })?;
    Ok(next)
}
