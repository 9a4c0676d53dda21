//! `cradle play`: a game against the computer or another person, in a terminal.
//!
//! - [`Play`]: the arguments.
//! - `participant`: who plays in each seat. `session`: rounds, moves and undo. `score`: points.
//! - `text`, `explanation`: what people read about a session.
//! - `line_mode`: line by line, for pipes. `screen`: on the whole terminal.

mod command;
mod explanation;
mod line_mode;
mod participant;
mod score;
mod screen;
mod session;
mod text;

pub(crate) use command::Play;
