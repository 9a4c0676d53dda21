//! m,n,k: so many in a row on a board of any size, and what becomes of it when b-threads are
//! exchanged.
//!
//! The usual game is [`Variant::Usual`]: five in a row on 15 by 15 is Gomoku. Three others differ
//! from it by a few b-threads, which [`rules`] lists side by side:
//!
//! - *misère*: who makes a line loses (`DetectLoss` in the place of `DetectWin`);
//! - *wild*: both players write X or O as they like, and who completes a line of either wins (more
//!   `DetectWin`s, and more moves);
//! - *Notakto*: both players write X, and who completes a line loses.
//!
//! ```
//! use game::{Game, Seat};
//! use games::mnk::{Mnk, Size, Variant};
//!
//! let game = Mnk::new(Size::new(4, 4, 3)?, Variant::Usual).game();
//! assert_eq!(game.name(), "mnk:4,4,3");
//! let position = game.play(&game.start(), Seat::FIRST, game.read_move("d4")?)?;
//! assert_eq!(game.text(&position), ".... .... .... ...X");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod cell;
mod event;
mod line;
mod placement;
mod rulebook;
pub mod rules;
mod size;
pub mod strategies;

pub use board::Board;
pub use cell::Cell;
pub use event::{Event, Kind};
pub use line::Line;
pub use placement::{NotAPlacement, Placement};
pub use rulebook::{Mnk, Variant};
pub use size::{BadSize, Size};
