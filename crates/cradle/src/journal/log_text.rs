//! Entries as sentences.

use game::{Seat, seat_name};
use table::{Entry, EntryBody, Forfeit, TableState};

/// What an entry says, given the state before it.
pub(super) fn sentence(state: &TableState, entry: &Entry) -> String {
    let player = |seat| player(state, seat);
    match &entry.body {
        EntryBody::Created { game, .. } => format!("The table for {game} was created."),
        EntryBody::Joined { seat, name, .. } => {
            format!("{name} takes seat {}.", seat_name(state.game(), *seat))
        }
        EntryBody::Left { seat } => format!("{} leaves.", player(*seat)),
        EntryBody::Played { seat, chosen, .. } => format!("{} plays {chosen}.", player(*seat)),
        EntryBody::Sealed { seat, chosen: Some(chosen), .. } => {
            format!("{} chooses {chosen}.", player(*seat))
        }
        EntryBody::Sealed { seat, chosen: None, .. } => format!("{} has chosen.", player(*seat)),
        EntryBody::Revealed { moves, .. } => {
            let moves = moves.iter().map(|(seat, chosen)| format!("{} {chosen}", player(*seat)));
            format!("All have chosen: {}.", moves.collect::<Vec<_>>().join(", "))
        }
        EntryBody::Chance { drawn, .. } => format!("Chance draws {drawn}."),
        EntryBody::Forfeited { seat, round, why } => {
            let happened = match why {
                Forfeit::Resigned => "gives up",
                Forfeit::Acknowledged => "has lost",
                Forfeit::OutOfTime => "runs out of time in",
            };
            format!("{} {happened} round {round}.", player(*seat))
        }
        EntryBody::Tied { round } => format!("Round {round} is a tie."),
        EntryBody::NextRound { round } => format!("Round {round} is over."),
        EntryBody::Claimed { seat, round } => {
            format!("{} is absent and loses round {round}.", player(*seat))
        }
        EntryBody::TakebackAsked { seat, .. } => {
            format!("{} asks to take the last move back.", player(*seat))
        }
        EntryBody::TakebackGranted { seat, back_to, .. } => {
            format!("{} agrees: {back_to} moves stay.", player(*seat))
        }
        EntryBody::TakebackDeclined { seat, .. } => format!("{} does not agree.", player(*seat)),
        EntryBody::SeatOffered { seat, .. } => {
            format!("{} offers the seat to another device.", player(*seat))
        }
        EntryBody::SeatMoved { seat, .. } => format!("{} is at another device.", player(*seat)),
        EntryBody::Ended { seat } => format!("{} ends the table.", player(*seat)),
        EntryBody::SeedRevealed { seed } => {
            format!("The seed of the table was {}.", String::from(*seed))
        }
    }
}

/// The player of a seat: its name, or the name of the seat.
pub(super) fn player(state: &TableState, seat: Seat) -> String {
    let occupant = state.occupant(seat).map(|occupant| occupant.name.to_string());
    let computer = || state.level(seat).map(|level| format!("computer {level}"));
    occupant.or_else(computer).unwrap_or_else(|| seat_name(state.game(), seat).to_owned())
}
