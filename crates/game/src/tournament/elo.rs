//! Elo ratings.

/// The ratings of players by their results against each other: `points[a][b]` is what `a` scored
/// against `b`, where a win is 1 and a draw a half, and `games[a][b]` how often they met. The average
/// of the field is near 0.
///
/// This is the Bradley-Terry model, fitted by minorization and maximization (Hunter, 2004). Every
/// player has one more draw against an imagined player of rating 0: otherwise who never lost would be
/// rated as infinitely strong.
pub(super) fn ratings(points: &[Vec<f64>], games: &[Vec<f64>]) -> Vec<f64> {
    const ROUNDS: usize = 2_000;
    let mut strengths = vec![1.0_f64; points.len()];
    for _ in 0..ROUNDS {
        let next: Vec<f64> = (0..strengths.len())
            .map(|own| {
                let scored = 0.5 + points[own].iter().sum::<f64>();
                let met = (0..strengths.len()).filter(|other| *other != own);
                let expected: f64 =
                    met.map(|other| games[own][other] / (strengths[own] + strengths[other])).sum();
                scored / (expected + 1.0 / (strengths[own] + 1.0))
            })
            .collect();
        strengths = next;
    }
    strengths.into_iter().map(|strength| 400.0 * libm::log10(strength)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_of_the_points_are_about_191_more() {
        let points = [vec![0.0, 7_500.0], vec![2_500.0, 0.0]];
        let games = [vec![0.0, 10_000.0], vec![10_000.0, 0.0]];
        let found = ratings(&points, &games);
        assert!((found[0] - found[1] - 190.85).abs() < 1.0, "{found:?}");
    }

    #[test]
    fn a_player_who_never_lost_has_a_finite_rating() {
        let found =
            ratings(&[vec![0.0, 10.0], vec![0.0, 0.0]], &[vec![0.0, 10.0], vec![10.0, 0.0]]);
        assert!(found[0] > 200.0 && found[0] < 1_000.0, "{found:?}");
        assert!((found[0] + found[1]).abs() < 1.0, "{found:?}");
    }
}
