//! The oracle: the rules on a plain board, without b-threads.

use std::iter;

use games::tic_tac_toe::{Board, Event, Mark, Square};

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// A board with some marks.
#[derive(Clone, Copy)]
pub(crate) struct PlainBoard {
    marks: [Option<Mark>; 9],
}

impl PlainBoard {
    pub(crate) fn after(events: &[Event]) -> Self {
        let board: Board = events.iter().collect();
        Self { marks: Square::ALL.map(|square| board.at(square)) }
    }

    fn has_line(&self, mark: Mark) -> bool {
        LINES.iter().any(|line| line.iter().all(|at| self.marks[*at] == Some(mark)))
    }

    fn taken(&self) -> usize {
        self.marks.iter().flatten().count()
    }

    /// The result, if the game is over.
    pub(crate) fn result(&self) -> Option<Event> {
        let winner = [Mark::X, Mark::O].into_iter().find(|mark| self.has_line(*mark));
        let is_full = self.taken() == 9;
        winner.map(Event::Win).or_else(|| is_full.then_some(Event::Draw))
    }

    /// The player to move, also if the game is over.
    pub(crate) fn to_move(self) -> Mark {
        if self.taken().is_multiple_of(2) { Mark::X } else { Mark::O }
    }

    /// The mark on a square.
    pub(crate) fn at(&self, square: Square) -> Option<Mark> {
        self.marks[usize::from(square.number())]
    }

    /// The legal moves, those of X first, in the order of squares.
    pub(crate) fn legal_moves(&self) -> Vec<Event> {
        if self.result().is_some() {
            return Vec::new();
        }
        let to_move = self.to_move();
        let is_free = |square: &Square| self.marks[usize::from(square.number())].is_none();
        Square::ALL.into_iter().filter(is_free).map(|at| Event::Mark(to_move, at)).collect()
    }

    /// The events of a move: the move itself, and the result if there is one.
    pub(crate) fn outcome(mut self, made: Event) -> Vec<Event> {
        if let Event::Mark(mark, square) = made {
            self.marks[usize::from(square.number())] = Some(mark);
        }
        iter::once(made).chain(self.result()).collect()
    }
}
