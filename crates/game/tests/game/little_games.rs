//! Games so small that their tests can know everything about them.

pub(crate) mod duel;
pub(crate) mod high_card;
pub(crate) mod stroll;
pub(crate) mod subtraction;
