//! The games of Cat's Cradle.
//!
//! - [`tic_tac_toe`]: rules, strategies and requirements as b-threads.

pub mod catalog;
pub mod connect_four;
pub mod kuhn_poker;
pub mod mnk;
pub mod odds_and_evens;
pub mod pig;
pub mod tic_tac_toe;
pub mod ultimate;
mod unreadable;
mod x_and_o;

pub use unreadable::Unreadable;
