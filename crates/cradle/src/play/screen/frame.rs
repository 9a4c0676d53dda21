//! Draws the screen.

use game::{Game, Picture};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::board::BoardPicture;
use super::palette::{Palette, Role};
use super::plan::{Plan, TooSmall};
use super::view::{Mode, Notice, Reasons, View};
use super::{menu, panel};
use crate::play::session::{Awaited, Session};
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
    draw_header(buffer, plan.header, session, view.palette);
    draw_body(buffer, &plan, session, view, &picture);
    match (plan.panel, view.reasons) {
        (Some(area), _) => panel::draw(buffer, area, session, view, &picture),
        (None, Reasons::Shown) => {
            panel::draw_reasons(buffer, plan.body, session, view, &picture);
        }
        (None, Reasons::Hidden) => {}
    }
    if let Mode::Choosing { moves, cursor } = &view.mode {
        menu::draw_popup(buffer, &plan, moves, *cursor, view);
    }
    draw_status(buffer, plan.status, session, view);
    draw_footer(buffer, plan.footer, session, view);
}

fn draw_apology(buffer: &mut Buffer, error: TooSmall) {
    let area = buffer.area;
    let lines = wrapped(&format!("{error}."), usize::from(area.width));
    for (line, row) in lines.into_iter().zip(area.rows()) {
        Line::from(line).render(row, buffer);
    }
}

fn draw_header(buffer: &mut Buffer, area: Rect, session: &Session, palette: Palette) {
    let inner = Rect { x: area.x + 1, width: area.width - 2, height: 1, ..area };
    let title = format!("Cat's Cradle · {}", session.game().name());
    let pairing = words::pairing(session);
    let round = format!("Round {}", session.round());
    let [titled, paired] = [length(&title) + 3, length(&pairing) + 3];
    let rest = usize::from(inner.width).saturating_sub(length(&round));
    let mut spans = vec![Span::styled(title, palette.style(Role::Strong))];
    if titled + paired <= rest {
        spans.push(Span::styled(format!("   {pairing}"), palette.style(Role::Soft)));
    }
    Line::from(spans).render(inner, buffer);
    if titled <= rest {
        let x = inner.right() - u16::try_from(length(&round)).unwrap_or(inner.width);
        buffer.set_string(x, inner.y, round, palette.style(Role::Soft));
    }
    let rule = "─".repeat(usize::from(area.width));
    buffer.set_string(area.x, area.y + 1, rule, palette.style(Role::Line));
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
        cursor: view.cursor,
        fresh: &session.fresh_cells(),
        open: &open,
        palette: view.palette,
    }
    .draw(buffer);
}

fn draw_status(buffer: &mut Buffer, area: Rect, session: &Session, view: &View) {
    let inner = Rect { x: area.x + 1, width: area.width - 2, ..area };
    let palette = view.palette;
    let line = match (&view.mode, &view.notice) {
        (Mode::Typing(words), _) => Line::from(vec![
            Span::styled("Your move: ", palette.style(Role::Strong)),
            Span::raw(words.clone()),
            Span::styled("▏", palette.style(Role::Focus)),
        ]),
        (Mode::Choosing { .. }, _) => Line::styled("Which one?", palette.style(Role::Strong)),
        (Mode::Resigning, _) => {
            Line::styled("Give up this round? y/n", palette.style(Role::Strong))
        }
        (_, Some(Notice::Refused(why))) => return draw_refusal(buffer, inner, why, palette),
        (_, Some(Notice::Done(said))) => {
            let said = format!("{said} {}", words::status(session));
            Line::styled(said, palette.style(Role::Strong))
        }
        (_, None) => standing(session, palette),
    };
    line.render(inner, buffer);
}

/// Draws a refusal, which may need more lines than one: it then covers what is above.
fn draw_refusal(buffer: &mut Buffer, area: Rect, why: &str, palette: Palette) {
    let lines = wrapped(why, usize::from(area.width));
    let above = u16::try_from(lines.len().saturating_sub(1)).unwrap_or(u16::MAX);
    let y = area.y.saturating_sub(above);
    let area = Rect { y, height: area.bottom() - y, ..area };
    Clear.render(area.outer(Margin::new(1, 0)), buffer);
    buffer.set_style(area.outer(Margin::new(1, 0)), palette.style(Role::Page));
    for (line, row) in lines.into_iter().zip(area.rows()) {
        Line::styled(line, palette.style(Role::Refusal)).render(row, buffer);
    }
}

fn standing<'a>(session: &Session, palette: Palette) -> Line<'a> {
    let status = words::status(session);
    match session.awaited() {
        Awaited::Nobody(_) => Line::from(vec![
            Span::styled(status, palette.style(Role::Win)),
            Span::styled(" Press n for another round.", palette.style(Role::Soft)),
        ]),
        Awaited::Person(_) | Awaited::Computer(_) | Awaited::Chance => Line::from(vec![
            Span::styled(words::news(session), palette.style(Role::Soft)),
            Span::styled(status, palette.style(Role::Strong)),
        ]),
    }
}

fn draw_footer(buffer: &mut Buffer, area: Rect, session: &Session, view: &View) {
    let inner = Rect { x: area.x + 1, width: area.width - 2, ..area };
    let palette = view.palette;
    let arrows = if session.picture().board.is_some() { "←↑↓→" } else { "↑↓" };
    let keys = match view.mode {
        Mode::Playing => vec![
            (arrows, "move"),
            ("Enter", "play"),
            ("?", "why"),
            ("u", "undo"),
            ("n", "new"),
            ("q", "quit"),
            ("r", "resign"),
            (":", "write"),
        ],
        Mode::Choosing { .. } => vec![("↑↓", "move"), ("Enter", "play"), ("Esc", "back")],
        Mode::Typing(_) => vec![("Enter", "play"), ("Esc", "back")],
        Mode::Resigning => vec![("y", "give up"), ("n", "play on")],
    };
    let mut x = inner.x;
    for (key, does) in keys {
        let width = u16::try_from(length(key) + length(does) + 1).unwrap_or(u16::MAX);
        if x + width > inner.right() {
            return;
        }
        let (after, _) =
            buffer.set_span(x, inner.y, &Span::styled(key, palette.style(Role::Strong)), width);
        buffer.set_string(after + 1, inner.y, does, palette.style(Role::Soft));
        x += width + 2;
    }
}

#[cfg(test)]
mod tests;
