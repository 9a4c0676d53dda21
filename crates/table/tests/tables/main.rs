//! Tables: what seed 001 asks of them, and what goes beyond it.

mod at_once;
mod by_itself;
mod journals;
mod log;
mod replicas;
mod rounds;
mod seats;
mod seed_001;
mod sitting;
mod views;
