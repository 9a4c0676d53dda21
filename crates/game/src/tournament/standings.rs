//! The results of players.

use super::contest::GameRecord;
use super::elo::ratings;
use crate::players::Aim;
use crate::seat::Seat;

/// The results of players against each other. They are sums, so the order of games does not matter.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    aim: Aim,
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
    /// The sum of the game's own scores, and of their squares.
    scores: i64,
    squares: u128,
    plies: u64,
    forfeits: u64,
    /// Why it forfeited first.
    first_forfeit: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PairResults {
    half_points: u64,
    /// The game's own scores, less those of the other.
    lead: i64,
    games: u64,
}

/// The results of one player.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerStanding {
    /// Its place in the list of players, which tells apart players of one name.
    pub place: usize,
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
    /// The interval that holds the true mean in 95 of 100 tournaments; `None` of fewer than two games.
    pub mean_score_interval: Option<(f64, f64)>,
    /// The mean number of plies of its games.
    pub mean_plies: f64,
    /// The number of games that it lost because it failed.
    pub forfeits: u64,
    /// Why it failed first.
    pub first_forfeit: Option<String>,
}

impl Standings {
    pub(super) fn new(names: Vec<String>, aim: Aim) -> Self {
        let count = names.len();
        let player = |name| PlayerResults { name, ..PlayerResults::default() };
        let against = vec![vec![PairResults::default(); count]; count];
        Self { aim, players: names.into_iter().map(player).collect(), against }
    }

    /// As these standings before any game.
    pub(super) fn emptied(&self) -> Self {
        let names = self.players.iter().map(|player| player.name.clone());
        Self::new(names.collect(), self.aim)
    }

    /// The number of players.
    pub(super) fn len(&self) -> usize {
        self.players.len()
    }

    pub(super) fn name(&self, player: usize) -> &str {
        &self.players[player].name
    }

    /// What the players of these games play for.
    #[must_use]
    pub fn aim(&self) -> Aim {
        self.aim
    }

    /// Whether a player has done better against another than the other.
    pub(super) fn has_beaten(&self, player: usize, other: usize) -> bool {
        let (own, theirs) = (self.against[player][other], self.against[other][player]);
        match self.aim {
            Aim::Winning => own.half_points > theirs.half_points,
            Aim::Scores => own.lead > theirs.lead,
        }
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
            results.squares += u128::from(score.unsigned_abs()).pow(2);
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
                    pair.lead += i64::from(scores[seat]) - i64::from(scores[other_seat]);
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
            own.squares += other.squares;
            own.plies += other.plies;
            own.forfeits += other.forfeits;
            if own.first_forfeit.is_none() {
                own.first_forfeit.clone_from(&other.first_forfeit);
            }
        }
        for (own, other) in self.against.iter_mut().zip(&other.against) {
            for (own, other) in own.iter_mut().zip(other) {
                own.half_points += other.half_points;
                own.lead += other.lead;
                own.games += other.games;
            }
        }
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.players.iter().map(PlayerResults::games).sum()
    }

    /// The players, best first: by their ratings, or by their mean scores where players play for scores.
    /// Equally good ones are in the order in which they were named.
    #[must_use]
    pub fn ranked(&self) -> Vec<PlayerStanding> {
        let elo = self.elo();
        let players = self.players.iter().zip(elo).enumerate();
        let mut ranked: Vec<PlayerStanding> =
            players.map(|(place, (player, elo))| player.standing(place, elo)).collect();
        ranked.sort_by(|a, b| match self.aim {
            Aim::Winning => b.elo.total_cmp(&a.elo).then(b.score.total_cmp(&a.score)),
            Aim::Scores => b.mean_score.total_cmp(&a.mean_score),
        });
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

    fn standing(&self, place: usize, elo: f64) -> PlayerStanding {
        let games = self.games();
        let mean = |sum: f64| if games == 0 { 0.0 } else { sum / float(games) };
        let score = mean(float(self.wins) + float(self.draws) / 2.0);
        PlayerStanding {
            place,
            player: self.name.clone(),
            games,
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            score,
            interval: wilson(score, games),
            elo,
            mean_score: mean(signed(self.scores)),
            mean_score_interval: self.mean_score_interval(),
            mean_plies: mean(float(self.plies)),
            forfeits: self.forfeits,
            first_forfeit: self.first_forfeit.clone(),
        }
    }

    /// The normal interval around the mean score, by the deviation of the scores.
    fn mean_score_interval(&self) -> Option<(f64, f64)> {
        let games = self.games();
        let free = games.checked_sub(1).filter(|free| *free > 0)?;
        let mean = signed(self.scores) / float(games);
        let variance = (squared(self.squares) - mean * signed(self.scores)) / float(free);
        let spread = DEVIATIONS * (variance.max(0.0) / float(games)).sqrt();
        Some((mean - spread, mean + spread))
    }
}

/// The share of the normal distribution within this many standard deviations is 95 of 100.
const DEVIATIONS: f64 = 1.959_963_984_540_054;

/// The interval of Wilson (1927) for a share of this many games. With draws it is wider than needed.
fn wilson(share: f64, games: u64) -> (f64, f64) {
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

#[expect(clippy::cast_precision_loss, reason = "an interval needs a few digits")]
fn squared(sum: u128) -> f64 {
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

    fn two(aim: Aim) -> Standings {
        Standings::new(vec!["a".to_owned(), "b".to_owned()], aim)
    }

    #[test]
    fn wins_draws_and_losses_are_counted_for_each_player() {
        let mut standings = two(Aim::Winning);
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
    fn where_players_play_for_scores_the_most_chips_are_best_however_many_games_were_lost() {
        let [mut by_games, mut by_chips] = [Aim::Winning, Aim::Scores].map(two);
        for scores in [[-1, 1], [-1, 1], [5, -5]] {
            by_games.add(&[0, 1], &record(Outcome::scored(&scores)));
            by_chips.add(&[0, 1], &record(Outcome::scored(&scores)));
        }
        let first = |standings: &Standings| standings.ranked()[0].player.clone();
        assert_eq!((first(&by_games), first(&by_chips)), ("b".to_owned(), "a".to_owned()));
        assert!(by_games.has_beaten(1, 0) && !by_games.has_beaten(0, 1));
        assert!(by_chips.has_beaten(0, 1) && !by_chips.has_beaten(1, 0));
    }

    #[test]
    fn the_interval_of_the_mean_score_follows_from_the_deviation() {
        let mut standings = two(Aim::Scores);
        assert_eq!(standings.ranked()[0].mean_score_interval, None);
        for score in [2, -2, 2, 2] {
            standings.add(&[0, 1], &record(Outcome::scored(&[score, -score])));
        }
        // The mean is 1 and the deviation 2, so that of the mean is 1.
        let (low, high) = standings.ranked()[0].mean_score_interval.unwrap();
        assert!((low + 0.96).abs() < 1e-3 && (high - 2.96).abs() < 1e-3, "{low} {high}");
    }

    #[test]
    fn merging_is_the_same_as_adding_everything() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let all = || Standings::new(names.to_vec(), Aim::Winning);
        let mut rounds = [all(), all()];
        let mut sum = all();
        for (round, players) in [(0, [0, 1]), (1, [1, 2]), (0, [2, 0])] {
            let won = record(Outcome::won_by(Seat::FIRST));
            rounds[round].add(&players, &won);
            sum.add(&players, &won);
        }
        let [mut merged, other] = rounds;
        merged.merge(&other);
        assert_eq!(merged, sum);
    }
}
