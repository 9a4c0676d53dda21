//! The events at a table.

use game::{MoveExplanation, MoveText, Seat};
use serde::de::Error as _;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::entry::Entry;
use crate::fields::Fields;
use crate::player_name::PlayerName;
use crate::revealed_seed::RevealedSeed;
use crate::table_options::Options;

/// An event at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EntryBody {
    /// The table was created.
    Created {
        /// The game, with its parameters.
        game: String,
        /// The version of the game's rules.
        rules: u32,
        /// The options of the table.
        options: Options,
        /// The digest of the seed from which chance draws.
        commitment: Digest,
    },
    /// A player took a seat or came back to it.
    Joined {
        /// The seat.
        seat: Seat,
        /// The name of the player.
        name: PlayerName,
        /// The digest of the player's token; never sent to clients.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "openapi", schema(ignore))]
        token: Option<Digest>,
    },
    /// A player left; the seat stays taken.
    Left {
        /// The seat.
        seat: Seat,
    },
    /// A move was made.
    Played {
        /// The seat that moved.
        seat: Seat,
        /// The round.
        round: u32,
        /// The number of moves and draws before it in the round.
        ply: u32,
        /// The move.
        #[serde(rename = "move")]
        chosen: MoveText,
        /// The explanation of a computer player, if the game has no hidden information.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "openapi", schema(nullable = false))]
        explanation: Option<Box<MoveExplanation>>,
    },
    /// A seat chose a move that others must not know yet.
    Sealed {
        /// The seat that chose.
        seat: Seat,
        /// The round.
        round: u32,
        /// The number of moves and draws before it in the round.
        ply: u32,
        /// The move; others see it only when all have chosen.
        #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "openapi", schema(nullable = false))]
        chosen: Option<MoveText>,
    },
    /// All seats have chosen.
    Revealed {
        /// The round.
        round: u32,
        /// The number of moves and draws before it in the round.
        ply: u32,
        /// The move of each seat, in the order of seats.
        moves: Vec<(Seat, MoveText)>,
    },
    /// Chance drew.
    Chance {
        /// The round.
        round: u32,
        /// The number of moves and draws before it in the round.
        ply: u32,
        /// The draw.
        drawn: MoveText,
    },
    /// A seat lost the round because it gave up or ran out of time.
    Forfeited {
        /// The seat.
        seat: Seat,
        /// The round.
        round: u32,
        /// The reason.
        why: Forfeit,
    },
    /// The round is a tie.
    Tied {
        /// The round.
        round: u32,
    },
    /// The decided round is over, with the loser or the tie that the game decided.
    NextRound {
        /// The round that is over.
        round: u32,
    },
    /// A seat lost the round because its player was absent when it had to move; another player claimed it.
    Claimed {
        /// The absent seat.
        seat: Seat,
        /// The round.
        round: u32,
    },
    /// A seat asks to take its last move back.
    TakebackAsked {
        /// The seat that asks.
        seat: Seat,
        /// The round.
        round: u32,
        /// The number of moves, draws and takebacks before it in the round.
        ply: u32,
    },
    /// The other seat agrees: the move and everything after it is taken back.
    TakebackGranted {
        /// The seat that agrees.
        seat: Seat,
        /// The round.
        round: u32,
        /// The number of moves, draws and takebacks before it in the round. It counts as one more: a
        /// ply never comes again.
        ply: u32,
        /// The number of moves that stay on the board.
        back_to: u32,
    },
    /// The other seat does not agree.
    TakebackDeclined {
        /// The seat that does not agree.
        seat: Seat,
        /// The round.
        round: u32,
        /// The number of moves, draws and takebacks before it in the round.
        ply: u32,
    },
    /// The player of a seat offers it to another device of theirs.
    SeatOffered {
        /// The seat.
        seat: Seat,
        /// The digest of the secret that takes the seat over; never sent to clients.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "openapi", schema(ignore))]
        secret: Option<Digest>,
    },
    /// Another device has taken the seat over. The token that held it before holds it no longer.
    SeatMoved {
        /// The seat.
        seat: Seat,
        /// The digest of the new token; never sent to clients.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "openapi", schema(ignore))]
        token: Option<Digest>,
    },
    /// A player has ended the table: nothing can be played here any more.
    Ended {
        /// The seat.
        seat: Seat,
    },
    /// The seed of an ended table, from which chance drew and computer players chose.
    SeedRevealed {
        /// The seed, whose digest is the commitment of the table.
        seed: RevealedSeed,
    },
}

impl EntryBody {
    /// The name of its kind.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Created { .. } => "created",
            Self::Joined { .. } => "joined",
            Self::Left { .. } => "left",
            Self::Played { .. } => "played",
            Self::Sealed { .. } => "sealed",
            Self::Revealed { .. } => "revealed",
            Self::Chance { .. } => "chance",
            Self::Forfeited { .. } => "forfeited",
            Self::Tied { .. } => "tied",
            Self::NextRound { .. } => "next_round",
            Self::Claimed { .. } => "claimed",
            Self::TakebackAsked { .. } => "takeback_asked",
            Self::TakebackGranted { .. } => "takeback_granted",
            Self::TakebackDeclined { .. } => "takeback_declined",
            Self::SeatOffered { .. } => "seat_offered",
            Self::SeatMoved { .. } => "seat_moved",
            Self::Ended { .. } => "ended",
            Self::SeedRevealed { .. } => "seed_revealed",
        }
    }

    /// Reads the fields of an entry by its kind.
    pub(crate) fn of(fields: &mut Fields) -> Result<Self, serde_json::Error> {
        let kind: String = fields.take("kind")?;
        Ok(match kind.as_str() {
            "created" => Self::Created {
                game: fields.take("game")?,
                rules: fields.take("rules")?,
                options: fields.take_fielded("options")?,
                commitment: fields.take("commitment")?,
            },
            "joined" => Self::Joined {
                seat: fields.take("seat")?,
                name: fields.take("name")?,
                token: fields.take_any("token")?,
            },
            "left" => Self::Left { seat: fields.take("seat")? },
            "played" => Self::Played {
                seat: fields.take("seat")?,
                round: fields.take("round")?,
                ply: fields.take("ply")?,
                chosen: fields.take("move")?,
                explanation: explanation(fields)?,
            },
            "sealed" => Self::Sealed {
                seat: fields.take("seat")?,
                round: fields.take("round")?,
                ply: fields.take("ply")?,
                chosen: fields.take_any("move")?,
            },
            "revealed" => Self::Revealed {
                round: fields.take("round")?,
                ply: fields.take("ply")?,
                moves: fields.take("moves")?,
            },
            "chance" => Self::Chance {
                round: fields.take("round")?,
                ply: fields.take("ply")?,
                drawn: fields.take("drawn")?,
            },
            "forfeited" => Self::Forfeited {
                seat: fields.take("seat")?,
                round: fields.take("round")?,
                why: fields.take("why")?,
            },
            "tied" => Self::Tied { round: fields.take("round")? },
            "next_round" => Self::NextRound { round: fields.take("round")? },
            later => Self::of_later_kind(later, fields)?,
        })
    }

    /// As [`Self::of`], for the kinds that the first version did not have.
    fn of_later_kind(kind: &str, fields: &mut Fields) -> Result<Self, serde_json::Error> {
        Ok(match kind {
            "claimed" => Self::Claimed { seat: fields.take("seat")?, round: fields.take("round")? },
            "takeback_asked" => Self::TakebackAsked {
                seat: fields.take("seat")?,
                round: fields.take("round")?,
                ply: fields.take("ply")?,
            },
            "takeback_granted" => Self::TakebackGranted {
                seat: fields.take("seat")?,
                round: fields.take("round")?,
                ply: fields.take("ply")?,
                back_to: fields.take("back_to")?,
            },
            "takeback_declined" => Self::TakebackDeclined {
                seat: fields.take("seat")?,
                round: fields.take("round")?,
                ply: fields.take("ply")?,
            },
            "seat_offered" => {
                Self::SeatOffered { seat: fields.take("seat")?, secret: fields.take_any("secret")? }
            }
            "seat_moved" => {
                Self::SeatMoved { seat: fields.take("seat")?, token: fields.take_any("token")? }
            }
            "ended" => Self::Ended { seat: fields.take("seat")? },
            "seed_revealed" => Self::SeedRevealed { seed: fields.take("seed")? },
            unknown => return Err(serde_json::Error::unknown_variant(unknown, &Entry::KINDS)),
        })
    }

    /// The seat that the event is about, if any.
    pub(crate) const fn seat(&self) -> Option<Seat> {
        match self {
            Self::Joined { seat, .. }
            | Self::Left { seat }
            | Self::Played { seat, .. }
            | Self::Sealed { seat, .. }
            | Self::Forfeited { seat, .. }
            | Self::TakebackAsked { seat, .. }
            | Self::TakebackGranted { seat, .. }
            | Self::TakebackDeclined { seat, .. }
            | Self::SeatOffered { seat, .. }
            | Self::SeatMoved { seat, .. }
            | Self::Ended { seat } => Some(*seat),
            // Another seat than the absent one claims the round.
            Self::Claimed { .. }
            | Self::SeedRevealed { .. }
            | Self::Created { .. }
            | Self::Revealed { .. }
            | Self::Chance { .. }
            | Self::Tied { .. }
            | Self::NextRound { .. } => None,
        }
    }
}

/// Why a seat lost a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Forfeit {
    /// It gave up.
    Resigned,
    /// It acknowledged that it had lost.
    Acknowledged,
    /// Its time ran out.
    OutOfTime,
}

/// Reads the explanation of a move; one that is too long for an entry is refused.
fn explanation(fields: &mut Fields) -> Result<Option<Box<MoveExplanation>>, serde_json::Error> {
    let explanation: Option<Box<MoveExplanation>> = fields.take_any("explanation")?;
    if explanation.as_deref().is_none_or(crate::explanation::fits) {
        return Ok(explanation);
    }
    let limit = crate::explanation::MAX_BYTES;
    Err(serde_json::Error::custom(format_args!("an explanation is longer than {limit} bytes")))
}
