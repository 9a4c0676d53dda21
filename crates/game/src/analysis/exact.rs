//! Solvers that know their game.

use std::fmt::Debug;

use super::position_analysis::PositionAnalysis;
use crate::game::Game;
use crate::players::{CutShort, SearchBudget, Unsolvable};

/// Solves positions of one game.
pub trait ExactSolver<G: Game>: Debug + Send + Sync {
    /// The exact value of a position in which one seat is to move, and of each of its moves.
    ///
    /// # Errors
    /// If the budget does not suffice, or the search was stopped.
    fn solve(
        &self,
        position: &G::Position,
        budget: &mut SearchBudget<'_>,
    ) -> Result<PositionAnalysis, CutShort>;

    /// Checks that every position of a game can be solved before a player gets impatient.
    ///
    /// # Errors
    /// If some cannot.
    fn check_quick(&self) -> Result<(), Unsolvable>;
}
