//! The picture of a board in messengers: its marks as thread on paper, as the page draws them.

use game::{Grid, GridCell, Piece};

use super::canvas::{Canvas, FINE, FinePoint, PixelColour};

/// The size that messengers ask for, in pixels.
const WIDTH: usize = 1200;
const HEIGHT: usize = 630;

/// The space around the board, in parts of a pixel.
const MARGIN: i32 = 40 * FINE;

/// The side of a square in the units of a mark, and the space between two blocks.
const SIDE: i32 = 1_000;
const GAP: i32 = 400;

/// The colours of the page.
const PAPER: PixelColour = [0xfa, 0xf6, 0xef];
const LINES: PixelColour = [0xa8, 0x97, 0x7c];
const FIRST: PixelColour = [0xc0, 0x3d, 0x28];
const SECOND: PixelColour = [0x2f, 0x4b, 0x9c];
const NOBODY: PixelColour = [0x67, 0x5f, 0x56];
/// Those of marks beside the line that has won.
const FIRST_PALE: PixelColour = [0xe5, 0xb0, 0xa4];
const SECOND_PALE: PixelColour = [0xae, 0xb8, 0xd6];
const NOBODY_PALE: PixelColour = [0xc2, 0xbb, 0xb1];

/// A curve: two ends, and two points between them that pull it.
type Curve = [FinePoint; 4];

/// The strands of an X and of an O, as in the document of the page.
const X: [Curve; 2] = [
    [(200, 220), (380, 400), (600, 580), (800, 790)],
    [(800, 200), (620, 400), (420, 570), (210, 800)],
];
const O: [Curve; 4] = [
    [(465, 207), (627, 187), (779, 299), (799, 464)],
    [(799, 464), (819, 629), (699, 776), (536, 796)],
    [(536, 796), (372, 815), (220, 702), (200, 536)],
    [(200, 536), (177, 347), (334, 183), (524, 199)],
];

/// The straight pieces of a curve.
const PIECES: i32 = 12;

/// Draws a board; `None` if it has no squares.
pub(crate) fn board_picture(grid: &Grid) -> Option<Vec<u8>> {
    let place = BoardPlace::of(grid)?;
    let mut canvas = Canvas::new(WIDTH, HEIGHT, PAPER);
    canvas.draw(&place.lines(), place.length(28).max(2), LINES);
    let has_winner = grid.cells.iter().any(|cell| cell.decides);
    // Pale marks first, so that the line that has won lies above them.
    for decides in [false, true] {
        let is_pale = has_winner && !decides;
        for seat in [Some(0), Some(1), None] {
            let is_drawn = |cell: &&(usize, &GridCell)| {
                cell.1.decides == decides && holds_piece_of(seat, cell.1)
            };
            let cells = grid.cells.iter().enumerate();
            let threads = cells.filter(|cell| is_drawn(&cell)).flat_map(|(index, cell)| {
                let symbol = cell.piece.as_ref().map_or("", |piece| &piece.symbol);
                place.mark(index, symbol)
            });
            canvas.draw(
                &threads.collect::<Vec<_>>(),
                place.length(52).max(4),
                colour(seat, is_pale),
            );
        }
    }
    Some(canvas.png())
}

/// Whether a piece of this seat, or of nobody, stands on a cell.
fn holds_piece_of(seat: Option<u8>, cell: &GridCell) -> bool {
    let holds = |piece: &Piece| piece.seat.map(|seat| seat.number().min(1)) == seat;
    cell.piece.as_ref().is_some_and(holds)
}

const fn colour(seat: Option<u8>, is_pale: bool) -> PixelColour {
    match (seat, is_pale) {
        (Some(0), false) => FIRST,
        (Some(0), true) => FIRST_PALE,
        (Some(_), false) => SECOND,
        (Some(_), true) => SECOND_PALE,
        (None, false) => NOBODY,
        (None, true) => NOBODY_PALE,
    }
}

/// Where the squares of a board are on the canvas.
#[derive(Clone, Copy, Debug)]
struct BoardPlace {
    columns: i32,
    rows: i32,
    /// The rows and columns of a block; as many as the board has if there are no blocks.
    block: i32,
    /// The side of a square in parts of a pixel.
    side: i32,
    left: i32,
    top: i32,
}

impl BoardPlace {
    fn of(grid: &Grid) -> Option<Self> {
        let (columns, rows) = (i32::from(grid.columns), i32::try_from(grid.rows()).ok()?);
        if columns == 0 || rows == 0 {
            return None;
        }
        let block = if grid.block > 1 { i32::from(grid.block) } else { columns.max(rows) };
        let unplaced = Self { columns, rows, block, side: SIDE, left: 0, top: 0 };
        let (width, height) = (unplaced.start(columns - 1) + SIDE, unplaced.start(rows - 1) + SIDE);
        let (wide, high) = (fine(WIDTH), fine(HEIGHT));
        let side = (SIDE * (wide - 2 * MARGIN) / width).min(SIDE * (high - 2 * MARGIN) / height);
        let placed = |whole: i32, length: i32| (whole - length * side / SIDE) / 2;
        Some(Self { side, left: placed(wide, width), top: placed(high, height), ..unplaced })
    }

    /// Where a column or row begins, in units.
    const fn start(self, index: i32) -> i32 {
        index * SIDE + index / self.block * GAP
    }

    /// Units as parts of a pixel.
    const fn length(self, units: i32) -> i32 {
        units * self.side / SIDE
    }

    const fn point(self, (x, y): FinePoint) -> FinePoint {
        (self.left + self.length(x), self.top + self.length(y))
    }

    /// The lines between the squares of each block.
    fn lines(self) -> Vec<Vec<FinePoint>> {
        let spans = |count: i32| {
            (0..count)
                .step_by(self.block.unsigned_abs() as usize)
                .map(move |first| (self.start(first), self.block.min(count - first)))
        };
        let mut lines = Vec::new();
        for (left, columns) in spans(self.columns) {
            for (top, rows) in spans(self.rows) {
                let (width, height) = (columns * SIDE, rows * SIDE);
                lines.extend((1..columns).map(|number| {
                    let x = left + number * SIDE;
                    vec![self.point((x, top + 120)), self.point((x, top + height - 120))]
                }));
                lines.extend((1..rows).map(|number| {
                    let y = top + number * SIDE;
                    vec![self.point((left + 120, y)), self.point((left + width - 120, y))]
                }));
            }
        }
        lines
    }

    /// The strands of a mark. A symbol that is no X is drawn as an O.
    fn mark(self, index: usize, symbol: &str) -> Vec<Vec<FinePoint>> {
        let index = i32::try_from(index).unwrap_or(0);
        let (left, top) = (self.start(index % self.columns), self.start(index / self.columns));
        let strand = |curve: &Curve| -> Vec<FinePoint> {
            let points = (0..=PIECES).map(|piece| on_curve(curve, piece));
            points.map(|(x, y)| self.point((left + x, top + y))).collect()
        };
        match symbol {
            "X" => X.iter().map(strand).collect(),
            _ => O.iter().map(strand).collect(),
        }
    }
}

/// The point of a curve after this many of its pieces.
fn on_curve(curve: &Curve, piece: i32) -> FinePoint {
    let (after, before) = (piece, PIECES - piece);
    let weights =
        [before.pow(3), 3 * before.pow(2) * after, 3 * before * after.pow(2), after.pow(3)];
    let sum = |part: fn(&FinePoint) -> i32| {
        let weighted = curve.iter().zip(weights).map(|(point, weight)| part(point) * weight);
        weighted.sum::<i32>() / PIECES.pow(3)
    };
    (sum(|point| point.0), sum(|point| point.1))
}

fn fine(pixels: usize) -> i32 {
    i32::try_from(pixels).unwrap_or(i32::MAX / FINE) * FINE
}
