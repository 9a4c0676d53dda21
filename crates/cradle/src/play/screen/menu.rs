//! Draws lists of moves: those of a game without a board, and those of one cell.

use game::{MoveText, Picture};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use super::palette::Role;
use super::plan::Plan;
use super::view::View;
use crate::play::session::Session;
use crate::wrap::length;

impl Plan {
    /// Where the words of a game without a board are: its notes and its moves, in the middle.
    fn words(&self, notes: &[String], moves: &[MoveText]) -> Rect {
        let notes_widest = notes.iter().map(|note| length(note)).max().unwrap_or_default();
        let moves_widest = moves.iter().map(|chosen| length(chosen.as_str()) + 4).max();
        let widest = notes_widest.max(moves_widest.unwrap_or_default());
        let between = usize::from(!notes.is_empty() && !moves.is_empty());
        let [width, height] = [widest, notes.len() + between + moves.len()]
            .map(|size| u16::try_from(size).unwrap_or(u16::MAX));
        let (width, height) = (width.min(self.body.width), height.min(self.body.height));
        let x = self.body.x + (self.body.width - width) / 2;
        let y = self.body.y + (self.body.height - height) / 2;
        Rect { x, y, width, height }
    }

    /// Where a move is below the notes.
    fn entry(&self, notes: &[String], moves: &[MoveText], entry: usize) -> Rect {
        let words = self.words(notes, moves);
        let below = notes.len() + usize::from(!notes.is_empty()) + entry;
        let y = words.y.saturating_add(u16::try_from(below).unwrap_or(u16::MAX));
        Rect { y, height: 1, ..words }.intersection(words)
    }

    /// The move at a point below the notes.
    pub(super) fn entry_at(
        &self,
        point: Position,
        notes: &[String],
        moves: &[MoveText],
    ) -> Option<usize> {
        (0..moves.len()).find(|entry| self.entry(notes, moves, *entry).contains(point))
    }

    /// Where the box with the moves of a cell is.
    fn popup(&self, cell: usize, moves: &[String]) -> Rect {
        let widest = shortened(moves).iter().map(|words| length(words)).max().unwrap_or_default();
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
    let moves = session.legal_moves();
    let words = plan.words(&picture.notes, &moves);
    draw_card(buffer, words.outer(Margin::new(4, 2)).intersection(plan.body), view);
    for (note, row) in picture.notes.iter().zip(words.rows()) {
        Line::styled(note.clone(), view.palette.style(Role::Strong)).render(row, buffer);
    }
    let cursor = view.cursor.min(moves.len().saturating_sub(1));
    for (index, chosen) in moves.iter().enumerate() {
        let row = plan.entry(&picture.notes, &moves, index);
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
    draw_card(buffer, area, view);
    for (index, words) in shortened(moves).into_iter().enumerate() {
        entry_line(index, cursor, words, view).render(popup_row(area, index), buffer);
    }
}

/// Draws an empty box.
fn draw_card(buffer: &mut Buffer, area: Rect, view: &View) {
    Clear.render(area, buffer);
    let frame = Block::bordered().border_type(BorderType::Rounded);
    let [card, line] = [Role::Card, Role::Line].map(|role| view.palette.style(role));
    frame.style(card).border_style(line).render(area, buffer);
}

/// The moves without what all of them begin and end with, unless nothing would be left of one.
fn shortened(moves: &[String]) -> Vec<&str> {
    let whole: Vec<&str> = moves.iter().map(String::as_str).collect();
    let mut short = whole.clone();
    while let Some(first) = short.first().and_then(|words| words.chars().next()) {
        match short.iter().map(|words| words.strip_prefix(first)).collect() {
            Some(shorter) => short = shorter,
            None => break,
        }
    }
    while let Some(last) = short.first().and_then(|words| words.chars().next_back()) {
        match short.iter().map(|words| words.strip_suffix(last)).collect() {
            Some(shorter) => short = shorter,
            None => break,
        }
    }
    if short.iter().any(|words| words.is_empty()) { whole } else { short }
}

/// Where an entry of a box is.
fn popup_row(area: Rect, index: usize) -> Rect {
    let below = u16::try_from(index).unwrap_or(u16::MAX).saturating_add(1);
    let (x, width) = (area.x + 2, area.width.saturating_sub(4));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(moves: &[&str], expected: &[&str]) {
        let moves: Vec<String> = moves.iter().map(|&words| words.to_owned()).collect();
        assert_eq!(shortened(&moves), expected);
    }

    #[test]
    fn moves_of_one_cell_are_told_apart_by_what_differs() {
        check(&["Xa2", "Oa2"], &["X", "O"]);
        check(&["a2+", "a2-"], &["+", "-"]);
        check(&["a2", "a2+"], &["a2", "a2+"]);
        check(&["a2"], &["a2"]);
    }
}
