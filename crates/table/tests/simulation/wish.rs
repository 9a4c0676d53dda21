//! The actions that clients want.

use game::{Generator, MoveText, Seat};
use table::{ActionBody, Digest, Entry, EntryBody, PlayerName};

use crate::held::Situation;

/// Who wants something.
#[derive(Clone, Copy)]
pub(crate) struct Wisher {
    pub(crate) name: &'static str,
    pub(crate) token: Digest,
}

/// What a player wants who looks first; now and then it is not legal.
pub(crate) fn careful(
    now: &Situation,
    seat: Seat,
    who: Wisher,
    generator: &mut Generator,
) -> ActionBody {
    if now.is_away && generator.below(3) == 0 {
        return join(None, who, now.version);
    }
    let (round, ply) = (now.round, now.ply);
    match (generator.below(12), now.is_over) {
        (0, _) => ActionBody::Leave { version: now.version },
        (1, _) | (2, true) => ActionBody::Forfeit { round, ply },
        (2, false) | (3, true) => ActionBody::Tie { round, ply },
        (_, true) => ActionBody::NextRound { round, ply },
        // Who cannot move joins again: that is refused, wherever it sits.
        (3, false) if !now.is_in_turn => join(Some(seat), who, now.version),
        _ => ActionBody::Play { round, ply, chosen: some_move(&now.moves, generator) },
    }
}

/// What a player wants who has no seat yet.
pub(crate) fn to_sit(now: &Situation, who: Wisher, generator: &mut Generator) -> ActionBody {
    join(some_seat(generator), who, now.version)
}

/// What somebody wants who does not look: it is meant for what was, is, will be or will never be.
pub(crate) fn rash(
    now: &Situation,
    who: Wisher,
    moves: &[MoveText],
    generator: &mut Generator,
) -> ActionBody {
    let version = u64::from(near(u32::try_from(now.version).expect("it is small"), generator));
    let (round, ply) = (near(now.round, generator), near(now.ply, generator));
    match generator.below(16) {
        0 => join(some_seat(generator), who, version),
        1 => ActionBody::Leave { version },
        2 => ActionBody::Forfeit { round, ply },
        3 => ActionBody::Tie { round, ply },
        4 | 5 => ActionBody::NextRound { round, ply },
        _ => ActionBody::Play { round, ply, chosen: some_move(moves, generator) },
    }
}

fn join(seat: Option<Seat>, who: Wisher, version: u64) -> ActionBody {
    let name = PlayerName::new(who.name).expect("it is a name");
    ActionBody::Join { seat, name, token: who.token, version }
}

/// One of two seats, or any.
fn some_seat(generator: &mut Generator) -> Option<Seat> {
    let seat = Seat::new(u8::try_from(generator.below(4)).expect("it is small"));
    seat.filter(|seat| seat.index() < 2)
}

/// A number, or one a little before or after it.
fn near(number: u32, generator: &mut Generator) -> u32 {
    let off = u32::try_from(generator.below(8)).expect("it is small");
    if off > 4 { number } else { (number + off).saturating_sub(2) }
}

/// One of these moves, or now and then none of the game.
fn some_move(moves: &[MoveText], generator: &mut Generator) -> MoveText {
    let illegal = u64::from(generator.below(4) == 0);
    let place = generator.below(moves.len() as u64 + illegal);
    let place = usize::try_from(place).expect("there are few");
    let chosen = moves.get(place).cloned();
    chosen.unwrap_or_else(|| "nonsense".parse().expect("it is a text"))
}

/// Whether an entry is the result of an action.
pub(crate) fn comes_of(body: &ActionBody, entry: &Entry) -> bool {
    match (body, &entry.body) {
        (ActionBody::Join { .. }, EntryBody::Joined { .. })
        | (ActionBody::Leave { .. }, EntryBody::Left { .. }) => true,
        (
            ActionBody::Play { round, ply, chosen },
            EntryBody::Played { round: in_round, ply: after, chosen: made, .. }
            | EntryBody::Sealed { round: in_round, ply: after, chosen: Some(made), .. },
        ) => (round, ply, chosen) == (in_round, after, made),
        (ActionBody::Forfeit { round, .. }, EntryBody::Forfeited { round: lost, .. }) => {
            round == lost
        }
        (ActionBody::Tie { round, .. }, EntryBody::Tied { round: tied }) => round == tied,
        (ActionBody::NextRound { round, .. }, EntryBody::NextRound { round: over }) => {
            round == over
        }
        _ => false,
    }
}
