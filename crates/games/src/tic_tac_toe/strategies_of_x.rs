//! The strategies of X, for a computer that opens. With the first move, three families are enough.
//!
//! As with O, no strategy blocks anything, and none requests anything once there is a result.

use bthread::{BThread, request_any, wait_for};

use super::event::{Event, Mark, x};
use super::event_sets::{marks_in, results};
use super::line::Line;
use super::square::Square;

/// All strategies of X, highest priority first.
#[must_use]
pub fn strategies_of_x() -> Vec<BThread<Event>> {
    let lines = Line::ALL.into_iter();
    let mut threads: Vec<_> = lines.clone().map(add_third_x).collect();
    threads.extend(lines.map(prevent_third_o));
    threads.push(default_x_moves());
    threads
}

/// When two Xs stand in a line without an O, X adds the third and wins.
pub fn add_third_x(line: Line) -> BThread<Event> {
    let (ours, theirs) = (marks_in(Mark::X, line), marks_in(Mark::O, line));
    BThread::of("AddThirdX", line)
        .then(wait_for(ours).interrupt(theirs.clone()).times(2))
        .then(request_any(line.squares().map(x)).wait_for(theirs).wait_for(results()))
}

/// When two Os stand in a line without an X, X marks the third square before O does.
pub fn prevent_third_o(line: Line) -> BThread<Event> {
    let (ours, theirs) = (marks_in(Mark::X, line), marks_in(Mark::O, line));
    BThread::of("PreventThirdO", line)
        .then(wait_for(theirs).interrupt(ours).times(2))
        .then(request_any(line.squares().map(x)).wait_for(results()))
}

/// X marks the first free square of these: the centre, the corners, the edges.
pub fn default_x_moves() -> BThread<Event> {
    let squares = [
        Square::B2,
        Square::A1,
        Square::C3,
        Square::C1,
        Square::A3,
        Square::B1,
        Square::A2,
        Square::C2,
        Square::B3,
    ];
    BThread::new("DefaultXMoves").then(request_any(squares.map(x)).interrupt(results())).forever()
}
