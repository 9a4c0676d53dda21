//! Marks and lines, drawn as thread.

use leptos::prelude::*;

use crate::scene::{Scene, Square};

/// The side of a square in the drawing.
const SIDE: f64 = 100.0;

/// A mark on a square: a thread that is drawn along its path, or a tacking stitch until the server
/// has confirmed it.
pub(crate) fn mark(place: usize, square: &Square) -> Option<AnyView> {
    let (symbol, seat) = square.mark.clone()?;
    let colour = match seat.map(game::Seat::number) {
        Some(0) => "first",
        Some(_) => "second",
        None => "nobody",
    };
    let state = if square.is_pending { "pending" } else { "tied" };
    let last = if square.is_last { " last" } else { "" };
    let class = format!("mark {colour} {state}{last}");
    let drawn = match symbol.as_str() {
        "X" | "O" => {
            let variant = place % 2 + 1;
            let letter = symbol.to_lowercase();
            let (thread, path) =
                (format!("#{letter}{variant}"), format!("#{letter}{variant}-path"));
            let mask = format!("reveal-{place}");
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

/// The lines of a board, as threads that hang a little.
pub(crate) fn lines(columns: usize, rows: usize) -> String {
    let (width, height) = (length(columns), length(rows));
    let sway = |number: usize| if number.is_multiple_of(2) { 2.0 } else { -2.0 };
    let upright = (1..columns).map(|number| {
        let (x, sway) = (length(number), sway(number));
        let (third, two_thirds, end) = (height / 3.0, height * 2.0 / 3.0, height - 12.0);
        format!("M{x} 12C{} {third} {} {two_thirds} {x} {end}", x - sway, x + sway)
    });
    let level = (1..rows).map(|number| {
        let (y, sway) = (length(number), sway(number));
        let (third, two_thirds, end) = (width / 3.0, width * 2.0 / 3.0, width - 12.0);
        format!("M12 {y}C{third} {} {two_thirds} {} {end} {y}", y - sway, y + sway * 1.5)
    });
    upright.chain(level).collect()
}

/// The golden threads through the squares that decided the round.
pub(crate) fn winning_threads(scene: &Scene) -> Vec<String> {
    let centre = |place: usize| {
        let (column, row) = (place % scene.columns, place / scene.columns);
        (length(column) + SIDE / 2.0, length(row) + SIDE / 2.0)
    };
    let thread = |(first, last): (usize, usize)| {
        let ((x1, y1), (x2, y2)) = (centre(first), centre(last));
        let along = ((x2 - x1).powi(2) + (y2 - y1).powi(2)).sqrt().max(1.0);
        let (dx, dy) = ((x2 - x1) / along, (y2 - y1) / along);
        // It comes out behind the first mark and goes on behind the last.
        let (out, bend) = (40.0, 7.0);
        let (x1, y1, x2, y2) = (x1 - dx * out, y1 - dy * out, x2 + dx * out, y2 + dy * out);
        let whole = along + 2.0 * out;
        let at = |share: f64, side: f64| {
            (x1 + dx * whole * share - dy * side, y1 + dy * whole * share + dx * side)
        };
        let ((ax, ay), (bx, by)) = (at(0.33, bend), at(0.67, -bend));
        format!("M{x1:.1} {y1:.1}C{ax:.1} {ay:.1} {bx:.1} {by:.1} {x2:.1} {y2:.1}")
    };
    scene.winning_runs().into_iter().map(thread).collect()
}

/// The loop that is tied around a board on which nobody has won.
pub(crate) fn drawn_loop(columns: usize, rows: usize) -> String {
    let (w, h) = (length(columns), length(rows));
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
fn length(squares: usize) -> f64 {
    squares as f64 * SIDE
}
