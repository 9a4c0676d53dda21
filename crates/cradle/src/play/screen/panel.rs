//! The panel beside the board: the score, the moves and the explanations.

use game::{Picture, Seat, all_seats, seat_name};
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::palette::{Palette, StyleRole};
use super::state::{ExplanationsPanel, ScreenState};
use super::text_box::TextBox;
use crate::play::explanation::{Explanation, ExplanationPart, ThreadRole};
use crate::play::session::{NextActor, PlaySession};
use crate::play::text;
use crate::wrap::{length, wrapped};

/// The text of the panel.
pub(super) fn text_box<'a>(
    area: Rect,
    session: &PlaySession,
    state: &ScreenState,
    picture: &Picture,
) -> TextBox<'a> {
    let palette = state.palette;
    let area = Rect { x: area.x + 2, width: area.width.saturating_sub(4), ..area };
    let width = usize::from(area.width);
    let mut lines = vec![Line::default()];
    lines.extend(score(session, palette, width));
    lines.push(Line::default());
    if picture.board.is_some() {
        lines.extend(notes(picture, width));
    }
    let explanations = match state.explanations {
        ExplanationsPanel::Shown => explanations(session, state, picture, width),
        ExplanationsPanel::Hidden => Vec::new(),
    };
    let room = usize::from(area.height).saturating_sub(lines.len());
    let log_room = if explanations.is_empty() { room } else { room.min(LOG_BESIDE_EXPLANATIONS) };
    lines.extend(log(session, palette, width, log_room));
    lines.extend(explanations);
    TextBox { area, lines: without_trailing_space(lines) }
}

/// The explanations over the body of the screen, where there is no room for a panel.
pub(super) fn explanations_box<'a>(
    body: Rect,
    session: &PlaySession,
    state: &ScreenState,
    picture: &Picture,
) -> TextBox<'a> {
    let area = body.inner(Margin::new(2, 1));
    let lines = explanations(session, state, picture, usize::from(area.width));
    TextBox { area, lines: without_trailing_space(lines) }
}

/// The lines without empty ones at the end.
fn without_trailing_space(mut lines: Vec<Line<'_>>) -> Vec<Line<'_>> {
    while lines.last().is_some_and(|line| line.width() == 0) {
        lines.pop();
    }
    lines
}

/// The number of lines for moves when explanations are shown below them.
const LOG_BESIDE_EXPLANATIONS: usize = 5;

fn score<'a>(session: &PlaySession, palette: Palette, width: usize) -> Vec<Line<'a>> {
    let score = session.score();
    let mut lines: Vec<Line<'_>> = Vec::new();
    for seat in all_seats(session.game()).iter() {
        let is_to_move = match session.next_actor() {
            NextActor::Person(actor) | NextActor::Computer(actor) => actor == seat,
            NextActor::Chance | NextActor::Nobody(_) => false,
        };
        let (sign, role) =
            if is_to_move { ("▸ ", StyleRole::Strong) } else { ("  ", StyleRole::Soft) };
        let name = seat_name(session.game(), seat);
        let who = text::participant(session, seat);
        let points = score.points(session.participant_number(seat)).to_string();
        let gap = width.saturating_sub(length(name) + length(&who) + length(&points) + 3);
        lines.push(Line::from(vec![
            Span::styled(sign, palette.style(StyleRole::Strong)),
            Span::styled(format!("{name} "), palette.style(role_of(session, seat))),
            Span::styled(format!("{who}{}", " ".repeat(gap)), palette.style(role)),
            Span::styled(points, palette.style(StyleRole::Strong)),
        ]));
    }
    if score.draws() > 0 {
        let draws = score.draws().to_string();
        let gap = width.saturating_sub("draws".len() + length(&draws) + 2);
        lines.push(Line::from(vec![
            Span::styled(format!("  draws{}", " ".repeat(gap)), palette.style(StyleRole::Soft)),
            Span::styled(draws, palette.style(StyleRole::Strong)),
        ]));
    }
    lines
}

/// The style of a seat: its own colour, unless the marks on the board belong to nobody.
fn role_of(session: &PlaySession, seat: Seat) -> StyleRole {
    if session.has_owned_pieces() { StyleRole::of_seat(seat) } else { StyleRole::Strong }
}

fn notes<'a>(picture: &Picture, width: usize) -> Vec<Line<'a>> {
    let lines = picture.notes.iter().flat_map(|note| wrapped(note, width));
    let mut lines: Vec<Line<'_>> = lines.map(Line::from).collect();
    if !lines.is_empty() {
        lines.push(Line::default());
    }
    lines
}

/// The last moves that fit.
fn log<'a>(session: &PlaySession, palette: Palette, width: usize, room: usize) -> Vec<Line<'a>> {
    let mut rows: Vec<Vec<Span<'_>>> = Vec::new();
    let mut left = 0;
    for entry in text::log(session) {
        let text = text::line(session, &entry);
        let wide = length(&text) + 2;
        if wide > left {
            rows.push(Vec::new());
            left = width;
        }
        left = left.saturating_sub(wide);
        let role = entry.seat.map_or(StyleRole::Soft, |seat| role_of(session, seat));
        let row = rows.last_mut().expect("there is a row");
        row.push(Span::styled(format!("{text}  "), palette.style(role)));
    }
    if rows.is_empty() || room < 2 {
        return Vec::new();
    }
    let first = rows.len().saturating_sub(room - 2);
    let title = Line::styled("Moves", palette.style(StyleRole::Strong));
    let rows = rows.into_iter().skip(first).map(Line::from);
    std::iter::once(title).chain(rows).chain([Line::default()]).collect()
}

/// Why the computer made its last move, and why the move under the cursor is refused.
fn explanations<'a>(
    session: &PlaySession,
    state: &ScreenState,
    picture: &Picture,
    width: usize,
) -> Vec<Line<'a>> {
    let choice = Explanation::of_last_computer_move(session);
    let pointed = state.pointed(session, picture);
    let refusal = match &pointed {
        Some((name, moves)) => Explanation::of_refusal(session, name, moves),
        None => Explanation::of_end(session),
    };
    let place = picture.board.as_ref().map(|board| state.marked_cell(session, board));
    let is_of_choice = place.is_some_and(|place| session.fresh_cells().contains(&place));
    let is_over = Explanation::of_end(session).is_some();
    let both = match (choice, refusal, pointed) {
        (Some(choice), Some(refusal), _) if is_of_choice && !is_over => vec![choice, refusal],
        (choice, None, Some((name, _))) if place.is_some() || choice.is_none() => {
            std::iter::once(Explanation::allowed(&name)).chain(choice).collect()
        }
        (choice, refusal, _) => refusal.into_iter().chain(choice).collect(),
    };
    both.iter().flat_map(|each| explanation_lines(each, state.palette, width)).collect()
}

fn explanation_lines<'a>(
    explanation: &Explanation,
    palette: Palette,
    width: usize,
) -> Vec<Line<'a>> {
    let mut lines = vec![Line::styled(explanation.title.clone(), palette.style(StyleRole::Strong))];
    for part in &explanation.parts {
        match part {
            ExplanationPart::Sentence(sentence) => {
                let style = palette.style(StyleRole::Soft);
                lines.extend(
                    wrapped(sentence, width).into_iter().map(|line| Line::styled(line, style)),
                );
            }
            ExplanationPart::BThread { name, deed, role } => {
                lines.extend(barred(name, *role, Style::new(), palette, width));
                lines.extend(barred(deed, *role, palette.style(StyleRole::Soft), palette, width));
            }
        }
    }
    lines.push(Line::default());
    lines
}

/// Text behind a bar that shows the role of a b-thread.
fn barred<'a>(
    text: &str,
    role: ThreadRole,
    style: Style,
    palette: Palette,
    width: usize,
) -> Vec<Line<'a>> {
    let (bar, colour) = match role {
        ThreadRole::Chosen => ("▌ ", StyleRole::Request),
        ThreadRole::Agreed => ("▏ ", StyleRole::Request),
        ThreadRole::Outvoted => ("▏ ", StyleRole::Soft),
        ThreadRole::Blocks => ("▌ ", StyleRole::Refusal),
    };
    let bar = Span::styled(bar, palette.style(colour));
    let lines = wrapped(text, width - 2).into_iter();
    lines.map(|line| Line::from(vec![bar.clone(), Span::styled(line, style)])).collect()
}
