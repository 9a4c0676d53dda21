//! Any game, with texts for moves.

use std::fmt;
use std::sync::{Arc, Weak};

use bthread::Generator;

use super::dyn_game::{DynGame, TypedGame};
use super::dyn_searches::DynSearches;
use super::position::AnyPosition;
use super::text::MoveText;
use crate::analysis::{AnalysisBudget, CannotAnalyze, PositionAnalysis};
use crate::awake_thread::AwakeThread;
use crate::game::{Game, Viewer};
use crate::perft::checked_perft;
use crate::picture::Picture;
use crate::player::{CannotPlay, Player};
use crate::players::{
    PlayerKind, PlayerResources, PlayoutError, RandomPlayer, ScriptedPlayer, SkillLevel,
    SolutionCache, Unsolvable, play_at_random,
};
use crate::ply::Ply;
use crate::probability::Probability;
use crate::refusal::{Reason, Refusal};
use crate::seat::Seat;
use crate::stop_flag::StopFlag;
use crate::tournament::{Fixture, GameRecord};
use crate::turn::Turn;

const NO_SEARCHES: &str = "this program has no searches";

/// Any game. Its moves, and what chance draws, are [`MoveText`]s.
///
/// It is a [`Game`] itself, so everything that works with games works with it.
#[derive(Clone)]
pub struct AnyGame(Arc<SharedGame<dyn DynGame>>);

/// A game that lasts only as long as others use it.
#[derive(Clone)]
pub struct WeakGame(Weak<SharedGame<dyn DynGame>>);

/// The part that all copies of a game share.
struct SharedGame<G: ?Sized> {
    solution: SolutionCache,
    searches: Option<Box<dyn DynSearches>>,
    game: G,
}

impl AnyGame {
    /// A game as any game.
    pub fn new<G: Game>(game: G) -> Self {
        let searches = Box::new(TypedGame(game.clone()));
        Self::with(game, Some(searches))
    }

    /// A game as any game, without the players that search and without analysis. A program in which
    /// every game is made like this contains no search, and is much smaller.
    pub fn without_searches<G: Game>(game: G) -> Self {
        Self::with(game, None)
    }

    fn with<G: Game>(game: G, searches: Option<Box<dyn DynSearches>>) -> Self {
        let (solution, game) = (SolutionCache::default(), TypedGame(game));
        Self(Arc::new(SharedGame { solution, searches, game }))
    }

    /// The number of sequences of `depth` plies; see [`perft`](crate::perft()).
    ///
    /// # Errors
    /// If the rules contradict themselves after a move.
    pub fn perft(&self, depth: u32) -> Result<u64, Refusal> {
        match &self.0.searches {
            Some(searches) => searches.perft(depth),
            None => checked_perft(self, &self.start(), depth),
        }
    }

    /// The number of positions of a game that can be solved, with or without chance, by visiting at most
    /// `most`.
    ///
    /// # Errors
    /// If it cannot.
    pub fn count_positions(&self, stop: &StopFlag, most: usize) -> Result<usize, Unsolvable> {
        match &self.0.searches {
            Some(searches) => searches.count_positions(stop, most),
            None => Err(Unsolvable::MayHaveTooMany),
        }
    }

    /// Whether a player of this kind would need a search that the game was made without; see
    /// [`AnyGame::without_searches`].
    #[must_use]
    pub fn lacks_search_for(&self, kind: &PlayerKind) -> bool {
        let is_search = match kind {
            PlayerKind::Random | PlayerKind::Scripted(_) | PlayerKind::BThreads => false,
            PlayerKind::Level(level) => {
                // A level that named a level could name itself.
                let named = self.level(*level).filter(|kind| !matches!(kind, PlayerKind::Level(_)));
                return named.is_some_and(|kind| self.lacks_search_for(&kind));
            }
            _ => true,
        };
        is_search && self.0.searches.is_none()
    }

    /// A player for a seat. The seed decides the player's random choices.
    ///
    /// All perfect players of a small game share one solution.
    ///
    /// # Errors
    /// If this kind of player cannot play this game, or not this seat.
    pub fn player(
        &self,
        kind: &PlayerKind,
        seat: Seat,
        seed: u64,
    ) -> Result<Box<dyn Player<Self>>, CannotPlay> {
        self.player_until(&StopFlag::default(), kind, seat, seed)
    }

    /// As [`AnyGame::player`]. A search that is stopped ends with the best move that it knows; where a
    /// solution is not found in time, a perfect player estimates.
    ///
    /// # Errors
    /// As [`AnyGame::player`].
    pub fn player_until(
        &self,
        stop: &StopFlag,
        kind: &PlayerKind,
        seat: Seat,
        seed: u64,
    ) -> Result<Box<dyn Player<Self>>, CannotPlay> {
        match &self.0.searches {
            Some(searches) => searches.player(self.resources(stop), kind, seat, seed),
            None => self.simple_player(kind, seat, seed),
        }
    }

    /// A player that does not search.
    fn simple_player(
        &self,
        kind: &PlayerKind,
        seat: Seat,
        seed: u64,
    ) -> Result<Box<dyn Player<Self>>, CannotPlay> {
        let refused = |reason| CannotPlay::new(&kind.to_string(), self, seat, reason);
        match kind {
            PlayerKind::Random => Ok(Box::new(RandomPlayer::seeded(seed))),
            PlayerKind::Scripted(moves) => Ok(Box::new(ScriptedPlayer::new(moves.iter().cloned()))),
            PlayerKind::BThreads => self
                .strategies(seat)
                .ok_or_else(|| refused("no strategies are written as b-threads for it")),
            PlayerKind::Level(level) => match self.level(*level) {
                Some(kind) if !matches!(kind, PlayerKind::Level(_)) => {
                    self.simple_player(&kind, seat, seed)
                }
                _ => Err(refused("this game does not have the level")),
            },
            _ => Err(refused(NO_SEARCHES)),
        }
    }

    fn resources<'a>(&'a self, stop: &'a StopFlag) -> PlayerResources<'a> {
        PlayerResources { solutions: &self.0.solution, stop }
    }

    /// Analyzes a position; see [`analyze`](crate::analyze()).
    ///
    /// # Errors
    /// If no seat is to move, or the search was stopped.
    pub fn analyze(
        &self,
        position: &AnyPosition,
        budget: AnalysisBudget,
        stop: &StopFlag,
    ) -> Result<PositionAnalysis, CannotAnalyze> {
        let searches = self.0.searches.as_ref().ok_or(CannotAnalyze::NoSearches)?;
        searches.analyze(self.resources(stop), position, budget)
    }

    /// Lets players, one for each seat, play one game of a tournament; see
    /// [`contest`](crate::contest()).
    ///
    /// # Errors
    /// If a player cannot play this game.
    pub fn contest(
        &self,
        players: &[&PlayerKind],
        seed: u64,
        stop: &StopFlag,
    ) -> Result<Option<GameRecord>, CannotPlay> {
        let kinds: Vec<PlayerKind> = players.iter().map(|kind| (*kind).clone()).collect();
        let fixture = Fixture { players: (0..kinds.len()).collect(), seed };
        let mut records = self.contests(&kinds, &[fixture], stop)?;
        Ok(records.pop().flatten())
    }

    /// Plays games of a tournament between players of these kinds, one after the other. A game that was
    /// stopped is `None`.
    ///
    /// # Errors
    /// If a player cannot play this game.
    ///
    /// # Panics
    /// If a game names a player that is not among the kinds.
    pub fn contests(
        &self,
        kinds: &[PlayerKind],
        fixtures: &[Fixture],
        stop: &StopFlag,
    ) -> Result<Vec<Option<GameRecord>>, CannotPlay> {
        match &self.0.searches {
            Some(searches) => searches.contests(self.resources(stop), kinds, fixtures),
            None => Err(CannotPlay::new("a tournament", self, Seat::FIRST, NO_SEARCHES)),
        }
    }

    /// The same game, without keeping it in memory.
    #[must_use]
    pub fn downgrade(&self) -> WeakGame {
        WeakGame(Arc::downgrade(&self.0))
    }
}

impl WeakGame {
    /// The game, if it is still in use.
    #[must_use]
    pub fn upgrade(&self) -> Option<AnyGame> {
        self.0.upgrade().map(AnyGame)
    }
}

impl fmt::Debug for WeakGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WeakGame").field(&self.upgrade()).finish()
    }
}

impl fmt::Debug for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyGame").field(&self.name()).finish()
    }
}

impl Game for AnyGame {
    type Position = AnyPosition;
    type Move = MoveText;
    type Chance = MoveText;

    fn name(&self) -> String {
        self.0.game.name()
    }

    fn seats(&self) -> Vec<&str> {
        self.0.game.seats()
    }

    fn start(&self) -> AnyPosition {
        self.0.game.start()
    }

    fn is_broken(&self, position: &AnyPosition) -> bool {
        self.0.game.is_broken(position)
    }

    fn turn(&self, position: &AnyPosition) -> Turn {
        self.0.game.turn(position)
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a AnyPosition,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = MoveText> + 'a {
        self.0.game.legal_moves(position, seat)
    }

    fn apply(&self, position: &mut AnyPosition, seat: Seat, chosen: &MoveText) {
        self.0.game.apply(position, seat, chosen);
    }

    fn text(&self, position: &AnyPosition) -> String {
        self.0.game.text(position)
    }

    fn key(&self, position: &AnyPosition) -> Option<Vec<u8>> {
        self.0.game.key(position)
    }

    fn picture(&self, position: &AnyPosition, viewer: Viewer) -> Picture {
        self.0.game.picture(position, viewer)
    }

    fn objections(&self, position: &AnyPosition, seat: Seat, chosen: &MoveText) -> Vec<Reason> {
        self.0.game.objections(position, seat, chosen)
    }

    fn count_moves(&self, position: &AnyPosition, seat: Seat) -> usize {
        self.0.game.count_moves(position, seat)
    }

    fn apply_nth(&self, position: &mut AnyPosition, seat: Seat, place: usize) -> bool {
        self.0.game.apply_nth(position, seat, place)
    }

    fn chances(&self, position: &AnyPosition) -> Vec<(MoveText, Probability)> {
        self.0.game.chances(position)
    }

    fn apply_chance(&self, position: &mut AnyPosition, drawn: &MoveText) {
        self.0.game.apply_chance(position, drawn);
    }

    fn hides(&self) -> bool {
        self.0.game.hides()
    }

    fn view(&self, position: &AnyPosition, viewer: Viewer) -> String {
        self.0.game.view(position, viewer)
    }

    fn seen(
        &self,
        position: &AnyPosition,
        ply: &Ply<MoveText, MoveText>,
        viewer: Viewer,
    ) -> String {
        self.0.game.seen(position, ply, viewer)
    }

    fn label(&self, chosen: &MoveText) -> String {
        self.0.game.label(chosen)
    }

    fn score_unit(&self) -> Option<&str> {
        self.0.game.score_unit()
    }

    fn bytes(&self) -> usize {
        self.0.game.bytes() + self.0.solution.bytes()
    }

    fn winning_lines(&self, history: &[Ply<MoveText, MoveText>]) -> Vec<String> {
        self.0.game.winning_lines(history)
    }

    fn strategies(&self, seat: Seat) -> Option<Box<dyn Player<Self>>> {
        self.0.game.strategies(seat)
    }

    fn estimate(&self, position: &AnyPosition, seat: Seat) -> Option<i32> {
        self.0.game.estimate(position, seat)
    }

    fn level(&self, level: SkillLevel) -> Option<PlayerKind> {
        self.0.game.level(level)
    }

    fn awake(
        &self,
        history: &[Ply<MoveText, MoveText>],
        strategies_of: Option<Seat>,
    ) -> Vec<AwakeThread> {
        self.0.game.awake(history, strategies_of)
    }

    fn purpose(&self, strategy: &str) -> Option<String> {
        self.0.game.purpose(strategy)
    }

    fn read_move(&self, text: &str) -> Result<MoveText, Refusal> {
        self.0.game.read_move(text)
    }

    fn read_chance(&self, text: &str) -> Result<MoveText, Refusal> {
        self.0.game.read_chance(text)
    }

    fn check(&self, position: &AnyPosition, seat: Seat, chosen: &MoveText) -> Result<(), Refusal> {
        self.0.game.check(position, seat, chosen)
    }

    fn advance(
        &self,
        position: &mut AnyPosition,
        seat: Seat,
        chosen: MoveText,
    ) -> Result<(), Refusal> {
        self.0.game.advance(position, seat, &chosen)
    }

    fn advance_all(
        &self,
        position: &mut AnyPosition,
        moves: &[(Seat, MoveText)],
    ) -> Result<(), Refusal> {
        self.0.game.advance_all(position, moves)
    }

    fn play_at_random(
        &self,
        position: &mut AnyPosition,
        generator: &mut Generator,
    ) -> Result<(), PlayoutError> {
        match &self.0.searches {
            Some(searches) => searches.play_at_random(position, generator),
            None => play_at_random(self, position, generator),
        }
    }
}
