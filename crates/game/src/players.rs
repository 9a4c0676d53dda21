//! The kinds of players that play any game they can.

mod perfect;
mod player_kind;
mod random;
mod scripted;

pub(crate) use perfect::{MOST_KEPT_POSITIONS, SolutionCache};
pub use perfect::{PerfectPlayer, Solution, TooManyPositions, Unsolvable, Value};
pub use player_kind::{PlayerKind, UnknownPlayer};
pub(crate) use random::play_at_random;
pub use random::{PlayoutError, RandomPlayer, playout};
pub use scripted::ScriptedPlayer;
