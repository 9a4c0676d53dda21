//! Checks that chance drew from the seed to which a table was committed.

use game::{AnyGame, Game as _};

use crate::automatic::drawn_from;
use crate::entry::Entry;
use crate::entry_body::EntryBody;
use crate::revealed_seed::RevealedSeed;
use crate::table_state::{FoldError, TableState};

/// Why the draws of a table cannot be trusted, or not yet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnfairDraws {
    /// The table has not ended, so that its seed is still secret.
    #[error("the seed of this table is not revealed yet: a player must end the table")]
    NotRevealed,
    /// The game hides something, which the seed would show.
    #[error("this game hides something: its seed stays secret, and its draws cannot be checked")]
    Hidden,
    /// The seed is not the one to which the table was committed.
    #[error("the revealed seed is not the one to which the table was committed")]
    AnotherSeed,
    /// Chance drew something else than the seed gives.
    #[error("entry {version} says that chance drew {drawn}, but the seed gives {expected}")]
    AnotherDraw {
        /// The version of the entry.
        version: u64,
        /// What the entry says.
        drawn: String,
        /// What the seed gives.
        expected: String,
    },
    /// The log cannot be followed.
    #[error(transparent)]
    Log(#[from] FoldError),
}

/// Checks the whole log of an ended table. Returns the number of draws, each of which follows from the seed
/// that the first entry committed the table to.
///
/// # Errors
/// If the seed is not revealed, if the game hides something, or if it is not the seed of all draws.
pub fn check_draws(game: AnyGame, log: &[Entry]) -> Result<u32, UnfairDraws> {
    let (first, rest) = log.split_first().ok_or(FoldError::Beginning { version: 1 })?;
    // What an entry hides cannot be compared.
    if game.hides() {
        return Err(UnfairDraws::Hidden);
    }
    let seed = log.iter().rev().find_map(|entry| match &entry.body {
        EntryBody::SeedRevealed { seed } => Some(*seed),
        _ => None,
    });
    let secret = seed.map(RevealedSeed::secret).ok_or(UnfairDraws::NotRevealed)?;
    let mut state = TableState::begin(game, first)?;
    let committed = match &first.body {
        EntryBody::Created { commitment, .. } => *commitment == secret.commitment(),
        _ => false,
    };
    if !committed {
        return Err(UnfairDraws::AnotherSeed);
    }
    let mut draws = 0;
    for entry in rest {
        if let EntryBody::Chance { drawn, .. } = &entry.body {
            let expected = drawn_from(&secret, &state);
            if expected.as_ref() != Some(drawn) {
                let expected =
                    expected.map_or_else(|| "nothing".to_owned(), |text| text.to_string());
                let (version, drawn) = (entry.version, drawn.to_string());
                return Err(UnfairDraws::AnotherDraw { version, drawn, expected });
            }
            draws += 1;
        }
        state.fold(entry)?;
    }
    Ok(draws)
}
