//! `cradle verify`: proves the properties of a game, or shows the game that breaks them.
//!
//! - [`Verify`]: the arguments.
//! - `subject`: the games that can be verified; `tic_tac_toe` is the first.
//! - `property`: the properties that can be checked. `request`: what to verify.
//! - `search`: searches with the checker. `explanation`: why a counterexample went as it did.
//!   `verification`: the report.
//! - `text_file`: games and programs in files.
//! - `text`, `board_row`: the report for people. `drawing`: drawings of the states.

mod board_row;
mod command;
mod drawing;
mod explanation;
mod property;
mod request;
mod search;
mod subject;
mod text;
mod text_file;
mod tic_tac_toe;
mod verification;

pub(crate) use command::Verify;
