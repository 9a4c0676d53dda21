//! Kinds of players.

use std::fmt;
use std::str::FromStr;

use super::perfect::PerfectPlayer;
use super::random::RandomPlayer;
use super::scripted::ScriptedPlayer;
use crate::game::Game;
use crate::player::{CannotPlay, Player};
use crate::seat::Seat;

/// A kind of player.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlayerKind {
    /// `random` makes any legal move.
    Random,
    /// `perfect` makes one of the best moves.
    Perfect,
    /// `bthreads` follows the strategies that are written as b-threads.
    BThreads,
    /// `scripted:b2/a1/c3` makes these moves, in order.
    Scripted(Vec<String>),
}

/// No kind of player has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no player is called {name:?}; there are {}", PlayerKind::KNOWN.join(", "))]
pub struct UnknownPlayer {
    /// The name.
    pub name: String,
}

impl PlayerKind {
    /// The names of all kinds.
    pub const KNOWN: [&'static str; 4] = ["random", "perfect", "bthreads", "scripted:MOVE/MOVE"];

    /// A player of this kind for a seat of a game. The seed decides the player's random choices.
    ///
    /// # Errors
    /// If this kind of player cannot play this game, or not this seat.
    pub fn player<G: Game>(
        &self,
        game: &G,
        seat: Seat,
        seed: u64,
    ) -> Result<Box<dyn Player<G>>, CannotPlay> {
        match self {
            Self::Random => Ok(Box::new(RandomPlayer::seeded(seed))),
            Self::Perfect => Ok(Box::new(PerfectPlayer::seeded(game, seat, seed)?)),
            Self::Scripted(moves) => Ok(Box::new(ScriptedPlayer::new(moves.iter().cloned()))),
            Self::BThreads => game.strategies(seat).ok_or_else(|| {
                let reason = "no strategies are written as b-threads for it";
                CannotPlay::new("bthreads", game, seat, reason)
            }),
        }
    }
}

impl FromStr for PlayerKind {
    type Err = UnknownPlayer;

    fn from_str(name: &str) -> Result<Self, UnknownPlayer> {
        match name.split_once(':') {
            None if name == "random" => Ok(Self::Random),
            None if name == "perfect" => Ok(Self::Perfect),
            None if name == "bthreads" => Ok(Self::BThreads),
            Some(("scripted", moves)) => {
                let moves = moves.split('/').map(str::trim).filter(|each| !each.is_empty());
                Ok(Self::Scripted(moves.map(str::to_owned).collect()))
            }
            None | Some(_) => Err(UnknownPlayer { name: name.to_owned() }),
        }
    }
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Perfect => f.write_str("perfect"),
            Self::BThreads => f.write_str("bthreads"),
            Self::Scripted(moves) => write!(f, "scripted:{}", moves.join("/")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in ["random", "perfect", "bthreads", "scripted:b2/a1", "scripted:"] {
            assert_eq!(name.parse::<PlayerKind>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn other_names_are_refused_with_a_list_of_the_names() {
        for name in ["", "Random", "random:3", "scripted", "human"] {
            let error = name.parse::<PlayerKind>().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "no player is called {name:?}; there are random, perfect, bthreads, \
                     scripted:MOVE/MOVE"
                )
            );
        }
    }
}
