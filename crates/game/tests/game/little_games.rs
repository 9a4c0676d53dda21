//! Games that are small enough to test completely.

pub(crate) mod coin_row;
pub(crate) mod duel;
pub(crate) mod high_card;
pub(crate) mod showdown;
pub(crate) mod stopping;
pub(crate) mod stroll;
pub(crate) mod subtraction;
