//! The results of players.

use super::contest::GameRecord;
use super::elo::ratings;
use crate::seat::Seat;

/// The results of players against each other. They are sums, so the order of games does not matter.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    players: Vec<PlayerResults>,
    /// Half points of each player against each other, and the number of their games.
    against: Vec<Vec<PairResults>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct PlayerResults {
    name: String,
    wins: u64,
    draws: u64,
    losses: u64,
    /// The sum of the game's own scores.
    scores: i64,
    plies: u64,
    forfeits: u64,
    /// Why it forfeited first.
    first_forfeit: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PairResults {
    half_points: u64,
    games: u64,
}

/// The results of one player.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerStanding {
    /// Its name.
    pub player: String,
    /// The number of its games.
    pub games: u64,
    /// The number of games in which nobody had a higher score, and nobody the same.
    pub wins: u64,
    /// The number of games in which nobody had a higher score.
    pub draws: u64,
    /// All other games.
    pub losses: u64,
    /// The share of its points: a win is 1, a draw a half.
    pub score: f64,
    /// The interval that holds the true share in 95 of 100 tournaments.
    pub interval: (f64, f64),
    /// Its rating; the average of the field is near 0.
    pub elo: f64,
    /// The mean of the game's own scores.
    pub mean_score: f64,
    /// The mean number of plies of its games.
    pub mean_plies: f64,
    /// The number of games that it lost because it failed.
    pub forfeits: u64,
    /// Why it failed first.
    pub first_forfeit: Option<String>,
}

impl Standings {
    pub(super) fn new(names: Vec<String>) -> Self {
        let count = names.len();
        let player = |name| PlayerResults { name, ..PlayerResults::default() };
        let against = vec![vec![PairResults::default(); count]; count];
        Self { players: names.into_iter().map(player).collect(), against }
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.players.iter().map(|player| player.name.clone()).collect()
    }

    pub(super) fn name(&self, player: usize) -> &str {
        &self.players[player].name
    }

    /// Twice the points of a player against another.
    pub(super) fn points_against(&self, player: usize, other: usize) -> u64 {
        self.against[player][other].half_points
    }

    /// Adds a game; `players` are the places of the players by seat.
    pub(super) fn add(&mut self, players: &[usize], record: &GameRecord) {
        let scores = record.outcome.scores();
        let best = scores.iter().max().copied().unwrap_or(0);
        let winners = scores.iter().filter(|score| **score == best).count();
        for (seat, player) in players.iter().enumerate() {
            let score = scores.get(seat).copied().unwrap_or(0);
            let results = &mut self.players[*player];
            match (scores.len(), score) {
                // Alone, a player wins by a positive score.
                (1, 1..) => results.wins += 1,
                (1, 0) => results.draws += 1,
                (1, _) => results.losses += 1,
                _ if score < best => results.losses += 1,
                _ if winners == 1 => results.wins += 1,
                _ => results.draws += 1,
            }
            results.scores += i64::from(score);
            results.plies += u64::from(record.plies);
        }
        self.add_pairs(players, scores);
        if let Some(forfeiture) = &record.forfeiture {
            self.add_forfeit(players, forfeiture.seat, &forfeiture.reason);
        }
    }

    fn add_pairs(&mut self, players: &[usize], scores: &[i32]) {
        for (seat, player) in players.iter().enumerate() {
            for (other_seat, other) in players.iter().enumerate() {
                if seat != other_seat {
                    let pair = &mut self.against[*player][*other];
                    pair.games += 1;
                    pair.half_points += match scores[seat].cmp(&scores[other_seat]) {
                        std::cmp::Ordering::Greater => 2,
                        std::cmp::Ordering::Equal => 1,
                        std::cmp::Ordering::Less => 0,
                    };
                }
            }
        }
    }

    fn add_forfeit(&mut self, players: &[usize], seat: Seat, reason: &str) {
        let Some(player) = players.get(seat.index()) else { return };
        let results = &mut self.players[*player];
        results.forfeits += 1;
        results.first_forfeit.get_or_insert_with(|| reason.to_owned());
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (own, other) in self.players.iter_mut().zip(&other.players) {
            own.wins += other.wins;
            own.draws += other.draws;
            own.losses += other.losses;
            own.scores += other.scores;
            own.plies += other.plies;
            own.forfeits += other.forfeits;
            if own.first_forfeit.is_none() {
                own.first_forfeit.clone_from(&other.first_forfeit);
            }
        }
        for (own, other) in self.against.iter_mut().zip(&other.against) {
            for (own, other) in own.iter_mut().zip(other) {
                own.half_points += other.half_points;
                own.games += other.games;
            }
        }
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.players.iter().map(PlayerResults::games).sum()
    }

    /// The players, best first. Equally good ones are in the order in which they were named.
    #[must_use]
    pub fn ranked(&self) -> Vec<PlayerStanding> {
        let elo = self.elo();
        let mut ranked: Vec<PlayerStanding> =
            self.players.iter().zip(elo).map(|(player, elo)| player.standing(elo)).collect();
        ranked.sort_by(|a, b| b.elo.total_cmp(&a.elo).then(b.score.total_cmp(&a.score)));
        ranked
    }

    fn elo(&self) -> Vec<f64> {
        let of = |value: fn(&PairResults) -> f64| {
            let rows = self.against.iter();
            rows.map(|row| row.iter().map(value).collect::<Vec<f64>>()).collect::<Vec<_>>()
        };
        ratings(&of(|pair| float(pair.half_points) / 2.0), &of(|pair| float(pair.games)))
    }
}

impl PlayerResults {
    fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn standing(&self, elo: f64) -> PlayerStanding {
        let games = self.games();
        let mean = |sum: f64| if games == 0 { 0.0 } else { sum / float(games) };
        let score = mean(float(self.wins) + float(self.draws) / 2.0);
        PlayerStanding {
            player: self.name.clone(),
            games,
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            score,
            interval: wilson(score, games),
            elo,
            mean_score: mean(signed(self.scores)),
            mean_plies: mean(float(self.plies)),
            forfeits: self.forfeits,
            first_forfeit: self.first_forfeit.clone(),
        }
    }
}

/// The interval of Wilson (1927) for a share of this many games. With draws it is wider than needed.
fn wilson(share: f64, games: u64) -> (f64, f64) {
    // The share of the normal distribution within this many standard deviations is 95 of 100.
    const DEVIATIONS: f64 = 1.959_963_984_540_054;
    if games == 0 {
        return (0.0, 1.0);
    }
    let (games, square) = (float(games), DEVIATIONS * DEVIATIONS);
    let middle = share + square / (2.0 * games);
    let spread =
        DEVIATIONS * (share * (1.0 - share) / games + square / (4.0 * games * games)).sqrt();
    let scale = 1.0 + square / games;
    ((middle - spread) / scale, (middle + spread) / scale)
}

#[expect(clippy::cast_precision_loss, reason = "a tournament has far less than 2^53 games")]
fn float(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "a tournament has far less than 2^53 points")]
fn signed(sum: i64) -> f64 {
    sum as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::Forfeiture;
    use crate::turn::Outcome;

    fn record(outcome: Outcome) -> GameRecord {
        GameRecord { outcome, plies: 7, forfeiture: None }
    }

    #[test]
    fn wins_draws_and_losses_are_counted_for_each_player() {
        let mut standings = Standings::new(vec!["a".to_owned(), "b".to_owned()]);
        standings.add(&[0, 1], &record(Outcome::won_by(Seat::FIRST)));
        standings.add(&[1, 0], &record(Outcome::won_by(Seat::SECOND)));
        standings.add(&[0, 1], &record(Outcome::draw()));
        let lost = Forfeiture { seat: Seat::FIRST, reason: "it panicked".to_owned() };
        let forfeited =
            GameRecord { forfeiture: Some(lost), ..record(Outcome::won_by(Seat::SECOND)) };
        standings.add(&[0, 1], &forfeited);
        let ranked = standings.ranked();
        let [a, b] = &ranked[..] else { panic!("two players") };
        assert_eq!((a.player.as_str(), a.wins, a.draws, a.losses, a.forfeits), ("a", 2, 1, 1, 1));
        assert_eq!((b.wins, b.draws, b.losses, b.forfeits), (1, 1, 2, 0));
        assert_eq!(a.first_forfeit.as_deref(), Some("it panicked"));
        assert!((a.score - 0.625).abs() < 1e-12 && (a.mean_plies - 7.0).abs() < 1e-12);
        assert!(a.elo > b.elo);
    }

    #[test]
    fn the_interval_is_that_of_wilson() {
        let (low, high) = wilson(0.5, 100);
        assert!((low - 0.40383).abs() < 1e-4 && (high - 0.59617).abs() < 1e-4, "{low} {high}");
        let (low, high) = wilson(1.0, 10);
        assert!((low - 0.7225).abs() < 1e-3 && (high - 1.0).abs() < 1e-9, "{low} {high}");
    }

    #[test]
    fn merging_is_the_same_as_adding_everything() {
        let names = || vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
        let mut rounds = [Standings::new(names()), Standings::new(names())];
        let mut all = Standings::new(names());
        for (round, players) in [(0, [0, 1]), (1, [1, 2]), (0, [2, 0])] {
            let won = record(Outcome::won_by(Seat::FIRST));
            rounds[round].add(&players, &won);
            all.add(&players, &won);
        }
        let [mut merged, other] = rounds;
        merged.merge(&other);
        assert_eq!(merged, all);
    }
}
