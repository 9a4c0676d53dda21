//! Tic-tac-toe, grown b-thread by b-thread: wins, turns, taken squares, the end of the
//! game, and finally how O plays.

use std::fmt;

use bthread::{BThread, Event, EventSet, Program, block, request, request_any, wait_for};

/// The player that marks a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mark {
    X,
    O,
}

/// Three squares in a row, a column or a diagonal.
pub(crate) type Line = [u8; 3];

/// What can happen in a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Move {
    Mark(Mark, u8),
    Win(Mark, Line),
}

/// The kinds of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Marks(Mark),
    Wins(Mark),
}

pub(crate) const LINES: [Line; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

pub(crate) fn x(square: u8) -> Move {
    Move::Mark(Mark::X, square)
}

pub(crate) fn o(square: u8) -> Move {
    Move::Mark(Mark::O, square)
}

fn marks_by(mark: Mark) -> EventSet<Move> {
    EventSet::kind(Kind::Marks(mark))
}

fn marks_on(square: u8) -> EventSet<Move> {
    EventSet::several([x(square), o(square)]).named(format!("marks on {square}"))
}

fn marks_in(mark: Mark, line: Line) -> EventSet<Move> {
    EventSet::several(line.map(|square| Move::Mark(mark, square)))
}

fn wins_of(mark: Mark) -> EventSet<Move> {
    EventSet::kind(Kind::Wins(mark))
}

/// Three marks of a player in a line win.
pub(crate) fn player_wins(mark: Mark) -> impl Iterator<Item = BThread<Move>> {
    LINES.into_iter().map(move |line| {
        BThread::of(format!("{mark}Wins"), Squares(&line))
            .then(wait_for(marks_in(mark, line)).times(3))
            .then(request(Move::Win(mark, line)).wait_for(wins_of(mark)))
    })
}

/// X and O alternate; X opens.
pub(crate) fn enforce_turns() -> BThread<Move> {
    BThread::new("EnforceTurns")
        .then(wait_for(marks_by(Mark::X)).block(marks_by(Mark::O)))
        .then(wait_for(marks_by(Mark::O)).block(marks_by(Mark::X)))
        .forever()
}

/// A square is marked at most once.
pub(crate) fn squares_taken() -> impl Iterator<Item = BThread<Move>> {
    (0..9).map(|square| {
        BThread::of("SquareTaken", square)
            .then(wait_for(marks_on(square)))
            .then(block(marks_on(square)))
    })
}

/// Nobody moves after a win.
pub(crate) fn stop_game() -> BThread<Move> {
    BThread::new("StopGame")
        .then(wait_for(wins_of(Mark::X)).wait_for(wins_of(Mark::O)))
        .then(block(marks_by(Mark::X)).block(marks_by(Mark::O)))
}

/// O takes the first free square.
pub(crate) fn default_moves() -> impl Iterator<Item = BThread<Move>> {
    (0..9).map(|square| BThread::of("DefaultMoves", square).then(request(o(square))).forever())
}

/// O's first move is in the centre.
pub(crate) fn start_at_center() -> BThread<Move> {
    BThread::new("StartAtCenter").then(request(o(4)).wait_for(marks_by(Mark::O)))
}

/// O answers two Xs in a line with an O in it.
pub(crate) fn prevent_x_from_completing_a_line() -> impl Iterator<Item = BThread<Move>> {
    LINES.into_iter().map(|line| {
        BThread::of("StopXWin", Squares(&line))
            .then(wait_for(marks_in(Mark::X, line)).times(2))
            .then(request_any(line.map(o)).wait_for(marks_by(Mark::O)))
    })
}

/// The finished game: the caller plays X, the program plays O.
pub(crate) fn game() -> Program<Move> {
    let threads = player_wins(Mark::O)
        .chain(player_wins(Mark::X))
        .chain([enforce_turns()])
        .chain(squares_taken())
        .chain([stop_game()])
        .chain(prevent_x_from_completing_a_line())
        .chain([start_at_center()])
        .chain(default_moves());
    Program::new(threads).expect("every b-thread has a name of its own")
}

/// Everything that can happen.
#[allow(dead_code, reason = "only closed programs need it")]
pub(crate) fn alphabet() -> impl Iterator<Item = Move> {
    let marks = [Mark::X, Mark::O];
    let moves = marks.into_iter().flat_map(|mark| (0..9).map(move |at| Move::Mark(mark, at)));
    let wins = marks.into_iter().flat_map(|mark| LINES.map(|line| Move::Win(mark, line)));
    moves.chain(wins)
}

impl Event for Move {
    type Kind = Kind;

    fn kind(&self) -> Kind {
        match self {
            Self::Mark(mark, _) => Kind::Marks(*mark),
            Self::Win(mark, _) => Kind::Wins(*mark),
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mark(mark, square) => write!(f, "{mark}{square}"),
            Self::Win(mark, line) => write!(f, "{mark}Win[{}]", Squares(line)),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Marks(mark) => write!(f, "all {mark} moves"),
            Self::Wins(mark) => write!(f, "all wins of {mark}"),
        }
    }
}

/// The squares of a line, as names show them.
struct Squares<'a>(&'a Line);

impl fmt::Display for Squares<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = self.0;
        write!(f, "{a},{b},{c}")
    }
}
