//! Tables: what the tic-tac-toe of Conflux asks of them, and what goes beyond it.

mod at_once;
mod by_itself;
mod clocks;
mod conflux;
mod counting;
mod journals;
mod laws;
mod limits;
mod live;
mod log;
mod many_seats;
mod properties;
mod protocol;
mod replicas;
mod rounds;
mod seats;
mod sitting;
mod snapshots;
mod views;
mod wire;
