//! Marks, lines and blocks, drawn as thread.

use super::view::{Element, View, svg};
use crate::screen::{BoardBlock, BoardScreen, BoardSquare};

/// The side of a square.
const SIDE: usize = 100;

/// The space between two blocks.
const GAP: usize = 40;

/// The space between a block's squares and its frame.
const PADDING: usize = 12;

/// The measures of a board: squares of 100 units, and gaps between blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BoardGeometry {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// The side of a block in squares; `None` on a board without blocks.
    block_side: Option<usize>,
}

impl BoardGeometry {
    pub(crate) fn new(board: &BoardScreen) -> Self {
        let block_side = (!board.blocks.is_empty()).then_some(board.block_side);
        Self { columns: board.columns, rows: board.rows(), block_side }
    }

    pub(crate) const fn squares(self) -> usize {
        self.columns * self.rows
    }

    pub(crate) fn width(self) -> usize {
        self.start(self.columns.saturating_sub(1)) + SIDE
    }

    pub(crate) fn height(self) -> usize {
        self.start(self.rows.saturating_sub(1)) + SIDE
    }

    /// The number of gaps before a column or row.
    fn gaps(self, index: usize) -> usize {
        self.block_side.map_or(0, |side| index / side)
    }

    /// Where a column or row starts.
    fn start(self, index: usize) -> usize {
        index * SIDE + self.gaps(index) * GAP
    }

    /// The CSS grid line of a column or row.
    pub(crate) fn track(self, index: usize) -> usize {
        1 + index + self.gaps(index)
    }

    pub(crate) fn column_tracks(self) -> String {
        self.tracks(self.columns)
    }

    pub(crate) fn row_tracks(self) -> String {
        self.tracks(self.rows)
    }

    /// The CSS grid tracks of `count` columns or rows, with the gaps between blocks.
    fn tracks(self, count: usize) -> String {
        let track = |index: usize| {
            let is_block_start = index > 0 && self.gaps(index) > self.gaps(index - 1);
            let gap = if is_block_start { format!("{GAP}fr ") } else { String::new() };
            format!("{gap}{SIDE}fr ")
        };
        (0..count).map(track).collect()
    }

    /// The middle of a square.
    fn centre(self, board: &BoardScreen, index: usize) -> (i64, i64) {
        let (column, row) = board.place(index);
        (signed(self.start(column) + SIDE / 2), signed(self.start(row) + SIDE / 2))
    }

    /// The first column or row and the number of columns or rows of each block.
    fn spans(self, count: usize) -> impl Iterator<Item = (usize, usize)> {
        let side = self.block_side.unwrap_or(count).max(1);
        (0..count).step_by(side).map(move |first| (first, side.min(count - first)))
    }
}

/// A mark on a square: a thread along its path, or a tacking stitch until the server has confirmed
/// it.
pub(crate) fn mark(index: usize, square: &BoardSquare) -> Option<Element> {
    let (symbol, seat) = square.mark.clone()?;
    let state = if square.is_pending { "pending" } else { "tied" };
    let last = if square.is_last { " last" } else { "" };
    let class = format!("mark {} {state}{last}", colour(seat));
    let mark = picture(&class).attribute("aria-hidden", "true");
    Some(match symbol.as_str() {
        "X" | "O" => {
            let (letter, variant) = (symbol.to_ascii_lowercase(), index % 2 + 1);
            let (thread, path) =
                (format!("#{letter}{variant}"), format!("#{letter}{variant}-path"));
            let mask = format!("reveal-{index}");
            let masked = format!("url(#{mask})");
            let revealed = placed("mask", (0, 0), (SIDE, SIDE)).attribute("id", &mask);
            let revealed = revealed.attribute("maskUnits", "userSpaceOnUse");
            mark.child(revealed.child(used(&path).class("reveal")))
                .child(used(&thread).class("yarn").attribute("mask", &masked))
                .child(used(&path).class("stitch"))
        }
        _ => {
            let text = svg("text").attribute("x", "50").attribute("y", "54");
            let text = text.attribute("text-anchor", "middle");
            mark.child(text.attribute("dominant-baseline", "middle").child(symbol))
        }
    })
}

/// A drawing of its own, of the size of a square.
fn picture(class: &str) -> Element {
    svg("svg").class(class).attribute("viewBox", "0 0 100 100")
}

/// What is drawn elsewhere.
fn used(href: &str) -> Element {
    svg("use").attribute("href", href)
}

/// An element with a place and a size.
fn placed(tag: &'static str, (x, y): (i64, i64), (width, height): (usize, usize)) -> Element {
    sized(svg(tag), (x, y), (width, height))
}

fn sized(element: Element, (x, y): (i64, i64), (width, height): (usize, usize)) -> Element {
    let element = element.attribute("x", &x.to_string()).attribute("y", &y.to_string());
    element.number("width", width).number("height", height)
}

/// The marks of a small picture, as plain threads.
pub(crate) fn small_marks(geometry: BoardGeometry, board: &BoardScreen) -> View {
    let mark = |(index, square): (usize, &BoardSquare)| {
        let (symbol, seat) = square.mark.clone()?;
        let (column, row) = board.place(index);
        let class = format!("small-mark {}", colour(seat));
        let path = format!("#{}1-path", symbol.to_ascii_lowercase());
        let place = (signed(geometry.start(column)), signed(geometry.start(row)));
        Some(sized(picture(&class), place, (SIDE, SIDE)).child(used(&path)))
    };
    View::list(board.squares.iter().enumerate().filter_map(mark))
}

/// The small picture of a game without a board: two cards.
pub(crate) fn cards() -> Element {
    let card = |class: &str, place: (i64, i64), turn: &str| {
        let card = placed("rect", place, (120, 180)).class(class).attribute("rx", "16");
        card.attribute("transform", turn)
    };
    svg("svg")
        .attribute("viewBox", "0 0 300 300")
        .child(card("card-back", (60, 50), "rotate(-10 120 140)"))
        .child(card("card-front", (120, 70), "rotate(8 180 160)"))
}

fn colour(seat: Option<game::Seat>) -> &'static str {
    match seat.map(game::Seat::number) {
        Some(0) => "first",
        Some(_) => "second",
        None => "nobody",
    }
}

/// The frames of the blocks, with the mark of each block's winner. The frames of the blocks for the
/// next move have the colour of the player in turn.
pub(crate) fn blocks(geometry: BoardGeometry, blocks: &[BoardBlock]) -> View {
    let places = geometry.spans(geometry.rows).flat_map(|(row, rows)| {
        geometry.spans(geometry.columns).map(move |(column, columns)| (column, row, columns, rows))
    });
    let views = places.zip(blocks).map(|((column, row, columns, rows), block)| {
        let (x, y) = (signed(geometry.start(column)), signed(geometry.start(row)));
        let (width, height) = (columns * SIDE, rows * SIDE);
        let class = match (&block.owner, block.open_to) {
            (Some((_, seat)), _) => format!("block won {}", colour(Some(*seat))),
            (None, Some(seat)) => format!("block open {}", colour(Some(seat))),
            (None, None) => "block".to_owned(),
        };
        let owner = block.owner.as_ref().map(|(symbol, seat)| {
            let class = format!("block-owner {}", colour(Some(*seat)));
            let path = format!("#{}1-path", symbol.to_ascii_lowercase());
            sized(picture(&class), (x, y), (width, height)).child(used(&path))
        });
        let corner = (x - signed(PADDING), y - signed(PADDING));
        let frame = placed("rect", corner, (width + 2 * PADDING, height + 2 * PADDING));
        let frame = frame.class(&class).attribute("rx", "16");
        View::List(vec![frame.into(), owner.into()])
    });
    View::list(views)
}

fn signed(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// The lines between squares, as threads that hang a little. Lines stay within their block.
pub(crate) fn lines(geometry: BoardGeometry) -> String {
    let mut path = String::new();
    for (top, rows) in geometry.spans(geometry.rows) {
        for (left, columns) in geometry.spans(geometry.columns) {
            path += &block_lines(geometry, (left, top), (columns, rows));
        }
    }
    path
}

fn block_lines(
    geometry: BoardGeometry,
    (left, top): (usize, usize),
    (columns, rows): (usize, usize),
) -> String {
    let (x0, y0) = (signed(geometry.start(left)), signed(geometry.start(top)));
    let (width, height) = (signed(columns * SIDE), signed(rows * SIDE));
    let sway = |number: usize| if number.is_multiple_of(2) { 2 } else { -2 };
    let upright = (1..columns).map(|number| {
        let (x, sway) = (x0 + signed(number * SIDE), sway(number));
        let (third, two_thirds) = (y0 + height / 3, y0 + height * 2 / 3);
        let (start, end) = (y0 + 12, y0 + height - 12);
        format!("M{x} {start}C{} {third} {} {two_thirds} {x} {end}", x - sway, x + sway)
    });
    let level = (1..rows).map(|number| {
        let (y, sway) = (y0 + signed(number * SIDE), sway(number));
        let (third, two_thirds) = (x0 + width / 3, x0 + width * 2 / 3);
        let (start, end) = (x0 + 12, x0 + width - 12);
        format!("M{start} {y}C{third} {} {two_thirds} {} {end} {y}", y - sway, y + sway * 3 / 2)
    });
    upright.chain(level).collect()
}

/// The golden threads through the squares that decided the round.
pub(crate) fn winning_threads(geometry: BoardGeometry, board: &BoardScreen) -> Vec<String> {
    let thread = |(first, last): (usize, usize)| {
        let ((x1, y1), (x2, y2)) = (geometry.centre(board, first), geometry.centre(board, last));
        // Whole numbers are enough, and the library's code for others would make the page larger.
        let along = ((x2 - x1).pow(2) + (y2 - y1).pow(2)).isqrt().max(1);
        // It starts before the first mark and ends behind the last one.
        let (out, bend) = (40, 7);
        let whole = along + 2 * out;
        let at = |percent: i64, side: i64| {
            let ahead = whole * percent / 100 - out;
            let x = x1 + ((x2 - x1) * ahead - (y2 - y1) * side) / along;
            let y = y1 + ((y2 - y1) * ahead + (x2 - x1) * side) / along;
            format!("{x} {y}")
        };
        format!("M{}C{} {} {}", at(0, 0), at(33, bend), at(67, -bend), at(100, 0))
    };
    board.winning_runs().into_iter().map(thread).collect()
}

/// The yarn from the squares that a reason is about to the square of the move; `None` if they are not
/// on the board.
pub(crate) fn reason_thread(
    geometry: BoardGeometry,
    board: &BoardScreen,
    names: &[String],
) -> Option<String> {
    let place = |name: &String| {
        let index = board.squares.iter().position(|square| square.name == *name)?;
        Some(geometry.centre(board, index))
    };
    let points: Vec<(i64, i64)> = names.iter().filter_map(place).collect();
    let ((first_x, first_y), rest) = points.split_first().filter(|(_, rest)| !rest.is_empty())?;
    let line = |(x, y): &(i64, i64)| format!("L{x} {y}");
    Some(format!("M{first_x} {first_y}{}", rest.iter().map(line).collect::<String>()))
}

/// The loop that is tied around a drawn board.
pub(crate) fn tied_loop(geometry: BoardGeometry) -> String {
    let (w, h) = (signed(geometry.width()), signed(geometry.height()));
    let (x, y) = (w / 2, h - 7);
    format!(
        "M{x} {y}C{} {} 6 {h} 8 {}C4 {} 10 6 {x} 8C{} 4 {} 8 {} {}C{} {} {} {h} {x} {y}\
         c-14 -22 -40 -20 -34 -4c4 12 24 8 34 4c14 -22 40 -20 34 -4c-4 12 -24 8 -34 4\
         c-8 10 -16 14 -26 18m26 -18c8 10 16 14 26 18",
        w / 4,
        h + 2,
        h / 2,
        h / 5,
        w * 3 / 4,
        w - 4,
        w - 8,
        h / 2,
        w - 4,
        h * 9 / 10,
        w * 3 / 4,
    )
}
