//! Where things are on the screen.

use game::Grid;
use ratatui::layout::{Position, Rect};

/// Where everything is in a window of some size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The name of the game, and who plays.
    pub(super) header: Rect,
    /// The board, or the moves of a game without one.
    pub(super) body: Rect,
    /// Score, moves and reasons, if there is room beside the board.
    pub(super) panel: Option<Rect>,
    /// What to do next.
    pub(super) status: Rect,
    /// The keys.
    pub(super) footer: Rect,
    /// The cells, if there is a board.
    pub(super) board: Option<BoardPlan>,
}

/// Where the cells of a board are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoardPlan {
    columns: u16,
    rows: u16,
    /// Cells belong together in blocks of so many rows and columns.
    block: u16,
    /// The upper left corner of the first cell.
    origin: Position,
    /// How large the cells are.
    pub(super) scale: Scale,
}

/// How large the cells of a board are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// So many rows each, with lines between them.
    Rows(u16),
    /// Three characters each, and lines only between blocks.
    Loose,
    /// One character each, and lines only between blocks.
    Dense,
}

/// How heavy a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Light,
    Heavy,
}

/// A window in which nothing can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This window has {columns}×{rows} characters; {needed_columns}×{needed_rows} are needed")]
pub(super) struct TooSmall {
    columns: u16,
    rows: u16,
    needed_columns: u16,
    needed_rows: u16,
}

/// How wide the panel is.
const PANEL: u16 = 34;

/// Two rows above the body and two below.
const OTHER_ROWS: u16 = 4;

/// Less cannot be read, whatever the game.
const LEAST: (u16, u16) = (34, 10);

/// From the largest cells to the smallest.
const SCALES: [Scale; 9] = [
    Scale::Rows(9),
    Scale::Rows(7),
    Scale::Rows(5),
    Scale::Rows(4),
    Scale::Rows(3),
    Scale::Rows(2),
    Scale::Rows(1),
    Scale::Loose,
    Scale::Dense,
];

impl Plan {
    /// Where everything is in a window, around this board if there is one.
    ///
    /// # Errors
    /// If the window is too small.
    pub(super) fn new(window: Rect, board: Option<&Grid>) -> Result<Self, TooSmall> {
        let (columns, rows) = board.map_or(LEAST, least);
        let needed = (columns.max(LEAST.0), (rows + OTHER_ROWS).max(LEAST.1));
        if window.width < needed.0 || window.height < needed.1 {
            let (needed_columns, needed_rows) = needed;
            let (columns, rows) = (window.width, window.height);
            return Err(TooSmall { columns, rows, needed_columns, needed_rows });
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
            board: board.and_then(|board| BoardPlan::fitting(body, board)),
        })
    }
}

/// The least width and height of a board.
fn least(board: &Grid) -> (u16, u16) {
    let plan = BoardPlan::at(Position::ORIGIN, board, Scale::Dense);
    (plan.width(), plan.height())
}

impl BoardPlan {
    /// The largest board that fits, in the middle of the area.
    fn fitting(area: Rect, board: &Grid) -> Option<Self> {
        let plans = SCALES.into_iter().map(|scale| Self::at(Position::ORIGIN, board, scale));
        let plan = plans
            .into_iter()
            .find(|plan| plan.width() <= area.width && plan.height() <= area.height)?;
        let left = area.x + (area.width - plan.width()).div_ceil(2) + plan.margin();
        let top = area.y + (area.height - plan.height()) / 2 + 1;
        Some(Self { origin: Position::new(left, top), ..plan })
    }

    fn at(origin: Position, board: &Grid, scale: Scale) -> Self {
        let rows = u16::try_from(board.rows()).unwrap_or(u16::MAX);
        let block = u16::from(board.block).max(1);
        Self { columns: board.columns.into(), rows, block, origin, scale }
    }

    /// Room for the numbers of rows, a space, and the frame of the cursor.
    pub(super) fn margin(&self) -> u16 {
        if self.rows > 9 { 4 } else { 3 }
    }

    fn width(&self) -> u16 {
        // The cell at the end has a corner of the cursor behind it, like all others.
        self.margin() + self.area().width + 1
    }

    fn height(&self) -> u16 {
        // The names of the columns are above, and corners of the cursor below.
        1 + self.area().height + self.scale.gap()
    }

    /// All of it, without the names of columns and rows.
    pub(super) fn area(&self) -> Rect {
        let last = self.columns * self.rows - 1;
        self.cell(0).union(self.cell(last.into()))
    }

    /// The cells of the block in which this one is, with all that is between them.
    pub(super) fn block(&self, place: usize) -> Rect {
        let (columns, block) = (usize::from(self.columns), usize::from(self.block));
        let (column, row) = (place % columns / block * block, place / columns / block * block);
        let last_column = (column + block).min(columns) - 1;
        let last_row = (row + block).min(usize::from(self.rows)) - 1;
        self.cell(row * columns + column).union(self.cell(last_row * columns + last_column))
    }

    /// How heavy the line down is that passes before a column, and where, if there is one.
    pub(super) fn line_before_column(&self, column: u16) -> Option<(u16, Weight)> {
        let weight = self.weight(column)?;
        let distance = if self.scale == Scale::Dense { 2 } else { 1 };
        Some((self.cell(column.into()).x - distance, weight))
    }

    /// How heavy the line across is that passes above a row, and where, if there is one.
    pub(super) fn line_above_row(&self, row: u16) -> Option<(u16, Weight)> {
        let weight = self.weight(row)?;
        Some((self.cell(usize::from(row) * usize::from(self.columns)).y - 1, weight))
    }

    fn weight(&self, number: u16) -> Option<Weight> {
        let is_heavy = self.block > 1 && number.is_multiple_of(self.block);
        match (self.scale, is_heavy) {
            _ if number == 0 => None,
            (_, true) => Some(Weight::Heavy),
            (Scale::Rows(_), false) => Some(Weight::Light),
            (Scale::Loose | Scale::Dense, false) => None,
        }
    }

    /// How many lines between blocks, for which there is no room yet, are before a column or row.
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

    /// The cell at a point; in a dense board the space between two belongs to the one before.
    pub(super) fn place_at(&self, point: Position) -> Option<usize> {
        let places = 0..usize::from(self.columns) * usize::from(self.rows);
        places.into_iter().find(|place| self.cell(*place).contains(point))
    }

    pub(super) fn columns(&self) -> u16 {
        self.columns
    }

    pub(super) fn rows(&self) -> u16 {
        self.rows
    }
}

impl Scale {
    /// How wide a cell is.
    pub(super) fn columns(self) -> u16 {
        match self {
            Self::Dense => 1,
            Self::Loose => 3,
            Self::Rows(rows @ 0..3) => 2 * rows + 1,
            Self::Rows(rows) => 2 * rows + 3,
        }
    }

    /// How high a cell is.
    pub(super) fn rows(self) -> u16 {
        match self {
            Self::Dense | Self::Loose => 1,
            Self::Rows(rows) => rows,
        }
    }

    /// How far cells are from those below.
    pub(super) fn gap(self) -> u16 {
        match self {
            Self::Dense | Self::Loose => 0,
            Self::Rows(_) => 1,
        }
    }

    /// How many columns and rows the lines between blocks need beside the gaps that are there.
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
    fn check(columns: u8, rows: usize, expected: Scale) {
        let plan = Plan::new(USUAL, Some(&grid(columns, rows))).unwrap();
        assert_eq!(plan.board.unwrap().scale, expected);
        assert!(plan.panel.is_some());
    }

    #[test]
    fn boards_are_as_large_as_a_usual_window_allows() {
        check(3, 3, Scale::Rows(5));
        check(4, 4, Scale::Rows(3));
        check(7, 6, Scale::Rows(2));
        check(9, 9, Scale::Rows(1));
        check(15, 15, Scale::Dense);
        check(19, 19, Scale::Dense);
    }

    #[test]
    fn a_wide_board_leaves_no_room_for_the_panel() {
        let plan = Plan::new(USUAL, Some(&grid(26, 12))).unwrap();
        assert_eq!((plan.panel, plan.body.width), (None, 80));
    }

    #[test]
    fn a_window_that_is_too_small_says_which_size_is_needed() {
        let window = Rect { height: 23, ..USUAL };
        let error = Plan::new(window, Some(&grid(19, 19))).unwrap_err().to_string();
        assert_eq!(error, "This window has 80×23 characters; 42×24 are needed");
        let error = Plan::new(Rect { width: 20, ..USUAL }, None).unwrap_err().to_string();
        assert_eq!(error, "This window has 20×24 characters; 34×14 are needed");
    }

    #[test]
    fn blocks_are_apart_at_every_size() {
        let ultimate = Grid { block: 3, ..grid(9, 9) };
        for (columns, rows, scale) in
            [(80, 24, Scale::Rows(1)), (60, 20, Scale::Loose), (34, 16, Scale::Dense)]
        {
            let board = Plan::new(Rect::new(0, 0, columns, rows), Some(&ultimate)).unwrap().board;
            let board = board.unwrap();
            assert_eq!(board.scale, scale);
            let (x, weight) = board.line_before_column(3).unwrap();
            assert!(board.cell(2).right() <= x && x < board.cell(3).x);
            assert_eq!((weight, board.line_above_row(0)), (Weight::Heavy, None));
            let (y, _) = board.line_above_row(6).unwrap();
            assert_eq!((board.cell(5 * 9).bottom(), board.cell(6 * 9).y), (y, y + 1));
            let block = board.block(4 * 9 + 4);
            assert_eq!(block, board.cell(3 * 9 + 3).union(board.cell(5 * 9 + 5)));
        }
    }

    #[test]
    fn every_cell_is_found_by_its_points_and_lines_belong_to_none() {
        for (columns, rows) in [(3, 3), (7, 6), (9, 9), (19, 19)] {
            let board = Plan::new(USUAL, Some(&grid(columns, rows))).unwrap().board.unwrap();
            let cells = usize::from(columns) * rows;
            for place in 0..cells {
                let cell = board.cell(place);
                assert!(USUAL.intersection(cell) == cell, "{cell:?} is not on the screen");
                for point in cell.positions() {
                    assert_eq!(board.place_at(point), Some(place));
                }
            }
            let found = USUAL.positions().filter(|point| board.place_at(*point).is_some()).count();
            let area = usize::from(board.scale.columns() * board.scale.rows());
            assert_eq!(found, cells * area);
        }
    }
}
