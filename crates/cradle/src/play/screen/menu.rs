//! Lists of moves: all moves of a game without a board, or the moves on one cell.

use game::{MoveText, Picture};
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use super::layout::ScreenLayout;
use super::palette::StyleRole;
use super::state::ScreenState;
use crate::play::session::PlaySession;
use crate::wrap::length;

/// The columns before a move: the cursor and its digit.
const INDENT: usize = 4;

impl ScreenLayout {
    /// The area of the notes and moves of a game without a board.
    fn words(&self, notes: &[String], moves: &[MoveText]) -> Rect {
        let notes_widest = notes.iter().map(|note| length(note)).max().unwrap_or_default();
        let moves_widest = moves.iter().map(|chosen| length(chosen.as_str()) + INDENT).max();
        let widest = notes_widest.max(moves_widest.unwrap_or_default());
        let between = usize::from(!notes.is_empty() && !moves.is_empty());
        let [width, height] = [widest, notes.len() + between + moves.len()]
            .map(|size| u16::try_from(size).unwrap_or(u16::MAX));
        let (width, height) = (width.min(self.body.width), height.min(self.body.height));
        let x = self.body.x + (self.body.width - width) / 2;
        let y = self.body.y + (self.body.height - height) / 2;
        Rect { x, y, width, height }
    }

    /// The row of a move, below the notes.
    fn entry(&self, notes: &[String], moves: &[MoveText], entry: usize) -> Rect {
        let words = self.words(notes, moves);
        let below = notes.len() + usize::from(!notes.is_empty()) + entry;
        let y = words.y.saturating_add(u16::try_from(below).unwrap_or(u16::MAX));
        Rect { y, height: 1, ..words }.intersection(words)
    }

    /// The number of the move at a point.
    pub(super) fn entry_at(
        &self,
        point: Position,
        notes: &[String],
        moves: &[MoveText],
    ) -> Option<usize> {
        (0..moves.len()).find(|entry| self.entry(notes, moves, *entry).contains(point))
    }

    /// The area of the box with the moves of a cell.
    fn popup(&self, cell: usize, moves: &[String]) -> Rect {
        let widest = shortened(moves).iter().map(|words| length(words)).max().unwrap_or_default();
        let width = u16::try_from(widest + 8).unwrap_or(u16::MAX).min(self.body.width);
        let height = u16::try_from(moves.len() + 2).unwrap_or(u16::MAX).min(self.body.height);
        let cell = self.board.map_or(self.body, |board| board.cell(cell));
        let x = (cell.x + cell.width / 2).saturating_sub(width / 2);
        let y = (cell.y + cell.height / 2).saturating_sub(height / 2);
        Rect { x, y, width, height }.clamp(self.body)
    }

    /// The number of the move at a point of the box.
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

/// Draws the notes and the legal moves of a game without a board.
pub(super) fn draw_moves(
    buffer: &mut Buffer,
    layout: &ScreenLayout,
    session: &PlaySession,
    state: &ScreenState,
    picture: &Picture,
) {
    let moves = session.legal_moves();
    let words = layout.words(&picture.notes, &moves);
    draw_card(buffer, words.outer(Margin::new(4, 2)).intersection(layout.body), state);
    for (note, row) in picture.notes.iter().zip(words.rows()) {
        Line::styled(note.clone(), state.palette.style(StyleRole::Strong)).render(row, buffer);
    }
    let cursor = state.cursor.min(moves.len().saturating_sub(1));
    let labels: Vec<&str> = moves.iter().map(MoveText::as_str).collect();
    for (index, line) in entry_lines(&labels, cursor, state).into_iter().enumerate() {
        line.render(layout.entry(&picture.notes, &moves, index), buffer);
    }
}

/// Draws a box with the moves of a cell over the cell.
pub(super) fn draw_popup(
    buffer: &mut Buffer,
    layout: &ScreenLayout,
    moves: &[String],
    cursor: usize,
    state: &ScreenState,
) {
    let area = layout.popup(state.cursor, moves);
    draw_card(buffer, area, state);
    let labels = shortened(moves);
    for (index, line) in entry_lines(&labels, cursor, state).into_iter().enumerate() {
        line.render(popup_row(area, index), buffer);
    }
}

/// Draws an empty box.
fn draw_card(buffer: &mut Buffer, area: Rect, state: &ScreenState) {
    Clear.render(area, buffer);
    let frame = Block::bordered().border_type(BorderType::Rounded);
    let [card, line] = [StyleRole::Card, StyleRole::Line].map(|role| state.palette.style(role));
    frame.style(card).border_style(line).render(area, buffer);
}

/// The moves without their common beginning and end; whole if nothing would be left of one.
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

/// The row of a move in the box.
fn popup_row(area: Rect, index: usize) -> Rect {
    let below = u16::try_from(index).unwrap_or(u16::MAX).saturating_add(1);
    let (x, width) = (area.x + 2, area.width.saturating_sub(4));
    Rect { x, width, y: area.y.saturating_add(below), height: 1 }.intersection(area)
}

/// A line for each label, with the digit that plays it.
fn entry_lines<'a>(labels: &[&str], cursor: usize, state: &ScreenState) -> Vec<Line<'a>> {
    let style = |role| state.palette.style(role);
    let line = |(index, label): (usize, &&str)| {
        let (sign, role) =
            if index == cursor { ("▸ ", StyleRole::Focus) } else { ("  ", StyleRole::Soft) };
        let digit = if is_own_key(labels) { String::new() } else { format!("{} ", index + 1) };
        Line::from(vec![
            Span::styled(sign, style(StyleRole::Focus)),
            Span::styled(digit, style(StyleRole::Soft)),
            Span::styled((*label).to_owned(), style(role)),
        ])
    };
    labels.iter().enumerate().map(line).collect()
}

/// Whether each label is a single character, which is its own key. Another digit beside it would give
/// one key two meanings.
fn is_own_key(labels: &[&str]) -> bool {
    labels.iter().all(|label| length(label) == 1)
}

/// How to choose one of the moves, for a person who has pressed a key that names none of them.
pub(super) fn how_to_choose(moves: &[String]) -> String {
    let labels = shortened(moves);
    if is_own_key(&labels) {
        return format!("Press {} and then Enter, or Esc to go back.", labels.join(" or "));
    }
    format!("Press a digit from 1 to {}, or Esc to go back.", moves.len())
}

/// The number of the entry that a digit plays.
pub(super) fn entry_with_digit(moves: &[String], digit: usize) -> Option<usize> {
    let labels = shortened(moves);
    if is_own_key(&labels) {
        return labels.iter().position(|label| *label == digit.to_string());
    }
    digit.checked_sub(1).filter(|entry| *entry < moves.len())
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
    fn moves_of_one_cell_are_shown_by_what_differs() {
        check(&["Xa2", "Oa2"], &["X", "O"]);
        check(&["a2+", "a2-"], &["+", "-"]);
        check(&["a2", "a2+"], &["a2", "a2+"]);
        check(&["a2"], &["a2"]);
    }

    #[track_caller]
    fn check_digits(moves: &[&str], expected: [Option<usize>; 4]) {
        let moves: Vec<String> = moves.iter().map(|&words| words.to_owned()).collect();
        assert_eq!([0, 1, 2, 3].map(|digit| entry_with_digit(&moves, digit)), expected);
    }

    #[test]
    fn a_digit_plays_the_entry_beside_which_it_stands() {
        check_digits(&["roll", "hold"], [None, Some(0), Some(1), None]);
        check_digits(&["2", "3"], [None, None, Some(0), Some(1)]);
        check_digits(&["Xa2", "Oa2"], [None; 4]);
    }
}
