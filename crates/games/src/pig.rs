//! Pig: roll a die as often as you dare, and hold before it shows a one.
//!
//! A roll of 2 to 6 adds to the total of the turn, and the same seat continues. A roll of 1 loses
//! that total and ends the turn. A hold adds the total to the score and ends the turn. The first
//! seat to hold with enough to reach the target wins.
//!
//! [`PigOption`]s change these rules where Ludorum plays Pig differently.
//!
//! ```
//! use game::{Game, Seat};
//! use games::pig::{Die, Move, Pig};
//!
//! let game = Pig::default();
//! let mut position = game.start();
//! game.advance(&mut position, Seat::FIRST, Move::Roll)?;
//! game.advance_chance(&mut position, &Die::Five)?;
//! game.advance(&mut position, Seat::FIRST, Move::Hold)?;
//! assert_eq!(game.text(&position), "A has 5, B has 0; B has rolled 0 in this turn");
//! # Ok::<(), game::Refusal>(())
//! ```

mod die;
mod pig_option;
mod position;
mod rules;
mod solution;
#[cfg(test)]
mod tests;

pub use die::Die;
pub use pig_option::{BadParameters, PigOption};
pub use position::Position;
pub use rules::{Move, NoSuchTarget, Pig};
pub use solution::PigSolution;
