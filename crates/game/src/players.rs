//! The players that every game can be asked for.

mod by_name;
mod perfect;
mod random;
mod scripted;

pub use by_name::{PlayerKind, UnknownPlayer};
pub(crate) use perfect::Solved;
pub use perfect::{Perfect, Solution, TooBig, Unsolvable, Value};
pub use random::{PlayoutError, RandomPlayer, playout};
pub(crate) use random::{any_of, play_at_random};
pub use scripted::Scripted;
