//! Strategies of both players, for boards of any size.
//!
//! No strategy blocks anything, so that taking one away never changes what is legal. The more
//! marks a line has, the higher is the priority to extend it or to stop it.

use bthread::{BThread, EventSet, request_any, wait_for};

use super::cell::Cell;
use super::event::{Event, Kind};
use super::line::Line;
use super::size::Size;
use crate::tic_tac_toe::Mark;

/// All strategies of a player, highest priority first.
#[must_use]
pub fn strategies(size: Size, player: Mark) -> Vec<BThread<Event>> {
    let mut threads = Vec::new();
    for count in (1..size.length()).rev() {
        threads.extend(Line::all(size).map(|line| extend_line(player, line, count)));
        threads.extend(Line::all(size).map(|line| stop_line(player, line, count)));
    }
    threads.push(default_moves(size, player));
    threads
}

/// When a line has `count` marks of the player and none of the opponent, the player adds another.
pub fn extend_line(player: Mark, line: Line, count: u8) -> BThread<Event> {
    after("ExtendLine", player, (player, line, count))
}

/// When a line has `count` marks of the opponent and none of the player, the player adds one to it.
pub fn stop_line(player: Mark, line: Line, count: u8) -> BThread<Event> {
    after("StopLine", player, (player.other(), line, count))
}

/// After `count` marks of one player in a line and none of the other, `player` requests its cells.
fn after(family: &str, player: Mark, seen: (Mark, Line, u8)) -> BThread<Event> {
    let (whose, line, count) = seen;
    let (theirs, others) = (marks_in(whose, line), marks_in(whose.other(), line));
    let waiting = wait_for(theirs.clone()).interrupt(others.clone());
    let wanted = request_any(from_the_middle(line).map(|cell| mark(player, cell)));
    // After one more of the same mark the b-thread for `count + 1` takes over. After a mark of the
    // other player nobody can complete the line.
    BThread::of(family, format_args!("{line},{count}"))
        .then(waiting.times(count.into()))
        .then(wanted.interrupt(theirs).interrupt(others).interrupt(results()))
}

/// The cells of a line, those in the middle first: they are next to more of the others.
fn from_the_middle(line: Line) -> impl Iterator<Item = Cell> {
    let length = line.cells().count();
    let distances = (0..length).map(move |place| ((2 * place + 1).abs_diff(length), 0));
    nearest_first(distances.zip(line.cells()))
}

/// The player marks the first free cell, the nearest to the middle of the board first.
pub fn default_moves(size: Size, player: Mark) -> BThread<Event> {
    let cells = size.cells().map(|cell| (distance_from_the_middle(size, cell), cell));
    let moves = nearest_first(cells).map(|cell| mark(player, cell));
    BThread::new("DefaultMoves").then(request_any(moves).interrupt(results())).forever()
}

/// The distance in halves of a cell: first the larger of columns and rows, then their sum.
fn distance_from_the_middle(size: Size, cell: Cell) -> (usize, usize) {
    let columns = (2 * cell.column + 1).abs_diff(size.columns());
    let rows = (2 * cell.row + 1).abs_diff(size.rows());
    (columns.max(rows).into(), (columns + rows).into())
}

/// The cells sorted by distance. Cells with the same distance keep their order.
fn nearest_first(
    cells: impl Iterator<Item = ((usize, usize), Cell)>,
) -> impl Iterator<Item = Cell> {
    let mut nearest: Vec<((usize, usize), Cell)> = Vec::new();
    for (distance, cell) in cells {
        let place = nearest.partition_point(|(other, _)| *other <= distance);
        nearest.insert(place, (distance, cell));
    }
    nearest.into_iter().map(|(_, cell)| cell)
}

fn mark(player: Mark, cell: Cell) -> Event {
    Event::Mark { by: player, mark: player, cell }
}

fn marks_in(player: Mark, line: Line) -> EventSet<Event> {
    let marks = line.cells().map(|cell| mark(player, cell));
    EventSet::several(marks).named(format!("{player} marks in {line}"))
}

fn results() -> EventSet<Event> {
    EventSet::kind(Kind::Results)
}
