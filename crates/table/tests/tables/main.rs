//! Tables: the tic-tac-toe of Conflux, and everything beyond it.

mod automatic;
mod claims;
mod clocks;
mod conflux;
mod counting;
mod devices;
mod fair_draws;
mod journals;
mod laws;
mod limits;
mod live_tables;
mod log;
mod many_seats;
mod properties;
mod protocol;
mod replicas;
mod rounds;
mod seats;
mod simultaneous_moves;
mod snapshots;
mod takebacks;
mod test_table;
mod views;
mod wire;
