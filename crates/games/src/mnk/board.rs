//! The board.

use super::cell::Cell;
use super::event::Event;
use super::line::Line;
use super::size::Size;
use crate::tic_tac_toe::Mark;

/// The marks in the cells. A board knows no rules.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Board {
    size: Size,
    marks: Box<[Option<Mark>]>,
}

impl Clone for Board {
    fn clone(&self) -> Self {
        Self { size: self.size, marks: self.marks.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.size = source.size;
        self.marks.clone_from(&source.marks);
    }
}

impl Board {
    /// A board without a mark.
    #[must_use]
    pub fn empty(size: Size) -> Self {
        Self { size, marks: vec![None; usize::from(size.area())].into() }
    }

    /// The mark in a cell.
    #[must_use]
    pub fn at(&self, cell: Cell) -> Option<Mark> {
        self.size.place(cell).and_then(|place| self.marks[usize::from(place)])
    }

    /// The mark that fills a line; `None` if it is not full of one mark.
    #[must_use]
    pub fn filled(&self, line: Line) -> Option<Mark> {
        let mut marks = line.cells().map(|cell| self.at(cell));
        let first = marks.next()??;
        marks.all(|mark| mark == Some(first)).then_some(first)
    }

    /// Records an event. A result changes nothing.
    pub fn record(&mut self, event: Event) {
        if let Event::Mark { mark, cell, .. } = event
            && let Some(place) = self.size.place(cell)
        {
            self.marks[usize::from(place)] = Some(mark);
        }
    }

    /// The rows from the top, with a dot for a free cell and a space between rows.
    #[must_use]
    pub fn line(&self) -> String {
        let rows = self.marks.chunks(usize::from(self.size.columns()));
        let letter = |mark: &Option<Mark>| mark.map_or('.', Mark::letter);
        let rows = rows.map(|row| row.iter().map(letter).collect());
        rows.collect::<Vec<String>>().join(" ")
    }
}
