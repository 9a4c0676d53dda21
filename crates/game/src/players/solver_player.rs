//! The perfect player of a game that has a solver of its own.

use std::sync::Arc;

use bthread::Generator;

use super::budget::SearchBudget;
use crate::analysis::ExactSolver;
use crate::game::{Game, seat_name};
use crate::player::{CannotPlay, Choice, Player, PlayerError, PlayerView};
use crate::seat::Seat;
use crate::stop_flag::StopFlag;
use crate::turn::Turn;

/// Chooses a random one of the moves that the game's own solver finds best.
#[derive(Clone, Debug)]
pub(crate) struct SolverPlayer<G: Game> {
    solver: Arc<dyn ExactSolver<G>>,
    stop: StopFlag,
    generator: Generator,
}

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
}

impl<G: Game> Player<G> for SolverPlayer<G> {
    fn choose(&mut self, player_view: &PlayerView<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let (game, seat) = (player_view.game(), player_view.seat());
        let is_in_turn = player_view.turn() == Turn::One(seat);
        let position = player_view.position().filter(|_| is_in_turn);
        let position = position.ok_or(PlayerError::NothingToChoose)?;
        let solved = self.solver.solve(position, &mut SearchBudget::new(u64::MAX, &self.stop));
        let solved = solved.map_err(|cut| PlayerError::Unsuitable(cut.to_string()))?;
        let best: Vec<&str> = solved.best_moves().map(|each| each.chosen.as_str()).collect();
        let place = usize::try_from(self.generator.below(best.len() as u64));
        let text = place.ok().and_then(|place| best.get(place));
        let chosen = player_view.legal_moves().find(|legal| Some(&&*legal.to_string()) == text);
        let chosen = chosen.ok_or(PlayerError::NothingToChoose)?;
        let (whose, others) = (seat_name(game, seat), solved.moves.len() - best.len());
        let sentence = match others {
            0 => format!("{} for {whose}, whatever the move", solved.value),
            1 => format!("{} for {whose}; the other move is worse", solved.value),
            _ => format!("{} for {whose}; {others} other moves are worse", solved.value),
        };
        Ok(Choice::because(chosen, sentence))
    }
}
