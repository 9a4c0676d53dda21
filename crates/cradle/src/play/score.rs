//! The score over several rounds.

use game::{Outcome, Seat, Seats};

/// The points of each participant over several rounds, and how many rounds were drawn.
///
/// Winning a round is worth the winner's score: 1 in most games, the chips won in poker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Score {
    points: Vec<i64>,
    draws: u32,
    rounds: u32,
}

impl Score {
    /// The score before the first round is over.
    pub(super) fn new(participants: usize) -> Self {
        Self { points: vec![0; participants], draws: 0, rounds: 0 }
    }

    /// Adds a round. `participant_in` returns the participant who played in a seat.
    pub(super) fn add(&mut self, outcome: &Outcome, participant_in: impl Fn(Seat) -> usize) {
        for seat in Seats::first(outcome.scores().len()).iter() {
            self.points[participant_in(seat)] += i64::from(outcome.score(seat)).max(0);
        }
        self.rounds += 1;
        self.draws += u32::from(outcome.winner().is_none());
    }

    /// The points that a participant has won.
    pub(super) fn points(&self, participant: usize) -> i64 {
        self.points[participant]
    }

    /// The number of rounds without a winner.
    pub(super) fn draws(&self) -> u32 {
        self.draws
    }

    /// The number of finished rounds.
    pub(super) fn rounds(&self) -> u32 {
        self.rounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_worth_what_its_winner_wins() {
        let mut score = Score::new(2);
        for outcome in [Outcome::won_by(Seat::SECOND), Outcome::draw(), Outcome::scored(&[-2, 2])] {
            score.add(&outcome, Seat::index);
        }
        assert_eq!([score.points(0), score.points(1)], [0, 3]);
        assert_eq!((score.draws(), score.rounds()), (1, 3));
    }

    #[test]
    fn points_go_to_whoever_played_in_the_seat() {
        let mut score = Score::new(2);
        score.add(&Outcome::won_by(Seat::FIRST), Seat::index);
        score.add(&Outcome::won_by(Seat::FIRST), |seat| seat.opponent().index());
        assert_eq!([score.points(0), score.points(1)], [1, 1]);
    }
}
