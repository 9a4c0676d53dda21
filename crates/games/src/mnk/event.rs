//! What can happen in a game.

use std::fmt;

use super::cell::Cell;
use crate::tic_tac_toe::Mark;

/// What can happen in a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// A player writes a mark into a cell: a move.
    Mark {
        /// Who moves; players are called by the marks that they usually write.
        by: Mark,
        /// What is written.
        mark: Mark,
        /// Where.
        cell: Cell,
    },
    /// A player has won.
    Win(Mark),
    /// Nobody has won, and no cell is left.
    Draw,
}

/// What events have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The moves of a player.
    Marks(Mark),
    /// What ends a game.
    Results,
}

impl bthread::Event for Event {
    type Kind = Kind;

    fn kind(&self) -> Kind {
        match self {
            Self::Mark { by, .. } => Kind::Marks(*by),
            Self::Win(_) | Self::Draw => Kind::Results,
        }
    }
}

/// As in tic-tac-toe; who writes the mark of the other player is named.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mark { by, mark, cell } if by == mark => write!(f, "{mark} {cell}"),
            Self::Mark { by, mark, cell } => write!(f, "{mark} {cell} by {by}"),
            Self::Win(player) => write!(f, "{player}Win"),
            Self::Draw => f.write_str("draw"),
        }
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Marks(player) => write!(f, "all moves of {player}"),
            Self::Results => f.write_str("all results"),
        }
    }
}
