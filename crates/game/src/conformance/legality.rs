//! Legal moves are accepted, and no others.

use super::inspected_position::InspectedPosition;
use super::violation::{MovesInPosition, Violation};
use crate::game::Game;
use crate::refusal::{Code, Refusal};
use crate::seat::Seat;
use crate::turn::Turn;

/// [`Game::check`] accepts every legal move.
pub(super) fn check_legal_moves<G: Game>(
    inspected: &InspectedPosition<'_, G>,
) -> Result<(), Violation> {
    for seat in inspected.seats().iter() {
        for chosen in &inspected.legal[seat.index()] {
            inspected.game.check(inspected.position, seat, chosen).map_err(|refusal| {
                let at = inspected.move_at(seat, chosen);
                Violation::LegalRefused { at, refusal: Box::new(refusal) }
            })?;
        }
    }
    Ok(())
}

/// Makes legal moves, one for each seat whose turn it is, in every way. All results agree.
pub(super) fn play<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    moves: &[(Seat, G::Move)],
) -> Result<G::Position, Violation> {
    let mut positions = Vec::new();
    for result in try_all_ways(inspected, moves) {
        let PlayAttempt { result, position } = result;
        result.map_err(|refusal| {
            let at = inspected.moves_at(moves);
            Violation::LegalNotPlayed { at, refusal: Box::new(refusal) }
        })?;
        positions.push(position);
    }
    let by_place = match moves {
        [(seat, chosen)] => Some(play_by_place(inspected, *seat, chosen)?),
        _ => None,
    };
    // Copies of a position may share data, so only the text can show that the old one changed.
    if inspected.game.text(inspected.position) != inspected.text {
        return Err(Violation::OldChanged(inspected.moves_at(moves)));
    }
    let next = positions.pop().expect("there are several ways to play");
    if positions.iter().any(|position| *position != next) {
        return Err(Violation::PlayDiffers(inspected.moves_at(moves)));
    }
    match by_place {
        Some(position) if position != next => {
            Err(Violation::PlaceDiffers(inspected.moves_at(moves)))
        }
        _ => Ok(next),
    }
}

/// Makes a legal move by its place, as searches do.
fn play_by_place<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    seat: Seat,
    chosen: &G::Move,
) -> Result<G::Position, Violation> {
    let (game, legal) = (inspected.game, &inspected.legal[seat.index()]);
    let mut position = inspected.position.clone();
    let place = legal.iter().position(|each| each == chosen);
    let is_made = place.is_some_and(|place| game.apply_nth(&mut position, seat, place));
    // There is nothing after the last place, and nothing happens there.
    let mut unchanged = inspected.position.clone();
    let is_past = game.apply_nth(&mut unchanged, seat, legal.len());
    let is_counted = game.count_moves(inspected.position, seat) == legal.len();
    if is_made && is_counted && !is_past && unchanged == *inspected.position {
        Ok(position)
    } else {
        Err(Violation::PlaceDiffers(inspected.moves_at(&[(seat, chosen.clone())])))
    }
}

/// Illegal moves are refused and change nothing. Returns the number of moves that were tried.
pub(super) fn check_illegal_moves<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    legal: &[(Seat, G::Move)],
    remembered: &[G::Move],
) -> Result<u64, Violation> {
    let mut count = 0;
    for seat in inspected.seats().iter() {
        for chosen in remembered.iter().filter(|chosen| !inspected.is_legal(seat, chosen)) {
            check_refuses(inspected, seat, chosen)?;
            let moves = with_choice(legal, seat, chosen);
            is_refused(inspected, &moves, Violation::IllegalPlayed)?;
            count += 1;
        }
    }
    Ok(count)
}

/// Anything but one move for each seat whose turn it is is refused and changes nothing. Returns the
/// number of attempts.
pub(super) fn check_incomplete_moves<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    legal: &[(Seat, G::Move)],
) -> Result<u64, Violation> {
    let incomplete = incomplete(legal);
    for moves in &incomplete {
        is_refused(inspected, moves, Violation::IncompletePlayed)?;
    }
    Ok(incomplete.len() as u64)
}

fn check_refuses<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    seat: Seat,
    chosen: &G::Move,
) -> Result<(), Violation> {
    let Err(refusal) = inspected.game.check(inspected.position, seat, chosen) else {
        return Err(Violation::IllegalAccepted(inspected.move_at(seat, chosen)));
    };
    if is_mute(&refusal) {
        return Err(Violation::MuteRefusal(inspected.moves_at(&[(seat, chosen.clone())])));
    }
    if let Some(reason) = refusal.reasons().find(|reason| reason.message.ends_with('.')) {
        let (at, message) = (inspected.move_at(seat, chosen), reason.message.clone());
        return Err(Violation::FullStop { at, message });
    }
    if matches!(inspected.turn, Turn::Over(_)) && *refusal.code() != Code::GAME_OVER {
        let (at, code) = (inspected.move_at(seat, chosen), refusal.code().clone());
        return Err(Violation::NotOverFirst { at, code });
    }
    Ok(())
}

/// Legal moves with another choice of one seat; only that choice if it is not the seat's turn.
fn with_choice<M: Clone>(legal: &[(Seat, M)], seat: Seat, chosen: &M) -> Vec<(Seat, M)> {
    let Some(place) = legal.iter().position(|(other, _)| *other == seat) else {
        return vec![(seat, chosen.clone())];
    };
    let mut moves = legal.to_vec();
    moves[place].1 = chosen.clone();
    moves
}

/// Legal moves of which one is missing or there twice, and no moves at all.
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

/// The answer of the game to moves that were made in one way, and the position afterwards.
struct PlayAttempt<P> {
    result: Result<(), Refusal>,
    position: P,
}

/// Makes moves in every way: in place and in a copy, and one move also by `play` and `advance`.
fn try_all_ways<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    moves: &[(Seat, G::Move)],
) -> Vec<PlayAttempt<G::Position>> {
    let (game, position) = (inspected.game, inspected.position);
    let in_a_copy = |played: Result<G::Position, Refusal>| match played {
        Ok(position) => PlayAttempt { result: Ok(()), position },
        Err(refusal) => PlayAttempt { result: Err(refusal), position: position.clone() },
    };
    let mut attempts = vec![in_a_copy(game.play_all(position, moves))];
    let mut advanced = position.clone();
    let result = game.advance_all(&mut advanced, moves);
    attempts.push(PlayAttempt { result, position: advanced });
    if let [(seat, chosen)] = moves {
        attempts.push(in_a_copy(game.play(position, *seat, chosen.clone())));
        let mut advanced = position.clone();
        let result = game.advance(&mut advanced, *seat, chosen.clone());
        attempts.push(PlayAttempt { result, position: advanced });
    }
    attempts
}

/// No way to play accepts the moves, and nothing changes.
fn is_refused<G: Game>(
    inspected: &InspectedPosition<'_, G>,
    moves: &[(Seat, G::Move)],
    violation: fn(MovesInPosition) -> Violation,
) -> Result<(), Violation> {
    let mut refusals = Vec::new();
    for PlayAttempt { result, position } in try_all_ways(inspected, moves) {
        let Err(refusal) = result else { return Err(violation(inspected.moves_at(moves))) };
        if position != *inspected.position {
            return Err(Violation::RefusedButChanged(inspected.moves_at(moves)));
        }
        refusals.push(refusal);
    }
    let is_unchanged = inspected.game.text(inspected.position) == inspected.text;
    match () {
        () if !is_unchanged => Err(Violation::RefusedButChanged(inspected.moves_at(moves))),
        () if is_mute(&refusals[0]) => Err(Violation::MuteRefusal(inspected.moves_at(moves))),
        () if refusals.iter().any(|refusal| *refusal != refusals[0]) => {
            Err(Violation::PlayDiffers(inspected.moves_at(moves)))
        }
        () => Ok(()),
    }
}

/// Whether a reason has no code or no message.
pub(super) fn is_mute(refusal: &Refusal) -> bool {
    refusal.reasons().any(|reason| reason.code.as_str().is_empty() || reason.message.is_empty())
}
