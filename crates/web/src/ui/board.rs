//! The board: a grid with one square in the order of tabs, moved by the keys of a grid.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::live::{part, text};
use super::marks;
use super::seated::Seated;
use crate::browser::{by_id, document};
use crate::scene::{Square, Stage};

/// The board of a table.
pub(crate) fn board(seated: Seated) -> AnyView {
    let size = Memo::new(move |_| seated.scene(|scene| (scene.columns, scene.rows())));
    let focus = RwSignal::new(0_usize);
    view! {
        <div
            class="board"
            id="board"
            role="grid"
            aria-label="Board"
            style=("--columns", text(move || size.get().0.to_string()))
            style=("--rows", text(move || size.get().1.to_string()))
            on:keydown=move |event| keyed(&event, seated, focus, size.get_untracked())
        >
            {part(move || threads(seated, size.get()))}
            {part(move || {
                let (columns, rows) = size.get();
                (0..rows)
                    .map(|row| {
                        let places = row * columns..(row + 1) * columns;
                        view! {
                            <div role="row">
                                {places.map(|place| square(seated, focus, place)).collect_view()}
                            </div>
                        }
                    })
                    .collect_view()
            })}
        </div>
    }
    .into_any()
}

/// The lines between the squares, and what is tied around them when the round is over.
fn threads(seated: Seated, (columns, rows): (usize, usize)) -> impl IntoView {
    let winning = Memo::new(move |_| seated.scene(marks::winning_threads));
    let is_draw = Memo::new(move |_| seated.scene(|scene| scene.stage == Stage::Drawn));
    let frame = format!("0 0 {} {}", columns * 100, rows * 100);
    let lines = marks::lines(columns, rows);
    view! {
        <svg class="threads" viewBox=frame.clone() aria-hidden="true">
            <path class="line" d=lines.clone() />
            <path class="line-ply" d=lines />
            {part(move || is_draw.get().then(|| {
                let tied = marks::drawn_loop(columns, rows);
                view! { <path class="tied-loop" pathLength="1" d=tied /> }
            }))}
        </svg>
        <svg class="threads above" viewBox=frame aria-hidden="true">
            {part(move || winning.get().into_iter().map(|thread| view! {
                <path class="win-shade" pathLength="1" d=thread.clone() />
                <path class="win" pathLength="1" d=thread.clone() />
                <path class="win-ply" d=thread />
            }).collect_view())}
        </svg>
    }
}

fn square(seated: Seated, focus: RwSignal<usize>, place: usize) -> AnyView {
    let square = Memo::new(move |_| seated.scene(|scene| scene.squares.get(place).cloned()));
    let is_free = move || square.get().is_some_and(|square| !square.moves.is_empty());
    let name = move || square.get().map(|square| square.name).unwrap_or_default();
    let class = move || {
        let free = if is_free() { " free" } else { "" };
        let wins = if square.get().is_some_and(|square| square.decides) { " wins" } else { "" };
        format!("square{free}{wins}")
    };
    let stop = move || if focus.get() == place { "0" } else { "-1" }.to_owned();
    view! {
        <div role="gridcell">
            <button
                type="button"
                class=text(class)
                data-cell=place.to_string()
                data-name=text(name)
                tabindex=text(stop)
                aria-label=text(move || seated.scene(|scene| scene.label(place)))
                aria-disabled=text(move || (!is_free()).to_string())
                on:focus=move |_| focus.set(place)
                on:click=move |_| point_at(seated, square.get_untracked())
            >
                {part(move || square.get().as_ref().and_then(|square| marks::mark(place, square)))}
            </button>
        </div>
    }
    .into_any()
}

/// A move where the square means one, a question where it means several, and otherwise why not.
fn point_at(seated: Seated, square: Option<Square>) {
    let Some(square) = square else { return };
    match square.moves.as_slice() {
        [] => seated.ask_why(square.any_move.as_deref()),
        [chosen] => seated.play(chosen),
        several => seated.choose_among(several.to_vec()),
    }
}

fn keyed(
    event: &KeyboardEvent,
    seated: Seated,
    focus: RwSignal<usize>,
    (columns, rows): (usize, usize),
) {
    if event.ctrl_key() || event.alt_key() || event.meta_key() || columns * rows == 0 {
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
            // The squares of a small board have the numbers of a keyboard.
            Ok(number) if (1..=9).contains(&number) && number <= columns * rows => {
                let chosen = seated.scene_now(|scene| scene.squares.get(number - 1).cloned());
                point_at(seated, chosen.flatten());
                number - 1
            }
            _ => return,
        },
    };
    event.prevent_default();
    focus.set(to);
    focus_square(to);
}

/// Moves the focus to a square.
fn focus_square(place: usize) {
    let squares = by_id("board")
        .and_then(|board| board.query_selector(&format!("[data-cell='{place}']")).ok().flatten());
    if let Some(square) = squares.and_then(|square| square.dyn_into::<HtmlElement>().ok()) {
        drop(square.focus());
    }
}

/// Moves the focus to the board, so that its keys work at once.
pub(crate) fn focus_board() {
    focus_square(0);
}

/// Moves the focus to the board if what had it goes away.
pub(crate) fn catch_focus() {
    request_animation_frame(|| {
        let focused = document().active_element();
        if focused.is_none_or(|element| element.tag_name() == "BODY") {
            focus_board();
        }
    });
}
