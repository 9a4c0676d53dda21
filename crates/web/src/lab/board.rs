//! Boards as SVG: a large one with squares to click, and small ones in a row.

use game::{GridCell, Picture};
use notation::escaped;

use super::html::Html;
use super::words::LabWords;

/// The side of a square.
const SIDE: usize = 100;

/// A board with a button for each square. `open` tells which squares have a possible move.
pub(super) fn large(
    picture: &Picture,
    words: &LabWords,
    open: &dyn Fn(&GridCell) -> bool,
) -> Option<String> {
    let grid = picture.board.as_ref()?;
    let mut html = Html::default();
    let role = format!("role=\"group\" aria-label=\"{}\"", escaped(words.board));
    begin(&mut html, picture, "lab-board", &role);
    for (number, cell) in grid.cells.iter().enumerate() {
        let (x, y) = place(number, grid.columns);
        let name = escaped(&cell.name);
        let piece = cell.piece.as_ref().map_or(words.empty_square, |piece| piece.symbol.as_str());
        let class = if open(cell) { "lab-square open" } else { "lab-square" };
        html.add(format_args!(
            "<g role=\"button\" tabindex=\"{}\" class=\"{class}\" id=\"square-{name}\" \
             data-do=\"square\" data-value=\"{name}\" data-columns=\"{}\" \
             aria-label=\"{name}, {}\"><rect x=\"{}\" y=\"{}\" width=\"88\" height=\"88\" rx=\"12\"/>",
            if number == 0 { 0 } else { -1 },
            grid.columns,
            escaped(piece),
            x + 6,
            y + 6,
        ));
        mark(&mut html, cell, x, y);
        html.add(format_args!("</g>"));
    }
    html.add(format_args!("</svg>"));
    Some(html.finish())
}

/// A board without buttons, for a strip of positions.
pub(super) fn small(picture: &Picture, label: &str) -> Option<String> {
    let grid = picture.board.as_ref()?;
    let mut html = Html::default();
    let role = format!("role=\"img\" aria-label=\"{}\"", escaped(label));
    begin(&mut html, picture, "lab-small", &role);
    for (number, cell) in grid.cells.iter().enumerate() {
        let (x, y) = place(number, grid.columns);
        mark(&mut html, cell, x, y);
    }
    html.add(format_args!("</svg>"));
    Some(html.finish())
}

/// The size of the board and the lines between its squares.
fn begin(html: &mut Html, picture: &Picture, class: &str, role: &str) {
    let (columns, cells) =
        picture.board.as_ref().map_or((1, 0), |grid| (grid.columns, grid.cells.len()));
    let columns = usize::from(columns.max(1));
    let rows = cells.div_ceil(columns);
    let (width, height) = (columns * SIDE, rows * SIDE);
    html.add(format_args!("<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" {role}>"));
    html.add(format_args!("<path class=\"lab-lines\" d=\""));
    for column in 1..columns {
        html.add(format_args!("M{} 8V{}", column * SIDE, height - 8));
    }
    for row in 1..rows {
        html.add(format_args!("M8 {}H{}", row * SIDE, width - 8));
    }
    html.add(format_args!("\"/>"));
}

/// The left top corner of a square.
fn place(number: usize, columns: u8) -> (usize, usize) {
    let columns = usize::from(columns.max(1));
    (number % columns * SIDE, number / columns * SIDE)
}

fn mark(html: &mut Html, cell: &GridCell, x: usize, y: usize) {
    let Some(piece) = &cell.piece else { return };
    let class = match piece.seat.map(game::Seat::number) {
        Some(0) => "first",
        Some(1) => "second",
        Some(_) => "later",
        None => "nobody",
    };
    match piece.symbol.as_str() {
        "X" => html.add(format_args!(
            "<path class=\"lab-mark {class}\" d=\"M{} {}l48 48m0 -48l-48 48\"/>",
            x + 26,
            y + 26
        )),
        "O" => html.add(format_args!(
            "<circle class=\"lab-mark {class}\" cx=\"{}\" cy=\"{}\" r=\"26\"/>",
            x + 50,
            y + 50
        )),
        symbol => {
            // Long names are written smaller.
            let size = if symbol.chars().count() > 2 { "long" } else { "short" };
            html.add(format_args!(
                "<text class=\"lab-piece {class} {size}\" x=\"{}\" y=\"{}\">{}</text>",
                x + 50,
                y + 52,
                escaped(symbol)
            ));
        }
    }
}
