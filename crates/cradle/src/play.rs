//! `cradle play`: a game against the computer or another person, in a terminal.
//!
//! - [`Play`]: the arguments, and what is done with them.
//! - `sitter`: who plays. `session`: rounds, moves, undo; `score`: what came of them.
//! - `words`, `explanation`: what is said about a session.
//! - `lines`: line by line, for pipes. `screen`: on the whole terminal.

mod command;
mod explanation;
mod lines;
mod score;
mod screen;
mod session;
mod sitter;
mod words;

pub(crate) use command::Play;
