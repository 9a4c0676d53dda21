//! Tables: what the tic-tac-toe of Conflux asks of them, and what goes beyond it.

mod at_once;
mod by_itself;
mod clocks;
mod conflux;
mod journals;
mod log;
mod protocol;
mod replicas;
mod rounds;
mod seats;
mod sitting;
mod views;
