//! The strategies of O.
//!
//! No strategy blocks anything, so that taking one away never changes what is
//! legal. None requests anything once there is a result.

use std::fmt;

use bthread::{BThread, EventSet, SyncPoint, request, request_any, wait_for};

use super::event::{Event, Mark, o, x};
use super::event_sets::{marks, marks_by, marks_in, results};
use super::line::{Line, SquareList};
use super::square::Square;

/// When two Os stand in a line without an X, O adds the third and wins.
pub fn add_third_o(line: Line) -> BThread<Event> {
    let (ours, theirs) = (marks_in(Mark::O, line), marks_in(Mark::X, line));
    BThread::of("AddThirdO", line)
        .then(wait_for(ours).interrupt(theirs.clone()).times(2))
        .then(request_any(line.squares().map(o)).wait_for(theirs).wait_for(results()))
}

/// When two Xs stand in a line without an O, O marks the third square before X does.
pub fn prevent_third_x(line: Line) -> BThread<Event> {
    let (ours, theirs) = (marks_in(Mark::O, line), marks_in(Mark::X, line));
    BThread::of("PreventThirdX", line)
        .then(wait_for(theirs).interrupt(ours).times(2))
        .then(request_any(line.squares().map(o)).wait_for(results()))
}

/// When Xs stand in a corner and on an opposing edge, and no O on the two lines through them that
/// meet in another corner, O marks that corner.
pub fn prevent_x_fork(fork: Fork) -> BThread<Event> {
    prevent_fork("PreventXFork", fork)
}

/// When the first two Xs stand in opposite corners and the first O in the centre, O marks b1, so
/// that X must answer on b3 instead of making a fork.
pub fn prevent_another_x_fork(diagonal: Line) -> BThread<Event> {
    let [corner, _, opposite] = diagonal.squares();
    let corners = EventSet::several([x(corner), x(opposite)]);
    BThread::of("PreventAnotherXFork", SquareList(&[corner, opposite]))
        .then(wait_at_once(corners.clone()))
        .then(wait_at_once(o(Square::B2).into()))
        .then(wait_at_once(corners))
        .then(request(o(Square::B1)).wait_for(marks_by(Mark::O)).wait_for(results()))
}

/// Goes on if the next move is one of these; any other ends the b-thread.
fn wait_at_once(moves: EventSet<Event>) -> SyncPoint<Event> {
    wait_for(moves.clone()).interrupt(marks() & !moves)
}

/// When Xs stand on two edges beside a common corner, and no O on the two lines through them that
/// meet in it, O marks that corner.
pub fn prevent_yet_another_x_fork(fork: Fork) -> BThread<Event> {
    prevent_fork("PreventYetAnotherXFork", fork)
}

fn prevent_fork(family: &str, fork: Fork) -> BThread<Event> {
    let xs = EventSet::several(fork.xs.map(x));
    let spoilt = fork.spoilt();
    BThread::of(family, fork)
        .then(wait_for(xs).interrupt(spoilt.clone()).times(2))
        .then(request(o(fork.corner)).wait_for(spoilt).wait_for(results()))
}

/// O marks the first free square of these: the centre, the corners, the edges.
pub fn default_moves() -> BThread<Event> {
    let squares = [
        Square::B2,
        Square::A1,
        Square::C1,
        Square::A3,
        Square::C3,
        Square::B1,
        Square::A2,
        Square::C2,
        Square::B3,
    ];
    BThread::new("DefaultMoves").then(request_any(squares.map(o)).interrupt(results())).forever()
}

/// Two Xs from which a third, in a corner, would make two threats at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fork {
    xs: [Square; 2],
    corner: Square,
}

impl Fork {
    /// An X in a corner and one on an edge of an opposing side.
    pub const CORNER_AND_EDGE: [Self; 8] = [
        Self { xs: [Square::A1, Square::C2], corner: Square::C1 },
        Self { xs: [Square::A1, Square::B3], corner: Square::A3 },
        Self { xs: [Square::C1, Square::A2], corner: Square::A1 },
        Self { xs: [Square::C1, Square::B3], corner: Square::C3 },
        Self { xs: [Square::A3, Square::B1], corner: Square::A1 },
        Self { xs: [Square::A3, Square::C2], corner: Square::C3 },
        Self { xs: [Square::C3, Square::B1], corner: Square::C1 },
        Self { xs: [Square::C3, Square::A2], corner: Square::A3 },
    ];

    /// Xs on two edges beside a common corner.
    pub const TWO_EDGES: [Self; 4] = [
        Self { xs: [Square::B1, Square::A2], corner: Square::A1 },
        Self { xs: [Square::B1, Square::C2], corner: Square::C1 },
        Self { xs: [Square::A2, Square::B3], corner: Square::A3 },
        Self { xs: [Square::C2, Square::B3], corner: Square::C3 },
    ];

    /// The two lines on which X would threaten to win.
    fn lines(self) -> impl Iterator<Item = Line> {
        let with_an_x = move |line: &Line| self.xs.iter().any(|x| line.contains(*x));
        Line::ALL.into_iter().filter(move |line| line.contains(self.corner)).filter(with_an_x)
    }

    /// The moves after which there is nothing to prevent: an O on one of the lines, or the third X.
    fn spoilt(self) -> EventSet<Event> {
        EventSet::union(self.lines().map(|line| marks_in(Mark::O, line))) | x(self.corner)
    }
}

/// The squares of the two Xs.
impl fmt::Display for Fork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SquareList(&self.xs).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_x_of_a_fork_shares_a_line_with_each_of_the_others() {
        for fork in Fork::CORNER_AND_EDGE.into_iter().chain(Fork::TWO_EDGES) {
            let lines: Vec<Line> = fork.lines().collect();
            assert_eq!(lines.len(), 2, "{fork}");
            for x in fork.xs {
                assert_eq!(lines.iter().filter(|line| line.contains(x)).count(), 1, "{fork}");
            }
        }
    }
}
