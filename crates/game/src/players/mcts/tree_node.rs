//! A position of the tree.

use crate::seat::Seat;

/// A position of the tree. It knows neither its move nor its position: the place among its siblings
/// says the move, and a simulation walks there from the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeNode {
    /// The first child; 0, which is the root, before there are any.
    pub(super) children: u32,
    /// The number of children; 0 before the moves were looked at.
    pub(super) count: u32,
    pub(super) visits: u32,
    /// The score of the first seat is proved to be at least this,
    pub(super) lower: f32,
    /// and at most this.
    pub(super) upper: f32,
    /// The sum of the scores of the seat that moved here.
    pub(super) total: f64,
    /// The number of plies to the end of the game, as far as it is known, if the score is proved.
    pub(super) plies: u32,
}

impl TreeNode {
    /// A node of which nothing is known but the highest score.
    pub(super) const fn new(limit: f32) -> Self {
        Self { children: 0, count: 0, visits: 0, lower: -limit, upper: limit, total: 0.0, plies: 0 }
    }

    pub(super) fn is_expanded(&self) -> bool {
        self.children != 0
    }

    pub(super) fn is_proved(&self) -> bool {
        self.lower >= self.upper
    }

    /// Whether anything is known of it.
    pub(super) fn is_known(&self) -> bool {
        self.visits > 0 || self.is_proved()
    }

    /// The bounds of a seat's score.
    pub(super) fn bounds(&self, seat: Seat) -> (f32, f32) {
        if seat == Seat::FIRST { (self.lower, self.upper) } else { (-self.upper, -self.lower) }
    }

    /// What the seat that moved here can expect: the mean, within what is certain.
    pub(super) fn mean(&self, seat: Seat) -> f64 {
        let (lower, upper) = self.bounds(seat);
        (self.total / f64::from(self.visits)).clamp(lower.into(), upper.into())
    }

    /// The score that is certain for a seat, or its mean; 0 if nothing is known.
    pub(super) fn value(&self, seat: Seat) -> f64 {
        if self.is_proved() {
            self.bounds(seat).0.into()
        } else if self.visits == 0 {
            0.0
        } else {
            self.mean(seat)
        }
    }
}
