//! The board: a grid with one tab stop, moved by the keys of a grid.

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};

use super::drawing::{self, BoardGeometry};
use super::followed::{Derived, Followed};
use super::reactive::{dynamic, text};
use super::session_handle::{MoveValue, SessionHandle};
use super::view::{Element, View, html, svg};
use crate::browser::{document, element, next_frame};
use crate::language::{say, say_with};
use crate::screen::{BoardSquare, RoundPhase};

/// The board of a table.
pub(crate) fn board(handle: SessionHandle) -> Element {
    let geometry = Derived::new(move || handle.screen(|screen| BoardGeometry::new(&screen.board)));
    let focus = Followed::new(0_usize);
    let class = move || {
        let past = if handle.screen(|screen| screen.is_past) { " past" } else { "" };
        let crowded = if geometry.get().columns > CROWDED { " crowded" } else { "" };
        format!("board{past}{crowded}")
    };
    html("div")
        .live("class", class)
        .attribute("id", "board")
        .attribute("role", "grid")
        .attribute("aria-label", &say("Board"))
        .attribute("aria-describedby", "board-keys")
        .style("--width", move || geometry.get().width().to_string())
        .style("--height", move || geometry.get().height().to_string())
        .style("--column-tracks", move || geometry.get().column_tracks())
        .style("--row-tracks", move || geometry.get().row_tracks())
        .on("keydown", move |event| {
            press_key(event.unchecked_ref(), handle, focus, geometry.get_untracked());
        })
        .child(dynamic(move || threads(handle, geometry.get())))
        .child(dynamic(move || rows(handle, focus, geometry.get())))
}

/// A board with more columns has no room for the names of squares.
const CROWDED: usize = 7;

/// The squares that a digit key can play.
const DIGITS: usize = 10;

/// The keys of the board, in words.
pub(crate) fn key_help(handle: SessionHandle) -> Element {
    let help = move || {
        let last = handle.screen(|screen| screen.board.squares.len()).clamp(1, DIGITS) - 1;
        say_with(
            "Arrow keys move, Enter plays, keys 0 to {last} play the squares 0 to {last}, row by row.",
            &[("last", &last.to_string())],
        )
    };
    html("p").class("keys").attribute("id", "board-keys").child(text(help))
}

fn rows(handle: SessionHandle, focus: Followed<usize>, geometry: BoardGeometry) -> View {
    let columns = geometry.columns;
    let row = move |row: usize| {
        let squares = (row * columns..(row + 1) * columns).map(move |index| {
            let cell = html("div").attribute("role", "gridcell");
            let cell = cell.fixed_style("grid-column", geometry.track(index % columns));
            cell.child(square(handle, focus, index))
        });
        let line = html("div").attribute("role", "row");
        line.fixed_style("grid-row", geometry.track(row)).child(View::list(squares))
    };
    View::list((0..geometry.rows).map(row))
}

/// Everything that is drawn below and above the squares.
fn threads(handle: SessionHandle, geometry: BoardGeometry) -> View {
    let blocks = Derived::new(move || handle.screen(|screen| screen.board.blocks.clone()));
    let winning = Derived::new(move || {
        handle.screen(|screen| drawing::winning_threads(geometry, &screen.board))
    });
    let is_draw = Derived::new(move || handle.screen(|screen| screen.phase == RoundPhase::Drawn));
    let frame = format!("0 0 {} {}", geometry.width(), geometry.height());
    let lines = drawing::lines(geometry);
    let layer = |class: &str| {
        let layer = svg("svg").class(class).attribute("viewBox", &frame);
        layer.attribute("aria-hidden", "true")
    };
    let drawn_thread = |class: &str, path: &str| thread(class, path).attribute("pathLength", "1");
    let tied_loop = dynamic(move || {
        is_draw.get().then(|| drawn_thread("tied-loop", &drawing::tied_loop(geometry)))
    });
    let below = layer("threads")
        .child(dynamic(move || drawing::blocks(geometry, &blocks.get())))
        .child(thread("line", &lines))
        .child(thread("line-ply", &lines))
        .child(tied_loop);
    let reason = dynamic(move || {
        let squares = handle.reason_squares.get();
        let path =
            handle.screen(|screen| drawing::reason_thread(geometry, &screen.board, &squares));
        path.map(|path| drawn_thread("reason-thread", &path))
    });
    let wins = dynamic(move || {
        let win = |path: String| {
            let (shade, yarn) = (drawn_thread("win-shade", &path), drawn_thread("win", &path));
            View::list([shade, yarn, thread("win-ply", &path)])
        };
        View::list(winning.get().into_iter().map(win))
    });
    View::list([below, layer("threads above").child(reason).child(wins)])
}

fn thread(class: &str, path: &str) -> Element {
    svg("path").class(class).attribute("d", path)
}

fn square(handle: SessionHandle, focus: Followed<usize>, index: usize) -> Element {
    let square =
        Derived::new(move || handle.screen(|screen| screen.board.squares.get(index).cloned()));
    let is_free = move || square.get().is_some_and(|square| !square.moves.is_empty());
    let name = move || square.get().map(|square| square.name).unwrap_or_default();
    let class = move || {
        let free = if is_free() { " free" } else { "" };
        let wins = if square.get().is_some_and(|square| square.decides) { " wins" } else { "" };
        format!("square{free}{wins}")
    };
    let label = move || {
        let label = handle.screen(|screen| screen.board.label(index));
        let value = square.get().and_then(|square| value(handle, &square));
        match value {
            Some(value) => format!("{label}, {}", value.words),
            None => label,
        }
    };
    let tab_index = move || if focus.get() == index { "0" } else { "-1" }.to_owned();
    let button = html("button").attribute("type", "button").number("data-cell", index);
    let button = if index < DIGITS { button.number("data-digit", index) } else { button };
    let mark =
        dynamic(move || square.get().as_ref().and_then(|square| drawing::mark(index, square)));
    let worth =
        dynamic(move || square.get().and_then(|square| value(handle, &square)).map(value_view));
    button
        .live("class", class)
        .live("data-name", name)
        .live("tabindex", tab_index)
        .live("aria-label", label)
        .live("aria-disabled", move || (!is_free()).to_string())
        .on("focus", move |_event| focus.set(index))
        .on_click(move || click(handle, square.get_untracked()))
        .child(mark)
        .child(worth)
}

/// What the move of a free square is worth, where analysis has said so. Where several squares mean the
/// same move, as in a column, no square shows it.
fn value(handle: SessionHandle, square: &BoardSquare) -> Option<MoveValue> {
    let chosen = square.any_move.clone().filter(|_| square.mark.is_none())?;
    let is_it = |value: &&MoveValue| value.chosen == chosen;
    let value = handle.values.with(|values| values.iter().find(is_it).cloned())?;
    let is_same = |other: &&BoardSquare| other.any_move.as_ref() == Some(&chosen);
    let count = handle.screen(|screen| screen.board.squares.iter().filter(is_same).count());
    (count == 1).then_some(value)
}

fn value_view(value: MoveValue) -> Element {
    let class = if value.is_best { "value best" } else { "value" };
    html("span").class(class).child(value.words)
}

/// Plays the move of a square, asks where it has several, and says why where it has none.
fn click(handle: SessionHandle, square: Option<BoardSquare>) {
    let Some(square) = square else { return };
    if handle.screen_now(|screen| screen.is_past) == Some(true) {
        return handle.go_to_present();
    }
    match (square.moves.as_slice(), square.any_move) {
        ([], Some(illegal)) => handle.explain_refusal(&illegal),
        ([], None) => {}
        ([chosen], _) => handle.play(chosen),
        (several, _) => handle.choose_among(several.to_vec()),
    }
}

fn press_key(
    event: &KeyboardEvent,
    handle: SessionHandle,
    focus: Followed<usize>,
    geometry: BoardGeometry,
) {
    let (columns, rows) = (geometry.columns, geometry.rows);
    if event.ctrl_key() || event.alt_key() || event.meta_key() || geometry.squares() == 0 {
        return;
    }
    let (at, key) = (focus.get_untracked(), event.key());
    let (column, row) = (at % columns, at / columns);
    let to = match key.as_str() {
        "ArrowLeft" => row * columns + column.saturating_sub(1),
        "ArrowRight" => row * columns + (column + 1).min(columns - 1),
        "ArrowUp" => row.saturating_sub(1) * columns + column,
        "ArrowDown" => (row + 1).min(rows - 1) * columns + column,
        "Home" => row * columns,
        "End" => (row + 1) * columns - 1,
        digit => match digit.parse::<usize>() {
            Ok(number) if number < geometry.squares().min(DIGITS) => {
                let chosen = handle.screen_now(|screen| screen.board.squares.get(number).cloned());
                click(handle, chosen.flatten());
                number
            }
            _ => return,
        },
    };
    event.prevent_default();
    focus.set(to);
    focus_square(to);
}

fn focus_square(index: usize) {
    let selector = format!("[data-cell='{index}']");
    let square = element("board").and_then(|board| board.query_selector(&selector).ok().flatten());
    if let Some(square) = square.and_then(|square| square.dyn_into::<HtmlElement>().ok()) {
        drop(square.focus());
    }
}

/// Moves the focus to the board, so that its keys work at once.
pub(crate) fn focus_board() {
    focus_square(0);
}

/// Moves the focus to the board if the focused element has gone.
pub(crate) fn catch_focus() {
    next_frame(|| {
        let focused = document().active_element();
        if focused.is_none_or(|element| element.tag_name() == "BODY") {
            focus_board();
        }
    });
}
