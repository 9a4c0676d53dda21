//! Kinds of players.

use std::fmt;
use std::str::FromStr;

use super::alpha_beta::AlphaBetaPlayer;
use super::cfr::CfrPlayer;
use super::expectiminimax::ExpectiminimaxPlayer;
use super::heuristic::HeuristicPlayer;
use super::level::SkillLevel;
use super::mcts::MctsPlayer;
use super::perfect::{PerfectPlayer, SolutionCache};
use super::random::RandomPlayer;
use super::scripted::ScriptedPlayer;
use super::solver_player::SolverPlayer;
use super::stopped_player::StoppedPlayer;
use crate::game::Game;
use crate::player::{CannotPlay, Player};
use crate::seat::Seat;
use crate::stop_flag::StopFlag;

/// A kind of player.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlayerKind {
    /// `random` makes any legal move.
    Random,
    /// `heuristic` makes the move that looks best, without a search.
    Heuristic,
    /// `alphabeta:6` looks this many plies ahead.
    AlphaBeta(u32),
    /// `expectiminimax:4` looks this many plies ahead, and weighs what chance may draw.
    Expectiminimax(u32),
    /// `mcts:1000` searches with this many simulations.
    Mcts(u32),
    /// `cfr:1000` draws from an equilibrium that it approaches in this many iterations.
    Cfr(u32),
    /// `perfect` makes one of the best moves.
    Perfect,
    /// `bthreads` follows the strategies that are written as b-threads.
    BThreads,
    /// `easy`, `fair` and `hard` are what the game says.
    Level(SkillLevel),
    /// `scripted:b2/a1/c3` makes these moves, in order.
    Scripted(Vec<String>),
}

/// No kind of player has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownPlayer {
    /// No kind of player has this name.
    #[error("no player is called {name:?}; there are {}", PlayerKind::KNOWN.join(", "))]
    Name {
        /// The name.
        name: String,
    },
    /// The number after the colon is missing, or out of bounds.
    #[error(
        "{name:?} is no player: write {kind}: and a number from 1 to {most}, as in {kind}:{usual}"
    )]
    Number {
        /// The name.
        name: String,
        /// The part before the colon.
        kind: &'static str,
        /// The highest number.
        most: u32,
        /// A number that makes sense.
        usual: u32,
    },
}

/// A kind of player with a number.
struct NumberedKind {
    name: &'static str,
    most: u32,
    usual: u32,
    kind: fn(u32) -> PlayerKind,
}

const NUMBERED: [NumberedKind; 4] = [
    NumberedKind { name: "alphabeta", most: 64, usual: 6, kind: PlayerKind::AlphaBeta },
    NumberedKind { name: "expectiminimax", most: 64, usual: 4, kind: PlayerKind::Expectiminimax },
    NumberedKind { name: "mcts", most: 1_000_000, usual: 1_000, kind: PlayerKind::Mcts },
    NumberedKind { name: "cfr", most: 100_000, usual: 1_000, kind: PlayerKind::Cfr },
];

/// What players need besides their game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayerResources<'a> {
    /// Keeps the solution of the game.
    pub(crate) solutions: &'a SolutionCache,
    /// Stops searches.
    pub(crate) stop: &'a StopFlag,
}

impl PlayerKind {
    /// The names of all kinds.
    pub const KNOWN: [&'static str; 12] = [
        "random",
        "perfect",
        "bthreads",
        "heuristic",
        "alphabeta:DEPTH",
        "expectiminimax:DEPTH",
        "mcts:SIMULATIONS",
        "cfr:ITERATIONS",
        "easy",
        "fair",
        "hard",
        "scripted:MOVE/MOVE",
    ];

    /// A player of this kind for a seat of a game. The seed decides the player's random choices.
    ///
    /// # Errors
    /// If this kind of player cannot play this game, or not this seat.
    pub fn player<G: Game>(
        &self,
        game: &G,
        seat: Seat,
        seed: u64,
    ) -> Result<Box<dyn Player<G>>, CannotPlay> {
        let (solutions, stop) = (&SolutionCache::default(), &StopFlag::default());
        self.player_with(PlayerResources { solutions, stop }, game, seat, seed)
    }

    /// As [`PlayerKind::player`], with what players share.
    pub(crate) fn player_with<G: Game>(
        &self,
        resources: PlayerResources<'_>,
        game: &G,
        seat: Seat,
        seed: u64,
    ) -> Result<Box<dyn Player<G>>, CannotPlay> {
        let stop = resources.stop;
        Ok(match self {
            Self::Random => Box::new(RandomPlayer::seeded(seed)),
            Self::Heuristic => Box::new(HeuristicPlayer::new(game, seat, seed)?),
            Self::AlphaBeta(depth) => {
                Box::new(AlphaBetaPlayer::new(game, seat, *depth, seed, stop)?)
            }
            Self::Expectiminimax(depth) => {
                Box::new(ExpectiminimaxPlayer::new(game, seat, *depth, seed, stop)?)
            }
            Self::Mcts(simulations) => {
                Box::new(MctsPlayer::new(game, seat, *simulations, seed, stop)?)
            }
            Self::Cfr(iterations) => {
                let equilibria = resources.solutions.equilibria();
                Box::new(CfrPlayer::with(equilibria, game, seat, *iterations, seed, stop)?)
            }
            Self::Perfect => perfect_player(resources, game, seat, seed)?,
            Self::Scripted(moves) => Box::new(ScriptedPlayer::new(moves.iter().cloned())),
            Self::BThreads => game.strategies(seat).ok_or_else(|| {
                let reason = "no strategies are written as b-threads for it";
                CannotPlay::new("bthreads", game, seat, reason)
            })?,
            Self::Level(level) => match game.level(*level) {
                // A level that named a level could name itself.
                Some(kind) if !matches!(kind, Self::Level(_)) => {
                    kind.player_with(resources, game, seat, seed)?
                }
                _ => {
                    let reason = "this game does not have the level";
                    return Err(CannotPlay::new(level.name(), game, seat, reason));
                }
            },
        })
    }
}

/// The perfect player, or its stand-in if the search for a solution was stopped.
fn perfect_player<G: Game>(
    PlayerResources { solutions, stop }: PlayerResources<'_>,
    game: &G,
    seat: Seat,
    seed: u64,
) -> Result<Box<dyn Player<G>>, CannotPlay> {
    if let Some(solver) = solutions.solver(game, stop) {
        return Ok(Box::new(SolverPlayer::new(solver, game, seat, seed, stop)?));
    }
    match solutions.of(game, stop) {
        // A solution with or without chance, which was not found in time.
        Err(_) if stop.is_set() && !game.hides() => Ok(Box::new(StoppedPlayer::seeded(seed))),
        solution => Ok(Box::new(PerfectPlayer::by(solution, game, seat, seed)?)),
    }
}

impl FromStr for PlayerKind {
    type Err = UnknownPlayer;

    fn from_str(name: &str) -> Result<Self, UnknownPlayer> {
        let (kind, number) = match name.split_once(':') {
            Some((kind, number)) => (kind, Some(number)),
            None => (name, None),
        };
        if let Some(numbered) = NUMBERED.iter().find(|numbered| numbered.name == kind) {
            return numbered.read(name, number);
        }
        match (kind, number) {
            ("random", None) => Ok(Self::Random),
            ("perfect", None) => Ok(Self::Perfect),
            ("bthreads", None) => Ok(Self::BThreads),
            ("heuristic", None) => Ok(Self::Heuristic),
            ("scripted", Some(moves)) => {
                let moves = moves.split('/').map(str::trim).filter(|each| !each.is_empty());
                Ok(Self::Scripted(moves.map(str::to_owned).collect()))
            }
            (_, None) => {
                let level = SkillLevel::ALL.into_iter().find(|level| level.name() == kind);
                let unknown = || UnknownPlayer::Name { name: name.to_owned() };
                level.map(Self::Level).ok_or_else(unknown)
            }
            (_, Some(_)) => Err(UnknownPlayer::Name { name: name.to_owned() }),
        }
    }
}

impl NumberedKind {
    fn read(&self, name: &str, number: Option<&str>) -> Result<PlayerKind, UnknownPlayer> {
        let Self { name: kind, most, usual, .. } = *self;
        let number = number.and_then(|number| number.parse::<u32>().ok());
        let number = number.filter(|number| (1..=most).contains(number));
        let refused = || UnknownPlayer::Number { name: name.to_owned(), kind, most, usual };
        number.map(self.kind).ok_or_else(refused)
    }
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Perfect => f.write_str("perfect"),
            Self::BThreads => f.write_str("bthreads"),
            Self::Heuristic => f.write_str("heuristic"),
            Self::AlphaBeta(depth) => write!(f, "alphabeta:{depth}"),
            Self::Expectiminimax(depth) => write!(f, "expectiminimax:{depth}"),
            Self::Mcts(simulations) => write!(f, "mcts:{simulations}"),
            Self::Cfr(iterations) => write!(f, "cfr:{iterations}"),
            Self::Level(level) => level.fmt(f),
            Self::Scripted(moves) => write!(f, "scripted:{}", moves.join("/")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in [
            "random",
            "perfect",
            "bthreads",
            "heuristic",
            "alphabeta:6",
            "expectiminimax:64",
            "mcts:1000",
            "cfr:1",
            "easy",
            "fair",
            "hard",
            "scripted:b2/a1",
            "scripted:",
        ] {
            assert_eq!(name.parse::<PlayerKind>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn other_names_are_refused_with_a_list_of_the_names() {
        for name in ["", "Random", "random:3", "scripted", "human", "easy:2", "uct:5"] {
            let error = name.parse::<PlayerKind>().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "no player is called {name:?}; there are random, perfect, bthreads, heuristic, \
                     alphabeta:DEPTH, expectiminimax:DEPTH, mcts:SIMULATIONS, cfr:ITERATIONS, easy, \
                     fair, hard, scripted:MOVE/MOVE"
                )
            );
        }
    }

    #[test]
    fn a_number_out_of_bounds_is_refused_with_the_bounds() {
        for name in ["mcts", "mcts:", "mcts:0", "mcts:1000001", "mcts:many", "mcts:-1"] {
            let error = name.parse::<PlayerKind>().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "{name:?} is no player: write mcts: and a number from 1 to 1000000, as in mcts:1000"
                )
            );
        }
        assert!("alphabeta:65".parse::<PlayerKind>().is_err());
    }
}
