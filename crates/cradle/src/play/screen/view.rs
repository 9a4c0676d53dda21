//! What is on the screen besides the session.

use game::Picture;

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
    /// They say whether the person really gives up.
    Resigning,
}

/// Whether reasons are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reasons {
    Hidden,
    Shown,
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

    /// What the cursor points at: its name, and the moves that this may mean.
    pub(super) fn pointed(
        &self,
        session: &Session,
        picture: &Picture,
    ) -> Option<(String, Vec<String>)> {
        if let Some(board) = &picture.board {
            let cell = board.cells.get(self.cursor)?;
            return Some((cell.name.clone(), cell.moves.clone()));
        }
        let moves = session.legal_moves();
        let chosen = moves.get(self.cursor.min(moves.len().checked_sub(1)?))?.to_string();
        Some((chosen.clone(), vec![chosen]))
    }
}
