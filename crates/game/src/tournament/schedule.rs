//! The games of a tournament.

use std::fmt;
use std::str::FromStr;

use bthread::Generator;

use super::contest::GameRecord;
use super::standings::Standings;
use crate::game::Game;
use crate::players::Aim;

/// A kind of tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentKind {
    /// Everybody plays everybody.
    RoundRobin,
    /// The first player plays all others.
    Measurement,
    /// The winner of a pairing goes on to the next round.
    Elimination,
}

/// One game of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The places of the players in the list of players, by seat.
    pub players: Vec<usize>,
    /// The seed of the game.
    pub seed: u64,
}

/// A tournament: it says which games to play next, and takes their records in that order. Games of one
/// round do not depend on each other, so they can be played on any number of cores.
#[derive(Clone, Debug)]
pub struct Tournament {
    kind: TournamentKind,
    seats: usize,
    games: u32,
    seeds: Generator,
    /// The players who are still in it: all of them, unless it is an elimination.
    left: Vec<usize>,
    pairings: Vec<Vec<usize>>,
    standings: Standings,
    rounds: u32,
}

/// Why there is no tournament.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// There are fewer players than seats.
    #[error("the game has {seats} seats: name at least {least} players")]
    TooFewPlayers {
        /// The number of seats.
        seats: usize,
        /// The least players.
        least: usize,
    },
    /// Only games of two seats have eliminations.
    #[error("an elimination needs a game of two seats, and this one has {seats}")]
    NoElimination {
        /// The number of seats.
        seats: usize,
    },
    /// There are more games than anybody could wait for.
    #[error("these are more than {MOST_GAMES} games: name fewer players or fewer games")]
    TooManyGames,
    /// No kind of tournament has this name.
    #[error("no tournament is called {0:?}; there are round-robin, measurement, elimination")]
    Unknown(String),
}

/// The most games of a round.
const MOST_GAMES: usize = 20_000_000;

impl Tournament {
    /// A tournament with this number of games for each pairing, in which players take all seats in
    /// turn.
    ///
    /// # Errors
    /// If the players are too few, or the games too many.
    pub fn new<G: Game>(
        game: &G,
        kind: TournamentKind,
        players: Vec<String>,
        games: u32,
        seed: u64,
    ) -> Result<Self, TournamentError> {
        let standings = Standings::new(players, Aim::of(game));
        Self::of_seats(game.seats().len(), kind, standings, games, seed)
    }

    fn of_seats(
        seats: usize,
        kind: TournamentKind,
        standings: Standings,
        games: u32,
        seed: u64,
    ) -> Result<Self, TournamentError> {
        let players = standings.len();
        let least = if kind == TournamentKind::RoundRobin { seats.max(1) } else { seats.max(2) };
        if players < least {
            return Err(TournamentError::TooFewPlayers { seats, least });
        }
        if kind == TournamentKind::Elimination && seats != 2 {
            return Err(TournamentError::NoElimination { seats });
        }
        let left: Vec<usize> = (0..players).collect();
        let (seeds, pairings) = (Generator::seeded(seed), Vec::new());
        let tournament = Self { kind, seats, games, seeds, left, pairings, standings, rounds: 0 };
        let all = tournament.groups().len().checked_mul(games as usize);
        match all {
            Some(all) if all <= MOST_GAMES => Ok(tournament),
            _ => Err(TournamentError::TooManyGames),
        }
    }

    /// The games of the next round; none if the tournament is over. Only an elimination has more than
    /// one round.
    pub fn next_round(&mut self) -> Vec<Fixture> {
        let is_over = match self.kind {
            TournamentKind::RoundRobin | TournamentKind::Measurement => self.rounds > 0,
            TournamentKind::Elimination => self.left.len() < 2,
        };
        if is_over {
            return Vec::new();
        }
        self.rounds += 1;
        self.pairings = self.groups();
        let orders = permutations(self.seats);
        let (pairings, games) = (&self.pairings, self.games as usize);
        let seeds = &mut self.seeds;
        let fixtures =
            pairings.iter().flat_map(|pairing| (0..games).map(move |game| (pairing, game)));
        fixtures
            .map(|(pairing, game)| {
                let order = &orders[game % orders.len()];
                let players = order.iter().map(|place| pairing[*place]).collect();
                Fixture { players, seed: seeds.next_bits() }
            })
            .collect()
    }

    /// Takes the records of a round; one that was stopped is `None`. In an elimination the losers go,
    /// unless something was stopped. A tie is won by the player who was named first.
    pub fn record(&mut self, fixtures: &[Fixture], records: &[Option<GameRecord>]) {
        let mut round = self.standings.emptied();
        for (fixture, record) in fixtures.iter().zip(records) {
            if let Some(record) = record {
                round.add(&fixture.players, record);
            }
        }
        self.standings.merge(&round);
        if self.kind == TournamentKind::Elimination && records.iter().all(Option::is_some) {
            self.left = self.winners(&round);
        }
    }

    /// The standings so far.
    #[must_use]
    pub fn standings(&self) -> &Standings {
        &self.standings
    }

    /// The winner of an elimination that is over.
    #[must_use]
    pub fn winner(&self) -> Option<&str> {
        let is_over = self.kind == TournamentKind::Elimination && self.left.len() == 1;
        is_over.then(|| self.standings.name(self.left[0]))
    }

    fn winners(&self, round: &Standings) -> Vec<usize> {
        let mut winners: Vec<usize> = self
            .pairings
            .iter()
            .map(|pairing| {
                let (first, second) = (pairing[0], pairing[1]);
                if round.has_beaten(second, first) { second } else { first }
            })
            .collect();
        // Without an opponent a player goes on to the next round.
        winners.extend(self.left.last().filter(|_| self.left.len() % 2 == 1));
        winners
    }

    /// The groups of players that play each other.
    fn groups(&self) -> Vec<Vec<usize>> {
        match self.kind {
            TournamentKind::Elimination => {
                self.left.chunks_exact(2).map(<[usize]>::to_vec).collect()
            }
            TournamentKind::RoundRobin => combinations(self.left.len(), self.seats),
            TournamentKind::Measurement => {
                let mut all = combinations(self.left.len(), self.seats);
                // A single seat has no opponents: everybody is measured by its own score.
                all.retain(|group| self.seats < 2 || group.first() == Some(&0));
                all
            }
        }
    }
}

/// All choices of `count` out of `all`, in order.
fn combinations(all: usize, count: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for _ in 0..count {
        let longer = found.into_iter().flat_map(|group: Vec<usize>| {
            let next = group.last().map_or(0, |last| last + 1);
            (next..all).map(move |each| group.iter().copied().chain([each]).collect())
        });
        found = longer.collect();
    }
    found
}

/// All orders of `count` things.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for _ in 0..count {
        let mut longer = Vec::new();
        for order in found {
            for next in (0..count).filter(|next| !order.contains(next)) {
                longer.push([&order[..], &[next]].concat());
            }
        }
        found = longer;
    }
    found
}

impl FromStr for TournamentKind {
    type Err = TournamentError;

    fn from_str(name: &str) -> Result<Self, TournamentError> {
        let all = [Self::RoundRobin, Self::Measurement, Self::Elimination];
        let named = all.into_iter().find(|kind| kind.to_string() == name);
        named.ok_or_else(|| TournamentError::Unknown(name.to_owned()))
    }
}

impl fmt::Display for TournamentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RoundRobin => "round-robin",
            Self::Measurement => "measurement",
            Self::Elimination => "elimination",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::Outcome;

    fn tournament(kind: TournamentKind, players: usize, seats: usize, games: u32) -> Tournament {
        let names = (0..players).map(|number| format!("player {number}")).collect();
        let standings = Standings::new(names, Aim::Winning);
        Tournament::of_seats(seats, kind, standings, games, 7).unwrap()
    }

    fn players(fixtures: &[Fixture]) -> Vec<Vec<usize>> {
        fixtures.iter().map(|fixture| fixture.players.clone()).collect()
    }

    #[test]
    fn everybody_plays_everybody_in_every_seat() {
        let mut all = tournament(TournamentKind::RoundRobin, 3, 2, 2);
        let fixtures = all.next_round();
        let expected = [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]];
        assert_eq!(players(&fixtures), expected);
        assert!(all.next_round().is_empty());
        let mut three = tournament(TournamentKind::RoundRobin, 4, 3, 6);
        let fixtures = three.next_round();
        assert_eq!(fixtures.len(), 4 * 6);
        assert_eq!(fixtures[5].players, [2, 1, 0]);
    }

    #[test]
    fn in_a_measurement_the_first_plays_all_others() {
        let fixtures = tournament(TournamentKind::Measurement, 3, 2, 2).next_round();
        assert_eq!(players(&fixtures), [[0, 1], [1, 0], [0, 2], [2, 0]]);
    }

    #[test]
    fn in_a_measurement_of_a_game_of_one_seat_everybody_plays() {
        let fixtures = tournament(TournamentKind::Measurement, 3, 1, 2).next_round();
        assert_eq!(players(&fixtures), [[0], [0], [1], [1], [2], [2]]);
    }

    #[test]
    fn in_an_elimination_winners_go_on_and_one_without_an_opponent_too() {
        let mut knockout = tournament(TournamentKind::Elimination, 5, 2, 1);
        let mut rounds = Vec::new();
        loop {
            let fixtures = knockout.next_round();
            if fixtures.is_empty() {
                break;
            }
            rounds.push(players(&fixtures));
            // The player with the higher number wins.
            let record = |fixture: &Fixture| {
                let winner = u8::from(fixture.players[0] < fixture.players[1]);
                let outcome = Outcome::won_by(crate::Seat::new(winner).unwrap());
                Some(GameRecord { outcome, plies: 1, forfeiture: None })
            };
            let records: Vec<_> = fixtures.iter().map(record).collect();
            knockout.record(&fixtures, &records);
        }
        assert_eq!(rounds, [vec![vec![0, 1], vec![2, 3]], vec![vec![1, 3]], vec![vec![3, 4]]]);
        assert_eq!(knockout.winner(), Some("player 4"));
    }

    #[test]
    fn too_few_players_and_too_many_games_are_refused() {
        let refused = |kind, players: usize, seats, games| {
            let standings = Standings::new(vec!["random".to_owned(); players], Aim::Winning);
            Tournament::of_seats(seats, kind, standings, games, 7).unwrap_err().to_string()
        };
        let few = refused(TournamentKind::RoundRobin, 1, 2, 1);
        assert_eq!(few, "the game has 2 seats: name at least 2 players");
        let knockout = refused(TournamentKind::Elimination, 4, 3, 1);
        assert_eq!(knockout, "an elimination needs a game of two seats, and this one has 3");
        let many = refused(TournamentKind::RoundRobin, 100, 2, 1_000_000);
        assert!(many.starts_with("these are more than 20000000 games"), "{many}");
    }

    #[test]
    fn every_kind_is_found_by_its_name() {
        for name in ["round-robin", "measurement", "elimination"] {
            assert_eq!(name.parse::<TournamentKind>().unwrap().to_string(), name);
        }
        assert!("cup".parse::<TournamentKind>().is_err());
    }
}
