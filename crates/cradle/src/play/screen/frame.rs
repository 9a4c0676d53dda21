//! Draws the whole screen.

use game::{Game, Picture};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::board::BoardPicture;
use super::layout::{ScreenLayout, WindowTooSmall};
use super::palette::{Palette, StyleRole};
use super::state::{Mode, Overlay, ScreenState};
use super::text_box::TextBox;
use super::{footer, help, menu, panel, status};
use crate::play::session::PlaySession;
use crate::play::text;
use crate::wrap::{length, wrapped};

/// Draws the whole screen.
pub(super) fn draw(buffer: &mut Buffer, session: &PlaySession, state: &ScreenState) {
    let picture = session.picture();
    buffer.set_style(buffer.area, state.palette.style(StyleRole::Page));
    match ScreenLayout::new(buffer.area, picture.board.as_ref()) {
        Ok(layout) => draw_game(buffer, &layout, session, state, &picture),
        Err(error) => draw_apology(buffer, error, state),
    }
    state.charset.restrict(buffer);
}

fn draw_game(
    buffer: &mut Buffer,
    layout: &ScreenLayout,
    session: &PlaySession,
    state: &ScreenState,
    picture: &Picture,
) {
    draw_header(buffer, layout, session, state.palette);
    draw_body(buffer, layout, session, state, picture);
    if let Some(area) = layout.panel {
        buffer.set_style(area, state.palette.style(StyleRole::Card));
        let scroll = if matches!(state.mode, Mode::Reading(_)) { 0 } else { state.scroll };
        panel::text_box(area, session, state, picture).draw(buffer, scroll, state.palette);
    }
    if let Mode::Choosing { moves, cursor } = &state.mode {
        menu::draw_popup(buffer, layout, moves, *cursor, state);
    }
    if let Some(text) = overlay(layout, session, state, picture) {
        Clear.render(layout.body, buffer);
        buffer.set_style(layout.body, state.palette.style(StyleRole::Card));
        text.draw(buffer, state.scroll, state.palette);
    }
    status::draw(buffer, layout, session, state, picture);
    footer::draw(buffer, layout.footer, session, state);
}

/// The page that covers the board, if there is one.
fn overlay<'a>(
    layout: &ScreenLayout,
    session: &PlaySession,
    state: &ScreenState,
    picture: &Picture,
) -> Option<TextBox<'a>> {
    match state.mode {
        Mode::Reading(Overlay::Explanations) => {
            Some(panel::explanations_box(layout.body, session, state, picture))
        }
        Mode::Reading(Overlay::Help) => Some(help::text_box(layout.body, session, state.palette)),
        Mode::Playing | Mode::Choosing { .. } | Mode::Typing(_) | Mode::Asking(_) => None,
    }
}

/// The text that scroll keys move: the page that covers the board, or else the panel.
pub(super) fn scrolling_text<'a>(
    window: Rect,
    session: &PlaySession,
    state: &ScreenState,
) -> Option<TextBox<'a>> {
    let picture = session.picture();
    let layout = ScreenLayout::new(window, picture.board.as_ref()).ok()?;
    let panel = |area| panel::text_box(area, session, state, &picture);
    overlay(&layout, session, state, &picture).or_else(|| layout.panel.map(panel))
}

/// Says that the window is too small, and how to leave.
fn draw_apology(buffer: &mut Buffer, error: WindowTooSmall, state: &ScreenState) {
    let words = match state.mode {
        Mode::Asking(question) => question.sentence().to_owned(),
        // The way out comes first: the rest may not fit.
        _ => format!("Press q to quit, or enlarge this window. {error}."),
    };
    let area = buffer.area;
    let lines = wrapped(&words, usize::from(area.width));
    for (line, row) in lines.into_iter().zip(area.rows()) {
        Line::from(line).render(row, buffer);
    }
}

fn draw_header(
    buffer: &mut Buffer,
    layout: &ScreenLayout,
    session: &PlaySession,
    palette: Palette,
) {
    let area = layout.header;
    let inner = Rect { x: area.x + 1, width: area.width - 2, height: 1, ..area };
    let [title, rest, round] = titles(layout, session, usize::from(inner.width));
    let mut spans = vec![Span::styled(title, palette.style(StyleRole::Strong))];
    spans.push(Span::styled(rest, palette.style(StyleRole::Soft)));
    Line::from(spans).render(inner, buffer);
    let x = inner.right().saturating_sub(u16::try_from(length(&round)).unwrap_or(inner.width));
    buffer.set_string(x, inner.y, round, palette.style(StyleRole::Soft));
    let rule = "─".repeat(usize::from(area.width));
    buffer.set_string(area.x, area.y + 1, rule, palette.style(StyleRole::Line));
}

/// The parts of the first line that fit: the game; the players, with the score if there is no panel;
/// and the round.
fn titles(layout: &ScreenLayout, session: &PlaySession, width: usize) -> [String; 3] {
    let game = session.game().name();
    let title = format!("Cat's Cradle · {game}");
    let round = format!("Round {}", session.round());
    let players = match layout.panel {
        Some(_) => text::pairing(session),
        None => text::short_score(session),
    };
    let behind = format!("   {players}");
    let candidates = [
        [title, behind.clone(), format!("   {round}")],
        [game.clone(), behind.clone(), format!("   {round}")],
        [game.clone(), behind, String::new()],
        [String::new(), players, String::new()],
    ];
    let fits = |parts: &[String; 3]| parts.iter().map(|part| length(part)).sum::<usize>() <= width;
    candidates.into_iter().find(fits).unwrap_or([game, String::new(), String::new()])
}

fn draw_body(
    buffer: &mut Buffer,
    layout: &ScreenLayout,
    session: &PlaySession,
    state: &ScreenState,
    picture: &Picture,
) {
    let (Some(board), Some(place)) = (&picture.board, layout.board) else {
        return menu::draw_moves(buffer, layout, session, state, picture);
    };
    let legal = session.legal_moves();
    let is_legal = |words: &String| legal.iter().any(|chosen| chosen.as_str() == words);
    let cells = board.cells.iter().enumerate();
    let open = cells.filter(|(_, cell)| cell.piece.is_none() && cell.moves.iter().any(is_legal));
    let open: Vec<usize> = open.map(|(place, _)| place).collect();
    BoardPicture {
        board,
        layout: place,
        cursor: state.marked_cell(session, board),
        fresh: &session.fresh_cells(),
        open: &open,
        palette: state.palette,
        charset: state.charset,
    }
    .draw(buffer);
}

#[cfg(test)]
mod tests;
