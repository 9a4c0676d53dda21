//! The perfect player of a game that has a solver of its own.

use std::sync::Arc;

use bthread::Generator;

use super::budget::SearchBudget;
use super::stopped_player::StoppedPlayer;
use crate::analysis::{ExactSolver, PositionAnalysis};
use crate::game::{Game, seat_name};
use crate::player::{CannotPlay, Choice, Player, PlayerError, PlayerView};
use crate::seat::Seat;
use crate::stop_flag::StopFlag;
use crate::turn::Turn;

/// Chooses a random one of the moves that the game's own solver finds best. A solver that is stopped
/// leaves the choice to a short search.
#[derive(Clone, Debug)]
pub(crate) struct SolverPlayer<G: Game> {
    solver: Arc<dyn ExactSolver<G>>,
    stop: StopFlag,
    generator: Generator,
}

/// The most moves of the best line in an explanation.
const LONGEST_LINE: usize = 8;

impl<G: Game> SolverPlayer<G> {
    pub(crate) fn new(
        solver: Arc<dyn ExactSolver<G>>,
        game: &G,
        seat: Seat,
        seed: u64,
        stop: &StopFlag,
    ) -> Result<Self, CannotPlay> {
        let quick = solver.check_quick();
        quick.map_err(|slow| CannotPlay::new("perfect", game, seat, slow.to_string()))?;
        Ok(Self { solver, stop: stop.clone(), generator: Generator::seeded(seed) })
    }

    fn solve(&self, position: &G::Position) -> Option<PositionAnalysis> {
        self.solver.solve(position, &mut SearchBudget::new(u64::MAX, &self.stop)).ok()
    }

    /// The best moves that follow on one of them.
    fn line_after(&self, game: &G, position: &G::Position, seat: Seat, chosen: &G::Move) -> String {
        let mut next = position.clone();
        game.apply(&mut next, seat, chosen);
        let rest = match game.turn(&next) {
            Turn::One(_) => self.solve(&next).map(|solved| solved.line).unwrap_or_default(),
            Turn::Several(_) | Turn::Chance | Turn::Over(_) => Vec::new(),
        };
        let line = std::iter::once(chosen.to_string()).chain(rest);
        line.take(LONGEST_LINE).collect::<Vec<_>>().join(" ")
    }
}

impl<G: Game> Player<G> for SolverPlayer<G> {
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let (game, seat) = (player_view.game(), player_view.seat());
        let is_in_turn = player_view.turn() == Turn::One(seat);
        let position = player_view.position().filter(|_| is_in_turn);
        let position = position.ok_or(PlayerError::NothingToChoose)?;
        let Some(solved) = self.solve(position) else {
            return StoppedPlayer::seeded(self.generator.next_bits()).choose(player_view);
        };
        let best: Vec<&str> = solved.best_moves().map(|each| each.chosen.as_str()).collect();
        let place = usize::try_from(self.generator.below(best.len() as u64));
        let text = place.ok().and_then(|place| best.get(place));
        let chosen = player_view.legal_moves().find(|legal| Some(&&*legal.to_string()) == text);
        let chosen = chosen.ok_or(PlayerError::NothingToChoose)?;
        let others = match solved.moves.len() - best.len() {
            0 => ", whatever the move".to_owned(),
            1 => "; the other move is worse".to_owned(),
            others => format!("; {others} other moves are worse"),
        };
        let (whose, value) = (seat_name(game, seat), solved.value);
        let line = self.line_after(game, position, seat, &chosen);
        let sentence = format!("{value} for {whose}{others}; best line {line}");
        Ok(Choice::because(chosen, sentence))
    }
}
