//! The games of a server.

use std::fmt;

use game::AnyGame;

/// The games that a server hosts. The server knows no game itself: its caller provides them.
pub trait Catalog: fmt::Debug + Send + Sync {
    /// The game of this name, parameters included.
    ///
    /// # Errors
    /// A sentence that says why there is no such game.
    fn game(&self, name: &str) -> Result<AnyGame, String>;

    /// The names of all games, as [`Catalog::game`] takes them.
    fn names(&self) -> Vec<String>;
}
