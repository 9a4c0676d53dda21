//! Marks, lines and blocks, drawn as thread.

use leptos::prelude::*;

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

    /// The first column or row and the number of columns or rows of each block.
    fn spans(self, count: usize) -> impl Iterator<Item = (usize, usize)> {
        let side = self.block_side.unwrap_or(count).max(1);
        (0..count).step_by(side).map(move |first| (first, side.min(count - first)))
    }
}

/// A mark on a square: a thread along its path, or a tacking stitch until the server has confirmed
/// it.
pub(crate) fn mark(index: usize, square: &BoardSquare) -> Option<AnyView> {
    let (symbol, seat) = square.mark.clone()?;
    let state = if square.is_pending { "pending" } else { "tied" };
    let last = if square.is_last { " last" } else { "" };
    let class = format!("mark {} {state}{last}", colour(seat));
    let drawn = match symbol.as_str() {
        "X" | "O" => {
            let (letter, variant) = (symbol.to_lowercase(), index % 2 + 1);
            let (thread, path) =
                (format!("#{letter}{variant}"), format!("#{letter}{variant}-path"));
            let mask = format!("reveal-{index}");
            let masked = format!("url(#{mask})");
            view! {
                <mask id=mask maskUnits="userSpaceOnUse" x="0" y="0" width="100" height="100">
                    <use href=path.clone() class="reveal" />
                </mask>
                <use href=thread class="yarn" mask=masked />
                <use href=path class="stitch" />
            }
            .into_any()
        }
        _ => view! {
            <text x="50" y="54" text-anchor="middle" dominant-baseline="middle">{symbol}</text>
        }
        .into_any(),
    };
    Some(
        view! { <svg class=class viewBox="0 0 100 100" aria-hidden="true">{drawn}</svg> }
            .into_any(),
    )
}

/// The marks of a small picture, as plain threads.
pub(crate) fn small_marks(geometry: BoardGeometry, board: &BoardScreen) -> AnyView {
    let mark = |(index, square): (usize, &BoardSquare)| {
        let (symbol, seat) = square.mark.clone()?;
        let (column, row) = board.place(index);
        let class = format!("small-mark {}", colour(seat));
        let path = format!("#{}1-path", symbol.to_lowercase());
        Some(view! {
            <svg class=class x=geometry.start(column) y=geometry.start(row) width=SIDE height=SIDE viewBox="0 0 100 100">
                <use href=path />
            </svg>
        })
    };
    board.squares.iter().enumerate().filter_map(mark).collect_view().into_any()
}

/// The small picture of a game without a board: two cards.
pub(crate) fn cards() -> AnyView {
    view! {
        <svg viewBox="0 0 300 300">
            <rect class="card-back" x="60" y="50" width="120" height="180" rx="16" transform="rotate(-10 120 140)" />
            <rect class="card-front" x="120" y="70" width="120" height="180" rx="16" transform="rotate(8 180 160)" />
        </svg>
    }
    .into_any()
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
pub(crate) fn blocks(geometry: BoardGeometry, blocks: &[BoardBlock]) -> AnyView {
    let places = geometry.spans(geometry.rows).flat_map(|(row, rows)| {
        geometry.spans(geometry.columns).map(move |(column, columns)| (column, row, columns, rows))
    });
    let views = places.zip(blocks).map(|((column, row, columns, rows), block)| {
        let (x, y) = (geometry.start(column), geometry.start(row));
        let (width, height) = (columns * SIDE, rows * SIDE);
        let class = match (&block.owner, block.open_to) {
            (Some((_, seat)), _) => format!("block won {}", colour(Some(*seat))),
            (None, Some(seat)) => format!("block open {}", colour(Some(seat))),
            (None, None) => "block".to_owned(),
        };
        let owner = block.owner.as_ref().map(|(symbol, seat)| {
            let class = format!("block-owner {}", colour(Some(*seat)));
            let path = format!("#{}1-path", symbol.to_lowercase());
            view! {
                <svg class=class x=x y=y width=width height=height viewBox="0 0 100 100">
                    <use href=path />
                </svg>
            }
        });
        view! {
            <rect class=class x=signed(x) - signed(PADDING) y=signed(y) - signed(PADDING)
                width=width + 2 * PADDING height=height + 2 * PADDING rx="16" />
            {owner}
        }
    });
    views.collect_view().into_any()
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
    let (x0, y0) = (length(geometry.start(left)), length(geometry.start(top)));
    let (width, height) = (length(columns * SIDE), length(rows * SIDE));
    let sway = |number: usize| if number.is_multiple_of(2) { 2.0 } else { -2.0 };
    let upright = (1..columns).map(|number| {
        let (x, sway) = (x0 + length(number * SIDE), sway(number));
        let (third, two_thirds) = (y0 + height / 3.0, y0 + height * 2.0 / 3.0);
        let (start, end) = (y0 + 12.0, y0 + height - 12.0);
        format!("M{x} {start}C{} {third} {} {two_thirds} {x} {end}", x - sway, x + sway)
    });
    let level = (1..rows).map(|number| {
        let (y, sway) = (y0 + length(number * SIDE), sway(number));
        let (third, two_thirds) = (x0 + width / 3.0, x0 + width * 2.0 / 3.0);
        let (start, end) = (x0 + 12.0, x0 + width - 12.0);
        format!("M{start} {y}C{third} {} {two_thirds} {} {end} {y}", y - sway, y + sway * 1.5)
    });
    upright.chain(level).collect()
}

/// The golden threads through the squares that decided the round.
pub(crate) fn winning_threads(geometry: BoardGeometry, board: &BoardScreen) -> Vec<String> {
    let centre = |index: usize| {
        let (column, row) = board.place(index);
        (length(geometry.start(column) + SIDE / 2), length(geometry.start(row) + SIDE / 2))
    };
    let thread = |(first, last): (usize, usize)| {
        let ((x1, y1), (x2, y2)) = (centre(first), centre(last));
        let along = ((x2 - x1).powi(2) + (y2 - y1).powi(2)).sqrt().max(1.0);
        let (dx, dy) = ((x2 - x1) / along, (y2 - y1) / along);
        // It starts before the first mark and ends behind the last one.
        let (out, bend) = (40.0, 7.0);
        let (x1, y1, x2, y2) = (x1 - dx * out, y1 - dy * out, x2 + dx * out, y2 + dy * out);
        let whole = along + 2.0 * out;
        let at = |share: f64, side: f64| {
            (x1 + dx * whole * share - dy * side, y1 + dy * whole * share + dx * side)
        };
        let ((ax, ay), (bx, by)) = (at(0.33, bend), at(0.67, -bend));
        format!("M{x1:.1} {y1:.1}C{ax:.1} {ay:.1} {bx:.1} {by:.1} {x2:.1} {y2:.1}")
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
        let (column, row) = board.place(index);
        Some((length(geometry.start(column) + SIDE / 2), length(geometry.start(row) + SIDE / 2)))
    };
    let points: Vec<(f64, f64)> = names.iter().filter_map(place).collect();
    let ((first_x, first_y), rest) = points.split_first().filter(|(_, rest)| !rest.is_empty())?;
    let line = |(x, y): &(f64, f64)| format!("L{x} {y}");
    Some(format!("M{first_x} {first_y}{}", rest.iter().map(line).collect::<String>()))
}

/// The loop that is tied around a drawn board.
pub(crate) fn tied_loop(geometry: BoardGeometry) -> String {
    let (w, h) = (length(geometry.width()), length(geometry.height()));
    let (x, y) = (w / 2.0, h - 7.0);
    format!(
        "M{x} {y}C{} {} 6 {h} 8 {}C4 {} 10 6 {x} 8C{} 4 {} 8 {} {}C{} {} {} {h} {x} {y}\
         c-14 -22 -40 -20 -34 -4c4 12 24 8 34 4c14 -22 40 -20 34 -4c-4 12 -24 8 -34 4\
         c-8 10 -16 14 -26 18m26 -18c8 10 16 14 26 18",
        w * 0.25,
        h + 2.0,
        h * 0.5,
        h * 0.2,
        w * 0.75,
        w - 4.0,
        w - 8.0,
        h * 0.5,
        w - 4.0,
        h * 0.9,
        w * 0.75,
    )
}

#[expect(clippy::cast_precision_loss, reason = "boards are small")]
fn length(units: usize) -> f64 {
    units as f64
}
