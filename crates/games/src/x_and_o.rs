//! What the games of X against O share.

use game::{Game, Outcome, Piece, Ply, PlyOf, Seat, Turn};

/// X opens, O answers.
pub(crate) const NAMES: [&str; 2] = ["X", "O"];

/// The status of a game of X against O.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum XoStatus {
    /// This seat is to move.
    ToMove(Seat),
    /// This seat has won.
    WonBy(Seat),
    /// Nobody has won, and nobody can.
    Drawn,
}

impl XoStatus {
    /// Whose turn it is.
    pub(crate) const fn turn(self) -> Turn {
        match self {
            Self::ToMove(seat) => Turn::One(seat),
            Self::WonBy(seat) => Turn::Over(Outcome::won_by(seat)),
            Self::Drawn => Turn::Over(Outcome::draw()),
        }
    }

    /// Whether this seat is to move.
    pub(crate) fn is_to_move(self, seat: Seat) -> bool {
        self == Self::ToMove(seat)
    }

    /// The winner, if there is one.
    pub(crate) const fn winner(self) -> Option<Seat> {
        match self {
            Self::WonBy(seat) => Some(seat),
            Self::ToMove(_) | Self::Drawn => None,
        }
    }
}

/// The position after a history; `None` if the rules forbid it.
pub(crate) fn position_after<G: Game>(game: &G, history: &[PlyOf<G>]) -> Option<G::Position> {
    let mut position = game.start();
    for ply in history {
        let Ply::Moves(moves) = ply else { return None };
        for (seat, chosen) in moves {
            game.advance(&mut position, *seat, chosen.clone()).ok()?;
        }
    }
    Some(position)
}

/// The lines of a winner: `XWin[a1-d4]`.
pub(crate) fn wins(status: XoStatus, lines: impl Fn(Seat) -> Vec<String>) -> Vec<String> {
    let of = |winner: Seat| {
        let name = NAMES[winner.index()];
        lines(winner).into_iter().map(move |line| format!("{name}Win[{line}]"))
    };
    status.winner().into_iter().flat_map(of).collect()
}

/// The mark of a seat.
pub(crate) fn piece(seat: Seat) -> Piece {
    Piece { symbol: NAMES[seat.index()].to_owned(), seat: Some(seat) }
}

/// The mark of a seat as one character, or a dot where nothing stands.
pub(crate) fn symbol(at: Option<Seat>) -> &'static str {
    at.map_or(".", |seat| NAMES[seat.index()])
}
