//! What is known of a game before it is built.

use std::cell::LazyCell;
use std::fmt;

use crate::any_game::AnyGame;
use crate::game::Game;
use crate::player::CannotPlay;
use crate::players::{GameFeatures, MOST_KEPT_POSITIONS, PlayerKind, SkillLevel, Unsolvable};
use crate::seat::{Seat, Seats};

/// A game that is declared and not yet built. To declare a game costs next to nothing; to build it may
/// take seconds and megabytes, and the declaration says how many.
pub struct DeclaredGame {
    name: String,
    seats: Vec<String>,
    /// The seats for which strategies are written as b-threads.
    strategies: Seats,
    /// The most positions that it may have, or why it cannot be solved.
    positions: Result<u64, Unsolvable>,
    size: RulesSize,
    summary: Option<String>,
    /// The columns and rows of its board.
    grid: Option<(u32, u32)>,
    /// Whether it was declared with a solver that is quick everywhere.
    has_quick_solver: bool,
    /// Found out when a search wants to play: it takes some random games.
    facts: LazyFacts,
    build: Box<BuildGame>,
}

/// What is known of a game that decides who can play it.
#[derive(Clone, Debug, Default)]
struct PlayFacts {
    hides: bool,
    features: GameFeatures,
    has_estimate: bool,
    /// Whether it has a solver of its own that is quick everywhere.
    is_solved: bool,
    /// The levels that it does not have.
    missing_levels: Vec<SkillLevel>,
}

type LazyFacts = LazyCell<PlayFacts, Box<dyn FnOnce() -> PlayFacts + Send>>;

/// The most simulations, plies and iterations of a computer player at a table that strangers create.
const MOST_SIMULATIONS: u32 = 10_000;
const MOST_DEPTH: u32 = 8;
const MOST_ITERATIONS: u32 = 10_000;

/// What a program contains of its games.
pub trait GameCode {
    /// A game as any game.
    fn any<G: Game>(game: G) -> AnyGame;

    /// Whether a game has a solver of its own that is quick everywhere.
    fn is_solved<G: Game>(game: &G) -> bool;
}

/// Rules, searches and solvers.
#[derive(Debug)]
pub enum WithSearches {}

impl GameCode for WithSearches {
    fn any<G: Game>(game: G) -> AnyGame {
        AnyGame::new(game)
    }

    fn is_solved<G: Game>(game: &G) -> bool {
        game.solver().is_some_and(|solver| solver.check_quick().is_ok())
    }
}

/// The rules alone, for programs that must be small; see [`AnyGame::without_searches`].
#[derive(Debug)]
pub enum WithoutSearches {}

impl GameCode for WithoutSearches {
    fn any<G: Game>(game: G) -> AnyGame {
        AnyGame::without_searches(game)
    }

    fn is_solved<G: Game>(_game: &G) -> bool {
        false
    }
}

impl PlayFacts {
    fn of<C: GameCode, G: Game>(game: &G) -> Self {
        let is_missing = |level: &SkillLevel| game.level(*level).is_none();
        Self {
            hides: game.hides(),
            features: GameFeatures::of(game),
            has_estimate: game.estimate(&game.start(), Seat::FIRST).is_some(),
            is_solved: C::is_solved(game),
            missing_levels: SkillLevel::ALL.into_iter().filter(is_missing).collect(),
        }
    }

    /// Why a search cannot play the game, or may not on a server.
    fn objection(&self, seats: usize, kind: &PlayerKind) -> Option<String> {
        let too_much = |number: u32, most: u32| {
            (number > most).then(|| format!("at a table its number is at most {most}"))
        };
        let in_turn = || {
            let at_once = self.features.at_once.then(|| Unsolvable::AtOnce.to_string());
            self.hidden().or(at_once)
        };
        let few_seats = || {
            (seats > 2).then(|| format!("it searches for one or two seats, and there are {seats}"))
        };
        match kind {
            PlayerKind::Mcts(simulations) => {
                self.hidden().or_else(|| too_much(*simulations, MOST_SIMULATIONS))
            }
            PlayerKind::Expectiminimax(depth) => {
                in_turn().or_else(few_seats).or_else(|| too_much(*depth, MOST_DEPTH))
            }
            PlayerKind::AlphaBeta(depth) => {
                let chance = || self.features.chance.then(|| Unsolvable::Chance.to_string());
                in_turn()
                    .or_else(chance)
                    .or_else(few_seats)
                    .or_else(|| too_much(*depth, MOST_DEPTH))
            }
            PlayerKind::Heuristic => in_turn().or_else(|| {
                let reason = || "nobody has written an estimate of its positions".to_owned();
                (!self.has_estimate).then(reason)
            }),
            // Whether a tree is small is known only once it is built.
            PlayerKind::Cfr(iterations) if self.hides || self.features.at_once => {
                too_much(*iterations, MOST_ITERATIONS)
            }
            PlayerKind::Cfr(_) => Some("at a table it plays where something is hidden".to_owned()),
            PlayerKind::Level(level) => self
                .missing_levels
                .contains(level)
                .then(|| "this game does not have the level".to_owned()),
            _ => None,
        }
    }

    fn hidden(&self) -> Option<String> {
        self.hides.then(|| Unsolvable::Hidden.to_string())
    }
}

/// Builds a game whose table of states may take this many bytes.
type BuildGame = dyn FnOnce(usize) -> AnyGame + Send;

/// The size of rules that are written as b-threads, by which the cost of building them is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RulesSize {
    /// The number of events.
    pub events: u64,
    /// The number of b-threads.
    pub threads: u64,
    /// The number of sync points of all b-threads.
    pub sync_points: u64,
    /// The memory of their sets, branches and names, if it is known: in bytes, about.
    pub known_bytes: u64,
}

impl RulesSize {
    /// The work to build the rules, about as many microseconds on one core. Each event is looked up in
    /// the sets of each sync point.
    const fn work(self) -> u64 {
        1 + self.sync_points * (self.events + 64) / 64
    }

    /// The memory of the rules, in bytes, about: each sync point with its sets of events, which others
    /// may share, and for each event the b-threads that it may concern.
    const fn bytes(self) -> u64 {
        let Self { events, threads, sync_points, known_bytes } = self;
        let usual = 700 * sync_points + 100 * (events + threads);
        1_024 + if known_bytes > usual { known_bytes } else { usual }
    }
}

impl DeclaredGame {
    /// A game that is built in no time, because its rules are not b-threads.
    #[must_use]
    pub fn of<G: Game>(game: G, positions: Result<u64, Unsolvable>) -> Self {
        Self::of_code::<WithSearches, G>(game, positions)
    }

    /// As [`DeclaredGame::of`], with this much of its code.
    #[must_use]
    pub fn of_code<C: GameCode, G: Game>(game: G, positions: Result<u64, Unsolvable>) -> Self {
        let seats = game.seats().into_iter().map(str::to_owned).collect();
        let (name, strategies, size) = (game.name(), Seats::NONE, RulesSize::default());
        let searched = game.clone();
        let facts = LazyFacts::new(Box::new(move || PlayFacts::of::<C, G>(&searched)));
        let (build, summary, grid) = (Box::new(|_| C::any(game)), None, None);
        let has_quick_solver = false;
        Self {
            name,
            seats,
            strategies,
            positions,
            size,
            summary,
            grid,
            has_quick_solver,
            facts,
            build,
        }
    }

    /// A game whose rules are b-threads; `build` is told how many bytes its table of states may take.
    #[must_use]
    pub fn of_rules(
        name: String,
        seats: &[&str],
        size: RulesSize,
        build: impl FnOnce(usize) -> AnyGame + Send + 'static,
    ) -> Self {
        let seats = seats.iter().map(|&seat| seat.to_owned()).collect();
        let positions = Err(Unsolvable::MayHaveTooMany);
        let facts = LazyFacts::new(Box::new(PlayFacts::default));
        let (strategies, build) = (Seats::NONE, Box::new(build));
        let (summary, grid, has_quick_solver) = (None, None, false);
        Self {
            name,
            seats,
            strategies,
            positions,
            size,
            summary,
            grid,
            has_quick_solver,
            facts,
            build,
        }
    }

    /// The same game, which has a solver of its own that is quick everywhere.
    #[must_use]
    pub fn with_quick_solver(self) -> Self {
        Self { has_quick_solver: true, ..self }
    }

    /// The same game with an estimate of its positions.
    #[must_use]
    pub fn with_estimate(self) -> Self {
        let before = self.facts;
        let with_estimate = move || PlayFacts { has_estimate: true, ..before.clone() };
        Self { facts: LazyFacts::new(Box::new(with_estimate)), ..self }
    }

    /// The same game, in which chance draws.
    #[must_use]
    pub fn with_chance(self) -> Self {
        let before = self.facts;
        let with_chance = move || {
            let mut facts = before.clone();
            facts.features.chance = true;
            facts
        };
        Self { facts: LazyFacts::new(Box::new(with_chance)), ..self }
    }

    /// The same game with a summary, and with the columns and rows of its board if it has one.
    #[must_use]
    pub fn with_summary(self, summary: Option<String>, grid: Option<(u32, u32)>) -> Self {
        Self { summary, grid, ..self }
    }

    /// The same game with strategies for these seats.
    #[must_use]
    pub fn with_strategies(self, strategies: Seats) -> Self {
        Self { strategies, ..self }
    }

    /// The same game, which has at most this many positions and nothing that keeps it from being
    /// solved.
    #[must_use]
    pub fn with_positions(self, most: u64) -> Self {
        Self { positions: Ok(most), ..self }
    }

    /// The name of the game, as it writes it itself.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of its seats.
    #[must_use]
    pub fn seat_names(&self) -> &[String] {
        &self.seats
    }

    /// All its seats.
    #[must_use]
    pub fn seats(&self) -> Seats {
        Seats::first(self.seats.len())
    }

    /// What it is, in a few words.
    #[must_use]
    pub fn summary(&self) -> Option<&str> {
        self.summary.as_deref()
    }

    /// The columns and rows of its board, if it is known to have one.
    #[must_use]
    pub fn grid(&self) -> Option<(u32, u32)> {
        self.grid
    }

    /// The size of its rules.
    #[must_use]
    pub fn size(&self) -> RulesSize {
        self.size
    }

    /// The work to build it, about as many microseconds on one core.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.size.work()
    }

    /// The memory that it takes once it is built, in bytes, about.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.size.bytes()
    }

    /// Checks whether a kind of player can play a seat, without building the game. The answer is
    /// cautious: a solver might find that a game has fewer positions than its boards allow.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check_player(&self, kind: &PlayerKind, seat: Seat) -> Result<(), CannotPlay> {
        let reason = match kind {
            PlayerKind::Random | PlayerKind::Scripted(_) => None,
            PlayerKind::BThreads if self.strategies.contains(seat) => None,
            PlayerKind::BThreads => {
                Some("no strategies are written as b-threads for it".to_owned())
            }
            PlayerKind::Heuristic
            | PlayerKind::AlphaBeta(_)
            | PlayerKind::Expectiminimax(_)
            | PlayerKind::Mcts(_)
            | PlayerKind::Cfr(_)
            | PlayerKind::Level(_) => self.facts.objection(self.seats.len(), kind),
            PlayerKind::Perfect if self.has_quick_solver || self.facts.is_solved => None,
            PlayerKind::Perfect => match &self.positions {
                Ok(most) if *most <= MOST_KEPT_POSITIONS as u64 => None,
                Ok(_) => Some(Unsolvable::MayHaveTooMany.to_string()),
                Err(why) => Some(why.to_string()),
            },
        };
        let Some(reason) = reason else { return Ok(()) };
        let seat = self.seats.get(seat.index()).cloned().unwrap_or_default();
        Err(CannotPlay { player: kind.to_string(), game: self.name.clone(), seat, reason })
    }

    /// Whether the game can be solved at once, as a whole or by a solver of its own:
    /// [`PlayerKind::Perfect`] then moves without a long search, even at the start.
    #[must_use]
    pub fn is_soon_solved(&self) -> bool {
        self.has_quick_solver
            || self.positions.as_ref().is_ok_and(|most| *most <= MOST_KEPT_POSITIONS as u64)
    }

    /// Builds the game. Its table of states, which grows while it is played, takes at most about
    /// `table_bytes`.
    #[must_use]
    pub fn build(self, table_bytes: usize) -> AnyGame {
        (self.build)(table_bytes)
    }
}

impl fmt::Debug for DeclaredGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, size, .. } = self;
        f.debug_struct("DeclaredGame")
            .field("name", name)
            .field("size", size)
            .finish_non_exhaustive()
    }
}
