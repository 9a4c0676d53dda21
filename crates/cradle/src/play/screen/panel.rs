//! Draws what stands beside the board: the score, the moves and the reasons.

use game::{Picture, Seat, all_seats, seat_name};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::palette::{Palette, Role};
use super::view::{Reasons, View};
use crate::play::explanation::{Explanation, Part, Remark};
use crate::play::session::{Awaited, Session};
use crate::play::words;
use crate::wrap::{length, wrapped};

/// Draws the panel.
pub(super) fn draw(
    buffer: &mut Buffer,
    area: Rect,
    session: &Session,
    view: &View,
    picture: &Picture,
) {
    let palette = view.palette;
    buffer.set_style(area, palette.style(Role::Card));
    let area = Rect { x: area.x + 2, width: area.width.saturating_sub(4), ..area };
    let width = usize::from(area.width);
    let mut lines = vec![Line::default()];
    lines.extend(score(session, palette, width));
    lines.push(Line::default());
    if picture.board.is_some() {
        lines.extend(notes(picture, width));
    }
    let reasons = match view.reasons {
        Reasons::VisibleEntry => reasons(session, view, picture, width),
        Reasons::Hidden => Vec::new(),
    };
    let room = usize::from(area.height).saturating_sub(lines.len());
    let log_room = if reasons.is_empty() { room } else { room.min(LOG_BESIDE_REASONS) };
    lines.extend(log(session, palette, width, log_room));
    lines.extend(reasons);
    show(buffer, area, lines, palette);
}

/// Draws nothing but reasons, where there is no room for a panel.
pub(super) fn draw_reasons(
    buffer: &mut Buffer,
    area: Rect,
    session: &Session,
    view: &View,
    picture: &Picture,
) {
    Clear.render(area, buffer);
    buffer.set_style(area, view.palette.style(Role::Card));
    let area = area.inner(Margin::new(2, 1));
    let lines = reasons(session, view, picture, usize::from(area.width));
    show(buffer, area, lines, view.palette);
}

/// How many lines moves have where reasons must be shown.
const LOG_BESIDE_REASONS: usize = 5;

/// Shows as many lines as there is room for, and that there are more.
pub(super) fn show(buffer: &mut Buffer, area: Rect, mut lines: Vec<Line<'_>>, palette: Palette) {
    let room = usize::from(area.height);
    if lines.len() > room {
        lines.truncate(room);
        lines.pop();
        lines.push(Line::styled("…", palette.style(Role::Soft)));
    }
    for (line, row) in lines.into_iter().zip(area.rows()) {
        line.render(row, buffer);
    }
}

fn score<'a>(session: &Session, palette: Palette, width: usize) -> Vec<Line<'a>> {
    let score = session.score();
    let mut lines: Vec<Line<'_>> = Vec::new();
    for seat in all_seats(session.game()).iter() {
        let is_awaited = match session.awaited() {
            Awaited::Person(awaited) | Awaited::Computer(awaited) => awaited == seat,
            Awaited::Chance | Awaited::Nobody(_) => false,
        };
        let (sign, role) = if is_awaited { ("▸ ", Role::Strong) } else { ("  ", Role::Soft) };
        let name = seat_name(session.game(), seat);
        let who = words::who(session, seat);
        let wins = score.wins(seat).to_string();
        let gap = width.saturating_sub(length(name) + length(&who) + length(&wins) + 3);
        lines.push(Line::from(vec![
            Span::styled(sign, palette.style(Role::Strong)),
            Span::styled(format!("{name} "), palette.style(role_of(session, seat))),
            Span::styled(format!("{who}{}", " ".repeat(gap)), palette.style(role)),
            Span::styled(wins, palette.style(Role::Strong)),
        ]));
    }
    if score.draws() > 0 {
        let draws = score.draws().to_string();
        let gap = width.saturating_sub("draws".len() + length(&draws) + 2);
        lines.push(Line::from(vec![
            Span::styled(format!("  draws{}", " ".repeat(gap)), palette.style(Role::Soft)),
            Span::styled(draws, palette.style(Role::Strong)),
        ]));
    }
    lines
}

/// How a seat looks: like its thread, unless the marks on the board are nobody's.
fn role_of(session: &Session, seat: Seat) -> Role {
    if session.has_owned_pieces() { Role::of_seat(seat) } else { Role::Strong }
}

fn notes<'a>(picture: &Picture, width: usize) -> Vec<Line<'a>> {
    let lines = picture.notes.iter().flat_map(|note| wrapped(note, width));
    let mut lines: Vec<Line<'_>> = lines.map(Line::from).collect();
    if !lines.is_empty() {
        lines.push(Line::default());
    }
    lines
}

/// The last moves, as many as there is room for.
fn log<'a>(session: &Session, palette: Palette, width: usize, room: usize) -> Vec<Line<'a>> {
    let mut rows: Vec<Vec<Span<'_>>> = Vec::new();
    let mut left = 0;
    for entry in words::log(session) {
        let text = words::line(session, &entry);
        let wide = length(&text) + 2;
        if wide > left {
            rows.push(Vec::new());
            left = width;
        }
        left = left.saturating_sub(wide);
        let role = entry.seat.map_or(Role::Soft, |seat| role_of(session, seat));
        let row = rows.last_mut().expect("there is a row");
        row.push(Span::styled(format!("{text}  "), palette.style(role)));
    }
    if rows.is_empty() || room < 2 {
        return Vec::new();
    }
    let first = rows.len().saturating_sub(room - 2);
    let title = Line::styled("Moves", palette.style(Role::Strong));
    let rows = rows.into_iter().skip(first).map(Line::from);
    std::iter::once(title).chain(rows).chain([Line::default()]).collect()
}

/// Why the computer made its last move, and why the person may not make this one.
fn reasons<'a>(session: &Session, view: &View, picture: &Picture, width: usize) -> Vec<Line<'a>> {
    let choice = Explanation::of_last_choice(session);
    let pointed = view.pointed(session, picture);
    let refusal = match &pointed {
        Some((name, moves)) => Explanation::of_refusal(session, name, moves),
        None => Explanation::of_end(session),
    };
    let place = picture.board.as_ref().map(|board| view.place(session, board));
    let is_of_choice = place.is_some_and(|place| session.fresh_cells().contains(&place));
    let is_over = Explanation::of_end(session).is_some();
    let both = match (choice, refusal, pointed) {
        (Some(choice), Some(refusal), _) if is_of_choice && !is_over => vec![choice, refusal],
        (choice, None, Some((name, _))) if place.is_some() || choice.is_none() => {
            std::iter::once(Explanation::allowed(&name)).chain(choice).collect()
        }
        (choice, refusal, _) => refusal.into_iter().chain(choice).collect(),
    };
    both.iter().flat_map(|why| explained(why, view.palette, width)).collect()
}

fn explained<'a>(why: &Explanation, palette: Palette, width: usize) -> Vec<Line<'a>> {
    let mut lines = vec![Line::styled(why.title.clone(), palette.style(Role::Strong))];
    for remark in &why.remarks {
        match remark {
            Remark::Said(sentence) => {
                let style = palette.style(Role::Soft);
                lines.extend(
                    wrapped(sentence, width).into_iter().map(|line| Line::styled(line, style)),
                );
            }
            Remark::BThread { name, deed, part } => {
                lines.extend(barred(name, *part, Style::new(), palette, width));
                lines.extend(barred(deed, *part, palette.style(Role::Soft), palette, width));
            }
        }
    }
    lines.push(Line::default());
    lines
}

/// Text behind a bar that tells what part a b-thread had.
fn barred<'a>(
    text: &str,
    part: Part,
    style: Style,
    palette: Palette,
    width: usize,
) -> Vec<Line<'a>> {
    let (bar, role) = match part {
        Part::Heard => ("▌ ", Role::Request),
        Part::Agreed => ("▏ ", Role::Request),
        Part::Outvoted => ("▏ ", Role::Soft),
        Part::Blocks => ("▌ ", Role::Refusal),
    };
    let bar = Span::styled(bar, palette.style(role));
    let lines = wrapped(text, width - 2).into_iter();
    lines.map(|line| Line::from(vec![bar.clone(), Span::styled(line, style)])).collect()
}
