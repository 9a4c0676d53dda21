//! Random actions of clients.

use game::{Generator, MoveText, Seat};
use table::{ActionBody, Digest, Entry, EntryBody, PlayerName};

use crate::local_state::Situation;

/// The name and the token of a client.
#[derive(Clone, Copy)]
pub(crate) struct Identity {
    pub(crate) name: &'static str,
    pub(crate) token: Digest,
}

/// An action that fits the state of the table, and is usually legal.
pub(crate) fn plausible(
    now: &Situation,
    seat: Seat,
    identity: Identity,
    generator: &mut Generator,
) -> ActionBody {
    if now.is_away && generator.below(3) == 0 {
        return join(None, identity, now.version);
    }
    let (round, ply) = (now.round, now.ply);
    if generator.below(6) == 0 {
        return about_takebacks(round, ply, generator);
    }
    match (generator.below(12), now.is_over) {
        (0, _) => ActionBody::Leave { version: now.version },
        (1, _) | (2, true) => ActionBody::Forfeit { round, ply },
        (2, false) | (3, true) => ActionBody::Tie { round, ply },
        (_, true) => ActionBody::NextRound { round, ply },
        // A seat holder that cannot move joins again, which is always refused.
        (3, false) if !now.is_to_move => join(Some(seat), identity, now.version),
        _ => ActionBody::Play { round, ply, chosen: random_move(&now.moves, generator) },
    }
}

/// The action of a player without a seat.
pub(crate) fn join_a_seat(
    now: &Situation,
    identity: Identity,
    generator: &mut Generator,
) -> ActionBody {
    join(random_seat(generator), identity, now.version)
}

/// An action for a past, present, future or impossible position.
pub(crate) fn careless(
    now: &Situation,
    identity: Identity,
    moves: &[MoveText],
    generator: &mut Generator,
) -> ActionBody {
    let version = u64::from(near(u32::try_from(now.version).expect("the number fits"), generator));
    let (round, ply) = (near(now.round, generator), near(now.ply, generator));
    match generator.below(18) {
        16 => about_takebacks(round, ply, generator),
        // Absence is known to servers alone: every claim of a player in turn is accepted here.
        17 => {
            let seat = random_seat(generator).unwrap_or(Seat::FIRST);
            ActionBody::Claim { seat, round, ply }
        }
        0 => join(random_seat(generator), identity, version),
        1 => ActionBody::Leave { version },
        2 => ActionBody::Forfeit { round, ply },
        3 => ActionBody::Tie { round, ply },
        4 | 5 => ActionBody::NextRound { round, ply },
        _ => ActionBody::Play { round, ply, chosen: random_move(moves, generator) },
    }
}

/// A question whether a move may be taken back, or an answer.
fn about_takebacks(round: u32, ply: u32, generator: &mut Generator) -> ActionBody {
    match generator.below(4) {
        0 | 1 => ActionBody::AskTakeback { round, ply },
        2 => ActionBody::GrantTakeback { round, ply },
        _ => ActionBody::DeclineTakeback { round, ply },
    }
}

fn join(seat: Option<Seat>, identity: Identity, version: u64) -> ActionBody {
    let name = PlayerName::new(identity.name).expect("the name is valid");
    ActionBody::Join { seat, name, token: identity.token, version }
}

/// The first seat, the second seat, or no preference.
fn random_seat(generator: &mut Generator) -> Option<Seat> {
    let seat = Seat::new(u8::try_from(generator.below(4)).expect("the number fits"));
    seat.filter(|seat| seat.index() < 2)
}

/// A number close to this one.
fn near(number: u32, generator: &mut Generator) -> u32 {
    let off = u32::try_from(generator.below(8)).expect("the number fits");
    if off > 4 { number } else { (number + off).saturating_sub(2) }
}

/// One of these moves, or sometimes a move that the game does not have.
fn random_move(moves: &[MoveText], generator: &mut Generator) -> MoveText {
    let illegal = u64::from(generator.below(4) == 0);
    let place = generator.below(moves.len() as u64 + illegal);
    let place = usize::try_from(place).expect("the number fits");
    let chosen = moves.get(place).cloned();
    chosen.unwrap_or_else(|| "nonsense".parse().expect("the move text is valid"))
}

/// Whether an entry is the result of an action.
pub(crate) fn results_in(body: &ActionBody, entry: &Entry) -> bool {
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
        (ActionBody::Claim { seat, round, .. }, EntryBody::Claimed { seat: lost, round: over }) => {
            (seat, round) == (lost, over)
        }
        (
            ActionBody::AskTakeback { round, ply },
            EntryBody::TakebackAsked { round: in_round, ply: after, .. },
        )
        | (
            ActionBody::GrantTakeback { round, ply },
            EntryBody::TakebackGranted { round: in_round, ply: after, .. },
        )
        | (
            ActionBody::DeclineTakeback { round, ply },
            EntryBody::TakebackDeclined { round: in_round, ply: after, .. },
        ) => (round, ply) == (in_round, after),
        _ => false,
    }
}
