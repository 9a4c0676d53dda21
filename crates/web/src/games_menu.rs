//! The games that the page offers, and the computer players for each.

use game::{AnyGame, DeclaredGame, PlayerKind, Seat, SkillLevel};
use games::catalog::{self, CATALOG};
use games::tic_tac_toe;

use crate::texts;

/// The memory that the table of states of a game may take.
const TABLE_BYTES: usize = 64 << 20;

/// The games whose rules a program contains. The first program that a visitor loads has only one.
#[derive(Clone, Copy, Debug)]
pub struct GameSource {
    find: fn(&str) -> Option<DeclaredGame>,
}

impl GameSource {
    /// All games of the catalog.
    pub const CATALOG: Self = Self { find: |name| catalog::declared_without_searches(name).ok() };

    /// Tic-tac-toe alone.
    pub const TIC_TAC_TOE: Self =
        Self { find: |name| (name == TIC_TAC_TOE).then(tic_tac_toe::declared_without_searches) };

    /// What is known of a game; `None` if the program does not contain it.
    #[must_use]
    pub fn declared(self, name: &str) -> Option<DeclaredGame> {
        (self.find)(name)
    }

    /// A game, without its searches; `None` if the program does not contain it.
    #[must_use]
    pub fn game(self, name: &str) -> Option<AnyGame> {
        self.declared(name).map(|declared| declared.build(TABLE_BYTES))
    }
}

/// The game of the first program.
pub(crate) const TIC_TAC_TOE: &str = "tic-tac-toe";

/// A game that the page offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedGame {
    /// Its name, with parameters if it needs them.
    pub name: String,
    /// Its name as people write it.
    pub title: String,
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// How it is played, in three sentences.
    pub how_to_play: &'static str,
}

impl OfferedGame {
    /// The game of this name; `None` if the catalog does not have it.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        catalog::declared_without_searches(name).ok()?;
        Self::listed(name)
    }

    /// The game of this name, if the catalog lists it. Its parameters are not checked.
    pub(crate) fn listed(name: &str) -> Option<Self> {
        let plain = name.split(':').next().unwrap_or(name);
        let listed = CATALOG.iter().find(|listed| listed.name == plain)?;
        Some(Self {
            name: name.to_owned(),
            title: texts::game_title(name),
            summary: listed.summary,
            how_to_play: listed.how_to_play,
        })
    }
}

/// All games of the catalog, in its order.
#[must_use]
pub fn offered_games() -> Vec<OfferedGame> {
    CATALOG.iter().filter_map(|listed| OfferedGame::listed(listed.example)).collect()
}

/// The levels at which the computer can play a seat of a game, the weakest first.
#[must_use]
pub fn levels(games: GameSource, game: &str, seat: Seat) -> Vec<PlayerKind> {
    let Some(declared) = games.declared(game) else { return Vec::new() };
    let can_play = |kind: &PlayerKind| declared.check_player(kind, seat).is_ok();
    // Elsewhere a perfect player thinks for minutes about its first moves.
    let perfect = declared.is_soon_solved().then_some(PlayerKind::Perfect);
    let levels = SkillLevel::ALL.map(PlayerKind::Level).into_iter().chain(perfect);
    let levels: Vec<PlayerKind> =
        levels.chain([PlayerKind::BThreads]).filter(|kind| can_play(kind)).collect();
    if levels.is_empty() { vec![PlayerKind::Random] } else { levels }
}

/// The level for a person who wishes this one: it, or else the nearest to a fair one.
#[must_use]
pub fn level(games: GameSource, game: &str, seat: Seat, wish: &str) -> PlayerKind {
    let levels = levels(games, game, seat);
    let wished = levels.iter().find(|kind| kind.to_string() == wish);
    let fair = levels.iter().find(|kind| **kind == PlayerKind::Level(SkillLevel::Fair));
    wished.or(fair).or_else(|| levels.first()).cloned().unwrap_or(PlayerKind::Random)
}

#[cfg(test)]
mod tests {
    use game::Game as _;

    use super::*;

    #[test]
    fn the_first_program_has_tic_tac_toe_and_nothing_else() {
        let first = GameSource::TIC_TAC_TOE;
        assert_eq!(first.game("tic-tac-toe").unwrap().name(), "tic-tac-toe");
        assert!(first.game("connect-four").is_none() && first.game("chess").is_none());
        assert!(GameSource::CATALOG.game("connect-four").is_some());
        assert_eq!(levels(first, "tic-tac-toe", Seat::SECOND).len(), 5);
    }

    fn names(game: &str) -> Vec<String> {
        levels(GameSource::CATALOG, game, Seat::SECOND).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_game_of_the_catalog_is_offered_with_rules_and_levels() {
        let offered = offered_games();
        assert_eq!(offered.len(), CATALOG.len());
        for game in offered {
            assert!(game.how_to_play.matches(['.', ';']).count() >= 3, "{}", game.name);
            assert!(
                !levels(GameSource::CATALOG, &game.name, Seat::FIRST).is_empty(),
                "{}",
                game.name
            );
        }
        assert_eq!(OfferedGame::find("chess"), None);
        assert_eq!(OfferedGame::find("mnk:4,4,3").unwrap().title, "Several in a row (4,4,3)");
    }

    #[test]
    fn a_game_has_the_levels_that_the_computer_can_play() {
        assert_eq!(names("tic-tac-toe"), ["easy", "fair", "hard", "perfect", "bthreads"]);
        assert_eq!(names("connect-four"), ["easy", "fair", "hard"], "perfect would take minutes");
        assert_eq!(names("chess"), Vec::<String>::new());
    }

    #[test]
    fn a_wish_that_a_game_cannot_fulfil_becomes_a_fair_level() {
        let level = |game, wish| level(GameSource::CATALOG, game, Seat::SECOND, wish).to_string();
        assert_eq!(level("tic-tac-toe", "bthreads"), "bthreads");
        assert_eq!(level("connect-four", "bthreads"), "fair");
        assert_eq!(level("connect-four", "hard"), "hard");
    }
}
