//! The events of a game.

use std::fmt;

use super::square::Square;

/// One of the two players, and what it writes into squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// The player that opens.
    X,
    /// The player that answers.
    O,
}

/// An event of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// A player marks a square: a move.
    Mark(Mark, Square),
    /// A player has won.
    Win(Mark),
    /// Nobody has won, and no square is left.
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

/// Everything that can happen: the moves of X, those of O, the results.
pub fn alphabet() -> impl Iterator<Item = Event> {
    let marks = [Mark::X, Mark::O];
    let moves = marks.into_iter().flat_map(|mark| Square::ALL.map(|at| Event::Mark(mark, at)));
    moves.chain([Event::Win(Mark::X), Event::Win(Mark::O), Event::Draw])
}

impl Event {
    /// Whether the event ends a game.
    #[must_use]
    pub const fn is_result(self) -> bool {
        matches!(self, Self::Win(_) | Self::Draw)
    }
}

impl bthread::Event for Event {
    type Kind = Kind;

    fn kind(&self) -> Kind {
        match self {
            Self::Mark(mark, _) => Kind::Marks(*mark),
            Self::Win(_) | Self::Draw => Kind::Results,
        }
    }
}

/// X marks the square.
pub(super) const fn x(square: Square) -> Event {
    Event::Mark(Mark::X, square)
}

/// O marks the square.
pub(super) const fn o(square: Square) -> Event {
    Event::Mark(Mark::O, square)
}

impl Mark {
    /// The other player.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::X => Self::O,
            Self::O => Self::X,
        }
    }

    /// The mark as it is written.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::X => 'X',
            Self::O => 'O',
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mark(mark, square) => write!(f, "{mark} {square}"),
            Self::Win(mark) => write!(f, "{mark}Win"),
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
            Self::Marks(mark) => write!(f, "all {mark} marks"),
            Self::Results => f.write_str("all results"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alphabet_is_eighteen_moves_and_three_results() {
        let events: Vec<String> = alphabet().map(|event| event.to_string()).collect();
        assert_eq!(
            events.join(", "),
            "X a1, X b1, X c1, X a2, X b2, X c2, X a3, X b3, X c3, \
             O a1, O b1, O c1, O a2, O b2, O c2, O a3, O b3, O c3, XWin, OWin, draw"
        );
        assert_eq!(alphabet().filter(|event| event.is_result()).count(), 3);
    }
}
