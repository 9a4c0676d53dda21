//! `cradle verify`: proves the properties of a game, or shows the game that breaks them.
//!
//! - [`Verify`]: the arguments. `request`: what to verify.
//! - `subject`: what can be verified. `rulebook_subject` and `rulebook_model`: games of b-threads in
//!   Rust, with the symmetries of `tic_tac_toe`. `text_subject`: files. `plain_subject`: other games.
//! - `property`: the properties of any game of b-threads. `search`: what all searches share.
//!   `explanation`: why a counterexample went as it did. `verification`: the report.
//! - `text`, `board_row`: the report for people. `each`: what goes wrong without each b-thread.
//!   `drawing`: drawings of the states.

mod board_row;
mod command;
mod drawing;
mod each;
mod explanation;
mod plain_subject;
mod property;
mod request;
mod rulebook_model;
mod rulebook_subject;
mod search;
mod subject;
mod text;
mod text_subject;
mod tic_tac_toe;
mod verification;

pub(crate) use command::Verify;
