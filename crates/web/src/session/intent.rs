//! What a person wants to do at a table.

use game::{MoveText, Seat};
use table::{ActionBody, Digest};

/// What a person wants to do at a table. The round and the ply follow from what is shown, see
/// [`SessionView::action`](super::SessionView::action).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Make a move.
    Play(MoveText),
    /// Resign, or concede a lost round.
    Forfeit,
    /// Agree that nobody has won.
    Tie,
    /// Start the next round.
    NextRound,
    /// Leave the table, so that the others know it.
    Leave,
    /// Claim the round of a seat whose player is absent.
    Claim(Seat),
    /// Ask to take the last move back.
    AskTakeback,
    /// Let the other player take the last move back.
    GrantTakeback,
    /// Do not let them.
    DeclineTakeback,
    /// Offer the own seat to a device that shows the secret with this digest.
    OfferSeat(Digest),
    /// End the table.
    End,
}

impl Intent {
    /// The action for this intent, at a round and ply, and for a version of the log.
    pub(super) fn action(self, (round, ply): (u32, u32), version: u64) -> ActionBody {
        match self {
            Self::Play(chosen) => ActionBody::Play { round, ply, chosen },
            Self::Forfeit => ActionBody::Forfeit { round, ply },
            Self::Tie => ActionBody::Tie { round, ply },
            Self::NextRound => ActionBody::NextRound { round, ply },
            Self::Leave => ActionBody::Leave { version },
            Self::Claim(seat) => ActionBody::Claim { seat, round, ply },
            Self::AskTakeback => ActionBody::AskTakeback { round, ply },
            Self::GrantTakeback => ActionBody::GrantTakeback { round, ply },
            Self::DeclineTakeback => ActionBody::DeclineTakeback { round, ply },
            Self::OfferSeat(secret) => ActionBody::OfferSeat { secret, version },
            Self::End => ActionBody::End { version },
        }
    }

    /// A move by its text.
    #[must_use]
    pub fn play(chosen: &str) -> Self {
        let Ok(chosen) = chosen.parse();
        Self::Play(chosen)
    }
}
