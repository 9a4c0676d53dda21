//! The program, statement by statement.

use std::fmt;

use bthread::{
    BThread, Event, EventSet, Program, block, request, request_any, violation, wait_for,
};

/// A square as row and column.
type Square = (u8, u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Move {
    X(Square),
    O(Square),
    Click(Square),
    XWin,
    OWin,
    Draw,
}

use Move::{Click, Draw, O, OWin, X, XWin};

impl Event for Move {
    type Kind = char;

    fn kind(&self) -> char {
        match self {
            X(_) => 'X',
            O(_) => 'O',
            Click(_) => 'C',
            XWin | OWin | Draw => 'R',
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            X((row, column)) => write!(f, "X({row},{column})"),
            O((row, column)) => write!(f, "O({row},{column})"),
            Click((row, column)) => write!(f, "Click({row},{column})"),
            XWin | OWin | Draw => fmt::Debug::fmt(self, f),
        }
    }
}

fn squares() -> impl Iterator<Item = Square> {
    (0..3).flat_map(|row| (0..3).map(move |column| (row, column)))
}

pub(crate) fn alphabet() -> impl Iterator<Item = Move> {
    squares().map(X).chain(squares().map(O)).chain(squares().map(Click)).chain([XWin, OWin, Draw])
}

/// Whether the program handles the diagonal fork that the original forgets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Diagonals {
    One,
    Both,
}

fn lines() -> [[Square; 3]; 8] {
    let rows = [0, 1, 2].map(|row| [(row, 0), (row, 1), (row, 2)]);
    let columns = [0, 1, 2].map(|column| [(0, column), (1, column), (2, column)]);
    let diagonals = [[(0, 0), (1, 1), (2, 2)], [(0, 2), (1, 1), (2, 0)]];
    [rows[0], rows[1], rows[2], columns[0], columns[1], columns[2], diagonals[0], diagonals[1]]
}

/// Every order of three squares.
fn orders([a, b, c]: [Square; 3]) -> [[Square; 3]; 6] {
    [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]]
}

fn ordered(family: &str, squares: [Square; 3]) -> BThread<Move> {
    BThread::of(family, format!("{squares:?}"))
}

fn line_threads(squares: [Square; 3]) -> [BThread<Move>; 4] {
    let [a, b, c] = squares;
    let detect = |family: &str, mark: fn(Square) -> Move, win| {
        ordered(family, squares)
            .then(squares.map(mark).map(wait_for))
            .then(request(win).at_priority(100))
            .forever()
    };
    let complete = |family: &str, mark: fn(Square) -> Move, priority| {
        ordered(family, squares)
            .then(wait_for(mark(a)))
            .then(wait_for(mark(b)))
            .then(request(O(c)).at_priority(priority))
            .forever()
    };
    [
        detect("DetectXWin", X, XWin),
        detect("DetectOWin", O, OWin),
        complete("AddThirdO", O, 50),
        complete("PreventThirdX", X, 40),
    ]
}

/// Two X marks that make a fork, and the O moves that answer it.
fn forks(diagonals: Diagonals) -> Vec<(Square, Square, Vec<Square>)> {
    let corner = |pairs: [(Square, Square); 3], answers: [Square; 3]| {
        pairs.map(|(a, b)| (a, b, answers.to_vec())).to_vec()
    };
    let edges = vec![(0, 1), (1, 0), (1, 2), (2, 1)];
    let mut forks = [
        corner([((1, 2), (2, 0)), ((2, 1), (0, 2)), ((1, 2), (2, 1))], [(2, 2), (0, 2), (2, 0)]),
        corner([((1, 2), (0, 0)), ((0, 1), (2, 2)), ((1, 2), (0, 1))], [(0, 2), (0, 0), (2, 2)]),
        corner([((1, 0), (2, 2)), ((2, 1), (0, 0)), ((2, 1), (1, 0))], [(2, 0), (0, 0), (2, 2)]),
        corner([((0, 1), (2, 0)), ((1, 0), (0, 2)), ((0, 1), (1, 0))], [(0, 0), (0, 2), (2, 0)]),
        vec![((0, 2), (2, 0), edges.clone())],
    ]
    .concat();
    if diagonals == Diagonals::Both {
        forks.push(((0, 0), (2, 2), edges));
    }
    forks
}

fn fork_threads(diagonals: Diagonals) -> impl Iterator<Item = BThread<Move>> {
    forks(diagonals).into_iter().flat_map(|(a, b, answers)| {
        [(a, b), (b, a)].map(|(first, second)| {
            BThread::of("PreventFork", format!("{first:?}, {second:?}"))
                .then(wait_for(X(first)))
                .then(wait_for(X(second)))
                .then(request_any(answers.iter().copied().map(O)).at_priority(30))
                .forever()
        })
    })
}

pub(crate) fn program(diagonals: Diagonals) -> Program<Move> {
    let all_x = || EventSet::kind('X');
    let all_o = || EventSet::kind('O');
    let results = || EventSet::several([OWin, XWin, Draw]);
    let marks = |square| EventSet::several([X(square), O(square)]);
    let square_threads = squares().flat_map(|square| {
        let name = format!("{square:?}");
        [
            BThread::of("Click", &name)
                .then(wait_for(Click(square)))
                .then(request(X(square)))
                .forever(),
            BThread::of("SquareTaken", &name)
                .then(wait_for(marks(square)))
                .then(block(marks(square)))
                .forever(),
        ]
    });
    let turns = BThread::new("EnforceTurns")
        .then(wait_for(all_x()).block(all_o()))
        .then(wait_for(all_o()).block(all_x()))
        .forever();
    let end = BThread::new("EndOfGame").then(wait_for(results())).then(block(all_x() | all_o()));
    let draw = BThread::new("DetectDraw")
        .then(wait_for(all_x() | all_o()).times(9))
        .then(request(Draw).at_priority(90));
    let line_threads = lines().into_iter().flat_map(orders).flat_map(line_threads);
    let corners = [(0, 0), (0, 2), (2, 0), (2, 2)];
    let sides = [(0, 1), (1, 0), (1, 2), (2, 1)];
    let rest = [
        BThread::new("Center").then(request(O((1, 1))).at_priority(35)).forever(),
        BThread::new("Corners").then(request_any(corners.map(O)).at_priority(20)).forever(),
        BThread::new("Sides").then(request_any(sides.map(O)).at_priority(10)).forever(),
        BThread::new("XMoves").then(request_any(squares().map(X)).at_priority(10)).forever(),
        BThread::new("NoXWin").then(wait_for(XWin)).then(violation("X has won")),
    ];
    let threads = square_threads
        .chain([turns, end, draw])
        .chain(line_threads)
        .chain(fork_threads(diagonals))
        .chain(rest);
    Program::new(threads).expect("the names differ")
}
