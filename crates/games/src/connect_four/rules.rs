//! The rules.

use std::sync::Arc;

use game::{
    Code, EndingMoves, ExactSolver, Game, Generator, Grid, GridCell, NoChance, Outcome, Picture,
    PlayoutError, PlyOf, Reason, Seat, Turn, Viewer,
};

use super::column::Column;
use super::position::{HEIGHT, Position, cell_name};
use super::solver::{self, ConnectFourSolver};
use crate::x_and_o::{self, XoStatus};

/// Connect Four with seven columns of six.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ConnectFour;

impl ConnectFour {
    /// No stone fits into the column.
    pub const COLUMN_FULL: Code = Code::new("column_full");
}

impl Game for ConnectFour {
    type Position = Position;
    type Move = Column;
    type Chance = NoChance;

    fn name(&self) -> String {
        "connect-four".to_owned()
    }

    fn seats(&self) -> Vec<&str> {
        x_and_o::NAMES.into()
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn turn(&self, position: &Position) -> Turn {
        position.status().turn()
    }

    fn legal_moves<'a>(
        &'a self,
        position: &'a Position,
        seat: Seat,
    ) -> impl ExactSizeIterator<Item = Column> + 'a {
        position.open_columns(seat)
    }

    fn objections(&self, position: &Position, _: Seat, chosen: &Column) -> Vec<Reason> {
        if position.is_full(*chosen) {
            vec![Reason::new(Self::COLUMN_FULL, "That column is full")]
        } else {
            Vec::new()
        }
    }

    fn apply(&self, position: &mut Position, seat: Seat, chosen: &Column) {
        position.fall(seat, *chosen);
    }

    fn play_at_random(
        &self,
        position: &mut Position,
        generator: &mut Generator,
    ) -> Result<(), PlayoutError> {
        // An open column needs no check.
        if let XoStatus::ToMove(seat) = position.status() {
            let mut columns = position.open_columns(seat);
            let place = generator.below(columns.len() as u64);
            let place = usize::try_from(place).expect("there are seven columns");
            let column = columns.nth(place).ok_or(PlayoutError::NoMove(seat))?;
            position.fall(seat, column);
        }
        Ok(())
    }

    fn play_out(
        &self,
        position: &mut Position,
        generator: &mut Generator,
        most_plies: u32,
    ) -> Result<Option<Outcome>, PlayoutError> {
        position.play_out(generator, most_plies);
        Ok(self.turn(position).outcome())
    }

    fn find_ending_moves(
        &self,
        position: &Position,
        seat: Seat,
        found: &mut EndingMoves<Position>,
    ) {
        if solver::may_end(position, seat) {
            for place in 0..self.count_moves(position, seat) {
                found.try_move(self, position, seat, place);
            }
        }
    }

    fn winning_lines(&self, history: &[PlyOf<Self>]) -> Vec<String> {
        let Some(end) = x_and_o::position_after(self, history) else { return Vec::new() };
        x_and_o::wins(end.status(), |winner| end.lines_of(winner))
    }

    fn estimate(&self, position: &Position, seat: Seat) -> Option<i32> {
        Some(solver::estimate(position, seat))
    }

    fn solver(&self) -> Option<Arc<dyn ExactSolver<Self>>> {
        Some(Arc::new(ConnectFourSolver))
    }

    /// The rows from the top.
    fn text(&self, position: &Position) -> String {
        let row =
            |row| Column::ALL.map(|column| x_and_o::symbol(position.at(column, row))).concat();
        (0..HEIGHT).map(row).collect::<Vec<_>>().join("/")
    }

    fn picture(&self, position: &Position, _: Viewer) -> Picture {
        let row = |row| Column::ALL.map(|column| cell(position, column, row));
        Picture::of(Grid { columns: 7, cells: (0..HEIGHT).flat_map(row).collect(), block: 1 })
    }
}

fn cell(position: &Position, column: Column, row: u8) -> GridCell {
    GridCell {
        name: cell_name(column, row),
        piece: position.at(column, row).map(x_and_o::piece),
        moves: vec![column.to_string()],
        decides: position.decides(column, row),
        owner: None,
    }
}

#[cfg(test)]
mod tests;
