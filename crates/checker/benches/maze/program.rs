//! A maze: one b-thread for each cell.

use std::fmt;

use bthread::{BThread, Event, EventSet, Program, request, wait_for};

/// Somebody enters a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Enter(u32);

impl fmt::Display for Enter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "enter {}", self.0)
    }
}

impl Event for Enter {
    type Kind = &'static str;

    fn kind(&self) -> &'static str {
        "entrances"
    }
}

/// All events of a corridor.
pub(crate) fn events(cells: u32) -> impl Iterator<Item = Enter> {
    (0..cells).map(Enter)
}

/// Cells in a row. A cell can be entered from its neighbours.
pub(crate) fn corridor(cells: u32) -> Program<Enter> {
    let entrances = || EventSet::kind("entrances");
    let cell = |number: u32| {
        let neighbours = [number.checked_sub(1), Some(number + 1).filter(|next| *next < cells)];
        let neighbours = neighbours.into_iter().flatten().map(Enter);
        BThread::of("Cell", number)
            .then(wait_for(EventSet::several(neighbours)))
            .then(request(Enter(number)).wait_for(entrances()))
            .forever()
    };
    let start = BThread::new("Start").then(request(Enter(0)));
    let others = ["Visitor", "Guest"].map(|name| BThread::new(name).then(wait_for(entrances())));
    Program::new(std::iter::once(start).chain(others).chain((0..cells).map(cell)))
        .expect("the names differ")
}
