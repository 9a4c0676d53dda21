//! What the screen shows besides the session.

use game::{Grid, Picture};

use super::charset::Charset;
use super::palette::Palette;
use crate::play::session::PlaySession;
use crate::play::text;

/// What the screen shows besides the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScreenState {
    /// The number of the cell under the cursor; without a board, of the move.
    pub(super) cursor: usize,
    /// What keys do.
    pub(super) mode: Mode,
    /// Whether explanations are shown beside the board.
    pub(super) explanations: ExplanationsPanel,
    /// By how many lines the text that does not fit is scrolled.
    pub(super) scroll: usize,
    /// A message until the next key.
    pub(super) notice: Option<Notice>,
    /// The colours.
    pub(super) palette: Palette,
    /// The characters.
    pub(super) charset: Charset,
}

/// What keys do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Move the cursor and play.
    Playing,
    /// Choose between several moves on one square.
    Choosing {
        /// The moves.
        moves: Vec<String>,
        /// The number of the selected move.
        cursor: usize,
    },
    /// Type a move.
    Typing(String),
    /// Answer a question.
    Asking(Confirmation),
    /// Scroll and close a page that covers the board.
    Reading(Overlay),
}

/// What a person must confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Confirmation {
    /// Giving up.
    Resign,
    /// Beginning another round before this one is over.
    NewRound,
    /// Leaving a round that is not over.
    Quit,
}

/// A page that covers the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlay {
    /// Explanations, where there is no room beside the board.
    Explanations,
    /// What the game is, and what the keys do.
    Help,
}

/// Whether explanations are shown beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExplanationsPanel {
    Hidden,
    Shown,
}

/// A message until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Notice {
    /// A refusal with its reasons.
    Refused(String),
    /// What was done.
    Done(String),
}

impl ScreenState {
    /// The state at the beginning: the cursor is in the middle of the board.
    pub(super) fn new(session: &PlaySession, palette: Palette, charset: Charset) -> Self {
        let cursor = session.picture().board.map_or(0, |board| {
            let columns = usize::from(board.columns);
            board.rows() / 2 * columns + columns / 2
        });
        Self {
            cursor,
            mode: Mode::Playing,
            explanations: ExplanationsPanel::Hidden,
            scroll: 0,
            notice: None,
            palette,
            charset,
        }
    }

    /// Whether the person has typed that they want to leave.
    pub(super) fn types_quit(&self) -> bool {
        matches!(&self.mode, Mode::Typing(words) if text::is_quit(words))
    }

    /// The number of the cell that the cursor marks. Where a move names a column, it is the cell in
    /// which the piece would land.
    pub(super) fn marked_cell(&self, session: &PlaySession, board: &Grid) -> usize {
        let column = self.cursor % usize::from(board.columns);
        let Some(only) = is_played_by_column(board).then(|| &board.cells[column].moves[0]) else {
            return self.cursor;
        };
        match session.cells_changed_by(only).as_slice() {
            [place] => *place,
            _ => column,
        }
    }

    /// The name of what is under the cursor, and its moves.
    pub(super) fn pointed(
        &self,
        session: &PlaySession,
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

/// Whether a move names a column: all cells of each column have the same single move.
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
    use crate::play::screen::test_screen::TestScreen;

    #[test]
    fn only_connect_four_is_played_by_column() {
        let by_column = |name: &str| {
            let board = TestScreen::new(name, "random").session.picture().board;
            board.is_some_and(|board| is_played_by_column(&board))
        };
        let names = games::catalog::CATALOG.map(|listed| listed.example);
        let found: Vec<_> = names.into_iter().filter(|name| by_column(name)).collect();
        assert_eq!(found, ["connect-four"]);
    }
}
