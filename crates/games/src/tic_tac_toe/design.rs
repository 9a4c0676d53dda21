//! Three ways to write the same behaviour as b-threads.

use bthread::{
    AnyBThread, BThread, Behaviour, EventSet, SyncPoint, request, request_any, wait_for,
};

use super::board::Board;
use super::event::{Event, Mark, o, x};
use super::event_sets::{marks, marks_by, results};
use super::line::{Line, Squares};
use super::rules::{self, call_win};
use super::square::Square;
use super::strategies;

/// How b-threads that look at lines are cut: each way behaves like the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Design {
    /// One b-thread for each order in which the squares of a line can be marked; it waits for just
    /// these moves in this order.
    PerOrdering,
    /// One b-thread for each line, whatever the order of its moves.
    #[default]
    PerLine,
    /// One b-thread in all, which draws a board of its own from the moves that it sees.
    OwnBoard,
}

impl Design {
    /// All designs.
    pub const ALL: [Self; 3] = [Self::PerOrdering, Self::PerLine, Self::OwnBoard];

    /// X wins with three Xs in a line.
    #[must_use]
    pub fn detect_x_win(self) -> Vec<AnyBThread<Event>> {
        match self {
            Self::PerOrdering => AnyBThread::all(orderings().map(detect_x_win_in_order)),
            Self::PerLine => AnyBThread::all(Line::ALL.map(rules::detect_x_win)),
            Self::OwnBoard => vec![BThread::behaving("DetectXWin", XWinDetector::default())],
        }
    }

    /// When two Os stand in a line without an X, O adds the third and wins.
    #[must_use]
    pub fn add_third_o(self) -> Vec<AnyBThread<Event>> {
        match self {
            Self::PerOrdering => AnyBThread::all(orderings().map(add_third_o_in_order)),
            Self::PerLine => AnyBThread::all(Line::ALL.map(strategies::add_third_o)),
            Self::OwnBoard => vec![BThread::behaving("AddThirdO", ThirdOAdder::default())],
        }
    }
}

/// All orderings of all lines.
fn orderings() -> impl Iterator<Item = [Square; 3]> {
    Line::ALL.into_iter().flat_map(Line::orderings)
}

fn detect_x_win_in_order(squares: [Square; 3]) -> BThread<Event> {
    BThread::of("DetectXWin", Squares(&squares))
        .then(squares.map(x).map(wait_for))
        .then(call_win(Mark::X))
}

fn add_third_o_in_order(squares: [Square; 3]) -> BThread<Event> {
    let [first, second, third] = squares.map(o);
    let theirs = EventSet::several(squares.map(x));
    BThread::of("AddThirdO", Squares(&squares))
        .then(wait_for(first).interrupt(theirs.clone()))
        .then(wait_for(second).interrupt(theirs.clone()))
        .then(request(third).wait_for(theirs).wait_for(results()))
}

/// Looks for a line of Xs on its own board, until a win is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct XWinDetector {
    board: Board,
    called: bool,
}

impl Behaviour<Event> for XWinDetector {
    fn sync_point(&self) -> Option<SyncPoint<Event>> {
        let is_won = |line: &Line| count(&self.board, *line, Mark::X) == 3;
        match (self.called, Line::ALL.iter().any(is_won)) {
            (true, _) => None,
            (false, true) => Some(call_win(Mark::X)),
            (false, false) => Some(wait_for(marks_by(Mark::X))),
        }
    }

    fn go_on(&mut self, event: &Event) {
        self.board.draw(*event);
        self.called |= event.is_result();
    }
}

/// Looks on its own board for lines to complete with an O.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct ThirdOAdder {
    board: Board,
}

impl ThirdOAdder {
    /// The moves that complete a line.
    fn third_os(&self) -> impl Iterator<Item = Event> {
        let has_two = |line: &Line| count(&self.board, *line, Mark::O) == 2;
        let free = |square: &Square| self.board.at(*square).is_none();
        Line::ALL.into_iter().filter(has_two).flat_map(Line::squares).filter(free).map(o)
    }
}

impl Behaviour<Event> for ThirdOAdder {
    fn sync_point(&self) -> Option<SyncPoint<Event>> {
        Some(request_any(self.third_os()).wait_for(marks()).interrupt(results()))
    }

    fn go_on(&mut self, event: &Event) {
        self.board.draw(*event);
    }
}

/// How many squares of the line have this mark.
fn count(board: &Board, line: Line, mark: Mark) -> usize {
    line.squares().iter().filter(|square| board.at(**square) == Some(mark)).count()
}
