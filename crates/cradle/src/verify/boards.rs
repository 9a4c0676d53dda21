//! Boards side by side.

use crate::paint::{Paint, Tone};

/// A board, and what is written above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame<'a> {
    pub(super) caption: String,
    pub(super) board: &'a str,
    /// The board before; what is new is painted.
    pub(super) before: &'a str,
}

const GAP: usize = 3;

/// The boards from left to right, as many in a row as the width has room for.
pub(super) fn side_by_side(frames: &[Frame<'_>], width: usize, paint: Paint) -> String {
    let column = frames.iter().map(Frame::width).max().unwrap_or_default();
    let per_row = (width + GAP) / (column + GAP);
    let rows = frames.chunks(per_row.max(1)).map(|row| row_of(row, column, paint));
    rows.collect::<Vec<_>>().join("\n\n")
}

impl Frame<'_> {
    fn width(&self) -> usize {
        self.lines().map(|(line, _)| length(line)).max().unwrap_or_default()
    }

    fn height(&self) -> usize {
        self.lines().count()
    }

    /// The caption and the lines of the board, each with what stood there before.
    fn lines(&self) -> impl Iterator<Item = (&str, &str)> {
        let before = self.before.lines().chain(std::iter::repeat(""));
        let board = self.board.lines().zip(before);
        std::iter::once((self.caption.as_str(), self.caption.as_str())).chain(board)
    }
}

fn row_of(frames: &[Frame<'_>], column: usize, paint: Paint) -> String {
    let height = frames.iter().map(Frame::height).max().unwrap_or_default();
    let line = |number| {
        let cells = frames.iter().map(|frame| cell(frame, number, column, paint));
        cells.collect::<Vec<_>>().join(&" ".repeat(GAP)).trim_end().to_owned()
    };
    (0..height).map(line).collect::<Vec<_>>().join("\n")
}

/// One line of a frame, as wide as the column.
fn cell(frame: &Frame<'_>, line: usize, column: usize, paint: Paint) -> String {
    let (now, before) = frame.lines().nth(line).unwrap_or_default();
    let before = before.chars().map(Some).chain(std::iter::repeat(None));
    let painted = now.chars().zip(before).map(|(now, before)| match before {
        Some(before) if before == now => now.to_string(),
        _ => paint.paint(Tone::Fresh, &now.to_string()),
    });
    painted.collect::<String>() + &" ".repeat(column.saturating_sub(length(now)))
}

fn length(line: &str) -> usize {
    line.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(boards: &[&str], width: usize, paint: Paint, expected: &str) {
        let befores = std::iter::once(&"").chain(boards);
        let frames = boards.iter().zip(befores).zip(1..);
        let frames: Vec<_> = frames
            .map(|((board, before), number)| Frame { caption: number.to_string(), board, before })
            .collect();
        assert_eq!(side_by_side(&frames, width, paint), expected);
    }

    #[test]
    fn boards_stand_side_by_side_while_there_is_room() {
        let boards = ["X.\n..", "X.\n.O", "XX\n.O"];
        check(&boards, 12, Paint::Plain, "1    2    3\nX.   X.   XX\n..   .O   .O");
        check(&boards, 11, Paint::Plain, "1    2\nX.   X.\n..   .O\n\n3\nXX\n.O");
        check(&boards[..2], 1, Paint::Plain, "1\nX.\n..\n\n2\nX.\n.O");
    }

    #[test]
    fn boards_of_different_sizes_stand_side_by_side() {
        check(&["X", "XO\nX"], 80, Paint::Plain, "1    2\nX    XO\n     X");
    }

    #[test]
    fn no_boards_are_no_text() {
        check(&[], 80, Paint::Plain, "");
    }

    #[test]
    fn what_is_new_is_painted() {
        let new = Paint::Coloured.paint(Tone::Fresh, "O");
        let first = Paint::Coloured.paint(Tone::Fresh, "X");
        check(&["X", "O"], 80, Paint::Coloured, &format!("1   2\n{first}   {new}"));
    }
}
