//! Lays out boards, drawn as text, side by side for a terminal.

use crate::console::visible;
use crate::paint::{Paint, Tone};

/// A picture as a few lines of text: the board without letters and numbers, and the notes.
pub(super) fn board_text(picture: &game::Picture) -> String {
    let mut lines: Vec<String> = Vec::new();
    if let Some(board) = &picture.board {
        let symbol = |cell: &game::GridCell| {
            cell.piece.as_ref().map_or_else(|| ".".to_owned(), |piece| piece.symbol.clone())
        };
        let rows = board.cells.chunks(usize::from(board.columns.max(1)));
        lines.extend(rows.map(|row| row.iter().map(symbol).collect::<Vec<_>>().join(" ")));
    }
    lines.extend(picture.notes.iter().map(|note| visible(note)));
    lines.join("\n")
}

/// A board as text, with a caption of one line above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CaptionedBoard<'a> {
    pub(super) caption: String,
    pub(super) board: &'a str,
    /// The board before the last move, or nothing. Characters that differ from it are painted.
    pub(super) before: &'a str,
}

/// The spaces between two columns.
const GAP: usize = 3;

/// The boards from left to right, in rows of at most this width, but at least one board in each.
pub(super) fn side_by_side(boards: &[CaptionedBoard<'_>], width: usize, paint: Paint) -> String {
    let column_width = boards.iter().map(CaptionedBoard::width).max().unwrap_or_default();
    // The last column needs no gap.
    let per_row = (width + GAP) / (column_width + GAP);
    let rows = boards.chunks(per_row.max(1)).map(|row| row_of(row, column_width, paint));
    rows.collect::<Vec<_>>().join("\n\n")
}

impl CaptionedBoard<'_> {
    fn width(&self) -> usize {
        self.lines().map(|(line, _)| char_count(line)).max().unwrap_or_default()
    }

    fn height(&self) -> usize {
        self.lines().count()
    }

    /// The caption and the lines of the board, each with the line that stood there before. The caption
    /// stands beside itself, so it is never painted.
    fn lines(&self) -> impl Iterator<Item = (&str, &str)> {
        let before = self.before.lines().chain(std::iter::repeat(""));
        let board = self.board.lines().zip(before);
        std::iter::once((self.caption.as_str(), self.caption.as_str())).chain(board)
    }
}

fn row_of(boards: &[CaptionedBoard<'_>], column_width: usize, paint: Paint) -> String {
    let height = boards.iter().map(CaptionedBoard::height).max().unwrap_or_default();
    let line = |number| {
        let parts = boards.iter().map(|board| board_line(board, number, column_width, paint));
        parts.collect::<Vec<_>>().join(&" ".repeat(GAP)).trim_end().to_owned()
    };
    (0..height).map(line).collect::<Vec<_>>().join("\n")
}

/// One line of a board with its changes painted, padded to the width of its column.
fn board_line(
    board: &CaptionedBoard<'_>,
    line: usize,
    column_width: usize,
    paint: Paint,
) -> String {
    let (now, before) = board.lines().nth(line).unwrap_or_default();
    let before = before.chars().map(Some).chain(std::iter::repeat(None));
    let painted = now.chars().zip(before).map(|(now, before)| match before {
        Some(before) if before == now => now.to_string(),
        _ => paint.paint(Tone::Fresh, &now.to_string()),
    });
    painted.collect::<String>() + &" ".repeat(column_width.saturating_sub(char_count(now)))
}

fn char_count(line: &str) -> usize {
    line.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(boards: &[&str], width: usize, paint: Paint, expected: &str) {
        let previous = std::iter::once(&"").chain(boards);
        let captioned = boards.iter().zip(previous).zip(1..);
        let captioned: Vec<_> = captioned
            .map(|((board, before), number)| CaptionedBoard {
                caption: number.to_string(),
                board,
                before,
            })
            .collect();
        assert_eq!(side_by_side(&captioned, width, paint), expected);
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
