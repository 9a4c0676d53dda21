//! Draws lists of moves: those of a game without a board, and those of one cell.

use game::Picture;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use super::palette::Role;
use super::plan::Plan;
use super::view::View;
use crate::play::session::Session;
use crate::wrap::length;

impl Plan {
    /// Where the entry of a menu below so many notes is.
    fn entry(&self, notes: usize, entry: usize) -> Rect {
        let above = u16::try_from(notes + entry).unwrap_or(u16::MAX);
        let y = self.body.y.saturating_add(above).saturating_add(4);
        let row =
            Rect { x: self.body.x + 4, y, width: self.body.width.saturating_sub(6), height: 1 };
        row.intersection(self.body)
    }

    /// The entry at a point, of a menu of so many entries below so many notes.
    pub(super) fn entry_at(&self, point: Position, notes: usize, entries: usize) -> Option<usize> {
        (0..entries).find(|entry| self.entry(notes, *entry).contains(point))
    }

    /// Where the box with the moves of a cell is.
    fn popup(&self, cell: usize, moves: &[String]) -> Rect {
        let widest = moves.iter().map(|words| length(words)).max().unwrap_or_default();
        let width = u16::try_from(widest + 8).unwrap_or(u16::MAX).min(self.body.width);
        let height = u16::try_from(moves.len() + 2).unwrap_or(u16::MAX).min(self.body.height);
        let cell = self.board.map_or(self.body, |board| board.cell(cell));
        let x = (cell.x + cell.width / 2).saturating_sub(width / 2);
        let y = (cell.y + cell.height / 2).saturating_sub(height / 2);
        Rect { x, y, width, height }.clamp(self.body)
    }

    /// The entry at a point in the box with the moves of a cell.
    pub(super) fn popup_entry_at(
        &self,
        point: Position,
        cell: usize,
        moves: &[String],
    ) -> Option<usize> {
        let area = self.popup(cell, moves);
        (0..moves.len()).find(|index| popup_row(area, *index).contains(point))
    }
}

/// Draws what there is to say, and the moves that can be made.
pub(super) fn draw_moves(
    buffer: &mut Buffer,
    plan: &Plan,
    session: &Session,
    view: &View,
    picture: &Picture,
) {
    let palette = view.palette;
    let text = Rect { x: plan.body.x + 4, y: plan.body.y + 2, ..plan.body }.intersection(plan.body);
    for (note, row) in picture.notes.iter().zip(text.rows()) {
        Line::styled(note.clone(), palette.style(Role::Strong)).render(row, buffer);
    }
    let moves = session.legal_moves();
    let cursor = view.cursor.min(moves.len().saturating_sub(1));
    for (index, chosen) in moves.iter().enumerate() {
        let row = plan.entry(picture.notes.len(), index);
        entry_line(index, cursor, chosen.as_str(), view).render(row, buffer);
    }
}

/// Draws the moves of one cell in a box above it.
pub(super) fn draw_popup(
    buffer: &mut Buffer,
    plan: &Plan,
    moves: &[String],
    cursor: usize,
    view: &View,
) {
    let area = plan.popup(view.cursor, moves);
    Clear.render(area, buffer);
    let frame = Block::bordered().border_type(BorderType::Rounded);
    let [card, focus] = [Role::Card, Role::Focus].map(|role| view.palette.style(role));
    frame.style(card).border_style(focus).render(area, buffer);
    for (index, words) in moves.iter().enumerate() {
        entry_line(index, cursor, words, view).render(popup_row(area, index), buffer);
    }
}

/// Where an entry of a box is.
fn popup_row(area: Rect, index: usize) -> Rect {
    let below = u16::try_from(index).unwrap_or(u16::MAX).saturating_add(1);
    let (x, width) = (area.x + 1, area.width.saturating_sub(2));
    Rect { x, width, y: area.y.saturating_add(below), height: 1 }.intersection(area)
}

fn entry_line<'a>(index: usize, cursor: usize, words: &str, view: &View) -> Line<'a> {
    let palette = view.palette;
    let (sign, role) = if index == cursor { ("▸ ", Role::Focus) } else { ("  ", Role::Soft) };
    Line::from(vec![
        Span::styled(sign, palette.style(Role::Focus)),
        Span::styled(format!("{} ", index + 1), palette.style(Role::Soft)),
        Span::styled(words.to_owned(), palette.style(role)),
    ])
}
