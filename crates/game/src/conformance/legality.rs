//! Legal moves happen, and no others do.

use super::scene::Scene;
use super::violation::{MovesAt, Violation};
use crate::game::Game;
use crate::refusal::{Code, Refusal};
use crate::seat::Seat;
use crate::turn::Turn;

/// Every legal move passes the check.
pub(super) fn legal_moves_pass<G: Game>(scene: &Scene<'_, G>) -> Result<(), Violation> {
    for seat in scene.seats().iter() {
        for chosen in &scene.legal[seat.index()] {
            scene.game.check(scene.position, seat, chosen).map_err(|refusal| {
                let at = scene.move_at(seat, chosen);
                Violation::LegalRefused { at, refusal: Box::new(refusal) }
            })?;
        }
    }
    Ok(())
}

/// Lets legal moves happen, one of every seat in turn.
pub(super) fn play<G: Game>(
    scene: &Scene<'_, G>,
    moves: &[(Seat, G::Move)],
) -> Result<G::Position, Violation> {
    let refused = |refusal| {
        let at = scene.moves_at(moves);
        Violation::LegalNotPlayed { at, refusal: Box::new(refusal) }
    };
    let played = scene.game.play(scene.position, moves).map_err(refused)?;
    // A position may share what it holds with its copies, so that only its text can tell.
    if scene.game.text(scene.position) != scene.text {
        return Err(Violation::OldChanged(scene.moves_at(moves)));
    }
    let mut advanced = scene.position.clone();
    scene.game.advance(&mut advanced, moves).map_err(refused)?;
    if advanced == played { Ok(played) } else { Err(Violation::PlayDiffers(scene.moves_at(moves))) }
}

/// Moves that are not legal are refused, and change nothing; says how many were.
pub(super) fn others_are_refused<G: Game>(
    scene: &Scene<'_, G>,
    legal: &[(Seat, G::Move)],
    met: &[G::Move],
) -> Result<u64, Violation> {
    let mut count = 0;
    for seat in scene.seats().iter() {
        for chosen in met.iter().filter(|chosen| !scene.is_legal(seat, chosen)) {
            check_refuses(scene, seat, chosen)?;
            let moves = with_choice(legal, seat, chosen);
            is_refused(scene, &moves, Violation::IllegalPlayed)?;
            count += 1;
        }
    }
    Ok(count)
}

/// What is not one move for every seat in turn is refused, and changes nothing; says how often.
pub(super) fn incomplete_moves_are_refused<G: Game>(
    scene: &Scene<'_, G>,
    legal: &[(Seat, G::Move)],
) -> Result<u64, Violation> {
    let incomplete = incomplete(legal);
    for moves in &incomplete {
        is_refused(scene, moves, Violation::IncompletePlayed)?;
    }
    Ok(incomplete.len() as u64)
}

fn check_refuses<G: Game>(
    scene: &Scene<'_, G>,
    seat: Seat,
    chosen: &G::Move,
) -> Result<(), Violation> {
    let Err(refusal) = scene.game.check(scene.position, seat, chosen) else {
        return Err(Violation::IllegalAccepted(scene.move_at(seat, chosen)));
    };
    if is_mute(&refusal) {
        return Err(Violation::MuteRefusal(scene.moves_at(&[(seat, chosen.clone())])));
    }
    if matches!(scene.turn, Turn::Over(_)) && *refusal.code() != Code::GAME_OVER {
        let (at, code) = (scene.move_at(seat, chosen), refusal.code().clone());
        return Err(Violation::NotOverFirst { at, code });
    }
    Ok(())
}

/// Legal moves, but with this choice of a seat; just the choice if the seat is not in turn.
fn with_choice<M: Clone>(legal: &[(Seat, M)], seat: Seat, chosen: &M) -> Vec<(Seat, M)> {
    let Some(place) = legal.iter().position(|(other, _)| *other == seat) else {
        return vec![(seat, chosen.clone())];
    };
    let mut moves = legal.to_vec();
    moves[place].1 = chosen.clone();
    moves
}

/// Legal moves with one that is missing, one that is there twice, or none at all.
fn incomplete<M: Clone>(legal: &[(Seat, M)]) -> Vec<Vec<(Seat, M)>> {
    let mut all = vec![Vec::new()];
    for place in 0..legal.len() {
        let mut doubled = legal.to_vec();
        doubled.insert(place, legal[place].clone());
        all.push(doubled);
        if legal.len() > 1 {
            let mut missing = legal.to_vec();
            missing.remove(place);
            all.push(missing);
        }
    }
    all
}

/// Neither way to play accepts the moves, and nothing changes.
fn is_refused<G: Game>(
    scene: &Scene<'_, G>,
    moves: &[(Seat, G::Move)],
    violation: fn(MovesAt) -> Violation,
) -> Result<(), Violation> {
    let mut advanced = scene.position.clone();
    let at_once = scene.game.advance(&mut advanced, moves);
    let in_a_copy = scene.game.play(scene.position, moves).map(drop);
    let (Err(refusal), Err(other)) = (at_once, in_a_copy) else {
        return Err(violation(scene.moves_at(moves)));
    };
    let is_unchanged = advanced == *scene.position && scene.game.text(scene.position) == scene.text;
    match () {
        () if !is_unchanged => Err(Violation::RefusedButChanged(scene.moves_at(moves))),
        () if is_mute(&refusal) => Err(Violation::MuteRefusal(scene.moves_at(moves))),
        () if refusal != other => Err(Violation::PlayDiffers(scene.moves_at(moves))),
        () => Ok(()),
    }
}

/// Whether a reason has no code or no message.
pub(super) fn is_mute(refusal: &Refusal) -> bool {
    refusal.reasons().any(|reason| reason.code.as_str().is_empty() || reason.message.is_empty())
}
