//! The help page: what the game is, and what the keys do.

use game::Game;
use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};

use super::palette::{Palette, StyleRole};
use super::text_box::TextBox;
use crate::play::session::{PlaySession, has_numbered_cells};
use crate::play::text;
use crate::wrap::wrapped;

/// The keys of every game, most important first.
const KEYS: [(&str, &str); 9] = [
    ("Enter", "play what is under the cursor"),
    ("?", "why a move was made or is refused"),
    ("u", "take a move back"),
    ("n", "another round; seats are swapped"),
    ("q", "quit"),
    ("r", "give up this round"),
    (":", "type a move"),
    ("hjkl", "move like the arrows"),
    ("PgUp/Dn", "scroll a long text"),
];

/// The help page over the body of the screen.
pub(super) fn text_box<'a>(body: Rect, session: &PlaySession, palette: Palette) -> TextBox<'a> {
    let area = body.inner(Margin::new(2, 1));
    let mut lines = vec![Line::styled(session.game().name(), palette.style(StyleRole::Strong))];
    let summary = text::summary(session).unwrap_or_default();
    lines.extend(wrapped(summary, usize::from(area.width)).into_iter().map(Line::from));
    lines.push(Line::default());
    let keys = keys_of_squares(session).into_iter().chain(keys_of_letters(session));
    let keys = KEYS.map(|(key, does)| (key.to_owned(), does)).into_iter().chain(keys);
    lines.extend(keys.map(|(key, does)| {
        let key = Span::styled(format!("{key:<8}"), palette.style(StyleRole::Strong));
        Line::from(vec![key, Span::styled(does, palette.style(StyleRole::Soft))])
    }));
    TextBox { area, lines }
}

/// The digits that play squares.
fn keys_of_squares(session: &PlaySession) -> Option<(String, &'static str)> {
    let board = session.picture().board.filter(has_numbered_cells)?;
    Some((square_keys(board.cells.len()), "play that square, counted row by row"))
}

/// The first and the last digit that play a square: `0-8`.
pub(super) fn square_keys(cells: usize) -> String {
    format!("0-{}", cells.saturating_sub(1))
}

/// The letters that select one of several moves on a square.
fn keys_of_letters(session: &PlaySession) -> Option<(String, &'static str)> {
    let cells = session.picture().board?.cells;
    let moves = cells.into_iter().map(|cell| cell.moves).find(|moves| moves.len() > 1)?;
    let letters: Vec<String> =
        moves.iter().filter_map(|words| words.get(..1)).map(Into::into).collect();
    Some((letters.join(" "), "select a mark; Enter plays it"))
}
