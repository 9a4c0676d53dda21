//! Draws what the game is, and what the keys are.

use game::Game;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::palette::{Palette, Role};
use super::panel;
use crate::play::session::Session;
use crate::play::words;
use crate::wrap::wrapped;

/// The keys, the most important first.
const KEYS: [(&str, &str); 10] = [
    ("Enter", "play what is under the cursor"),
    ("?", "why a move was made or is refused"),
    ("u", "take a move back"),
    ("n", "another round"),
    ("q", "quit"),
    ("r", "give up this round"),
    (":", "write a move"),
    ("hjkl", "move like the arrows"),
    ("1…9", "the cells of a board of nine"),
    ("X O", "which of the marks, in some games"),
];

/// Draws a page over the board.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, session: &Session, palette: Palette) {
    Clear.render(area, buffer);
    buffer.set_style(area, palette.style(Role::Card));
    let area = area.inner(Margin::new(2, 1));
    let mut lines = vec![Line::styled(session.game().name(), palette.style(Role::Strong))];
    let summary = words::summary(session).unwrap_or_default();
    lines.extend(wrapped(summary, usize::from(area.width)).into_iter().map(Line::from));
    lines.push(Line::default());
    lines.extend(KEYS.map(|(key, does)| {
        let key = Span::styled(format!("{key:<7}"), palette.style(Role::Strong));
        Line::from(vec![key, Span::styled(does, palette.style(Role::Soft))])
    }));
    panel::show(buffer, area, lines, palette);
}
