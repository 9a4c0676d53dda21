//! Connect Four: stones fall into seven columns of six, and four in a line win.
//!
//! ```
//! use game::{Game, Seat};
//! use games::connect_four::ConnectFour;
//!
//! let game = ConnectFour;
//! let mut position = game.start();
//! for (index, text) in ["d", "c", "d", "c", "d", "c", "d"].into_iter().enumerate() {
//!     let seat = if index % 2 == 0 { Seat::FIRST } else { Seat::SECOND };
//!     game.advance(&mut position, seat, game.read_move(text)?)?;
//! }
//! assert_eq!(game.text(&position), "......./......./...X.../..OX.../..OX.../..OX...");
//! let outcome = game.turn(&position).outcome();
//! assert_eq!(outcome.and_then(|outcome| outcome.winner()), Some(Seat::FIRST));
//! # Ok::<(), game::Refusal>(())
//! ```

mod column;
mod position;
mod rules;
mod solver;

pub use column::Column;
pub use position::Position;
pub use rules::ConnectFour;
pub use solver::{ConnectFourSearch, ConnectFourSolver};
