//! Matches as text: written by `cradle match`, read by `cradle replay`.

mod by_seat;
mod line;
mod play_match;
mod reading;
mod replay;
mod rerun;
mod short;

pub(crate) use self::play_match::PlayMatch;
pub(crate) use self::replay::Replay;
