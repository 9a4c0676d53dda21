//! The rules of the game.

use bthread::{BThread, SyncPoint, block, request, wait_for};

use super::event::{Event, Mark};
use super::event_sets::{marks, marks_by, marks_in, marks_on, results, wins};
use super::line::Line;
use super::square::Square;

/// After a result nothing happens any more.
pub fn end_of_game() -> BThread<Event> {
    BThread::new("EndOfGame").then(wait_for(results())).then(block(marks()).block(results()))
}

/// X and O alternate; X opens.
pub fn enforce_turns() -> BThread<Event> {
    BThread::new("EnforceTurns")
        .then(wait_for(marks_by(Mark::X)).block(marks_by(Mark::O)))
        .then(wait_for(marks_by(Mark::O)).block(marks_by(Mark::X)))
        .forever()
}

/// A square is marked at most once.
pub fn square_taken(square: Square) -> BThread<Event> {
    BThread::of("SquareTaken", square)
        .then(wait_for(marks_on(square)))
        .then(block(marks_on(square)))
}

/// X wins with three Xs in a line.
pub fn detect_x_win(line: Line) -> BThread<Event> {
    detect_win("DetectXWin", Mark::X, line)
}

/// O wins with three Os in a line.
pub fn detect_o_win(line: Line) -> BThread<Event> {
    detect_win("DetectOWin", Mark::O, line)
}

fn detect_win(family: &str, mark: Mark, line: Line) -> BThread<Event> {
    BThread::of(family, line).then(wait_for(marks_in(mark, line)).times(3)).then(call_win(mark))
}

/// Nobody moves on before a win is called, and a ninth move that wins is no draw:
/// whatever strategy chooses among the requests.
fn call_win(mark: Mark) -> SyncPoint<Event> {
    request(Event::Win(mark)).block(marks()).block(Event::Draw)
}

/// Nine moves without a win are a draw.
pub fn detect_draw() -> BThread<Event> {
    BThread::new("DetectDraw")
        .then(wait_for(marks()).times(9))
        .then(request(Event::Draw).wait_for(wins()))
}
