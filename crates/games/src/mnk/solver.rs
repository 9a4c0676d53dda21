//! An exact solver of k in a row on boards of at most 36 cells.

mod distance_table;
mod proof_table;
mod rating;
mod search;
mod symmetry;

use std::sync::Arc;

use game::{
    BGame, CutShort, ExactSolver, Game, MoveAnalysis, PositionAnalysis, PositionValue,
    SearchBudget, Seat, Unsolvable,
};

use super::board::Board;
use super::line::Line;
use super::rulebook::{Mnk, Variant};
use super::size::Size;
use crate::tic_tac_toe::Mark;
use rating::{RatedMove, best_of};
pub use search::MnkSearch;

/// Solves positions of k in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct MnkSolver(Size);

/// The most positions that are visited to find a best line.
const MOST_LINE_STEPS: u64 = 4_000_000;

/// The most cells of a board that is solved.
const MOST_CELLS: u16 = 36;

/// With fewer cells every position can be visited, which also says how long a game takes.
const LEAST_CELLS: u16 = 13;

impl MnkSolver {
    /// The solver of a game, if it is not too small and not too large for it.
    pub(super) fn of(game: Mnk) -> Option<Arc<dyn ExactSolver<BGame<Mnk>>>> {
        let size = game.size();
        let is_solved =
            game.variant() == Variant::Usual && (LEAST_CELLS..=MOST_CELLS).contains(&size.area());
        is_solved.then(|| {
            let solver: Arc<dyn ExactSolver<BGame<Mnk>>> = Arc::new(Self(size));
            solver
        })
    }
}

/// Whether the opening of the usual game on boards of this size, and what follows each first move, are solved
/// within about two seconds. Four in a row takes longer on 30 cells, and five in a row on 36.
pub(super) fn is_quick(size: Size) -> bool {
    let area = size.area();
    (LEAST_CELLS..=MOST_CELLS).contains(&area)
        && size.columns().max(size.rows()) <= 6
        && match size.length() {
            4 => area <= 25,
            5 => area <= 30,
            _ => true,
        }
}

impl ExactSolver<BGame<Mnk>> for MnkSolver {
    fn solve(
        &self,
        position: &<BGame<Mnk> as Game>::Position,
        budget: &mut SearchBudget<'_>,
    ) -> Result<PositionAnalysis, CutShort> {
        let Self(size) = *self;
        let mut search = MnkSearch::new(size).ok_or(CutShort::OutOfBudget)?;
        let (own, other) = marks(size, position.board());
        let rated = search.rate(own, other, budget)?;
        let value = best_of(&rated).map_or_else(|| PositionValue::certain(0.0), |best| best.value);
        let line = budget.tenth(MOST_LINE_STEPS, |budget| search.line(own, other, budget))?;
        let name = |bit: u64| size.cells().nth(bit.trailing_zeros() as usize);
        let name = |bit: u64| name(bit).map_or_else(String::new, |cell| cell.to_string());
        let moves = rated.iter().map(|RatedMove { bit, value }| MoveAnalysis {
            chosen: name(*bit),
            value: *value,
            visits: None,
            probability: None,
        });
        Ok(PositionAnalysis {
            method: "k in a row solver".to_owned(),
            value,
            moves: moves.collect(),
            line: line.into_iter().map(name).collect(),
        })
    }

    fn check_quick(&self) -> Result<(), Unsolvable> {
        if is_quick(self.0) { Ok(()) } else { Err(Unsolvable::SlowOpening) }
    }
}

/// The marks of the player to move and those of the other one, as bits.
fn marks(size: Size, board: &Board) -> (u64, u64) {
    let marks = |wanted: Mark| {
        let cells = (0..).zip(size.cells()).filter(|(_, cell)| board.at(*cell) == Some(wanted));
        cells.fold(0_u64, |bits, (place, _): (u32, _)| bits | 1 << place)
    };
    let (crosses, noughts) = (marks(Mark::X), marks(Mark::O));
    let is_first = crosses.count_ones() == noughts.count_ones();
    if is_first { (crosses, noughts) } else { (noughts, crosses) }
}

/// An estimate of a board: lines that are still open count, the more the fuller they are.
pub(super) fn estimate(game: Mnk, board: &Board, seat: Seat) -> Option<i32> {
    let sign = match game.variant() {
        Variant::Usual => 1,
        Variant::Misere => -1,
        // Both players write the same marks.
        Variant::Wild | Variant::Notakto => return None,
    };
    let mark = Mark::of(seat)?;
    let length = u32::from(game.size().length());
    let sum: i64 = Line::all(game.size())
        .map(|line| {
            let mut counts = [0_u32; 2];
            for found in line.cells().filter_map(|cell| board.at(cell)) {
                counts[usize::from(found != mark)] += 1;
            }
            match counts {
                [0, 0] => 0,
                [own, 0] => weight(own, length),
                [0, other] => -weight(other, length),
                _ => 0,
            }
        })
        .sum();
    Some(sign * i32::try_from(sum.clamp(-999, 999)).expect("the sum is clamped"))
}

/// A line that lacks one mark counts 64, and each other mark that it lacks divides that by four.
fn weight(marks: u32, length: u32) -> i64 {
    1 + (256_i64 >> (2 * (length - marks.min(length)).min(4)))
}

/// The value of an empty board for the player who opens: 1 if it wins, 0 for a draw.
///
/// # Errors
/// If the budget does not suffice.
pub fn opening_value(size: Size, budget: &mut SearchBudget<'_>) -> Result<i32, CutShort> {
    MnkSearch::new(size).ok_or(CutShort::OutOfBudget)?.opening_value(budget)
}

#[cfg(test)]
mod tests;
