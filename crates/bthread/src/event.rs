//! What can happen.

use std::fmt::{Debug, Display};
use std::hash::Hash;

/// Something that can happen: the user's own type, usually an enum.
///
/// The *kind* is what events have in common: all X moves, all wins. A set of a
/// whole kind costs as little as a set of one event, and a predicate that says
/// which kinds it looks at is never asked about others.
pub trait Event: Clone + Eq + Hash + Debug + Display + Send + Sync + 'static {
    /// What events have in common.
    type Kind: Clone + Eq + Hash + Debug + Display + Send + Sync + 'static;

    /// The kind that this event is of.
    fn kind(&self) -> Self::Kind;
}

/// Words are events for small programs and first tries; each is a kind of its own.
impl Event for &'static str {
    type Kind = Self;

    fn kind(&self) -> Self {
        self
    }
}
