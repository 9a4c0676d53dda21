//! Checks of every promise that a game makes, in random play.
//!
//! ```
//! # fn test<G: game::Game>(game: &G) {
//! use game::conformance::{Effort, conform};
//!
//! let counts = conform(game, Effort::default()).unwrap();
//! assert!(counts.illegal_moves > 0, "{counts:?}");
//! # }
//! ```

mod any_game_mirror;
mod chances;
mod description;
mod effort;
mod inspected_position;
mod inspection;
mod known_positions;
mod legality;
mod pictures;
mod random_game;
mod randomness;
mod replay;
mod texts;
mod viewer_memory;
mod violation;

pub use effort::{ConformanceCounts, Effort};
pub use inspection::conform;
pub use violation::{
    Aspect, DrawInPosition, MoveInPosition, MovesInPosition, SeatInPosition, TextKind, Violation,
};
