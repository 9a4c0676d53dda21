//! A list of legal moves with a wrong length or a wrong `nth`, if the fault says so.

use super::fault::Fault;

/// A list of legal moves with a wrong length or a wrong `nth`, if the fault says so.
pub(super) struct FaultyMoveList<M> {
    moves: std::vec::IntoIter<M>,
    all: usize,
    fault: Fault,
}

impl<M> FaultyMoveList<M> {
    pub(super) fn new(moves: Vec<M>, fault: Fault) -> Self {
        Self { all: moves.len(), moves: moves.into_iter(), fault }
    }
}

impl<M> Iterator for FaultyMoveList<M> {
    type Item = M;

    fn next(&mut self) -> Option<M> {
        self.moves.next()
    }

    fn nth(&mut self, skipped: usize) -> Option<M> {
        if self.fault == Fault::NthDoesNotSkip {
            self.moves.next()
        } else {
            self.moves.nth(skipped)
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match self.fault {
            Fault::LengthTooLong => self.moves.len() + 1,
            Fault::LengthNeverShrinks => self.all,
            _ => self.moves.len(),
        };
        (left, Some(left))
    }
}

impl<M> ExactSizeIterator for FaultyMoveList<M> {}
