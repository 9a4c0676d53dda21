//! All games, by name.

use game::AnyGame;

use crate::connect_four::ConnectFour;
use crate::kuhn_poker::KuhnPoker;
use crate::mnk::{Mnk, Size, Variant};
use crate::odds_and_evens::OddsAndEvens;
use crate::pig::Pig;
use crate::tic_tac_toe;
use crate::ultimate::Ultimate;

/// A game of the catalog.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    /// What it is called; parameters come after a colon.
    pub name: &'static str,
    /// What the parameters are, if it has any: `columns,rows,length`.
    pub parameters: Option<&'static str>,
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// A name that can be asked for: without parameters, if it can do without.
    pub example: &'static str,
    make: Make,
}

type Make = fn(Option<&str>) -> Result<AnyGame, String>;

/// Why there is no such game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// No game has this name.
    #[error("no game is called {name:?}; there are {}", names().join(", "))]
    UnknownGame {
        /// What was asked for.
        name: String,
    },
    /// The game has other parameters.
    #[error("{name} has no parameters {given:?}: {why}")]
    BadParameters {
        /// The name of the game.
        name: &'static str,
        /// What was given.
        given: String,
        /// What to write instead.
        why: String,
    },
    /// The game has no parameters.
    #[error("{name} has no parameters, but {given:?} was given")]
    NoParameters {
        /// The name of the game.
        name: &'static str,
        /// What was given.
        given: String,
    },
    /// The game cannot do without parameters.
    #[error("{name} needs parameters: write {name}:{parameters}, as in {example}")]
    NeedsParameters {
        /// The name of the game.
        name: &'static str,
        /// What they are.
        parameters: &'static str,
        /// A name with parameters.
        example: &'static str,
    },
}

/// All games, the flagship first.
pub const CATALOG: [Listed; 10] = [
    Listed {
        name: "tic-tac-toe",
        parameters: None,
        summary: "Three in a row on three by three.",
        example: "tic-tac-toe",
        make: |_| Ok(AnyGame::new(tic_tac_toe::game())),
    },
    Listed {
        name: "misere",
        parameters: Some(SIZE),
        summary: "Tic-tac-toe in which three in a row lose.",
        example: "misere",
        make: |size| variant(Variant::Misere, size),
    },
    Listed {
        name: "wild",
        parameters: Some(SIZE),
        summary: "Tic-tac-toe in which both players write X or O as they like.",
        example: "wild",
        make: |size| variant(Variant::Wild, size),
    },
    Listed {
        name: "notakto",
        parameters: Some(SIZE),
        summary: "Tic-tac-toe in which both players write X, and three in a row lose.",
        example: "notakto",
        make: |size| variant(Variant::Notakto, size),
    },
    Listed {
        name: "mnk",
        parameters: Some(SIZE),
        summary: "So many in a row on a board of any size; mnk:15,15,5 is Gomoku.",
        example: "mnk:6,5,4",
        make: |size| variant(Variant::Usual, size),
    },
    Listed {
        name: "connect-four",
        parameters: None,
        summary: "Four in a row; pieces fall to the bottom of their column.",
        example: "connect-four",
        make: |_| Ok(AnyGame::new(ConnectFour)),
    },
    Listed {
        name: "ultimate",
        parameters: None,
        summary: "Nine boards of tic-tac-toe; your square says where the other one plays next.",
        example: "ultimate",
        make: |_| Ok(AnyGame::new(Ultimate)),
    },
    Listed {
        name: "pig",
        parameters: Some("target"),
        summary: "Roll a die as often as you dare; a 1 loses what the turn has brought.",
        example: "pig",
        make: pig,
    },
    Listed {
        name: "odds-and-evens",
        parameters: None,
        summary: "Both show one finger or two at once; the sum decides.",
        example: "odds-and-evens",
        make: |_| Ok(AnyGame::new(OddsAndEvens)),
    },
    Listed {
        name: "kuhn-poker",
        parameters: None,
        summary: "Poker with three cards: one for each, and one nobody sees.",
        example: "kuhn-poker",
        make: |_| Ok(AnyGame::new(KuhnPoker)),
    },
];

const SIZE: &str = "columns,rows,length";

fn variant(variant: Variant, size: Option<&str>) -> Result<AnyGame, String> {
    let size = size.map_or(Ok(Size::THREE), str::parse);
    let size = size.map_err(|error: crate::mnk::BadSize| error.to_string())?;
    Ok(AnyGame::new(Mnk::new(size, variant).game()))
}

fn pig(target: Option<&str>) -> Result<AnyGame, String> {
    let Some(target) = target else { return Ok(AnyGame::new(Pig::default())) };
    let target = target.parse().ok();
    let target = target.ok_or("write a number of points, as in pig:50")?;
    let game = Pig::new(target).map_err(|error| error.to_string())?;
    Ok(AnyGame::new(game))
}

/// The names of all games, without parameters.
#[must_use]
pub fn names() -> [&'static str; CATALOG.len()] {
    CATALOG.map(|listed| listed.name)
}

/// The game of this name, with its parameters after a colon.
///
/// ```
/// use game::Game;
/// use games::catalog;
///
/// assert_eq!(catalog::game("mnk:6,5,4")?.name(), "mnk:6,5,4");
/// let error = catalog::game("mnk:6,5").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "mnk has no parameters \"6,5\": write columns,rows,length, as in 6,5,4"
/// );
/// # Ok::<(), games::catalog::CatalogError>(())
/// ```
///
/// # Errors
/// If there is no such game, or it has other parameters.
pub fn game(words: &str) -> Result<AnyGame, CatalogError> {
    let (name, given) = match words.split_once(':') {
        Some((name, given)) => (name, Some(given)),
        None => (words, None),
    };
    let unknown = || CatalogError::UnknownGame { name: name.to_owned() };
    let listed = CATALOG.into_iter().find(|listed| listed.name == name).ok_or_else(unknown)?;
    listed.with(given)
}

impl Listed {
    /// The game with these parameters, or with the usual ones.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn with(self, given: Option<&str>) -> Result<AnyGame, CatalogError> {
        let Self { name, parameters, example, make, .. } = self;
        match (given, parameters) {
            (Some(given), None) => {
                Err(CatalogError::NoParameters { name, given: given.to_owned() })
            }
            (None, Some(parameters)) if example != name => {
                Err(CatalogError::NeedsParameters { name, parameters, example })
            }
            _ => make(given).map_err(|why| CatalogError::BadParameters {
                name,
                given: given.unwrap_or_default().to_owned(),
                why,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use game::Game;

    use super::*;

    #[test]
    fn every_game_has_the_name_under_which_it_is_listed() {
        for listed in CATALOG {
            let found = game(listed.example).unwrap();
            assert_eq!(found.name().split(':').next(), Some(listed.name));
            assert_eq!(game(&found.name()).unwrap().name(), found.name());
        }
    }

    #[track_caller]
    fn refused(words: &str, expected: &str) {
        assert_eq!(game(words).unwrap_err().to_string(), expected);
    }

    #[test]
    fn what_is_not_there_is_refused_with_what_is() {
        refused(
            "chess",
            "no game is called \"chess\"; there are tic-tac-toe, misere, wild, notakto, mnk, \
             connect-four, ultimate, pig, odds-and-evens, kuhn-poker",
        );
        refused("tic-tac-toe:4", "tic-tac-toe has no parameters, but \"4\" was given");
        refused("mnk", "mnk needs parameters: write mnk:columns,rows,length, as in mnk:6,5,4");
        refused(
            "mnk:3,3,9",
            "mnk has no parameters \"3,3,9\": a line is 1 to 3 long on this board",
        );
        refused("pig:ten", "pig has no parameters \"ten\": write a number of points, as in pig:50");
    }
}
