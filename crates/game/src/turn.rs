//! Whose turn it is, and how a game ended.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::refusal::Reason;
use crate::seat::{Seat, Seats};

/// Whose turn it is in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// One seat chooses a move.
    One(Seat),
    /// All of these seats choose at once, without seeing what the others choose.
    Several(Seats),
    /// Chance draws.
    Chance,
    /// Nobody: the game is over.
    Over(Outcome),
}

/// How a game ended: the score of each seat.
///
/// In most games the winner has 1, the loser -1, and both have 0 in a draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<i32>", into = "Vec<i32>")]
pub struct Outcome {
    /// Seats that the game does not have stay at 0, so that equal outcomes are equal arrays.
    scores: [i32; Seat::MOST as usize],
    seats: u8,
}

/// There are more scores than a game can have seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} scores are too many: a game has at most {most} seats", most = Seat::MOST)]
pub struct TooManyScores(pub usize);

impl Turn {
    /// The seats that must choose; none if it is the turn of chance or the game is over.
    #[must_use]
    pub fn seats(&self) -> Seats {
        match self {
            Self::One(seat) => Seats::one(*seat),
            Self::Several(seats) => *seats,
            Self::Chance | Self::Over(_) => Seats::NONE,
        }
    }

    /// How the game ended, if it is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Over(outcome) => Some(*outcome),
            Self::One(_) | Self::Several(_) | Self::Chance => None,
        }
    }

    /// Why a seat may not choose now; `None` if it may.
    #[must_use]
    #[inline]
    pub fn objection(&self, seat: Seat) -> Option<Reason> {
        match self {
            Self::Over(outcome) => Some(Reason::game_over(outcome)),
            _ if self.seats().contains(seat) => None,
            Self::One(_) | Self::Several(_) | Self::Chance => Some(Reason::not_your_turn()),
        }
    }
}

impl Outcome {
    /// The outcome with these scores, in the order of seats.
    ///
    /// # Panics
    /// If there are more scores than [`Seat::MOST`].
    #[must_use]
    pub fn scored(scores: &[i32]) -> Self {
        Self::try_from(scores).expect("a game has at most eight seats")
    }

    /// The outcome of a game of two seats that this seat won.
    #[must_use]
    pub const fn won_by(seat: Seat) -> Self {
        let mut scores = [0; Seat::MOST as usize];
        scores[seat.index()] = 1;
        scores[seat.opponent().index()] = -1;
        Self { scores, seats: 2 }
    }

    /// The outcome of a drawn game of two seats.
    #[must_use]
    pub const fn draw() -> Self {
        Self { scores: [0; Seat::MOST as usize], seats: 2 }
    }

    /// The outcome of a game that this seat lost to all other seats: it has -1, the others have 1.
    #[must_use]
    pub fn lost_by(seat: Seat, seats: usize) -> Self {
        let score = |other: usize| if other == seat.index() { -1 } else { 1 };
        Self::scored(&(0..seats).map(score).collect::<Vec<_>>())
    }

    /// The scores, in the order of seats.
    #[must_use]
    #[inline]
    pub fn scores(&self) -> &[i32] {
        &self.scores[..usize::from(self.seats)]
    }

    /// The score of a seat; 0 if the game does not have it.
    #[must_use]
    pub fn score(&self, seat: Seat) -> i32 {
        self.scores[seat.index()]
    }

    /// The seat with the highest score; `None` if several seats have it.
    #[must_use]
    #[inline]
    pub fn winner(&self) -> Option<Seat> {
        let mut winner = None;
        let mut best = i32::MIN;
        for (number, score) in (0..).zip(self.scores()) {
            if number == 0 || *score > best {
                (winner, best) = (Seat::new(number), *score);
            } else if *score == best {
                winner = None;
            }
        }
        winner
    }

    /// Whether all scores are equal.
    #[must_use]
    #[inline]
    pub fn is_draw(&self) -> bool {
        self.scores().windows(2).all(|pair| pair[0] == pair[1])
    }
}

impl TryFrom<&[i32]> for Outcome {
    type Error = TooManyScores;

    fn try_from(given: &[i32]) -> Result<Self, TooManyScores> {
        let mut scores = [0; Seat::MOST as usize];
        let too_many = TooManyScores(given.len());
        scores.get_mut(..given.len()).ok_or(too_many)?.copy_from_slice(given);
        Ok(Self { scores, seats: u8::try_from(given.len()).expect("the length was checked") })
    }
}

impl TryFrom<Vec<i32>> for Outcome {
    type Error = TooManyScores;

    fn try_from(scores: Vec<i32>) -> Result<Self, TooManyScores> {
        Self::try_from(scores.as_slice())
    }
}

impl From<Outcome> for Vec<i32> {
    fn from(outcome: Outcome) -> Self {
        outcome.scores().to_vec()
    }
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Outcome").field(&self.scores()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_winner_has_a_higher_score_than_every_other_seat() {
        let winner = |scores: &[i32]| Outcome::scored(scores).winner();
        assert_eq!(winner(&[1, -1]), Some(Seat::FIRST));
        assert_eq!(winner(&[-2, 2]), Some(Seat::SECOND));
        assert_eq!(winner(&[0, 0]), None);
        assert_eq!(winner(&[3, 1, 3]), None);
        assert_eq!(winner(&[]), None);
    }

    #[test]
    fn in_a_draw_all_scores_are_equal() {
        assert!(Outcome::draw().is_draw());
        assert!(!Outcome::won_by(Seat::SECOND).is_draw());
        assert!(!Outcome::scored(&[1, 1, 0]).is_draw());
    }

    #[test]
    fn a_seat_that_resigns_loses_to_all_others() {
        assert_eq!(Outcome::lost_by(Seat::SECOND, 2), Outcome::won_by(Seat::FIRST));
        assert_eq!(Outcome::lost_by(Seat::FIRST, 3).scores(), [-1, 1, 1]);
    }

    #[test]
    fn nine_scores_are_refused() {
        assert_eq!(Outcome::try_from(vec![0; 9]), Err(TooManyScores(9)));
        assert_eq!(Outcome::try_from(vec![4; 8]).unwrap().scores(), [4; 8]);
    }
}
