//! The score over several rounds.

use game::{Outcome, Seat};

/// How often each seat has won, and how often nobody has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Score {
    wins: Vec<u32>,
    draws: u32,
}

impl Score {
    /// The score of so many seats after rounds that ended like this.
    pub(super) fn of(seats: usize, outcomes: impl IntoIterator<Item = Outcome>) -> Self {
        let mut score = Self { wins: vec![0; seats], draws: 0 };
        for outcome in outcomes {
            match outcome.winner() {
                Some(winner) => score.wins[winner.index()] += 1,
                None => score.draws += 1,
            }
        }
        score
    }

    /// How often a seat has won.
    pub(super) fn wins(&self, seat: Seat) -> u32 {
        self.wins[seat.index()]
    }

    /// How often nobody has won.
    pub(super) fn draws(&self) -> u32 {
        self.draws
    }

    /// How many rounds are over.
    pub(super) fn rounds(&self) -> u32 {
        self.wins.iter().sum::<u32>() + self.draws
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_and_draws_are_counted() {
        let outcomes = [Outcome::won_by(Seat::SECOND), Outcome::draw(), Outcome::scored(&[-2, 2])];
        let score = Score::of(2, outcomes);
        assert_eq!([score.wins(Seat::FIRST), score.wins(Seat::SECOND)], [0, 2]);
        assert_eq!((score.draws(), score.rounds()), (1, 3));
    }
}
