//! The rules.

use game::{
    Code, EndingMoves, Game, Generator, Grid, GridCell, NoChance, Outcome, Picture, PlayoutError,
    PlyOf, Reason, Seat, Turn, Viewer,
};

use super::board::Board;
use super::position::Position;
use super::square::Square;
use crate::x_and_o::{self, XoStatus};

/// Ultimate tic-tac-toe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ultimate;

impl Ultimate {
    /// The last move sent this seat to another board.
    pub const WRONG_BOARD: Code = Code::new("wrong_board");
    /// The board is already won.
    pub const BOARD_DECIDED: Code = Code::new("board_decided");
}

impl Game for Ultimate {
    type Position = Position;
    type Move = Square;
    type Chance = NoChance;

    fn name(&self) -> String {
        "ultimate".to_owned()
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
    ) -> impl ExactSizeIterator<Item = Square> + 'a {
        position.open_squares(seat)
    }

    fn objections(&self, position: &Position, seat: Seat, chosen: &Square) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if position.at(*chosen).is_some() {
            reasons.push(Reason::already_taken());
        }
        if position.winner_of(chosen.board()).is_some() {
            reasons.push(Reason::new(Self::BOARD_DECIDED, "That board is already decided"));
        }
        // A seat that is not to move will be sent to another board before its turn.
        let sent_to = position.next_board().filter(|_| position.status().is_to_move(seat));
        if let Some(board) = sent_to.filter(|board| *board != chosen.board()) {
            let message = format!("You must play in the board from {board}");
            reasons.push(Reason::new(Self::WRONG_BOARD, message));
        }
        reasons
    }

    fn apply(&self, position: &mut Position, seat: Seat, chosen: &Square) {
        position.mark(seat, *chosen);
    }

    fn play_at_random(
        &self,
        position: &mut Position,
        generator: &mut Generator,
    ) -> Result<(), PlayoutError> {
        // A free square needs no check.
        if let XoStatus::ToMove(seat) = position.status() {
            let place = generator.below(position.count_open_squares().into());
            let place = u32::try_from(place).expect("there are 81 squares");
            let square = position.open_square(place).ok_or(PlayoutError::NoMove(seat))?;
            position.mark(seat, square);
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
        if position.may_end(seat) {
            for place in 0..self.count_moves(position, seat) {
                found.try_move(self, position, seat, place);
            }
        }
    }

    fn count_moves(&self, position: &Position, seat: Seat) -> usize {
        if position.status().is_to_move(seat) { position.count_open_squares() as usize } else { 0 }
    }

    fn apply_nth(&self, position: &mut Position, seat: Seat, place: usize) -> bool {
        let place = u32::try_from(place).ok().filter(|_| position.status().is_to_move(seat));
        let Some(square) = place.and_then(|place| position.open_square(place)) else {
            return false;
        };
        position.mark(seat, square);
        true
    }

    fn winning_lines(&self, history: &[PlyOf<Self>]) -> Vec<String> {
        let Some(end) = x_and_o::position_after(self, history) else { return Vec::new() };
        x_and_o::wins(end.status(), |winner| end.lines_of(winner))
    }

    fn estimate(&self, position: &Position, seat: Seat) -> Option<i32> {
        Some(position.estimate(seat))
    }

    /// The rows from the top, and where the next move must be.
    fn text(&self, position: &Position) -> String {
        let row = |row| squares(row).map(|at| x_and_o::symbol(position.at(at))).collect::<String>();
        let rows = (0..9).map(row).collect::<Vec<_>>().join("/");
        match (position.status(), position.next_board()) {
            (XoStatus::ToMove(_), None) => format!("{rows} next anywhere"),
            (XoStatus::ToMove(_), Some(board)) => format!("{rows} next {board}"),
            (XoStatus::WonBy(_) | XoStatus::Drawn, _) => rows,
        }
    }

    fn picture(&self, position: &Position, _: Viewer) -> Picture {
        let cells = (0..9).flat_map(squares).map(|square| cell(position, square)).collect();
        let picture = Picture::of(Grid { columns: 9, cells, block: 3 });
        let won = [Seat::FIRST, Seat::SECOND].into_iter().filter_map(|seat| boards(position, seat));
        won.chain(next_move(position)).fold(picture, Picture::with_note)
    }
}

/// The squares of a row, from the left.
fn squares(row: u8) -> impl Iterator<Item = Square> {
    (0..9).filter_map(move |column| Square::at(row, column))
}

fn cell(position: &Position, square: Square) -> GridCell {
    GridCell {
        name: square.to_string(),
        piece: position.at(square).map(x_and_o::piece),
        moves: vec![square.to_string()],
        decides: position.decides(square),
        owner: position.winner_of(square.board()),
    }
}

/// Which boards a seat has won, if any.
fn boards(position: &Position, seat: Seat) -> Option<String> {
    let won = Board::all().filter(|board| position.winner_of(*board) == Some(seat));
    let won: Vec<String> = won.map(|board| board.to_string()).collect();
    let name = x_and_o::NAMES[seat.index()];
    (!won.is_empty()).then(|| format!("Won by {name}: {}", won.join(", ")))
}

/// Where the next move must be, unless the game is over.
fn next_move(position: &Position) -> Option<String> {
    let XoStatus::ToMove(seat) = position.status() else { return None };
    let name = x_and_o::NAMES[seat.index()];
    Some(match position.next_board() {
        Some(board) => format!("{name} must play in the board from {board}"),
        None => format!("{name} may play in any board that is neither won nor full"),
    })
}

#[cfg(test)]
mod tests;
