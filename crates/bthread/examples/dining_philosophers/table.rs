//! The philosophers and their sticks.

use std::fmt;

use bthread::{BThread, Event, EventSet, Program, request, wait_for};

/// Which stick of a philosopher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    Right,
    Left,
}

/// What a philosopher does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    Pick(u8, Side),
    Release(u8, Side),
}

/// A philosopher picks the right stick, then the left one, and releases the left one first.
fn philosopher(seat: u8) -> BThread<Action> {
    let actions = [
        Action::Pick(seat, Side::Right),
        Action::Pick(seat, Side::Left),
        Action::Release(seat, Side::Left),
        Action::Release(seat, Side::Right),
    ];
    BThread::of("Philosopher", seat).then(actions.map(request)).forever()
}

/// A stick is picked when it is free, and released when it is not.
fn stick(seat: u8, seats: u8) -> BThread<Action> {
    let neighbour = (seat + 1) % seats;
    let picks = [Action::Pick(seat, Side::Right), Action::Pick(neighbour, Side::Left)];
    let releases = [Action::Release(seat, Side::Right), Action::Release(neighbour, Side::Left)];
    let picks = || EventSet::from(picks).named(format!("picking stick {seat}"));
    let releases = || EventSet::from(releases).named(format!("releasing stick {seat}"));
    BThread::of("Stick", seat)
        .then(wait_for(picks()).block(releases()))
        .then(wait_for(releases()).block(picks()))
        .forever()
}

/// Philosophers around a table, with a stick between each two.
pub(crate) fn philosophers(seats: u8) -> Program<Action> {
    let sticks = (0..seats).map(|seat| stick(seat, seats));
    Program::new((0..seats).map(philosopher).chain(sticks)).expect("the names differ")
}

/// Everything that can happen.
#[allow(dead_code, reason = "only closed programs need it")]
pub(crate) fn actions(seats: u8) -> impl Iterator<Item = Action> {
    (0..seats).flat_map(|seat| {
        [Side::Right, Side::Left]
            .into_iter()
            .flat_map(move |side| [Action::Pick(seat, side), Action::Release(seat, side)])
    })
}

impl Action {
    #[allow(dead_code, reason = "only tests need it")]
    pub(crate) fn is_left_pick(self) -> bool {
        matches!(self, Self::Pick(_, Side::Left))
    }
}

impl Event for Action {
    type Kind = &'static str;

    fn kind(&self) -> &'static str {
        match self {
            Self::Pick(..) => "picks",
            Self::Release(..) => "releases",
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, seat, side) = match self {
            Self::Pick(seat, side) => ("picks", seat, side),
            Self::Release(seat, side) => ("releases", seat, side),
        };
        let side = match side {
            Side::Right => "right",
            Side::Left => "left",
        };
        write!(f, "philosopher {seat} {verb} the {side} stick")
    }
}
