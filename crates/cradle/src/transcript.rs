//! Matches as text: written by `cradle match`, read by `cradle replay`.
//!
//! - `line`: one line of a transcript, as JSON. `short_form`: the same as Ludorum prints it.
//! - `play_match`: writes. `reader`: reads. `match_replay`: plays again and checks one line after the
//!   other. `checked_transcript`: all lines, and how they end.
//! - `table_draws`: the log of a table that has ended, and what chance drew there.

mod by_seat;
mod checked_transcript;
mod difference;
mod line;
mod match_replay;
mod play_match;
mod players;
mod reader;
mod replay;
mod short_form;
mod table_draws;
mod unreadable_line;

pub(crate) use self::play_match::PlayMatch;
pub(crate) use self::replay::Replay;
