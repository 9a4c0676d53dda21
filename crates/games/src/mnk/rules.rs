//! The rules of the game, and what the variants change in them.

use bthread::{BThread, EventSet, SyncPoint, block, request, wait_for};

use super::cell::Cell;
use super::event::{Event, Kind};
use super::line::Line;
use super::rulebook::{Mnk, Variant};
use super::size::Size;
use crate::tic_tac_toe::Mark;

/// All rules, highest priority first: the game is over, it is not your turn, the cell is taken,
/// somebody has a line, the board is full.
#[must_use]
pub fn rules(game: Mnk) -> Vec<BThread<Event>> {
    let size = game.size();
    let mut threads = vec![end_of_game(), enforce_turns()];
    threads.extend(size.cells().map(square_taken));
    threads.extend(detectors(game));
    threads.push(detect_draw(size));
    threads
}

/// The b-threads that differ between the variants: a line wins, or loses.
fn detectors(game: Mnk) -> Vec<BThread<Event>> {
    let each = |detectors: &dyn Fn(Line) -> Vec<BThread<Event>>| {
        Line::all(game.size()).flat_map(detectors).collect()
    };
    let both = [Mark::X, Mark::O];
    match game.variant() {
        Variant::Usual => each(&|line| both.map(|by| detect_win(by, by, line)).into()),
        Variant::Misere => each(&|line| both.map(|by| detect_loss(by, by, line)).into()),
        Variant::Notakto => each(&|line| both.map(|by| detect_loss(by, Mark::X, line)).into()),
        Variant::Wild => each(&|line| {
            let pairs = both.into_iter().flat_map(|mark| both.map(|by| (by, mark)));
            pairs.map(|(by, mark)| detect_win(by, mark, line)).collect()
        }),
    }
}

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

/// A cell is marked at most once.
pub fn square_taken(cell: Cell) -> BThread<Event> {
    BThread::of("SquareTaken", cell).then(wait_for(marks_on(cell))).then(block(marks_on(cell)))
}

/// The player who completes a line of this mark wins.
pub fn detect_win(by: Mark, mark: Mark, line: Line) -> BThread<Event> {
    detect("DetectWin", by, mark, line, by)
}

/// The player who completes a line of this mark loses.
pub fn detect_loss(by: Mark, mark: Mark, line: Line) -> BThread<Event> {
    detect("DetectLoss", by, mark, line, by.other())
}

fn detect(family: &str, by: Mark, mark: Mark, line: Line, winner: Mark) -> BThread<Event> {
    let name = if by == mark { format!("{by},{line}") } else { format!("{mark} by {by},{line}") };
    let before = line.cells().skip(1).map(|_| wait_for(marks_in(mark, line)));
    BThread::of(family, name).then(before).then(completed(by, mark, line)).then(call_win(winner))
}

/// Continues if this player completes the line, and ends if the other one does.
fn completed(by: Mark, mark: Mark, line: Line) -> SyncPoint<Event> {
    wait_for(marks_in_by(by, mark, line)).interrupt(marks_in_by(by.other(), mark, line))
}

/// Nobody moves on before a win is called, and a last move that wins is no draw.
fn call_win(winner: Mark) -> SyncPoint<Event> {
    request(Event::Win(winner)).block(marks()).block(Event::Draw)
}

/// A full board without a line is a draw.
pub fn detect_draw(size: Size) -> BThread<Event> {
    BThread::new("DetectDraw")
        .then(wait_for(marks()).times(size.area().into()))
        .then(request(Event::Draw).wait_for(results()))
}

fn marks() -> EventSet<Event> {
    EventSet::kinds([Kind::Marks(Mark::X), Kind::Marks(Mark::O)]).named("all marks")
}

fn marks_by(player: Mark) -> EventSet<Event> {
    EventSet::kind(Kind::Marks(player))
}

fn results() -> EventSet<Event> {
    EventSet::kind(Kind::Results)
}

/// Any mark of either player on a cell.
fn marks_on(cell: Cell) -> EventSet<Event> {
    let both = [Mark::X, Mark::O];
    let events = both.into_iter().flat_map(|by| both.map(|mark| Event::Mark { by, mark, cell }));
    EventSet::several(events).named(format!("marks on {cell}"))
}

/// This mark of either player in a line.
fn marks_in(mark: Mark, line: Line) -> EventSet<Event> {
    let both = [Mark::X, Mark::O];
    let events = line.cells().flat_map(|cell| both.map(|by| Event::Mark { by, mark, cell }));
    EventSet::several(events).named(format!("{mark} marks in {line}"))
}

/// This mark of this player in a line.
fn marks_in_by(by: Mark, mark: Mark, line: Line) -> EventSet<Event> {
    let events = line.cells().map(|cell| Event::Mark { by, mark, cell });
    EventSet::several(events).named(format!("{mark} marks of {by} in {line}"))
}
