//! Levels for people.

use std::fmt;

use super::player_kind::PlayerKind;
use super::suitability::GameFeatures;
use crate::game::Game;

/// How well the computer plays against a person. [`PlayerKind::Perfect`] is above all levels, where a
/// game is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkillLevel {
    /// For beginners, who win often.
    Easy,
    /// For people who know the game.
    Fair,
    /// For people who play it well.
    Hard,
}

impl SkillLevel {
    /// All levels, the weakest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Fair, Self::Hard];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Fair => "fair",
            Self::Hard => "hard",
        }
    }
}

impl fmt::Display for SkillLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The level of a game that does not define its own: simulations, more at each level; where cards or
/// simultaneous moves are hidden, random moves and then the equilibrium.
pub(crate) fn usual_level<G: Game>(game: &G, level: SkillLevel) -> Option<PlayerKind> {
    let is_secret = game.hides() || GameFeatures::of(game).at_once;
    match (level, is_secret) {
        (SkillLevel::Easy, true) => Some(PlayerKind::Random),
        (SkillLevel::Hard, true) => Some(PlayerKind::Cfr(1_000)),
        (SkillLevel::Fair, true) => None,
        (SkillLevel::Easy, false) => Some(PlayerKind::Mcts(5)),
        (SkillLevel::Fair, false) => Some(PlayerKind::Mcts(40)),
        (SkillLevel::Hard, false) => Some(PlayerKind::Mcts(1_000)),
    }
}
