//! The players of a match, made from one seed.

use game::{AnyGame, Generator, Player, all_seats};

use crate::names;

/// The players of a match, and the seed of its chance.
#[derive(Debug)]
pub(super) struct MatchPlayers {
    /// By seat.
    pub(super) players: Vec<Box<dyn Player<AnyGame>>>,
    /// Seeds everything that chance draws.
    pub(super) chance: u64,
}

impl MatchPlayers {
    /// The players with these names, one for each seat.
    ///
    /// # Errors
    /// If a name is unknown, or the player cannot play this game.
    pub(super) fn new(game: &AnyGame, names: &[String], seed: u64) -> anyhow::Result<Self> {
        let mut seeds = Generator::seeded(seed);
        let chance = seeds.next_bits();
        let players = all_seats(game).iter().zip(names).map(|(seat, words)| {
            Ok(game.player(&names::player(words)?, seat, seeds.next_bits())?)
        });
        Ok(Self { players: players.collect::<anyhow::Result<_>>()?, chance })
    }
}
