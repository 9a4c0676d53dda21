//! The line that says who is to move and what happened.

use game::Picture;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::layout::ScreenLayout;
use super::palette::{Palette, StyleRole};
use super::state::{Confirmation, Mode, Notice, ScreenState};
use super::update::NEXT_ROUND;
use crate::play::session::{NextActor, PlaySession};
use crate::play::text;
use crate::wrap::{length, wrapped};

/// Words with their styles.
type StyledText = Vec<(String, StyleRole)>;

/// Draws the status. If it needs several lines, it covers what is above.
pub(super) fn draw(
    buffer: &mut Buffer,
    layout: &ScreenLayout,
    session: &PlaySession,
    state: &ScreenState,
    picture: &Picture,
) {
    let area = Rect { x: layout.status.x + 1, width: layout.status.width - 2, ..layout.status };
    let strong = |words: &str| vec![(words.to_owned(), StyleRole::Strong)];
    let words = match (&state.mode, &state.notice) {
        (Mode::Typing(words), _) => return draw_typed(buffer, area, words, state.palette),
        (Mode::Choosing { moves, cursor }, None | Some(Notice::Done(_))) => {
            strong(&format!("Which one? Enter plays {}.", moves[*cursor]))
        }
        (Mode::Asking(question), _) => strong(question.sentence()),
        (Mode::Reading(_), _) => strong(&text::status(session)),
        (_, Some(Notice::Refused(why))) => vec![(why.clone(), StyleRole::Refusal)],
        (_, Some(Notice::Done(done))) => strong(&format!("{done} {}", text::status(session))),
        (_, None) => news_and_status(session, layout, picture),
    };
    draw_words(buffer, area, &words, state.palette);
}

impl Confirmation {
    /// The question.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            Self::Resign => "Give up this round? y/n",
            Self::NewRound => "Begin another round before this one is over? y/n",
            Self::Quit => "Leave before this round is over? y/n",
        }
    }
}

fn draw_typed(buffer: &mut Buffer, area: Rect, words: &str, palette: Palette) {
    Line::from(vec![
        Span::styled("Your move: ", palette.style(StyleRole::Strong)),
        Span::raw(words.to_owned()),
        Span::styled("▏", palette.style(StyleRole::Focus)),
    ])
    .render(area, buffer);
}

/// What happened and who is to move, in as many words as fit below the board.
fn news_and_status(session: &PlaySession, layout: &ScreenLayout, picture: &Picture) -> StyledText {
    let news = (text::news(session), StyleRole::Soft);
    let status = (text::status(session), StyleRole::Strong);
    if let NextActor::Nobody(_) = session.next_actor() {
        let (status, next_round) =
            ((status.0, StyleRole::Win), (NEXT_ROUND.to_owned(), StyleRole::Soft));
        let long = vec![news, status.clone(), next_round.clone()];
        return fitting(layout, &[long, vec![status, next_round]]);
    }
    let mut notes: StyledText = Vec::new();
    if layout.panel.is_none() && picture.board.is_some() {
        notes.extend(picture.notes.iter().map(|note| (format!("{note}."), StyleRole::Soft)));
    }
    let last: StyledText = notes.last().cloned().into_iter().collect();
    let status = vec![status];
    fitting(
        layout,
        &[
            [vec![news.clone()], status.clone(), notes].concat(),
            [vec![news], status.clone(), last.clone()].concat(),
            [status.clone(), last].concat(),
            status,
        ],
    )
}

/// The lines for the status of a game without a board.
const MOST_LINES: usize = 3;

/// The first candidate that fits below the board, or else the last.
fn fitting(layout: &ScreenLayout, candidates: &[StyledText]) -> StyledText {
    let width = usize::from(layout.status.width - 2);
    let room = layout.board.map_or(MOST_LINES, |board| {
        usize::from(layout.status.bottom().saturating_sub(board.area().bottom()))
    });
    let fits = |words: &&StyledText| {
        let text: Vec<&str> = words.iter().map(|(words, _)| words.as_str()).collect();
        wrapped(&text.join(" "), width).len() <= room
    };
    candidates.iter().find(fits).or_else(|| candidates.last()).cloned().unwrap_or_default()
}

/// Draws words in lines, the last one at the bottom.
fn draw_words(buffer: &mut Buffer, area: Rect, words: &StyledText, palette: Palette) {
    let lines = lines(words, usize::from(area.width), palette);
    let above = u16::try_from(lines.len().saturating_sub(1)).unwrap_or(u16::MAX);
    let y = area.y.saturating_sub(above);
    let area = Rect { y, height: area.bottom() - y, ..area };
    let cleared = area.outer(Margin::new(1, 0)).intersection(buffer.area);
    Clear.render(cleared, buffer);
    buffer.set_style(cleared, palette.style(StyleRole::Page));
    for (line, row) in lines.into_iter().zip(area.rows()) {
        line.render(row, buffer);
    }
}

/// Breaks words into lines of this width.
fn lines<'a>(words: &StyledText, width: usize, palette: Palette) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut used = 0;
    for (text, role) in words {
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
