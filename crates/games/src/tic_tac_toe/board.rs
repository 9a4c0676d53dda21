//! The board.

use std::fmt;

use super::event::{Event, Mark};
use super::line::Line;
use super::square::Square;

/// The marks on the squares. A board knows no rules.
///
/// ```
/// use games::tic_tac_toe::{Board, Event, Mark, Square};
///
/// let events = [Event::Mark(Mark::X, Square::B2), Event::Mark(Mark::O, Square::C1)];
/// let board: Board = events.iter().collect();
/// assert_eq!(board.to_string(), ". . O\n. X .\n. . .");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board([Option<Mark>; 9]);

impl Board {
    /// The mark on the square.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<Mark> {
        self.0[usize::from(square.number())]
    }

    /// The mark that fills the line; `None` if it is not full of one mark.
    #[must_use]
    pub fn filled(&self, line: Line) -> Option<Mark> {
        let [a, b, c] = line.squares().map(|square| self.at(square));
        if a == b && b == c { a } else { None }
    }

    /// The nine squares in one line, row by row from the top left, with a space for a free one.
    ///
    /// ```
    /// use games::tic_tac_toe::{Board, Event, Mark, Square};
    ///
    /// let board: Board = [Event::Mark(Mark::X, Square::C1)].iter().collect();
    /// assert_eq!(board.line(), "  X      ");
    /// ```
    #[must_use]
    pub fn line(&self) -> String {
        self.0.iter().map(|mark| mark.map_or(' ', Mark::letter)).collect()
    }

    /// Records an event. A result changes nothing.
    #[inline]
    pub fn record(&mut self, event: Event) {
        match event {
            Event::Mark(mark, square) => self.0[usize::from(square.number())] = Some(mark),
            Event::Win(_) | Event::Draw => {}
        }
    }
}

/// The board after the events.
impl<'a> FromIterator<&'a Event> for Board {
    fn from_iter<I: IntoIterator<Item = &'a Event>>(events: I) -> Self {
        events.into_iter().copied().collect()
    }
}

/// The board after the events.
impl FromIterator<Event> for Board {
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Self {
        let mut board = Self::default();
        events.into_iter().for_each(|event| board.record(event));
        board
    }
}

/// Three lines of marks, with a dot for a free square.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Square::ALL {
            match (square.row(), square.column()) {
                (0, 0) => {}
                (_, 0) => f.write_str("\n")?,
                _ => f.write_str(" ")?,
            }
            match self.at(square) {
                Some(mark) => mark.fmt(f)?,
                None => f.write_str(".")?,
            }
        }
        Ok(())
    }
}
