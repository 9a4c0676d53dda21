//! A picture of the screen, for documentation.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Position;
use ratatui::style::{Color, Modifier};

/// The width and height of a character.
const WIDTH: u16 = 10;
const HEIGHT: u16 = 20;

/// The space around the screen.
const MARGIN: u16 = 14;

const GROUND: &str = "#171513";
const INK: &str = "#f1ebe2";
const EDGE: &str = "#37322c";

const FONTS: &str =
    "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";

/// The screen as SVG. Every character has the place that it has on a terminal, whatever the font.
pub(super) fn svg(buffer: &Buffer, title: &str) -> String {
    let width = buffer.area.width * WIDTH + 2 * MARGIN;
    let height = buffer.area.height * HEIGHT + 2 * MARGIN;
    let mut shapes = String::new();
    let mut words = String::new();
    for row in 0..buffer.area.height {
        draw_grounds(&mut shapes, buffer, row);
        draw_shapes(&mut shapes, buffer, row);
        draw_words(&mut words, buffer, row);
    }
    let size = format!("viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\"");
    let edge = format!("width=\"{}\" height=\"{}\" rx=\"12\"", width - 1, height - 1);
    let place = format!("transform=\"translate({MARGIN} {MARGIN})\"");
    [
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {size} role=\"img\">"),
        format!("<title>{title}</title>"),
        format!("<rect x=\"0.5\" y=\"0.5\" {edge} fill=\"{GROUND}\" stroke=\"{EDGE}\"/>"),
        format!("<g {place} shape-rendering=\"crispEdges\">\n{shapes}</g>"),
        format!("<g {place} font-size=\"16.5\" font-family=\"{FONTS}\">\n{words}</g>"),
        "</svg>\n".to_owned(),
    ]
    .join("\n")
}

fn draw_grounds(out: &mut String, buffer: &Buffer, row: u16) {
    let ground = |column: u16| colour(buffer[(column, row)].bg);
    let mut column = 0;
    while column < buffer.area.width {
        let same = (column..buffer.area.width).take_while(|other| ground(*other) == ground(column));
        let count = u16::try_from(same.count()).expect("a screen is not that wide");
        if let Some(fill) = ground(column).filter(|fill| fill != GROUND) {
            let (x, y, width) = (column * WIDTH, row * HEIGHT, count * WIDTH);
            draw_rect(out, [x, y, width, HEIGHT], &fill);
        }
        column += count;
    }
}

/// Draws lines and blocks as rectangles: fonts may leave gaps between them.
fn draw_shapes(out: &mut String, buffer: &Buffer, row: u16) {
    for column in 0..buffer.area.width {
        let cell = &buffer[(column, row)];
        let fill = colour(cell.fg).unwrap_or_else(|| INK.to_owned());
        for [x, y, width, height] in shape(cell.symbol()) {
            draw_rect(out, [column * WIDTH + x, row * HEIGHT + y, width, height], &fill);
        }
    }
}

fn draw_rect(out: &mut String, [x, y, width, height]: [u16; 4], fill: &str) {
    let rect = format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
    writeln!(out, "{rect} fill=\"{fill}\"/>").expect("a string can grow");
}

/// The rectangles of a line or block; empty for other characters.
fn shape(symbol: &str) -> Vec<[u16; 4]> {
    let (middle, centre) = (HEIGHT / 2, WIDTH / 2);
    match symbol {
        "█" => vec![[0, 0, WIDTH, HEIGHT]],
        "▀" => vec![[0, 0, WIDTH, middle]],
        "▄" => vec![[0, middle, WIDTH, middle]],
        "▌" => vec![[0, 0, 4, HEIGHT]],
        "▏" => vec![[0, 0, 2, HEIGHT]],
        "─" => vec![[0, middle - 1, WIDTH, 2]],
        "│" => vec![[centre - 1, 0, 2, HEIGHT]],
        "━" => vec![[0, middle - 1, WIDTH, 3]],
        "┃" => vec![[centre - 1, 0, 3, HEIGHT]],
        "┼" => vec![[0, middle - 1, WIDTH, 2], [centre - 1, 0, 2, HEIGHT]],
        "┏" => {
            vec![[centre - 1, middle - 1, centre + 1, 3], [centre - 1, middle - 1, 3, middle + 1]]
        }
        "┓" => vec![[0, middle - 1, centre + 2, 3], [centre - 1, middle - 1, 3, middle + 1]],
        "┗" => vec![[centre - 1, middle - 1, centre + 1, 3], [centre - 1, 0, 3, middle]],
        "┛" => vec![[0, middle - 1, centre + 2, 3], [centre - 1, 0, 3, middle]],
        _ => Vec::new(),
    }
}

/// Draws words, each in one style.
fn draw_words(out: &mut String, buffer: &Buffer, row: u16) {
    let is_written = |cell: &Cell| cell.symbol() != " " && shape(cell.symbol()).is_empty();
    let mut column = 0;
    while column < buffer.area.width {
        let first = &buffer[(column, row)];
        let is_same = |other: &u16| {
            let other = &buffer[Position::new(*other, row)];
            is_written(other) && (other.fg, other.modifier) == (first.fg, first.modifier)
        };
        let same: Vec<u16> = (column..buffer.area.width).take_while(is_same).collect();
        let word: String = same.iter().map(|column| buffer[(*column, row)].symbol()).collect();
        if !word.is_empty() {
            draw_word(out, &word, first, Position::new(column, row));
        }
        column += u16::try_from(same.len().max(1)).expect("a screen is not that wide");
    }
}

/// Places each letter, because fonts have different widths.
fn draw_word(out: &mut String, word: &str, cell: &Cell, place: Position) {
    let weight = if cell.modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
    let fill = colour(cell.fg).unwrap_or_else(|| INK.to_owned());
    let columns = (place.x..).take(word.chars().count());
    let x: Vec<String> = columns.map(|column| (column * WIDTH).to_string()).collect();
    let (x, y) = (x.join(" "), place.y * HEIGHT + 15);
    let word = word.replace('&', "&amp;").replace('<', "&lt;");
    writeln!(out, "<text x=\"{x}\" y=\"{y}\" fill=\"{fill}\"{weight}>{word}</text>")
        .expect("a string can grow");
}

fn colour(colour: Color) -> Option<String> {
    match colour {
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        _ => None,
    }
}
