//! Draws the line that names the keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::palette::Role;
use super::view::{Mode, Question, View, is_played_by_column};
use crate::play::session::{Awaited, Session};
use crate::wrap::length;

/// A key and what it does.
type Key = (&'static str, &'static str);

const AFTER_THE_END: [Key; 5] =
    [("n", "new round"), ("u", "undo"), ("?", "why"), ("i", "info"), ("q", "quit")];

/// Draws the keys that make sense now; where there is little room, with fewer words.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, session: &Session, view: &View) {
    let inner = Rect { x: area.x + 1, width: area.width - 2, ..area };
    let long = keys(session, view);
    let fits = |(keys, gap): &(Vec<Key>, u16)| width(keys, *gap) <= inner.width;
    let candidates = [(long.clone(), 2), (short(&long), 2), (short(&long), 1), (bare(&long), 1)];
    let Some((keys, gap)) = candidates.into_iter().find(fits) else { return };
    let mut x = inner.x;
    for key @ (name, does) in keys {
        let (after, _) = buffer.set_span(
            x,
            inner.y,
            &Span::styled(name, view.palette.style(Role::Strong)),
            inner.right() - x,
        );
        if !does.is_empty() {
            buffer.set_string(after + 1, inner.y, does, view.palette.style(Role::Soft));
        }
        x += width(&[key], gap) + gap;
    }
}

fn width(keys: &[Key], gap: u16) -> u16 {
    let width = |(name, does): &Key| length(name) + length(does) + usize::from(!does.is_empty());
    let widths: usize = keys.iter().map(width).sum();
    let gaps = usize::from(gap) * keys.len().saturating_sub(1);
    u16::try_from(widths + gaps).unwrap_or(u16::MAX)
}

/// Without the keys that everybody tries, and with a sign for the Enter key.
fn short(keys: &[Key]) -> Vec<Key> {
    let others = keys.iter().filter(|(_, does)| *does != MOVE);
    others.map(|(name, does)| (if *name == ENTER { "↵" } else { name }, *does)).collect()
}

/// Just the keys, and a word for the one that tells more.
fn bare(keys: &[Key]) -> Vec<Key> {
    let word = |does: &'static str| if does == INFO { does } else { "" };
    short(keys).into_iter().map(|(name, does)| (name, word(does))).collect()
}

const ENTER: &str = "Enter";
const MOVE: &str = "move";
const INFO: &str = "info";

fn keys(session: &Session, view: &View) -> Vec<Key> {
    match view.mode {
        Mode::Playing => match session.awaited() {
            Awaited::Nobody(_) => AFTER_THE_END.to_vec(),
            _ => playing(session),
        },
        Mode::Choosing { .. } => vec![("↑↓", MOVE), (ENTER, "play"), ("Esc", "back")],
        Mode::Typing(_) => vec![(ENTER, "play"), ("Esc", "back")],
        Mode::Asking(question) => vec![
            match question {
                Question::Resign => ("y", "give up"),
                Question::NewRound => ("y", "another round"),
                Question::Quit => ("y", "leave"),
            },
            ("n", "play on"),
        ],
        Mode::Reading(_) => vec![("Esc", "back")],
    }
}

fn playing(session: &Session) -> Vec<Key> {
    let arrows = match session.picture().board {
        Some(board) if is_played_by_column(&board) => "←→",
        Some(_) => "←↑↓→",
        None => "↑↓",
    };
    vec![
        (arrows, MOVE),
        (ENTER, "play"),
        ("?", "why"),
        ("u", "undo"),
        ("n", "new"),
        ("r", "resign"),
        (":", "write"),
        ("i", INFO),
        ("q", "quit"),
    ]
}
