//! Scores in a search.

use crate::game::Game;
use crate::seat::Seat;
use crate::turn::Outcome;

/// A score of the first seat in a search: decided points, the sooner the better, or an estimate
/// between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SearchScore(i64);

/// One point of an outcome. Estimates and plies are smaller.
const POINT: i64 = 1 << 20;

/// The highest estimate.
const MOST_ESTIMATED: i32 = 1_000;

/// The most plies that a score tells apart.
const MOST_PLIES: u32 = 1 << 16;

/// What the players of a game play for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// To win. Points only decide who does.
    Winning,
    /// For the scores themselves: chips, or the points of a single seat.
    Scores,
}

impl Aim {
    /// What the players of this game play for.
    pub fn of<G: Game>(game: &G) -> Self {
        let has_stakes = game.score_unit().is_some() || game.seats().len() < 2;
        if has_stakes { Self::Scores } else { Self::Winning }
    }

    /// An outcome with the scores that players play for. Of those who play to win, the winner has 1
    /// and the others have -1; seats that share the highest score have 0.
    #[inline]
    pub(crate) fn value(self, outcome: Outcome) -> Outcome {
        match (self, outcome.scores()) {
            (Self::Scores, _) | (_, [1, -1] | [-1, 1] | [0, 0]) => outcome,
            (Self::Winning, scores) => who_won(scores).unwrap_or(outcome),
        }
    }
}

/// The outcome that says only who has the highest score; `None` if these scores do that already.
fn who_won(scores: &[i32]) -> Option<Outcome> {
    let (least, most) = (scores.iter().min()?, scores.iter().max()?);
    if (*least, *most) == (-1, 1) {
        return None;
    }
    let winners = scores.iter().filter(|score| *score == most).count();
    let value = |score: &i32| match winners {
        _ if score < most => -1,
        1 => 1,
        _ => 0,
    };
    Some(Outcome::scored(&scores.iter().map(value).collect::<Vec<_>>()))
}

/// The score of an outcome for the first seat, or its lead if there are two.
pub(crate) fn outcome_score(outcome: &Outcome) -> i64 {
    let first = i64::from(outcome.score(Seat::FIRST));
    match outcome.scores() {
        // Where one seat loses what the other wins, this is the score of the first.
        [_, second] if i64::from(*second) == -first => first,
        [_, second] => first - i64::from(*second),
        _ => first,
    }
}

impl SearchScore {
    pub(crate) const LEAST: Self = Self(-i64::MAX);
    pub(crate) const MOST: Self = Self(i64::MAX);
    pub(crate) const EVEN: Self = Self(0);

    /// These points, this many plies after the root.
    pub(crate) fn decided(points: i64, ply: u32) -> Self {
        let plies = i64::from(ply.min(MOST_PLIES));
        Self(points * POINT - points.signum() * plies)
    }

    /// The lowest score that says that the end brings this many points, however late.
    pub(crate) fn least_of(points: i64) -> Self {
        Self(points * POINT - POINT / 2)
    }

    /// The next lower score.
    pub(crate) fn before(self) -> Self {
        Self(self.0 - 1)
    }

    /// An estimate from -1000 to 1000.
    pub(crate) fn estimated(estimate: i32) -> Self {
        Self(estimate.clamp(-MOST_ESTIMATED, MOST_ESTIMATED).into())
    }

    /// The same score as this seat sees it.
    pub(crate) fn of(self, seat: Seat) -> Self {
        if seat == Seat::FIRST { self } else { Self(-self.0) }
    }

    /// Whether somebody wins for certain.
    pub(crate) fn is_decided(self) -> bool {
        self.0.abs() > POINT / 2
    }

    /// The points; 0 for an estimate.
    pub(crate) fn points(self) -> i64 {
        (self.0 + self.0.signum() * (POINT / 2)) / POINT
    }

    /// The number of plies from the root to a decided end.
    pub(crate) fn plies(self) -> i64 {
        (self.points() * POINT - self.0).abs()
    }

    /// The same score, counted from a position `ply` plies after the root.
    pub(crate) fn counted_from_position(self, ply: u32) -> Self {
        if self.is_decided() { Self(self.0 + self.0.signum() * i64::from(ply)) } else { self }
    }

    /// The reverse of [`SearchScore::counted_from_position`].
    pub(crate) fn counted_from_root(self, ply: u32) -> Self {
        if self.is_decided() { Self(self.0 - self.0.signum() * i64::from(ply)) } else { self }
    }

    /// The score of a seat in words.
    pub(crate) fn in_words(self, seat: Seat) -> String {
        let own = self.of(seat);
        let plies = own.plies();
        let unit = if plies == 1 { "ply" } else { "plies" };
        match own.0.signum() {
            1 if own.is_decided() => format!("a win in {plies} {unit}"),
            -1 if own.is_decided() => format!("a loss in {plies} {unit}"),
            0 => "an even game".to_owned(),
            _ => format!("an estimate of {} of 1000", own.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_value(scores: &[i32], expected: &[i32]) {
        assert_eq!(Aim::Winning.value(Outcome::scored(scores)).scores(), expected);
        assert_eq!(Aim::Scores.value(Outcome::scored(scores)).scores(), scores);
    }

    #[test]
    fn points_count_only_as_far_as_they_decide_who_wins() {
        check_value(&[2, 3], &[-1, 1]);
        check_value(&[1, 0], &[1, -1]);
        check_value(&[4, 4], &[0, 0]);
        check_value(&[1, -1], &[1, -1]);
        check_value(&[5, 9, 2], &[-1, 1, -1]);
        check_value(&[9, 9, 2], &[0, 0, -1]);
        check_value(&[1, 1, -1], &[1, 1, -1]);
    }

    #[test]
    fn a_quick_win_is_better_than_a_slow_one_and_a_slow_loss_than_a_quick_one() {
        let scores = [
            SearchScore::decided(1, 3),
            SearchScore::decided(1, 9),
            SearchScore::estimated(5_000),
            SearchScore::EVEN,
            SearchScore::estimated(-1),
            SearchScore::decided(-1, 9),
            SearchScore::decided(-1, 3),
            SearchScore::decided(-2, 9),
        ];
        assert!(scores.is_sorted_by(|a, b| a > b), "{scores:?}");
        assert_eq!(SearchScore::decided(-2, 9).points(), -2);
    }

    #[test]
    fn a_late_end_brings_as_many_points_as_a_quick_one() {
        for points in -3..=3 {
            let ends = [0, 9, 400].map(|ply| SearchScore::decided(points, ply));
            assert!(ends.iter().all(|end| end.points() == points), "{ends:?}");
            assert!(ends.iter().all(|end| *end >= SearchScore::least_of(points)), "{ends:?}");
            assert!(ends.iter().all(|end| *end < SearchScore::least_of(points + 1)), "{ends:?}");
        }
    }

    #[test]
    fn words_say_who_wins_and_when() {
        let score = SearchScore::decided(-1, 4);
        assert_eq!(score.in_words(Seat::FIRST), "a loss in 4 plies");
        assert_eq!(score.in_words(Seat::SECOND), "a win in 4 plies");
        assert_eq!(SearchScore::estimated(-7).in_words(Seat::SECOND), "an estimate of 7 of 1000");
        let stored = score.counted_from_position(3);
        assert_eq!(
            (stored.in_words(Seat::FIRST).as_str(), stored.counted_from_root(3)),
            ("a loss in 1 ply", score)
        );
    }
}
