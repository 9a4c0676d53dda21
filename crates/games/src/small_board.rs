//! The levels of boards of three by three.

use game::{PlayerKind, SkillLevel};

/// The simulations of `easy`, `fair` and `hard` on a board of three by three. There a few go a long way.
///
/// They were chosen so that `easy` still loses some games to random moves, and that each level scores at
/// least 60 % against the one below, with `perfect` above all. `docs/players.md` has the table, and a
/// test keeps it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmallBoardLevels([u32; 3]);

impl SmallBoardLevels {
    /// Where the players write marks of their own.
    pub(crate) const OWN_MARKS: Self = Self([1, 6, 30]);
    /// Where every mark is an X, and nobody sees far.
    pub(crate) const ONE_MARK: Self = Self([1, 8, 60]);
    /// Where both marks serve both players, and a game is short.
    pub(crate) const ANY_MARK: Self = Self([1, 2, 8]);

    /// The player of a level.
    pub(crate) const fn player(self, level: SkillLevel) -> PlayerKind {
        let Self([easy, fair, hard]) = self;
        PlayerKind::Mcts(match level {
            SkillLevel::Easy => easy,
            SkillLevel::Fair => fair,
            SkillLevel::Hard => hard,
        })
    }
}
