//! The games of a server.

use std::fmt;

use game::DeclaredGame;

/// The games that a server hosts. The server knows no game itself: its caller provides them.
pub trait Catalog: fmt::Debug + Send + Sync {
    /// The declaration of the game of this name, parameters included. It must be cheap, because every
    /// stranger can ask for it; what is expensive belongs into [`DeclaredGame::build`].
    ///
    /// # Errors
    /// A sentence that says why there is no such game.
    fn declared(&self, name: &str) -> Result<DeclaredGame, String>;

    /// The names of all games, as [`Catalog::declared`] takes them.
    fn names(&self) -> Vec<String>;
}
