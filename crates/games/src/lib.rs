//! The games of Cat's Cradle.
//!
//! - [`tic_tac_toe`]: rules, strategies and requirements as b-threads, and the game that they play.
//! - [`mnk`]: several in a row on a board of any size, and misère, wild and Notakto, which replace a
//!   few b-threads.
//! - [`connect_four`] and [`ultimate`]: plain boards. [`pig`]: chance. [`odds_and_evens`]: both seats
//!   choose at once. [`kuhn_poker`]: hidden cards.
//! - [`catalog`]: all of them by name.
//!
//! # What it costs
//!
//! Medians of `cargo bench -p games` on one core of a machine with two, for random games to the end
//! and for counting all sequences of moves:
//!
//! | game | random games | all sequences |
//! |---|---|---|
//! | tic-tac-toe, by its b-threads | 5.5 M/s | nine moves: 12.5 ms |
//! | the same as `AnyGame` | three quarters of that | |
//! | Connect Four | 2.7 M/s | nine moves: 57 ms |
//! | ultimate tic-tac-toe | 0.46 M/s | six moves: 6.6 ms |
//! | Kuhn poker | 5.1 M/s | |
//! | Odds and Evens | 35 M/s | |
//! | Pig to 100 | 0.18 M/s | |

pub mod catalog;
pub mod connect_four;
pub mod kuhn_poker;
pub mod mnk;
pub mod odds_and_evens;
pub mod pig;
mod small_board;
pub mod tic_tac_toe;
pub mod ultimate;
mod unreadable;
mod x_and_o;

pub use unreadable::Unreadable;
