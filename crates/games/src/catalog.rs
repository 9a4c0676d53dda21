//! The games by name.

use game::{AnyGame, DeclaredGame, GameCode, Unsolvable, WithSearches, WithoutSearches};

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
    /// Its name as people write it.
    pub title: &'static str,
    /// Its parameters, if it has any: `columns,rows,length`.
    pub parameters: Option<&'static str>,
    /// Its description, in one sentence.
    pub summary: &'static str,
    /// How it is played, in three sentences for people who do not know it.
    pub how_to_play: &'static str,
    /// A name to find it by, without parameters if it does not need any.
    pub example: &'static str,
    /// The options among its parameters, each with its meaning.
    pub options: &'static [(&'static str, &'static str)],
}

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
        title: "Tic-tac-toe",
        parameters: None,
        summary: "Three in a row on three by three.",
        how_to_play: "X and O take turns and mark one free square each. X begins. Three of your \
                      marks in a row, a column or a diagonal win; a full board without them is a \
                      draw.",
        example: "tic-tac-toe",
        options: &[],
    },
    CatalogEntry {
        name: "misere",
        title: "Misère tic-tac-toe",
        parameters: Some(SIZE),
        summary: "Tic-tac-toe in which three in a row lose.",
        how_to_play: "X and O take turns and mark one free square each. X begins. Whoever gets \
                      three of their own marks in a line loses.",
        example: "misere",
        options: &[],
    },
    CatalogEntry {
        name: "wild",
        title: "Wild tic-tac-toe",
        parameters: Some(SIZE),
        summary: "Tic-tac-toe in which both players write X or O as they like.",
        how_to_play: "You take turns, and each turn you write X or O on a free square, as you \
                      like. The marks belong to nobody. The player who completes three equal \
                      marks in a line wins.",
        example: "wild",
        options: &[],
    },
    CatalogEntry {
        name: "notakto",
        title: "Notakto",
        parameters: Some(SIZE),
        summary: "Tic-tac-toe in which both players write X, and three in a row lose.",
        how_to_play: "You take turns, and both of you write X on a free square. Sooner or later \
                      three Xs stand in a line. The player who completes them loses.",
        example: "notakto",
        options: &[],
    },
    CatalogEntry {
        name: "mnk",
        title: "Several in a row",
        parameters: Some(SIZE),
        summary: "Several in a row on a board of any size; mnk:15,15,5 is Gomoku.",
        how_to_play: "X and O take turns and mark one free square each on a larger board. X \
                      begins. The first to have enough marks in a row, a column or a diagonal \
                      wins.",
        example: "mnk:6,5,4",
        options: &[],
    },
    CatalogEntry {
        name: "connect-four",
        title: "Connect Four",
        parameters: None,
        summary: "Four in a row; pieces fall to the bottom of their column.",
        how_to_play: "You take turns and drop a piece into a column; it falls to the lowest free \
                      place. X begins. Four of your pieces in a row, a column or a diagonal win.",
        example: "connect-four",
        options: &[],
    },
    CatalogEntry {
        name: "ultimate",
        title: "Ultimate tic-tac-toe",
        parameters: None,
        summary: "Nine boards of tic-tac-toe; your square says where the other one plays next.",
        how_to_play: "Nine small boards make one large board, and your square says in which \
                      small board the other player must move. Three in a row on a small board \
                      win that board. Three boards in a row win the game.",
        example: "ultimate",
        options: &[],
    },
    CatalogEntry {
        name: "pig",
        title: "Pig",
        parameters: Some("target,options"),
        summary: "Roll a die as often as you dare; a 1 loses what the turn has brought.",
        how_to_play: "In your turn you roll a die as often as you like, and hold to keep the \
                      sum. A 1 ends your turn, and the sum is lost. The first to reach the \
                      target wins.",
        example: "pig",
        options: &[
            ("hold-at-0", "a seat may hold before it has rolled"),
            ("hold-at-target", "a seat that has rolled enough to win must hold"),
            ("difference", "the result is the difference of the scores"),
            ("ludorum", "hold-at-target and difference, as in Ludorum"),
        ],
    },
    CatalogEntry {
        name: "odds-and-evens",
        title: "Odds and Evens",
        parameters: None,
        summary: "Both show one finger or two at once; the sum decides.",
        how_to_play: "Both of you show one finger or two at the same moment. If the sum is even, \
                      one of you wins; if it is odd, the other. Nobody sees the choice of the \
                      other before both have chosen.",
        example: "odds-and-evens",
        options: &[],
    },
    CatalogEntry {
        name: "kuhn-poker",
        title: "Kuhn poker",
        parameters: None,
        summary: "Poker with three cards: one for each, and one nobody sees.",
        how_to_play: "Each of you antes one chip and gets one of three cards: jack, queen or \
                      king. You take turns to bet one chip or to pass; whoever passes after a bet \
                      folds. The higher card wins the chips, unless somebody folds.",
        example: "kuhn-poker",
        options: &[],
    },
];

const SIZE: &str = "columns,rows,length";

/// Declares a game of the catalog with this much of its code.
///
/// It is not a field of [`CATALOG`], which would hold the searches of every game then, also in programs
/// that only read titles there.
fn declare<C: GameCode>(name: &str, given: Option<&str>) -> Result<DeclaredGame, String> {
    let plain = match name {
        "misere" => return variant::<C>(Variant::Misere, given),
        "wild" => return variant::<C>(Variant::Wild, given),
        "notakto" => return variant::<C>(Variant::Notakto, given),
        "mnk" => return variant::<C>(Variant::Usual, given),
        "pig" => return pig::<C>(given),
        "connect-four" => DeclaredGame::of_code::<C, _>(ConnectFour, Err(Unsolvable::SlowOpening)),
        "ultimate" => DeclaredGame::of_code::<C, _>(Ultimate, Err(Unsolvable::TooWide)),
        "odds-and-evens" => DeclaredGame::of_code::<C, _>(OddsAndEvens, Err(Unsolvable::AtOnce)),
        "kuhn-poker" => DeclaredGame::of_code::<C, _>(KuhnPoker, Err(Unsolvable::Hidden)),
        "tic-tac-toe" => tic_tac_toe::declared_with::<C>(),
        _ => return Err("nobody has declared it: `declare` in the catalog must know it".to_owned()),
    };
    Ok(plain)
}

fn variant<C: GameCode>(variant: Variant, size: Option<&str>) -> Result<DeclaredGame, String> {
    let size = size.map_or(Ok(Size::THREE), str::parse);
    let size = size.map_err(|error: crate::mnk::BadSize| error.to_string())?;
    Ok(Mnk::new(size, variant).declared_with::<C>())
}

fn pig<C: GameCode>(parameters: Option<&str>) -> Result<DeclaredGame, String> {
    let game = parameters.map_or_else(|| Ok(Pig::default()), str::parse);
    let game = game.map_err(|error: crate::pig::BadParameters| error.to_string())?;
    // Variants without a solver of their own are small only if their targets are.
    Ok(DeclaredGame::of_code::<C, _>(game, Err(Unsolvable::MayHaveTooMany)))
}

/// The title of a game: the one of the catalog, with its parameters, or else its name.
///
/// ```
/// use games::catalog;
///
/// assert_eq!(catalog::title("connect-four"), "Connect Four");
/// assert_eq!(catalog::title("mnk:6,5,4"), "Several in a row (6,5,4)");
/// assert_eq!(catalog::title("hexapawn"), "hexapawn");
/// ```
#[must_use]
pub fn title(name: &str) -> String {
    let (plain, parameters) = match name.split_once(':') {
        Some((plain, parameters)) => (plain, Some(parameters)),
        None => (name, None),
    };
    match (CATALOG.iter().find(|listed| listed.name == plain), parameters) {
        (Some(listed), Some(parameters)) => format!("{} ({parameters})", listed.title),
        (Some(listed), None) => listed.title.to_owned(),
        (None, _) => name.to_owned(),
    }
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
    find::<WithSearches>(name)
}

/// As [`game()`], without the players that search and without analysis; see
/// [`AnyGame::without_searches`].
///
/// # Errors
/// As [`game()`].
pub fn game_without_searches(name: &str) -> Result<AnyGame, CatalogError> {
    declared_without_searches(name).map(|declared| declared.build(USUAL_TABLE_BYTES))
}

/// As [`declared`], for [`game_without_searches`].
///
/// # Errors
/// As [`declared`].
pub fn declared_without_searches(name: &str) -> Result<DeclaredGame, CatalogError> {
    find::<WithoutSearches>(name)
}

fn find<C: GameCode>(name: &str) -> Result<DeclaredGame, CatalogError> {
    let (name, given) = match name.split_once(':') {
        Some((name, given)) => (name, Some(given)),
        None => (name, None),
    };
    let unknown = || CatalogError::UnknownGame { name: name.to_owned() };
    let listed = CATALOG.into_iter().find(|listed| listed.name == name).ok_or_else(unknown)?;
    listed.declared_with::<C>(given)
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
        self.declared_with::<WithSearches>(given).map(|declared| declared.build(USUAL_TABLE_BYTES))
    }

    fn declared_with<C: GameCode>(self, given: Option<&str>) -> Result<DeclaredGame, CatalogError> {
        let Self { name, parameters, example, .. } = self;
        match (given, parameters) {
            (Some(given), None) => {
                Err(CatalogError::NoParameters { name, given: given.to_owned() })
            }
            (None, Some(parameters)) if example != name => {
                Err(CatalogError::NeedsParameters { name, parameters, example })
            }
            _ => declare::<C>(name, given).map_err(|advice| CatalogError::BadParameters {
                name,
                given: given.unwrap_or_default().to_owned(),
                advice,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use game::{Game, PlayerKind, Seat, SkillLevel};

    use super::*;

    #[test]
    fn every_game_is_found_by_the_name_that_it_writes() {
        for listed in CATALOG {
            let found = game(listed.example).unwrap();
            assert_eq!(found.name().split(':').next(), Some(listed.name));
            assert_eq!(game(&found.name()).unwrap().name(), found.name());
        }
    }

    #[test]
    fn a_game_without_searches_has_the_same_rules_and_only_players_that_do_not_search() {
        for listed in CATALOG {
            let (whole, small) =
                (game(listed.example).unwrap(), game_without_searches(listed.example).unwrap());
            assert_eq!(whole.name(), small.name());
            assert_eq!(whole.perft(2), small.perft(2), "{}", listed.name);
            assert!(small.player(&PlayerKind::Random, Seat::FIRST, 1).is_ok());
            let search = PlayerKind::Mcts(10);
            assert!(!whole.lacks_search_for(&search));
            assert!(small.lacks_search_for(&search));
            assert!(!small.lacks_search_for(&PlayerKind::Random));
            let refused = small.player(&search, Seat::FIRST, 1).unwrap_err().to_string();
            assert!(refused.ends_with("this program has no searches"), "{refused}");
        }
        let small = game_without_searches("tic-tac-toe").unwrap();
        assert!(small.player(&PlayerKind::BThreads, Seat::SECOND, 1).is_ok());
        assert!(small.lacks_search_for(&PlayerKind::Level(SkillLevel::Hard)));
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
