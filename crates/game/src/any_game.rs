//! One type for all games, which speaks text.

mod dyn_game;
mod dyn_searches;
mod game;
mod position;
mod text;

pub use self::game::{AnyGame, WeakGame};
pub use self::position::AnyPosition;
pub use self::text::MoveText;
