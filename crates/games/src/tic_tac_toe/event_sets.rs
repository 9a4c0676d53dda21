//! The sets of events that the b-threads name.

use bthread::EventSet;

use super::event::{Event, Kind, Mark, o, x};
use super::line::Line;
use super::square::Square;

/// The moves of both players.
pub fn marks() -> EventSet<Event> {
    EventSet::kinds([Kind::Marks(Mark::X), Kind::Marks(Mark::O)]).named("all marks")
}

/// The moves of a player.
pub fn marks_by(mark: Mark) -> EventSet<Event> {
    EventSet::kind(Kind::Marks(mark))
}

/// The moves to a square.
pub fn marks_on(square: Square) -> EventSet<Event> {
    EventSet::several([x(square), o(square)]).named(format!("marks on {square}"))
}

/// The moves of a player to the squares of a line.
pub fn marks_in(mark: Mark, line: Line) -> EventSet<Event> {
    let moves = line.squares().map(|square| Event::Mark(mark, square));
    EventSet::several(moves).named(format!("{mark} marks in {line}"))
}

/// The results that are not a draw.
pub fn wins() -> EventSet<Event> {
    EventSet::several([Event::Win(Mark::X), Event::Win(Mark::O)]).named("all wins")
}

/// The results, which end a game.
pub fn results() -> EventSet<Event> {
    EventSet::kind(Kind::Results)
}
