//! A maze: one b-thread for each cell.

use std::fmt;

use bthread::{
    AnyBThread, BThread, Behaviour, Event, EventSet, Program, SyncPoint, request, violation,
    wait_for,
};

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

/// The last cell of a corridor.
pub(crate) fn last_cell(cells: u32) -> Enter {
    Enter(cells - 1)
}

/// Cells in a row. A cell can be entered from its neighbours.
pub(crate) fn corridor(cells: u32) -> Program<Enter> {
    corridor_with(cells, |_| [])
}

/// A corridor with b-threads for each cell that stand still until somebody enters it.
pub(crate) fn corridor_with<const N: usize>(
    cells: u32,
    others: impl Fn(u32) -> [AnyBThread<Enter>; N],
) -> Program<Enter> {
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
    let visitors = ["Visitor", "Guest"].map(|name| BThread::new(name).then(wait_for(entrances())));
    let threads = AnyBThread::all(std::iter::once(start).chain(visitors));
    let threads = threads.into_iter().chain((0..cells).map(|number| cell(number).into()));
    Program::new(threads.chain((0..cells).flat_map(others))).expect("the names differ")
}

/// Knows whether somebody is in a cell, as a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sensor {
    cell: u32,
    is_occupied: bool,
}

impl Sensor {
    pub(crate) fn of(cell: u32) -> AnyBThread<Enter> {
        BThread::behaving(format!("Sensor({cell})"), Self { cell, is_occupied: false })
    }
}

impl Behaviour<Enter> for Sensor {
    fn sync_point(&self) -> Option<SyncPoint<Enter>> {
        let any = || wait_for(EventSet::kind("entrances"));
        Some(if self.is_occupied { any() } else { wait_for(Enter(self.cell)) })
    }

    fn go_on(&mut self, event: &Enter) {
        self.is_occupied = event.0 == self.cell;
    }
}

/// A requirement: nobody enters a cell after the end of the corridor.
pub(crate) fn closed_behind(cells: u32, cell: u32) -> AnyBThread<Enter> {
    let beyond = wait_for(Enter(cells + cell));
    BThread::of("Closed", cell).then(beyond).then(violation("the corridor is longer")).into()
}
