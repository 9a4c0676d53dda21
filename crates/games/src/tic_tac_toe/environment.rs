//! Players that choose freely among all legal moves.

use bthread::{BThread, request_any};

use super::event::{Event, Mark};
use super::event_sets::results;
use super::square::Square;

/// X may mark any square, until there is a result.
pub fn any_x() -> BThread<Event> {
    any("AnyX", Mark::X)
}

/// O may mark any square, until there is a result.
pub fn any_o() -> BThread<Event> {
    any("AnyO", Mark::O)
}

fn any(name: &str, mark: Mark) -> BThread<Event> {
    let moves = Square::ALL.map(|square| Event::Mark(mark, square));
    BThread::new(name).then(request_any(moves).interrupt(results())).forever()
}
