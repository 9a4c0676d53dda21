//! Draws the line that says what to do next.

use game::Picture;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::acting::GO_ON;
use super::palette::{Palette, Role};
use super::plan::Plan;
use super::view::{Mode, Notice, Question, View};
use crate::play::session::{Awaited, Session};
use crate::play::words;
use crate::wrap::{length, wrapped};

/// Words, and how they look.
type Said = Vec<(String, Role)>;

/// Draws what there is to say; what needs more lines than one covers what is above.
pub(super) fn draw(
    buffer: &mut Buffer,
    plan: &Plan,
    session: &Session,
    view: &View,
    picture: &Picture,
) {
    let area = Rect { x: plan.status.x + 1, width: plan.status.width - 2, ..plan.status };
    let strong = |words: &str| vec![(words.to_owned(), Role::Strong)];
    let said = match (&view.mode, &view.notice) {
        (Mode::Typing(words), _) => return draw_typed(buffer, area, words, view.palette),
        (Mode::Choosing { .. }, _) => strong("Which one?"),
        (Mode::Asking(question), _) => strong(asked(*question)),
        (Mode::Reading(_), _) => strong(&words::status(session)),
        (_, Some(Notice::Refused(why))) => vec![(why.clone(), Role::Refusal)],
        (_, Some(Notice::Done(said))) => strong(&format!("{said} {}", words::status(session))),
        (_, None) => standing(session, plan, picture),
    };
    draw_said(buffer, area, &said, view.palette);
}

fn asked(question: Question) -> &'static str {
    match question {
        Question::Resign => "Give up this round? y/n",
        Question::NewRound => "Begin another round before this one is over? y/n",
        Question::Quit => "Leave before this round is over? y/n",
    }
}

fn draw_typed(buffer: &mut Buffer, area: Rect, words: &str, palette: Palette) {
    Line::from(vec![
        Span::styled("Your move: ", palette.style(Role::Strong)),
        Span::raw(words.to_owned()),
        Span::styled("▏", palette.style(Role::Focus)),
    ])
    .render(area, buffer);
}

/// How things stand, at such length that the board stays free.
fn standing(session: &Session, plan: &Plan, picture: &Picture) -> Said {
    let news = (words::news(session), Role::Soft);
    let status = (words::status(session), Role::Strong);
    if let Awaited::Nobody(_) = session.awaited() {
        let (status, go_on) = ((status.0, Role::Win), (GO_ON.to_owned(), Role::Soft));
        let long = vec![news, status.clone(), go_on.clone()];
        return fitting(plan, &[long, vec![status, go_on]]);
    }
    let mut notes: Said = Vec::new();
    if plan.panel.is_none() && picture.board.is_some() {
        notes.extend(picture.notes.iter().map(|note| (format!("{note}."), Role::Soft)));
    }
    let last: Said = notes.last().cloned().into_iter().collect();
    let status = vec![status];
    fitting(
        plan,
        &[
            [vec![news.clone()], status.clone(), notes].concat(),
            [vec![news], status.clone(), last.clone()].concat(),
            [status.clone(), last].concat(),
            status,
        ],
    )
}

/// Games without a board have room for so many lines.
const MOST_LINES: usize = 3;

/// The first that fits below the board, or else the last.
fn fitting(plan: &Plan, candidates: &[Said]) -> Said {
    let width = usize::from(plan.status.width - 2);
    let room = plan.board.map_or(MOST_LINES, |board| {
        usize::from(plan.status.bottom().saturating_sub(board.area().bottom()))
    });
    let fits = |said: &&Said| {
        let text: Vec<&str> = said.iter().map(|(words, _)| words.as_str()).collect();
        wrapped(&text.join(" "), width).len() <= room
    };
    candidates.iter().find(fits).or_else(|| candidates.last()).cloned().unwrap_or_default()
}

/// Draws words in lines, the last one at the bottom.
fn draw_said(buffer: &mut Buffer, area: Rect, said: &Said, palette: Palette) {
    let lines = lines(said, usize::from(area.width), palette);
    let above = u16::try_from(lines.len().saturating_sub(1)).unwrap_or(u16::MAX);
    let y = area.y.saturating_sub(above);
    let area = Rect { y, height: area.bottom() - y, ..area };
    let cleared = area.outer(Margin::new(1, 0)).intersection(buffer.area);
    Clear.render(cleared, buffer);
    buffer.set_style(cleared, palette.style(Role::Page));
    for (line, row) in lines.into_iter().zip(area.rows()) {
        line.render(row, buffer);
    }
}

/// Words in lines of this width.
fn lines<'a>(said: &Said, width: usize, palette: Palette) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut used = 0;
    for (text, role) in said {
        let style = palette.style(*role);
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            if lines.is_empty() || used + 1 + length(word) > width {
                lines.push(Line::default());
                used = 0;
            }
            let line = lines.last_mut().expect("there is a line");
            if used > 0 {
                line.push_span(" ");
                used += 1;
            }
            line.push_span(Span::styled(word.to_owned(), style));
            used += length(word);
        }
    }
    lines
}
