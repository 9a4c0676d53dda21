//! The games of Cat's Cradle.
//!
//! - [`tic_tac_toe`]: rules, strategies and requirements as b-threads.

pub mod tic_tac_toe;
