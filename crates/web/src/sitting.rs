//! A person at a table.
//!
//! Nothing here knows that there is a browser: sockets and clocks are the caller's.

mod local;
mod remote;

use game::{MoveExplanation, Refusal, Seat};
use table::{ActionBody, State};

pub use local::{Local, Saved};
pub use remote::{Effect, HEARTBEAT, Remote, Trouble};

/// A person at a table, here or far away.
#[derive(Debug)]
pub enum Sitting {
    /// The whole table is in this browser.
    Local(Box<Local>),
    /// The table is on a server.
    Remote(Box<Remote>),
}

/// What a person at a table can know of it.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The table as it is shown, own actions included that nobody has confirmed yet.
    pub shown: &'a State,
    /// The table as it is known to be.
    pub confirmed: &'a State,
    /// The seats that this person plays: none for who looks on, all for who shares a screen.
    pub own: &'a [Seat],
    /// The first of the own deeds that wait for an answer, in words.
    pub underway: Option<&'a str>,
    /// Why computer players chose the moves of this round, by ply.
    pub reasons: &'a [(u32, MoveExplanation)],
    /// Who is connected; nobody knows on a screen of one's own.
    pub connected: Option<&'a [Seat]>,
    /// Whether the server can be heard.
    pub is_connected: bool,
}

/// Something that a person should be told, and that is not in the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// An own action cannot happen.
    Refused(Refusal),
    /// Something happened at the table.
    Happened(String),
    /// Somebody says something.
    Emoted(Seat, table::wire::Emote),
}

impl Seen<'_> {
    /// The own seat that can do something now, or else any own one.
    #[must_use]
    pub fn acting(&self) -> Option<Seat> {
        let turn = self.shown.turn();
        let awaited = self.own.iter().copied().find(|seat| turn.contains(*seat));
        awaited.or_else(|| self.own.first().copied())
    }

    /// An action on the table as it is shown.
    #[must_use]
    pub fn body(&self, deed: Deed) -> ActionBody {
        let (round, ply) = (self.shown.round(), self.shown.ply());
        match deed {
            Deed::Play(chosen) => ActionBody::Play { round, ply, chosen },
            Deed::Forfeit => ActionBody::Forfeit { round, ply },
            Deed::Tie => ActionBody::Tie { round, ply },
            Deed::NextRound => ActionBody::NextRound { round, ply },
            Deed::Leave => ActionBody::Leave { version: self.confirmed.version() },
        }
    }
}

/// What a person can do at a table; when it is meant for follows from what is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Makes a move.
    Play(game::MoveText),
    /// Gives up, or acknowledges that the round is lost.
    Forfeit,
    /// Acknowledges that nobody has won.
    Tie,
    /// Goes on to the next round.
    NextRound,
    /// Leaves the table.
    Leave,
}
