//! Solvers that know their game.

use std::fmt::Debug;

use super::position_analysis::PositionAnalysis;
use crate::game::Game;
use crate::players::{CutShort, SearchBudget, Unsolvable};
use crate::seat::Seat;
use crate::turn::Turn;

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

/// A best line that begins with a move: the moves that `best` finds, until the game is over, chance draws,
/// or nothing is found.
pub fn line_from<G: Game>(
    game: &G,
    position: &G::Position,
    seat: Seat,
    first: G::Move,
    mut best: impl FnMut(&G::Position, Seat) -> Option<G::Move>,
) -> Vec<String> {
    // A game whose positions come again would have no last move.
    const LONGEST: usize = 100;
    let (mut line, mut position, mut next) = (Vec::new(), position.clone(), Some((seat, first)));
    while let Some((seat, chosen)) = next.filter(|_| line.len() < LONGEST) {
        game.apply(&mut position, seat, &chosen);
        line.push(chosen.to_string());
        next = match game.turn(&position) {
            Turn::One(seat) => best(&position, seat).map(|chosen| (seat, chosen)),
            Turn::Several(_) | Turn::Chance | Turn::Over(_) => None,
        };
    }
    line
}
