//! Draws the screen.

use game::{Game, Picture};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::board::BoardPicture;
use super::palette::{Palette, Role};
use super::plan::{Plan, TooSmall};
use super::view::{Mode, Page, View};
use super::{footer, help, menu, panel, status};
use crate::play::session::Session;
use crate::play::words;
use crate::wrap::{length, wrapped};

/// Draws everything.
pub(super) fn draw(buffer: &mut Buffer, session: &Session, view: &View) {
    let window = buffer.area;
    let picture = session.picture();
    buffer.set_style(window, view.palette.style(Role::Page));
    let plan = match Plan::new(window, picture.board.as_ref()) {
        Ok(plan) => plan,
        Err(error) => return draw_apology(buffer, error),
    };
    draw_header(buffer, &plan, session, view.palette);
    draw_body(buffer, &plan, session, view, &picture);
    if let Some(area) = plan.panel {
        panel::draw(buffer, area, session, view, &picture);
    }
    match &view.mode {
        Mode::Choosing { moves, cursor } => menu::draw_popup(buffer, &plan, moves, *cursor, view),
        Mode::Reading(Page::Reasons) => {
            panel::draw_reasons(buffer, plan.body, session, view, &picture);
        }
        Mode::Reading(Page::Help) => help::draw(buffer, plan.body, session, view.palette),
        Mode::Playing | Mode::Typing(_) | Mode::Asking(_) => {}
    }
    status::draw(buffer, &plan, session, view, &picture);
    footer::draw(buffer, plan.footer, session, view);
}

fn draw_apology(buffer: &mut Buffer, error: TooSmall) {
    let area = buffer.area;
    let lines = wrapped(&format!("{error}."), usize::from(area.width));
    for (line, row) in lines.into_iter().zip(area.rows()) {
        Line::from(line).render(row, buffer);
    }
}

fn draw_header(buffer: &mut Buffer, plan: &Plan, session: &Session, palette: Palette) {
    let area = plan.header;
    let inner = Rect { x: area.x + 1, width: area.width - 2, height: 1, ..area };
    let [title, rest, round] = titles(plan, session, usize::from(inner.width));
    let mut spans = vec![Span::styled(title, palette.style(Role::Strong))];
    spans.push(Span::styled(rest, palette.style(Role::Soft)));
    Line::from(spans).render(inner, buffer);
    let x = inner.right().saturating_sub(u16::try_from(length(&round)).unwrap_or(inner.width));
    buffer.set_string(x, inner.y, round, palette.style(Role::Soft));
    let rule = "─".repeat(usize::from(area.width));
    buffer.set_string(area.x, area.y + 1, rule, palette.style(Role::Line));
}

/// What the first line says, as far as it has room: the game; who plays, with the score if it is
/// not beside the board; and the round.
fn titles(plan: &Plan, session: &Session, width: usize) -> [String; 3] {
    let game = session.game().name();
    let title = format!("Cat's Cradle · {game}");
    let round = format!("Round {}", session.round());
    let players = match plan.panel {
        Some(_) => words::pairing(session),
        None => words::short_score(session),
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

fn draw_body(buffer: &mut Buffer, plan: &Plan, session: &Session, view: &View, picture: &Picture) {
    let (Some(board), Some(place)) = (&picture.board, plan.board) else {
        return menu::draw_moves(buffer, plan, session, view, picture);
    };
    let legal = session.legal_moves();
    let is_legal = |words: &String| legal.iter().any(|chosen| chosen.as_str() == words);
    let cells = board.cells.iter().enumerate();
    let open = cells.filter(|(_, cell)| cell.piece.is_none() && cell.moves.iter().any(is_legal));
    let open: Vec<usize> = open.map(|(place, _)| place).collect();
    BoardPicture {
        board,
        plan: place,
        cursor: view.place(session, board),
        fresh: &session.fresh_cells(),
        open: &open,
        palette: view.palette,
    }
    .draw(buffer);
}

#[cfg(test)]
mod tests;
