//! The description of a game: its name and its seats.

use super::violation::Violation;
use crate::game::Game;
use crate::seat::Seat;

pub(super) fn check<G: Game>(game: &G) -> Result<(), Violation> {
    if game.name().is_empty() {
        return Err(Violation::NoName);
    }
    let names = game.seats();
    if names.is_empty() || names.len() > usize::from(Seat::MOST) {
        return Err(Violation::Seats { count: names.len() });
    }
    for (place, name) in names.iter().enumerate() {
        if name.is_empty() || names[..place].contains(name) {
            return Err(Violation::SeatName { name: (*name).to_owned() });
        }
    }
    Ok(())
}
