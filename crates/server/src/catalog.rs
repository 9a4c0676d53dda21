//! The games of a server.

use std::fmt;
use std::sync::Arc;

use game::DeclaredGame;

/// The author of a text of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulesAuthor {
    /// The operator of the server, who is trusted.
    Operator,
    /// A player, who may mean harm.
    Player,
}

/// What people read about a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameDescription {
    /// Its name as people write it.
    pub title: String,
    /// What it is, in one sentence.
    pub summary: String,
}

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

    /// What people read about a game; `None` if nobody has described it.
    fn description(&self, name: &str) -> Option<GameDescription> {
        let _ = name;
        None
    }

    /// The text of the rules of a game that [`Catalog::declared`] knows, if it is written as text. The
    /// name of such a game ends with the digest of its text, and the journal keeps the text for its
    /// tables.
    fn rules(&self, name: &str) -> Option<Arc<str>> {
        let _ = name;
        None
    }

    /// Reads a text of rules, which comes from the journal or from a stranger. The name of the game ends
    /// with the digest of the text. This may take a while, so the server lets a worker do it; what a
    /// stranger wrote is bounded, and so is what follows from each move.
    ///
    /// # Errors
    /// A sentence that says why no game can be made of the text.
    fn read(&self, text: &str, author: RulesAuthor) -> Result<DeclaredGame, String> {
        let _ = (text, author);
        Err("games that are written as text are not known here".to_owned())
    }
}
