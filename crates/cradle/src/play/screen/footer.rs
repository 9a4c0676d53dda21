//! The line that lists the keys. Each of them can also be clicked.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::charset::Charset;
use super::frame;
use super::help::square_keys;
use super::keys::{ScrollStep, UserAction};
use super::palette::StyleRole;
use super::state::{Confirmation, Mode, ScreenState, is_played_by_column};
use crate::play::session::{NextActor, PlaySession, has_numbered_cells};
use crate::wrap::length;

/// A key, what it does, and what a click on it does.
#[derive(Clone, Debug)]
struct KeyHint {
    key: Cow<'static, str>,
    does: &'static str,
    click: Option<UserAction>,
}

/// Draws the keys that make sense now.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, session: &PlaySession, state: &ScreenState) {
    let [strong, soft] = [StyleRole::Strong, StyleRole::Soft].map(|role| state.palette.style(role));
    for (place, hint) in placed(area, session, state) {
        let (after, _) =
            buffer.set_stringn(place.x, place.y, &hint.key, place.width.into(), strong);
        if !hint.does.is_empty() {
            buffer.set_string(after + 1, place.y, hint.does, soft);
        }
    }
}

/// What a click on this point of the footer does.
pub(super) fn action_at(
    point: Position,
    area: Rect,
    session: &PlaySession,
    state: &ScreenState,
) -> Option<UserAction> {
    let mut placed = placed(area, session, state).into_iter();
    placed.find(|(place, _)| place.contains(point))?.1.click
}

/// The hints and their places. Where there is little room, they have fewer words.
fn placed(area: Rect, session: &PlaySession, state: &ScreenState) -> Vec<(Rect, KeyHint)> {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let all = hints(inner, session, state);
    let without_arrows: Vec<KeyHint> =
        all.iter().filter(|hint| hint.does != MOVE).cloned().collect();
    let candidates = [
        (all, 2),
        (without_arrows.clone(), 2),
        (short(&without_arrows, state.charset), 2),
        (short(&without_arrows, state.charset), 1),
        (bare(&without_arrows, state.charset), 1),
    ];
    let fits = |(hints, gap): &(Vec<KeyHint>, u16)| total_width(hints, *gap) <= inner.width;
    let Some((hints, gap)) = candidates.into_iter().find(fits) else { return Vec::new() };
    let mut x = inner.x;
    let place = |hint: KeyHint| {
        let place = Rect { x, width: hint.width(), ..inner };
        x += hint.width() + gap;
        (place, hint)
    };
    hints.into_iter().map(place).collect()
}

fn total_width(hints: &[KeyHint], gap: u16) -> u16 {
    let widths: u16 = hints.iter().map(KeyHint::width).sum();
    widths + gap * u16::try_from(hints.len().saturating_sub(1)).unwrap_or(u16::MAX)
}

/// The hints with a sign for the Enter key, if the terminal can show it.
fn short(hints: &[KeyHint], charset: Charset) -> Vec<KeyHint> {
    let shortened = |hint: &KeyHint| match charset {
        Charset::Unicode if hint.key == ENTER => KeyHint { key: "↵".into(), ..hint.clone() },
        Charset::Unicode | Charset::Ascii => hint.clone(),
    };
    hints.iter().map(shortened).collect()
}

/// The keys alone, and a word for the one that explains the others.
fn bare(hints: &[KeyHint], charset: Charset) -> Vec<KeyHint> {
    let word = |does: &'static str| if does == INFO { does } else { "" };
    let bare = |hint: KeyHint| KeyHint { does: word(hint.does), ..hint };
    short(hints, charset).into_iter().map(bare).collect()
}

const ENTER: &str = "Enter";
const MOVE: &str = "move";
const INFO: &str = "info";

impl KeyHint {
    fn new(key: impl Into<Cow<'static, str>>, does: &'static str, click: UserAction) -> Self {
        Self { key: key.into(), does, click: Some(click) }
    }

    /// A hint for several keys, which a click cannot tell apart.
    fn unclickable(key: impl Into<Cow<'static, str>>, does: &'static str) -> Self {
        Self { key: key.into(), does, click: None }
    }

    fn width(&self) -> u16 {
        let gap = usize::from(!self.does.is_empty());
        u16::try_from(length(&self.key) + gap + length(self.does)).unwrap_or(u16::MAX)
    }
}

fn hints(area: Rect, session: &PlaySession, state: &ScreenState) -> Vec<KeyHint> {
    let back = || KeyHint::new("Esc", "back", UserAction::Back);
    let play = || KeyHint::new(ENTER, "play", UserAction::Choose);
    match state.mode {
        Mode::Playing => match session.next_actor() {
            NextActor::Nobody(_) => after_the_end(),
            _ => playing(session),
        },
        Mode::Choosing { .. } => vec![KeyHint::unclickable("↑↓", MOVE), play(), back()],
        Mode::Typing(_) => vec![play(), back()],
        Mode::Asking(question) => {
            let does = match question {
                Confirmation::Resign => "give up",
                Confirmation::NewRound => "another round",
                Confirmation::Quit => "leave",
            };
            let yes = KeyHint::new("y", does, UserAction::Agree);
            vec![yes, KeyHint::new("n", "play on", UserAction::Back)]
        }
        Mode::Reading(_) => {
            let window = Rect { x: 0, y: 0, width: area.right() + 1, height: area.bottom() };
            let text = frame::scrolling_text(window, session, state);
            let scroll = text
                .filter(|text| text.hidden_lines() > 0)
                .map(|_| KeyHint::new("↑↓", "scroll", UserAction::Scroll(ScrollStep::PageDown)));
            scroll.into_iter().chain([back()]).collect()
        }
    }
}

fn after_the_end() -> Vec<KeyHint> {
    vec![
        KeyHint::new("n", "new round", UserAction::NewRound),
        KeyHint::new("u", "undo", UserAction::Undo),
        KeyHint::new("?", "why", UserAction::Why),
        KeyHint::new("i", INFO, UserAction::Help),
        KeyHint::new("q", "quit", UserAction::Quit),
    ]
}

fn playing(session: &PlaySession) -> Vec<KeyHint> {
    let board = session.picture().board;
    let arrows = match &board {
        Some(board) if is_played_by_column(board) => "←→",
        Some(_) => "←↑↓→",
        None => "↑↓",
    };
    let digits = board.filter(has_numbered_cells).map(|board| square_keys(board.cells.len()));
    let first =
        [KeyHint::unclickable(arrows, MOVE), KeyHint::new(ENTER, "play", UserAction::Choose)];
    let others = [
        KeyHint::new("?", "why", UserAction::Why),
        KeyHint::new("u", "undo", UserAction::Undo),
        KeyHint::new("n", "new", UserAction::NewRound),
        KeyHint::new("r", "resign", UserAction::Resign),
        KeyHint::new(":", "type", UserAction::StartTyping),
        KeyHint::new("i", INFO, UserAction::Help),
        KeyHint::new("q", "quit", UserAction::Quit),
    ];
    let digits = digits.map(|digits| KeyHint::unclickable(digits, "square"));
    first.into_iter().chain(digits).chain(others).collect()
}
