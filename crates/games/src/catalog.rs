//! The games by name.

use game::{AnyGame, DeclaredGame, Unsolvable};

use crate::connect_four::ConnectFour;
use crate::kuhn_poker::KuhnPoker;
use crate::mnk::{Mnk, Size, Variant};
use crate::odds_and_evens::OddsAndEvens;
use crate::pig::Pig;
use crate::tic_tac_toe;
use crate::ultimate::Ultimate;

/// A game of the catalog.
#[derive(Clone, Copy, Debug)]
pub struct CatalogEntry {
    /// Its name. Parameters come after a colon.
    pub name: &'static str,
    /// Its parameters, if it has any: `columns,rows,length`.
    pub parameters: Option<&'static str>,
    /// Its description, in one sentence.
    pub summary: &'static str,
    /// A name to find it by, without parameters if it does not need any.
    pub example: &'static str,
    /// The options among its parameters, each with its meaning.
    pub options: &'static [(&'static str, &'static str)],
    declare: DeclareGame,
}

type DeclareGame = fn(Option<&str>) -> Result<DeclaredGame, String>;

/// Why a name finds no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// No game has this name.
    #[error("no game is called {name:?}; there are {}", names().join(", "))]
    UnknownGame {
        /// The name.
        name: String,
    },
    /// The game does not have these parameters.
    #[error("{given:?} does not fit {name}: {advice}")]
    BadParameters {
        /// The name of the game.
        name: &'static str,
        /// The parameters.
        given: String,
        /// What to write instead.
        advice: String,
    },
    /// The game has no parameters.
    #[error("{name} has no parameters, but {given:?} was given")]
    NoParameters {
        /// The name of the game.
        name: &'static str,
        /// The parameters.
        given: String,
    },
    /// The game needs parameters.
    #[error("{name} needs parameters: write {name}:{parameters}, as in {example}")]
    NeedsParameters {
        /// The name of the game.
        name: &'static str,
        /// The parameters that it needs.
        parameters: &'static str,
        /// A name with parameters.
        example: &'static str,
    },
}

/// All games, the flagship first.
pub const CATALOG: [CatalogEntry; 10] = [
    CatalogEntry {
        name: "tic-tac-toe",
        parameters: None,
        summary: "Three in a row on three by three.",
        example: "tic-tac-toe",
        options: &[],
        declare: tic_tac_toe,
    },
    CatalogEntry {
        name: "misere",
        parameters: Some(SIZE),
        summary: "Tic-tac-toe in which three in a row lose.",
        example: "misere",
        options: &[],
        declare: misere,
    },
    CatalogEntry {
        name: "wild",
        parameters: Some(SIZE),
        summary: "Tic-tac-toe in which both players write X or O as they like.",
        example: "wild",
        options: &[],
        declare: wild,
    },
    CatalogEntry {
        name: "notakto",
        parameters: Some(SIZE),
        summary: "Tic-tac-toe in which both players write X, and three in a row lose.",
        example: "notakto",
        options: &[],
        declare: notakto,
    },
    CatalogEntry {
        name: "mnk",
        parameters: Some(SIZE),
        summary: "Several in a row on a board of any size; mnk:15,15,5 is Gomoku.",
        example: "mnk:6,5,4",
        options: &[],
        declare: mnk,
    },
    CatalogEntry {
        name: "connect-four",
        parameters: None,
        summary: "Four in a row; pieces fall to the bottom of their column.",
        example: "connect-four",
        options: &[],
        declare: connect_four,
    },
    CatalogEntry {
        name: "ultimate",
        parameters: None,
        summary: "Nine boards of tic-tac-toe; your square says where the other one plays next.",
        example: "ultimate",
        options: &[],
        declare: ultimate,
    },
    CatalogEntry {
        name: "pig",
        parameters: Some("target,options"),
        summary: "Roll a die as often as you dare; a 1 loses what the turn has brought.",
        example: "pig",
        options: &[
            ("hold-at-0", "a seat may hold before it has rolled"),
            ("hold-at-target", "a seat that has rolled enough to win must hold"),
            ("difference", "the result is the difference of the scores"),
            ("ludorum", "hold-at-target and difference, as in Ludorum"),
        ],
        declare: pig,
    },
    CatalogEntry {
        name: "odds-and-evens",
        parameters: None,
        summary: "Both show one finger or two at once; the sum decides.",
        example: "odds-and-evens",
        options: &[],
        declare: odds_and_evens,
    },
    CatalogEntry {
        name: "kuhn-poker",
        parameters: None,
        summary: "Poker with three cards: one for each, and one nobody sees.",
        example: "kuhn-poker",
        options: &[],
        declare: kuhn_poker,
    },
];

const SIZE: &str = "columns,rows,length";

// Functions and not closures: a closure is compiled again in every crate that reads the catalog, with
// the game and all its players.

fn tic_tac_toe(_: Option<&str>) -> Result<DeclaredGame, String> {
    Ok(tic_tac_toe::declared())
}

fn misere(size: Option<&str>) -> Result<DeclaredGame, String> {
    variant(Variant::Misere, size)
}

fn wild(size: Option<&str>) -> Result<DeclaredGame, String> {
    variant(Variant::Wild, size)
}

fn notakto(size: Option<&str>) -> Result<DeclaredGame, String> {
    variant(Variant::Notakto, size)
}

fn mnk(size: Option<&str>) -> Result<DeclaredGame, String> {
    variant(Variant::Usual, size)
}

fn connect_four(_: Option<&str>) -> Result<DeclaredGame, String> {
    Ok(DeclaredGame::of(ConnectFour, Err(Unsolvable::SlowOpening)))
}

fn ultimate(_: Option<&str>) -> Result<DeclaredGame, String> {
    Ok(DeclaredGame::of(Ultimate, Err(Unsolvable::TooWide)))
}

fn odds_and_evens(_: Option<&str>) -> Result<DeclaredGame, String> {
    Ok(DeclaredGame::of(OddsAndEvens, Err(Unsolvable::AtOnce)))
}

fn kuhn_poker(_: Option<&str>) -> Result<DeclaredGame, String> {
    Ok(DeclaredGame::of(KuhnPoker, Err(Unsolvable::Hidden)))
}

fn variant(variant: Variant, size: Option<&str>) -> Result<DeclaredGame, String> {
    let size = size.map_or(Ok(Size::THREE), str::parse);
    let size = size.map_err(|error: crate::mnk::BadSize| error.to_string())?;
    Ok(Mnk::new(size, variant).declared())
}

fn pig(parameters: Option<&str>) -> Result<DeclaredGame, String> {
    let game = parameters.map_or_else(|| Ok(Pig::default()), str::parse);
    let game = game.map_err(|error: crate::pig::BadParameters| error.to_string())?;
    Ok(DeclaredGame::of(game, Err(Unsolvable::Chance)))
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
///     "\"6,5\" does not fit mnk: write columns,rows,length, as in 6,5,4"
/// );
/// # Ok::<(), games::catalog::CatalogError>(())
/// ```
///
/// # Errors
/// If there is no such game, or it does not have these parameters.
pub fn game(name: &str) -> Result<AnyGame, CatalogError> {
    declared(name).map(|declared| declared.build(USUAL_TABLE_BYTES))
}

/// The memory that the table of states of a game may take when one person plays it.
const USUAL_TABLE_BYTES: usize = 64 << 20;

/// The declaration of the game of this name, with its parameters after a colon. This is cheap, however
/// large the board is.
///
/// # Errors
/// If there is no such game, or it does not have these parameters.
pub fn declared(name: &str) -> Result<DeclaredGame, CatalogError> {
    let (name, given) = match name.split_once(':') {
        Some((name, given)) => (name, Some(given)),
        None => (name, None),
    };
    let unknown = || CatalogError::UnknownGame { name: name.to_owned() };
    let listed = CATALOG.into_iter().find(|listed| listed.name == name).ok_or_else(unknown)?;
    listed.declared_with(given)
}

/// The rules of a game of the catalog, for those who look at its b-threads.
#[derive(Debug)]
pub enum CatalogRules {
    /// Tic-tac-toe.
    TicTacToe(tic_tac_toe::Rules),
    /// m,n,k or one of its variants.
    Mnk(Mnk),
    /// A game that is not made of b-threads.
    Plain(AnyGame),
}

/// The rules of the game of this name, with its parameters after a colon.
///
/// # Errors
/// If there is no such game, or it does not have these parameters.
pub fn rules(name: &str) -> Result<CatalogRules, CatalogError> {
    let declared = declared(name)?;
    let (name, size) = name.split_once(':').map_or((name, None), |(name, size)| (name, Some(size)));
    let variant = match name {
        "tic-tac-toe" => return Ok(CatalogRules::TicTacToe(tic_tac_toe::Rules)),
        "misere" => Variant::Misere,
        "wild" => Variant::Wild,
        "notakto" => Variant::Notakto,
        "mnk" => Variant::Usual,
        _ => return Ok(CatalogRules::Plain(declared.build(USUAL_TABLE_BYTES))),
    };
    // A size that cannot be read was refused with the declaration.
    let size = size.and_then(|size| size.parse().ok()).unwrap_or(Size::THREE);
    Ok(CatalogRules::Mnk(Mnk::new(size, variant)))
}

impl CatalogEntry {
    /// The game with these parameters, or with the usual ones.
    ///
    /// # Errors
    /// If the game does not have these parameters.
    pub fn with(self, given: Option<&str>) -> Result<AnyGame, CatalogError> {
        self.declared_with(given).map(|declared| declared.build(USUAL_TABLE_BYTES))
    }

    fn declared_with(self, given: Option<&str>) -> Result<DeclaredGame, CatalogError> {
        let Self { name, parameters, example, declare, .. } = self;
        match (given, parameters) {
            (Some(given), None) => {
                Err(CatalogError::NoParameters { name, given: given.to_owned() })
            }
            (None, Some(parameters)) if example != name => {
                Err(CatalogError::NeedsParameters { name, parameters, example })
            }
            _ => declare(given).map_err(|advice| CatalogError::BadParameters {
                name,
                given: given.unwrap_or_default().to_owned(),
                advice,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use game::Game;

    use super::*;

    #[test]
    fn every_game_is_found_by_the_name_that_it_writes() {
        for listed in CATALOG {
            let found = game(listed.example).unwrap();
            assert_eq!(found.name().split(':').next(), Some(listed.name));
            assert_eq!(game(&found.name()).unwrap().name(), found.name());
        }
    }

    #[track_caller]
    fn refused(name: &str, expected: &str) {
        assert_eq!(game(name).unwrap_err().to_string(), expected);
    }

    #[test]
    fn unknown_names_and_parameters_are_refused_with_advice() {
        refused(
            "chess",
            "no game is called \"chess\"; there are tic-tac-toe, misere, wild, notakto, mnk, \
             connect-four, ultimate, pig, odds-and-evens, kuhn-poker",
        );
        refused("tic-tac-toe:4", "tic-tac-toe has no parameters, but \"4\" was given");
        refused("mnk", "mnk needs parameters: write mnk:columns,rows,length, as in mnk:6,5,4");
        refused("mnk:3,3,9", "\"3,3,9\" does not fit mnk: a line is 1 to 3 long on this board");
        refused(
            "pig:ten",
            "\"ten\" does not fit pig: write one number of points and options (hold-at-0, \
             hold-at-target, difference, or ludorum for the last two), each once, as in pig:50,difference",
        );
        refused("pig:0", "\"0\" does not fit pig: 0 points cannot be the target: choose 1 to 1000");
    }
}
