//! `cradle verify`: proves what must hold in a game, or shows the game that breaks it.
//!
//! - [`Verify`]: the arguments, and what is done with them.
//! - `subject`: what can be verified; `tic_tac_toe` is the first.
//! - `property`: what can be asked of it. `questions`: all of that together.
//! - `search`: asks the checker. `explanation`: why a counterexample went as it did.
//!   `verification`: what was found out, as facts.
//! - `text`, `boards`: the facts for people. `drawing`: states as files.

mod boards;
mod command;
mod drawing;
mod explanation;
mod property;
mod questions;
mod search;
mod subject;
mod text;
mod tic_tac_toe;
mod verification;

pub(crate) use command::Verify;
