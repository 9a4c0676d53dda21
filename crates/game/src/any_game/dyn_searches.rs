//! The object-safe form of what searches a game: players, analysis, tournaments.
//!
//! It is apart from the rules, so that a program that only plays by the rules contains no search.

use bthread::Generator;

use super::dyn_game::{TypedGame, TypedPlayer};
use super::game::AnyGame;
use super::position::AnyPosition;
use crate::analysis::{AnalysisBudget, CannotAnalyze, PositionAnalysis, analyze_with};
use crate::game::Game;
use crate::perft::checked_perft;
use crate::player::{CannotPlay, Player};
use crate::players::{PlayerKind, PlayerResources, PlayoutError, Solution, Unsolvable};
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::stop_flag::StopFlag;
use crate::tournament::{Contest, Fixture, GameRecord};

/// The searches of one game. They run on the typed game, because texts of moves would slow them down.
pub(super) trait DynSearches: Send + Sync {
    fn perft(&self, depth: u32) -> Result<u64, Refusal>;
    fn count_positions(&self, stop: &StopFlag, most: usize) -> Result<usize, Unsolvable>;
    fn play_at_random(
        &self,
        position: &mut AnyPosition,
        generator: &mut Generator,
    ) -> Result<(), PlayoutError>;
    fn player(
        &self,
        resources: PlayerResources<'_>,
        kind: &PlayerKind,
        seat: Seat,
        seed: u64,
    ) -> Result<Box<dyn Player<AnyGame>>, CannotPlay>;
    fn analyze(
        &self,
        resources: PlayerResources<'_>,
        position: &AnyPosition,
        budget: AnalysisBudget,
    ) -> Result<PositionAnalysis, CannotAnalyze>;
    fn contests(
        &self,
        resources: PlayerResources<'_>,
        kinds: &[PlayerKind],
        fixtures: &[Fixture],
    ) -> Result<Vec<Option<GameRecord>>, CannotPlay>;
}

impl<G: Game> DynSearches for TypedGame<G> {
    fn perft(&self, depth: u32) -> Result<u64, Refusal> {
        checked_perft(&self.0, &self.0.start(), depth)
    }

    fn count_positions(&self, stop: &StopFlag, most: usize) -> Result<usize, Unsolvable> {
        Solution::count(stop, &self.0, most)
    }

    fn play_at_random(
        &self,
        position: &mut AnyPosition,
        generator: &mut Generator,
    ) -> Result<(), PlayoutError> {
        // Nobody reads a random move, so it is never written.
        self.0.play_at_random(position.typed_mut::<G>(), generator)
    }

    fn player(
        &self,
        resources: PlayerResources<'_>,
        kind: &PlayerKind,
        seat: Seat,
        seed: u64,
    ) -> Result<Box<dyn Player<AnyGame>>, CannotPlay> {
        let player = kind.player_with(resources, &self.0, seat, seed)?;
        Ok(Box::new(TypedPlayer::new(Self(self.0.clone()), player)))
    }

    fn analyze(
        &self,
        resources: PlayerResources<'_>,
        position: &AnyPosition,
        budget: AnalysisBudget,
    ) -> Result<PositionAnalysis, CannotAnalyze> {
        analyze_with(resources, &self.0, position.typed::<G>(), budget)
    }

    fn contests(
        &self,
        resources: PlayerResources<'_>,
        kinds: &[PlayerKind],
        fixtures: &[Fixture],
    ) -> Result<Vec<Option<GameRecord>>, CannotPlay> {
        let mut contest = Contest::new(&self.0);
        let play = |fixture: &Fixture| {
            if resources.stop.is_set() {
                return Ok(None);
            }
            contest.play_fixture(resources, kinds, fixture)
        };
        fixtures.iter().map(play).collect()
    }
}
