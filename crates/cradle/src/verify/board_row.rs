//! Boards side by side.

use crate::paint::{Paint, Tone};

/// A board with a caption above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CaptionedBoard<'a> {
    pub(super) caption: String,
    pub(super) board: &'a str,
    /// The board before. What changed is painted.
    pub(super) before: &'a str,
}

const GAP: usize = 3;

/// The boards from left to right, in rows of this width.
pub(super) fn side_by_side(boards: &[CaptionedBoard<'_>], width: usize, paint: Paint) -> String {
    let column = boards.iter().map(CaptionedBoard::width).max().unwrap_or_default();
    let per_row = (width + GAP) / (column + GAP);
    let rows = boards.chunks(per_row.max(1)).map(|row| row_of(row, column, paint));
    rows.collect::<Vec<_>>().join("\n\n")
}

impl CaptionedBoard<'_> {
    fn width(&self) -> usize {
        self.lines().map(|(line, _)| length(line)).max().unwrap_or_default()
    }

    fn height(&self) -> usize {
        self.lines().count()
    }

    /// The caption and the lines of the board, each with the line before the change.
    fn lines(&self) -> impl Iterator<Item = (&str, &str)> {
        let before = self.before.lines().chain(std::iter::repeat(""));
        let board = self.board.lines().zip(before);
        std::iter::once((self.caption.as_str(), self.caption.as_str())).chain(board)
    }
}

fn row_of(boards: &[CaptionedBoard<'_>], column: usize, paint: Paint) -> String {
    let height = boards.iter().map(CaptionedBoard::height).max().unwrap_or_default();
    let line = |number| {
        let cells = boards.iter().map(|board| cell(board, number, column, paint));
        cells.collect::<Vec<_>>().join(&" ".repeat(GAP)).trim_end().to_owned()
    };
    (0..height).map(line).collect::<Vec<_>>().join("\n")
}

/// One line of a board, padded to the width of its column.
fn cell(board: &CaptionedBoard<'_>, line: usize, column: usize, paint: Paint) -> String {
    let (now, before) = board.lines().nth(line).unwrap_or_default();
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

    fn check(board_row: &[&str], width: usize, paint: Paint, expected: &str) {
        let befores = std::iter::once(&"").chain(board_row);
        let frames = board_row.iter().zip(befores).zip(1..);
        let frames: Vec<_> = frames
            .map(|((board, before), number)| CaptionedBoard {
                caption: number.to_string(),
                board,
                before,
            })
            .collect();
        assert_eq!(side_by_side(&frames, width, paint), expected);
    }

    #[test]
    fn boards_are_side_by_side_while_there_is_room() {
        let board_row = ["X.\n..", "X.\n.O", "XX\n.O"];
        check(&board_row, 12, Paint::Plain, "1    2    3\nX.   X.   XX\n..   .O   .O");
        check(&board_row, 11, Paint::Plain, "1    2\nX.   X.\n..   .O\n\n3\nXX\n.O");
        check(&board_row[..2], 1, Paint::Plain, "1\nX.\n..\n\n2\nX.\n.O");
    }

    #[test]
    fn boards_of_different_sizes_are_side_by_side() {
        check(&["X", "XO\nX"], 80, Paint::Plain, "1    2\nX    XO\n     X");
    }

    #[test]
    fn no_boards_are_no_text() {
        check(&[], 80, Paint::Plain, "");
    }

    #[test]
    fn changes_are_painted() {
        let new = Paint::Coloured.paint(Tone::Fresh, "O");
        let first = Paint::Coloured.paint(Tone::Fresh, "X");
        check(&["X", "O"], 80, Paint::Coloured, &format!("1   2\n{first}   {new}"));
    }
}
