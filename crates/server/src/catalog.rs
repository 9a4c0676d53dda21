//! Which games there are.

use std::fmt;

use game::AnyGame;

/// The games that a server hosts. It knows none itself: whoever starts it says which there are.
pub trait Catalog: fmt::Debug + Send + Sync {
    /// The game of this name, parameters included.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    fn game(&self, name: &str) -> Result<AnyGame, String>;

    /// What there is, as names that [`Catalog::game`] understands.
    fn names(&self) -> Vec<String>;
}
