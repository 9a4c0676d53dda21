//! Where everything is on the screen.

use game::Grid;
use ratatui::layout::{Position, Rect};

/// Where everything is in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScreenLayout {
    /// The name of the game and its players.
    pub(super) header: Rect,
    /// The board; in a game without one, the moves.
    pub(super) body: Rect,
    /// Score, moves and explanations, if there is room beside the board.
    pub(super) panel: Option<Rect>,
    /// The player to move, and what happened.
    pub(super) status: Rect,
    /// The keys.
    pub(super) footer: Rect,
    /// The cells, if there is a board.
    pub(super) board: Option<BoardLayout>,
}

/// Where the cells of a board are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardLayout {
    columns: u16,
    rows: u16,
    /// The rows and columns of a block of cells; 1 if there are no blocks.
    block: u16,
    /// The upper left corner of the first cell.
    origin: Position,
    /// The size of the cells.
    pub(super) scale: CellScale,
}

/// The size of the cells of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellScale {
    /// This many rows each, with lines between them.
    Rows(u16),
    /// Three characters each, with lines only between blocks.
    Loose,
    /// One character each, with lines only between blocks.
    Dense,
}

/// A part of a board that can be clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardPart {
    Cell(usize),
    /// The name of a column.
    Column(usize),
    /// The name of a row.
    Row(usize),
}

/// The weight of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineWeight {
    Light,
    Heavy,
}

/// The window is too small for the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This window has {columns}×{rows} characters; {needed_columns}×{needed_rows} are needed")]
pub(super) struct WindowTooSmall {
    columns: u16,
    rows: u16,
    needed_columns: u16,
    needed_rows: u16,
}

/// The width of the panel.
const PANEL: u16 = 34;

/// The rows outside of the body: two above and two below.
const OTHER_ROWS: u16 = 4;

/// The smallest window for any game: columns and rows.
const LEAST: (u16, u16) = (34, 10);

/// The smallest body for the notes and moves of a game without a board.
const LEAST_LIST: (u16, u16) = (34, 8);

/// Largest first.
const SCALES: [CellScale; 9] = [
    CellScale::Rows(9),
    CellScale::Rows(7),
    CellScale::Rows(5),
    CellScale::Rows(4),
    CellScale::Rows(3),
    CellScale::Rows(2),
    CellScale::Rows(1),
    CellScale::Loose,
    CellScale::Dense,
];

impl ScreenLayout {
    /// The layout of a window around this board, if there is one.
    ///
    /// # Errors
    /// If the window is too small.
    pub(super) fn new(window: Rect, board: Option<&Grid>) -> Result<Self, WindowTooSmall> {
        let (columns, rows) = board.map_or(LEAST_LIST, least);
        let needed = (columns.max(LEAST.0), (rows + OTHER_ROWS).max(LEAST.1));
        if window.width < needed.0 || window.height < needed.1 {
            let (needed_columns, needed_rows) = needed;
            let (columns, rows) = (window.width, window.height);
            return Err(WindowTooSmall { columns, rows, needed_columns, needed_rows });
        }
        let rows = window.rows().collect::<Vec<_>>();
        let middle = Rect { y: window.y + 2, height: window.height - OTHER_ROWS, ..window };
        let has_panel = middle.width >= columns.max(LEAST.0) + PANEL;
        let width = if has_panel { middle.width - PANEL } else { middle.width };
        let body = Rect { width, ..middle };
        Ok(Self {
            header: rows[0].union(rows[1]),
            body,
            panel: has_panel.then_some(Rect { x: middle.x + width, width: PANEL, ..middle }),
            status: rows[rows.len() - 2],
            footer: rows[rows.len() - 1],
            board: board.and_then(|board| BoardLayout::fitting(body, board)),
        })
    }
}

/// The smallest width and height of a board.
fn least(board: &Grid) -> (u16, u16) {
    let layout = BoardLayout::at(Position::ORIGIN, board, CellScale::Dense);
    (layout.width(), layout.height())
}

impl BoardLayout {
    /// The largest board that fits, in the middle of the area.
    fn fitting(area: Rect, board: &Grid) -> Option<Self> {
        let plans = SCALES.into_iter().map(|scale| Self::at(Position::ORIGIN, board, scale));
        let layout = plans
            .into_iter()
            .find(|layout| layout.width() <= area.width && layout.height() <= area.height)?;
        let left = area.x + (area.width - layout.width()).div_ceil(2) + layout.margin();
        let top = area.y + (area.height - layout.height()) / 2 + 1;
        Some(Self { origin: Position::new(left, top), ..layout })
    }

    fn at(origin: Position, board: &Grid, scale: CellScale) -> Self {
        let rows = u16::try_from(board.rows()).unwrap_or(u16::MAX);
        let block = u16::from(board.block).max(1);
        Self { columns: board.columns.into(), rows, block, origin, scale }
    }

    /// Room for the numbers of rows, a space, and the frame of the cursor.
    pub(super) fn margin(&self) -> u16 {
        if self.rows > 9 { 4 } else { 3 }
    }

    fn width(&self) -> u16 {
        // The frame of the cursor needs one more column.
        self.margin() + self.area().width + 1
    }

    fn height(&self) -> u16 {
        // The names of the columns are above, and the frame of the cursor reaches below.
        1 + self.area().height + self.scale.gap()
    }

    /// The board without the names of columns and rows.
    pub(super) fn area(&self) -> Rect {
        let last = self.columns * self.rows - 1;
        self.cell(0).union(self.cell(last.into()))
    }

    /// The block that contains a cell.
    pub(super) fn block(&self, place: usize) -> Rect {
        let (columns, block) = (usize::from(self.columns), usize::from(self.block));
        let (column, row) = (place % columns / block * block, place / columns / block * block);
        let last_column = (column + block).min(columns) - 1;
        let last_row = (row + block).min(usize::from(self.rows)) - 1;
        self.cell(row * columns + column).union(self.cell(last_row * columns + last_column))
    }

    /// The place and the weight of the line before a column, if there is one.
    pub(super) fn line_before_column(&self, column: u16) -> Option<(u16, LineWeight)> {
        let weight = self.weight(column)?;
        let distance = if self.scale == CellScale::Dense { 2 } else { 1 };
        Some((self.cell(column.into()).x - distance, weight))
    }

    /// The place and the weight of the line above a row, if there is one.
    pub(super) fn line_above_row(&self, row: u16) -> Option<(u16, LineWeight)> {
        let weight = self.weight(row)?;
        Some((self.cell(usize::from(row) * usize::from(self.columns)).y - 1, weight))
    }

    fn weight(&self, number: u16) -> Option<LineWeight> {
        let is_heavy = self.block > 1 && number.is_multiple_of(self.block);
        match (self.scale, is_heavy) {
            _ if number == 0 => None,
            (_, true) => Some(LineWeight::Heavy),
            (CellScale::Rows(_), false) => Some(LineWeight::Light),
            (CellScale::Loose | CellScale::Dense, false) => None,
        }
    }

    /// The number of lines between blocks that come before a column or row.
    fn breaks_before(&self, number: u16) -> u16 {
        if self.block > 1 { number / self.block } else { 0 }
    }

    /// Where a cell is.
    pub(super) fn cell(&self, place: usize) -> Rect {
        let place = u16::try_from(place).unwrap_or(u16::MAX);
        let (column, row) = (place % self.columns, place / self.columns);
        let (width, height) = (self.scale.columns(), self.scale.rows());
        let (wider, higher) = self.scale.room_between_blocks();
        let (wider, higher) =
            (wider * self.breaks_before(column), higher * self.breaks_before(row));
        let x = self.origin.x + column * (width + 1) + wider;
        let y = self.origin.y + row * (height + self.scale.gap()) + higher;
        Rect { x, y, width, height }
    }

    /// The part of the board at a point.
    pub(super) fn part_at(&self, point: Position) -> Option<BoardPart> {
        let cell = self.cell_at(point).map(BoardPart::Cell);
        let column = || self.column_name_at(point).map(BoardPart::Column);
        let row = || self.row_name_at(point).map(BoardPart::Row);
        cell.or_else(column).or_else(row)
    }

    fn cell_at(&self, point: Position) -> Option<usize> {
        let places = 0..usize::from(self.columns) * usize::from(self.rows);
        places.into_iter().find(|place| self.cell(*place).contains(point))
    }

    /// The column whose name is above its first cell at this point.
    fn column_name_at(&self, point: Position) -> Option<usize> {
        (0..usize::from(self.columns)).find(|column| {
            let cell = self.cell(*column);
            Rect { y: cell.y - 1, height: 1, ..cell }.contains(point)
        })
    }

    /// The row whose name is left of its first cell at this point.
    fn row_name_at(&self, point: Position) -> Option<usize> {
        (0..usize::from(self.rows)).find(|row| {
            let cell = self.cell(row * usize::from(self.columns));
            let (x, width) = (cell.x - self.margin(), self.margin() - 1);
            Rect { x, width, ..cell }.contains(point)
        })
    }

    pub(super) fn columns(&self) -> u16 {
        self.columns
    }

    pub(super) fn rows(&self) -> u16 {
        self.rows
    }
}

impl CellScale {
    /// The width of a cell.
    pub(super) fn columns(self) -> u16 {
        match self {
            Self::Dense => 1,
            Self::Loose => 3,
            Self::Rows(rows @ 0..3) => 2 * rows + 1,
            Self::Rows(rows) => 2 * rows + 3,
        }
    }

    /// The height of a cell.
    pub(super) fn rows(self) -> u16 {
        match self {
            Self::Dense | Self::Loose => 1,
            Self::Rows(rows) => rows,
        }
    }

    /// The rows between a cell and the one below.
    pub(super) fn gap(self) -> u16 {
        match self {
            Self::Dense | Self::Loose => 0,
            Self::Rows(_) => 1,
        }
    }

    /// The columns and rows that a line between blocks needs in addition to the gaps.
    fn room_between_blocks(self) -> (u16, u16) {
        match self {
            Self::Dense => (2, 1),
            Self::Loose => (0, 1),
            Self::Rows(_) => (0, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use game::GridCell;

    use super::*;

    const USUAL: Rect = Rect { x: 0, y: 0, width: 80, height: 24 };

    fn grid(columns: u8, rows: usize) -> Grid {
        Grid { columns, cells: vec![GridCell::default(); usize::from(columns) * rows], block: 1 }
    }

    #[track_caller]
    fn check(columns: u8, rows: usize, expected: CellScale) {
        let layout = ScreenLayout::new(USUAL, Some(&grid(columns, rows))).unwrap();
        assert_eq!(layout.board.unwrap().scale, expected);
        assert!(layout.panel.is_some());
    }

    #[test]
    fn a_board_is_as_large_as_the_window_allows() {
        check(3, 3, CellScale::Rows(5));
        check(4, 4, CellScale::Rows(3));
        check(7, 6, CellScale::Rows(2));
        check(9, 9, CellScale::Rows(1));
        check(15, 15, CellScale::Dense);
        check(19, 19, CellScale::Dense);
    }

    #[test]
    fn a_wide_board_leaves_no_room_for_the_panel() {
        let layout = ScreenLayout::new(USUAL, Some(&grid(26, 12))).unwrap();
        assert_eq!((layout.panel, layout.body.width), (None, 80));
    }

    #[test]
    fn a_small_window_says_which_size_is_needed() {
        let window = Rect { height: 23, ..USUAL };
        let error = ScreenLayout::new(window, Some(&grid(19, 19))).unwrap_err().to_string();
        assert_eq!(error, "This window has 80×23 characters; 42×24 are needed");
        let error = ScreenLayout::new(Rect { width: 20, ..USUAL }, None).unwrap_err().to_string();
        assert_eq!(error, "This window has 20×24 characters; 34×12 are needed");
    }

    #[test]
    fn blocks_are_apart_at_every_size() {
        let ultimate = Grid { block: 3, ..grid(9, 9) };
        for (columns, rows, scale) in
            [(80, 24, CellScale::Rows(1)), (60, 20, CellScale::Loose), (34, 16, CellScale::Dense)]
        {
            let board =
                ScreenLayout::new(Rect::new(0, 0, columns, rows), Some(&ultimate)).unwrap().board;
            let board = board.unwrap();
            assert_eq!(board.scale, scale);
            let (x, weight) = board.line_before_column(3).unwrap();
            assert!(board.cell(2).right() <= x && x < board.cell(3).x);
            assert_eq!((weight, board.line_above_row(0)), (LineWeight::Heavy, None));
            let (y, _) = board.line_above_row(6).unwrap();
            assert_eq!((board.cell(5 * 9).bottom(), board.cell(6 * 9).y), (y, y + 1));
            let block = board.block(4 * 9 + 4);
            assert_eq!(block, board.cell(3 * 9 + 3).union(board.cell(5 * 9 + 5)));
        }
    }

    #[test]
    fn every_point_of_a_cell_belongs_to_it_and_lines_belong_to_none() {
        for (columns, rows) in [(3, 3), (7, 6), (9, 9), (19, 19)] {
            let board =
                ScreenLayout::new(USUAL, Some(&grid(columns, rows))).unwrap().board.unwrap();
            let cells = usize::from(columns) * rows;
            for place in 0..cells {
                let cell = board.cell(place);
                assert!(USUAL.intersection(cell) == cell, "{cell:?} is not on the screen");
                for point in cell.positions() {
                    assert_eq!(board.part_at(point), Some(BoardPart::Cell(place)));
                }
            }
            let found = USUAL.positions().filter(|point| board.cell_at(*point).is_some()).count();
            let area = usize::from(board.scale.columns() * board.scale.rows());
            assert_eq!(found, cells * area);
        }
    }

    #[test]
    fn the_names_of_columns_and_rows_are_found() {
        for (columns, rows) in [(3, 3), (7, 6), (19, 19)] {
            let board =
                ScreenLayout::new(USUAL, Some(&grid(columns, rows))).unwrap().board.unwrap();
            let cell = board.cell(usize::from(columns) + 1);
            let letter = Position::new(cell.x + cell.width / 2, board.cell(0).y - 1);
            assert_eq!(board.part_at(letter), Some(BoardPart::Column(1)));
            let number = Position::new(board.cell(0).x - board.margin(), cell.y + cell.height / 2);
            assert_eq!(board.part_at(number), Some(BoardPart::Row(1)));
            assert_eq!(board.part_at(Position::new(0, 0)), None);
        }
    }
}
