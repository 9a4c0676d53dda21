//! What chance may draw is drawn, and nothing else.

use bthread::Generator;
use rustc_hash::FxHashSet;

use super::legality::is_mute;
use super::scene::Scene;
use super::violation::Violation;
use super::walk::Step;
use crate::game::Game;
use crate::happening::Ply;
use crate::probability::{NotCertain, Probability};
use crate::turn::Turn;

/// What cannot be drawn now is refused, and changes nothing; says how much was.
pub(super) fn others_are_refused<G: Game>(
    scene: &Scene<'_, G>,
    met: &[G::Chance],
) -> Result<u64, Violation> {
    let mut count = 0;
    for drawn in met.iter().filter(|drawn| !can_be_drawn(scene, drawn)) {
        let mut next = scene.position.clone();
        let Err(refusal) = scene.game.advance_chance(&mut next, drawn) else {
            return Err(Violation::ImpossibleDrawn(scene.drawn_at(drawn)));
        };
        if next != *scene.position {
            return Err(Violation::ChanceChanged(scene.drawn_at(drawn)));
        }
        if is_mute(&refusal) {
            return Err(Violation::MuteChance(scene.drawn_at(drawn)));
        }
        count += 1;
    }
    Ok(count)
}

/// Lets chance draw, if it is its turn.
pub(super) fn draw<G: Game>(
    scene: &Scene<'_, G>,
    generator: &mut Generator,
) -> Result<Option<Step<G>>, Violation> {
    let drawn = scene.game.draw(scene.position, generator);
    let drawn = drawn.map_err(|why| not_certain(scene, why))?;
    let fits = match &drawn {
        Some(drawn) => can_be_drawn(scene, drawn),
        None => scene.chances.is_empty(),
    };
    if !fits {
        let drawn = drawn.as_ref().map(ToString::to_string);
        return Err(Violation::WrongDraw { position: scene.text.clone(), drawn });
    }
    for (each, _) in &scene.chances {
        after(scene, each)?;
    }
    let Some(drawn) = drawn else { return Ok(None) };
    let next = after(scene, &drawn)?;
    Ok(Some(Step { happening: Ply::Chance(drawn), next }))
}

fn can_be_drawn<G: Game>(scene: &Scene<'_, G>, drawn: &G::Chance) -> bool {
    scene.chances.iter().any(|(other, _)| other == drawn)
}

/// What may be drawn and how likely it is, which is in order.
pub(super) fn listed<G: Game>(
    scene: &Scene<'_, G>,
) -> Result<Vec<(G::Chance, Probability)>, Violation> {
    let chances = scene.game.chances(scene.position);
    let position = scene.text.clone();
    match (chances.first(), scene.turn == Turn::Chance) {
        (None, false) => return Ok(chances),
        (None, true) => return Err(Violation::NoChances { position }),
        (Some((drawn, _)), false) => {
            return Err(Violation::ChanceOutOfTurn(scene.drawn_at(drawn)));
        }
        (Some(_), true) => {}
    }
    if scene.game.chances(scene.position) != chances {
        return Err(Violation::ChancesChange { position });
    }
    let mut known = FxHashSet::default();
    if let Some((twice, _)) = chances.iter().find(|(drawn, _)| !known.insert(drawn)) {
        return Err(Violation::ChanceTwice(scene.drawn_at(twice)));
    }
    let probabilities: Vec<_> = chances.iter().map(|(_, probability)| *probability).collect();
    Probability::weights(&probabilities).map_err(|why| not_certain(scene, why))?;
    Ok(chances)
}

fn not_certain<G: Game>(scene: &Scene<'_, G>, why: NotCertain) -> Violation {
    Violation::NotCertain { position: scene.text.clone(), why }
}

fn after<G: Game>(scene: &Scene<'_, G>, drawn: &G::Chance) -> Result<G::Position, Violation> {
    let mut next = scene.position.clone();
    scene.game.advance_chance(&mut next, drawn).map_err(|refusal| {
        let (at, refusal) = (scene.drawn_at(drawn), Box::new(refusal));
        Violation::ChanceRefused { at, refusal }
    })?;
    Ok(next)
}
