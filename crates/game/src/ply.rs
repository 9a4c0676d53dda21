//! The plies of a game.

use std::fmt::{self, Display};

use crate::game::Game;
use crate::seat::Seat;

/// One step of a game: the moves of all seats whose turn it was, or what chance drew.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ply<M, C> {
    /// The moves, in the order of seats.
    Moves(Vec<(Seat, M)>),
    /// What chance drew.
    Chance(C),
}

/// A ply of this game.
pub type PlyOf<G> = Ply<<G as Game>::Move, <G as Game>::Chance>;

/// The moves or the draw, without the seats.
impl<M: Display, C: Display> Display for Ply<M, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chance(drawn) => drawn.fmt(f),
            Self::Moves(moves) => {
                for (index, (_, chosen)) in moves.iter().enumerate() {
                    if index > 0 {
                        f.write_str(" ")?;
                    }
                    chosen.fmt(f)?;
                }
                Ok(())
            }
        }
    }
}
