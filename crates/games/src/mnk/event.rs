//! The events of a game.

use std::fmt;

use super::cell::Cell;
use crate::tic_tac_toe::Mark;

/// An event of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// A player writes a mark into a cell: a move.
    Mark {
        /// The player, named by the mark that it usually writes.
        by: Mark,
        /// The mark.
        mark: Mark,
        /// The cell.
        cell: Cell,
    },
    /// A player has won.
    Win(Mark),
    /// Nobody has won, and no cell is left.
    Draw,
}

/// A kind of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The moves of a player.
    Marks(Mark),
    /// The results.
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

/// As in tic-tac-toe. A player that writes the mark of the other one is named.
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
