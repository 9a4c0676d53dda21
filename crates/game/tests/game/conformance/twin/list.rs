//! A list of moves that may count or skip wrongly.

use super::fault::Fault;

/// A list of moves that may count or skip wrongly.
pub(super) struct List<M> {
    moves: std::vec::IntoIter<M>,
    all: usize,
    fault: Fault,
}

impl<M> List<M> {
    pub(super) fn new(moves: Vec<M>, fault: Fault) -> Self {
        Self { all: moves.len(), moves: moves.into_iter(), fault }
    }
}

impl<M> Iterator for List<M> {
    type Item = M;

    fn next(&mut self) -> Option<M> {
        self.moves.next()
    }

    fn nth(&mut self, skipped: usize) -> Option<M> {
        if self.fault == Fault::Skipping { self.moves.next() } else { self.moves.nth(skipped) }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match self.fault {
            Fault::LengthTooLong => self.moves.len() + 1,
            Fault::LengthStays => self.all,
            _ => self.moves.len(),
        };
        (left, Some(left))
    }
}

impl<M> ExactSizeIterator for List<M> {}
