//! An exact solver.
//!
//! It follows Pascal Pons' tutorial (<http://blog.gamesolver.org>): negamax with a null window on
//! bitboards, a transposition table, moves in the order of the threats that they make, and no move
//! that loses at once.

mod bitboard;
mod move_order;
mod score_table;

use game::{
    CutShort, ExactSolver, Game, MoveAnalysis, PositionAnalysis, PositionValue, SearchBudget, Seat,
    Turn, Unsolvable, line_from,
};

use super::column::Column;
use super::position::Position;
use super::rules::ConnectFour;
use bitboard::{Bitboard, CELLS};
use move_order::MoveOrder;
use score_table::ScoreTable;

/// Solves positions of Connect Four.
///
/// A score is 22 minus the number of stones that the winner will have played, negative for a loss, and
/// 0 for a draw.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectFourSolver;

/// A solver with its table of scores.
#[derive(Debug)]
pub struct ConnectFourSearch {
    table: ScoreTable,
}

impl Default for ConnectFourSearch {
    /// A search whose table takes at most 32 MiB.
    fn default() -> Self {
        Self { table: ScoreTable::new(21) }
    }
}

/// The most positions that are visited to find a best line.
const MOST_LINE_STEPS: u64 = 4_000_000;

/// Boards with fewer stones than this are looked up together with their mirror images: later it costs
/// more than it finds.
const MIRRORED_BELOW: i32 = 14;

impl ConnectFourSearch {
    /// A search whose table takes at most 512 MiB, for boards with few stones.
    #[must_use]
    pub fn with_large_table() -> Self {
        Self { table: ScoreTable::new(25) }
    }

    /// The score of a position for the seat to move.
    ///
    /// # Errors
    /// If the budget does not suffice.
    pub fn score(
        &mut self,
        position: &Position,
        budget: &mut SearchBudget<'_>,
    ) -> Result<i32, CutShort> {
        self.solve(Bitboard::of(position), budget)
    }

    fn solve(&mut self, board: Bitboard, budget: &mut SearchBudget<'_>) -> Result<i32, CutShort> {
        if board.can_win_next() {
            return Ok((CELLS + 1 - board.stones()) / 2);
        }
        let (mut least, mut most) =
            (-(CELLS - board.stones()) / 2, (CELLS + 1 - board.stones()) / 2);
        while least < most {
            // The first question is which seat wins, and the next one how soon.
            let middle = least + (most - least) / 2;
            let middle = if middle <= 0 && least / 2 < middle {
                least / 2
            } else if middle >= 0 && most / 2 > middle {
                most / 2
            } else {
                middle
            };
            let score = self.negamax(board, middle, middle + 1, budget)?;
            if score <= middle {
                most = score;
            } else {
                least = score;
            }
        }
        Ok(least)
    }

    /// The score of a position in which nobody can win at once, if it is inside the window; otherwise a
    /// bound of it.
    fn negamax(
        &mut self,
        board: Bitboard,
        mut alpha: i32,
        mut beta: i32,
        budget: &mut SearchBudget<'_>,
    ) -> Result<i32, CutShort> {
        budget.step()?;
        let stones = board.stones();
        let moves = board.moves_that_do_not_lose();
        if moves == 0 {
            return Ok(-(CELLS - stones) / 2);
        }
        if stones >= CELLS - 2 {
            return Ok(0);
        }
        alpha = alpha.max(-(CELLS - 2 - stones) / 2);
        if alpha >= beta {
            return Ok(alpha);
        }
        beta = beta.min((CELLS - 1 - stones) / 2);
        let key = if stones < MIRRORED_BELOW {
            board.key().min(board.mirrored().key())
        } else {
            board.key()
        };
        if let Some(bounds) = self.table.get(key) {
            if bounds.least > alpha {
                alpha = bounds.least;
            }
            if bounds.most < beta {
                beta = bounds.most;
            }
        }
        if alpha >= beta {
            return Ok(if alpha > beta { beta } else { alpha });
        }
        let mut order = MoveOrder::default();
        for bit in bitboard::from_the_sides(moves) {
            order.add(bit, board.threats_after(bit));
        }
        let before = budget.steps();
        while let Some(bit) = order.next() {
            let score = -self.negamax(board.after(bit), -beta, -alpha, budget)?;
            if score >= beta {
                self.table.put_least(key, score, budget.steps() - before);
                return Ok(score);
            }
            alpha = alpha.max(score);
        }
        self.table.put_most(key, alpha, budget.steps() - before);
        Ok(alpha)
    }

    /// The value of a position for the seat to move: the score, and the number of plies until the end.
    ///
    /// # Errors
    /// If the budget does not suffice.
    pub fn value(
        &mut self,
        position: &Position,
        budget: &mut SearchBudget<'_>,
    ) -> Result<PositionValue, CutShort> {
        let score = self.score(position, budget)?;
        Ok(value(score, Bitboard::of(position).stones()))
    }

    /// A best line from a position with these scores, until the budget ends.
    fn line(
        &mut self,
        position: &Position,
        scores: [Option<i32>; 7],
        budget: &mut SearchBudget<'_>,
    ) -> Vec<String> {
        let best = scores.into_iter().flatten().max();
        let first = Column::ALL.into_iter().zip(scores).find(|(_, score)| *score == best);
        let (Some(best), Some((first, _)), Turn::One(seat)) =
            (best, first, ConnectFour.turn(position))
        else {
            return Vec::new();
        };
        // The score after a best move is that of the other seat.
        let mut wanted = -best;
        line_from(&ConnectFour, position, seat, first, |position, _| {
            let found = self.column_of_score(Bitboard::of(position), wanted, budget).ok().flatten();
            wanted = -wanted;
            found
        })
    }

    /// The first column with this score for the seat to move.
    fn column_of_score(
        &mut self,
        board: Bitboard,
        wanted: i32,
        budget: &mut SearchBudget<'_>,
    ) -> Result<Option<Column>, CutShort> {
        for column in Column::ALL {
            let Some(bit) = board.drop_into(column) else { continue };
            let after = board.after(bit);
            let is_best = if board.wins_by(bit) {
                wanted == (CELLS + 1 - board.stones()) / 2
            } else if after.can_win_next() {
                wanted == -((CELLS + 1 - after.stones()) / 2)
            } else {
                // No column has a higher score, so it is enough to know that this one is not lower.
                -self.negamax(after, -wanted, 1 - wanted, budget)? >= wanted
            };
            if is_best {
                return Ok(Some(column));
            }
        }
        Ok(None)
    }

    /// The score of each column for the seat to move; `None` if it is full.
    ///
    /// # Errors
    /// If the budget does not suffice.
    pub fn scores(
        &mut self,
        position: &Position,
        budget: &mut SearchBudget<'_>,
    ) -> Result<[Option<i32>; 7], CutShort> {
        let board = Bitboard::of(position);
        let mut scores = [None; 7];
        for (column, score) in Column::ALL.into_iter().zip(&mut scores) {
            let Some(bit) = board.drop_into(column) else { continue };
            *score = Some(if board.wins_by(bit) {
                (CELLS + 1 - board.stones()) / 2
            } else {
                -self.solve(board.after(bit), budget)?
            });
        }
        Ok(scores)
    }
}

impl ExactSolver<ConnectFour> for ConnectFourSolver {
    fn solve(
        &self,
        position: &Position,
        budget: &mut SearchBudget<'_>,
    ) -> Result<PositionAnalysis, CutShort> {
        let mut search = ConnectFourSearch::default();
        let scores = search.scores(position, budget)?;
        let line = budget.tenth(MOST_LINE_STEPS, |budget| search.line(position, scores, budget))?;
        let stones = Bitboard::of(position).stones();
        let moves = Column::ALL.into_iter().zip(scores).filter_map(|(column, score)| {
            let value = value(score?, stones);
            Some(MoveAnalysis {
                chosen: column.to_string(),
                value,
                visits: None,
                probability: None,
            })
        });
        let moves: Vec<MoveAnalysis> = moves.collect();
        let best = scores.into_iter().flatten().max().unwrap_or(0);
        let method = "connect-four solver".to_owned();
        Ok(PositionAnalysis { method, value: value(best, stones), moves, line })
    }

    fn check_quick(&self) -> Result<(), Unsolvable> {
        Err(Unsolvable::SlowOpening)
    }
}

/// The value of a score in a position with this many stones.
fn value(score: i32, stones: i32) -> PositionValue {
    let own = stones / 2;
    let plies = match score {
        // Both seats play as many stones as the winner still needs, except that a winner who is to
        // move also plays the last one.
        1.. => 2 * (CELLS / 2 + 1 - score - own) - 1,
        0 => CELLS - stones,
        _ => 2 * (CELLS / 2 + 1 + score - (stones - own)),
    };
    let (expected, plies) = (f64::from(score.signum()), u32::try_from(plies).ok());
    PositionValue { expected, exact: true, plies, score: Some(score) }
}

/// Whether some move of a seat ends the game.
pub(super) fn may_end(position: &Position, seat: Seat) -> bool {
    let board = Bitboard::of_seat(position, seat);
    board.can_win_next() || board.stones() + 1 == CELLS
}

/// The weight of a line by its stones, if they are all of one seat.
const WEIGHTS: [i32; 5] = [0, 1, 8, 40, 1_000];

/// An estimate of a position: lines that are still open count, the more the fuller they are.
pub(super) fn estimate(position: &Position, seat: Seat) -> i32 {
    let weight = |seat| {
        let board = Bitboard::of_seat(position, seat);
        board.open_lines().map(|stones| WEIGHTS[stones]).sum::<i32>()
    };
    match ConnectFour.turn(position) {
        Turn::Over(outcome) => 1_000 * outcome.score(seat),
        _ => (weight(seat) - weight(seat.opponent())).clamp(-999, 999),
    }
}

#[cfg(test)]
mod tests;
