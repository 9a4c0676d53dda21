//! m,n,k: k in a row on a board of m columns and n rows, and variants with other b-threads.
//!
//! The usual game is [`Variant::Usual`]: five in a row on 15 by 15 is Gomoku. Three others differ
//! from it by a few b-threads, which [`rules`] lists side by side:
//!
//! - *misère*: a line loses (`DetectLoss` instead of `DetectWin`);
//! - *wild*: both players write X or O as they like, and a line of either wins (more
//!   `DetectWin`s, and more moves);
//! - *Notakto*: both players write X, and a line loses.
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
mod solver;
pub mod strategies;

pub use board::Board;
pub use cell::Cell;
pub use event::{Event, Kind};
pub use line::Line;
pub use placement::{NotAPlacement, Placement};
pub use rulebook::{Mnk, Variant};
pub use size::{BadSize, Size};
pub use solver::{MnkSearch, opening_value};
