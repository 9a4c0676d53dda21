//! What is on the screen besides the session.

use game::{Grid, Picture};

use super::palette::Palette;
use crate::play::session::Session;

/// What is on the screen besides the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    /// The number of the cell under the cursor, or of the move where there is no board.
    pub(super) cursor: usize,
    /// What keys mean.
    pub(super) mode: Mode,
    /// Whether reasons are shown.
    pub(super) reasons: Reasons,
    /// What was said last, until the next key.
    pub(super) notice: Option<Notice>,
    /// The colours.
    pub(super) palette: Palette,
}

/// What keys mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// They move the cursor and play.
    Playing,
    /// They choose between moves in the same cell.
    Choosing {
        /// What can be chosen.
        moves: Vec<String>,
        /// The number of the one under the cursor.
        cursor: usize,
    },
    /// They write a move.
    Typing(String),
    /// They say whether the person really wants that.
    Asking(Question),
    /// They only close what covers the board.
    Reading(Page),
}

/// What a person is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// To give up.
    Resign,
    /// To begin another round before this one is over.
    NewRound,
    /// To leave a round that is not over.
    Quit,
}

/// What covers the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Page {
    /// Reasons, where there is no room beside the board.
    Reasons,
    /// What the game is, and what the keys are.
    Help,
}

/// Whether reasons are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reasons {
    Hidden,
    VisibleEntry,
}

/// Something to be said once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Notice {
    /// What was refused, and why.
    Refused(String),
    /// What was done.
    Done(String),
}

impl View {
    /// The view at the beginning: the cursor is in the middle.
    pub(super) fn new(session: &Session, palette: Palette) -> Self {
        let cursor = session.picture().board.map_or(0, |board| {
            let columns = usize::from(board.columns);
            board.rows() / 2 * columns + columns / 2
        });
        let (mode, reasons) = (Mode::Playing, Reasons::Hidden);
        Self { cursor, mode, reasons, notice: None, palette }
    }

    /// The number of the cell that the cursor marks: where a piece would come to stand, if all
    /// cells of a column mean the same.
    pub(super) fn place(&self, session: &Session, board: &Grid) -> usize {
        let column = self.cursor % usize::from(board.columns);
        let Some(only) = is_played_by_column(board).then(|| &board.cells[column].moves[0]) else {
            return self.cursor;
        };
        match session.cells_changed_by(only).as_slice() {
            [place] => *place,
            _ => column,
        }
    }

    /// What the cursor points at: its name, and the moves that this may mean.
    pub(super) fn pointed(
        &self,
        session: &Session,
        picture: &Picture,
    ) -> Option<(String, Vec<String>)> {
        if let Some(board) = &picture.board {
            let cell = board.cells.get(self.cursor)?;
            let name = if is_played_by_column(board) { &cell.moves[0] } else { &cell.name };
            return Some((name.clone(), cell.moves.clone()));
        }
        let moves = session.legal_moves();
        let chosen = moves.get(self.cursor.min(moves.len().checked_sub(1)?))?.to_string();
        Some((chosen.clone(), vec![chosen]))
    }
}

/// Whether all cells of each column mean the same single move, so that a move names a column.
pub(super) fn is_played_by_column(board: &Grid) -> bool {
    let is_like_top = |(place, cell): (usize, &game::GridCell)| {
        let top = &board.cells[place % usize::from(board.columns)];
        cell.moves.len() == 1 && cell.moves == top.moves
    };
    board.rows() > 1 && board.cells.iter().enumerate().all(is_like_top)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::screen::stage::Stage;

    #[test]
    fn only_connect_four_is_played_by_column() {
        let by_column = |name: &str| {
            let board = Stage::new(name, "random").session.picture().board;
            board.is_some_and(|board| is_played_by_column(&board))
        };
        let names = games::catalog::CATALOG.map(|listed| listed.example);
        let found: Vec<_> = names.into_iter().filter(|name| by_column(name)).collect();
        assert_eq!(found, ["connect-four"]);
    }
}
