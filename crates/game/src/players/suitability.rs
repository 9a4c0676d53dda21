//! Which games a search can play.

use bthread::Generator;

use crate::game::Game;
use crate::turn::Turn;

/// What a game has that some searches cannot handle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct GameFeatures {
    /// Chance draws.
    pub(crate) chance: bool,
    /// Several seats choose at once.
    pub(crate) at_once: bool,
}

/// The random games that are played to find out.
const GAMES: u64 = 4;

/// The most plies of each.
const PLIES: usize = 64;

impl GameFeatures {
    /// What a few random games of at most 64 plies show. A search that meets something else later
    /// fails then, with the same reason.
    pub(crate) fn of<G: Game>(game: &G) -> Self {
        let mut features = Self::default();
        for seed in 0..GAMES {
            let (mut position, mut generator) = (game.start(), Generator::seeded(seed));
            for _ in 0..PLIES {
                match game.turn(&position) {
                    Turn::Over(_) => break,
                    Turn::Chance => features.chance = true,
                    Turn::Several(_) => features.at_once = true,
                    Turn::One(_) => {}
                }
                if game.play_at_random(&mut position, &mut generator).is_err() {
                    break;
                }
            }
        }
        features
    }
}
