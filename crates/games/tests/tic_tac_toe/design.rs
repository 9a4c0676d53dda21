//! Three ways to write the same b-threads: the designs that seed 002 compares.

use bthread::{
    AnyBThread, BThread, Behaviour, EventSet, SyncPoint, request, request_any, wait_for,
};

use games::tic_tac_toe::{
    BThreads, Board, Event, Line, Mark, Square, marks, marks_by, results, rules, strategies,
};

/// How a rule about lines is divided into b-threads. All designs behave alike.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Design {
    /// One b-thread for each order in which the squares of a line can be marked.
    PerOrdering,
    /// One b-thread for each line, for any order of its moves. The game uses this design.
    PerLine,
    /// A single b-thread with its own board.
    OwnBoard,
}

impl Design {
    /// All designs.
    pub(crate) const ALL: [Self; 3] = [Self::PerOrdering, Self::PerLine, Self::OwnBoard];

    /// The same b-threads with `DetectXWin` in this design.
    pub(crate) fn for_detect_x_win(self, threads: BThreads) -> BThreads {
        threads.with_family("DetectXWin", self.detect_x_win())
    }

    /// The same b-threads with `AddThirdO`, if they include it, in this design.
    pub(crate) fn for_add_third_o(self, threads: BThreads) -> BThreads {
        threads.with_family("AddThirdO", self.add_third_o())
    }

    /// X wins with three Xs in a line.
    pub(crate) fn detect_x_win(self) -> Vec<AnyBThread<Event>> {
        match self {
            Self::PerOrdering => AnyBThread::all(orderings().map(detect_x_win_in_order)),
            Self::PerLine => AnyBThread::all(Line::ALL.map(rules::detect_x_win)),
            Self::OwnBoard => vec![BThread::behaving("DetectXWin", XWinDetector::default())],
        }
    }

    /// When two Os stand in a line without an X, O adds the third and wins.
    pub(crate) fn add_third_o(self) -> Vec<AnyBThread<Event>> {
        match self {
            Self::PerOrdering => AnyBThread::all(orderings().map(add_third_o_in_order)),
            Self::PerLine => AnyBThread::all(Line::ALL.map(strategies::add_third_o)),
            Self::OwnBoard => vec![BThread::behaving("AddThirdO", ThirdOAdder::default())],
        }
    }
}

/// All orderings of all lines.
fn orderings() -> impl Iterator<Item = [Square; 3]> {
    Line::ALL.into_iter().flat_map(|line| {
        let [a, b, c] = line.squares();
        [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]]
    })
}

fn x(square: Square) -> Event {
    Event::Mark(Mark::X, square)
}

fn o(square: Square) -> Event {
    Event::Mark(Mark::O, square)
}

fn call_x_win() -> SyncPoint<Event> {
    request(Event::Win(Mark::X)).block(marks()).block(Event::Draw)
}

/// Squares as they are written in the names of b-threads.
fn names(squares: [Square; 3]) -> String {
    squares.map(|square| square.to_string()).join(",")
}

fn detect_x_win_in_order(squares: [Square; 3]) -> BThread<Event> {
    BThread::of("DetectXWin", names(squares)).then(squares.map(x).map(wait_for)).then(call_x_win())
}

fn add_third_o_in_order(squares: [Square; 3]) -> BThread<Event> {
    let [first, second, third] = squares.map(o);
    let theirs = EventSet::several(squares.map(x));
    BThread::of("AddThirdO", names(squares))
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
            (false, true) => Some(call_x_win()),
            (false, false) => Some(wait_for(marks_by(Mark::X))),
        }
    }

    fn go_on(&mut self, event: &Event) {
        self.board.record(*event);
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
        self.board.record(*event);
    }
}

/// The number of squares of the line with this mark.
fn count(board: &Board, line: Line, mark: Mark) -> usize {
    line.squares().iter().filter(|square| board.at(**square) == Some(mark)).count()
}
