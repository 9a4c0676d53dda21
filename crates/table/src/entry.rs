//! The entries of a table's log.

use game::Seat;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::ActionId;
use crate::entry_body::EntryBody;
use crate::fields::{Fielded, Fields, deserialize_fielded};
use crate::plain_json::push_entry;

/// One line of a table's log. Versions count the lines from 1, without gaps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Entry {
    /// The number of the format in which it is written.
    pub format: u16,
    /// The number of the line in the log, from 1.
    pub version: u64,
    /// When it was written, in milliseconds; never earlier than the entry before it.
    pub at: u64,
    /// The author.
    pub who: Author,
    /// The action that caused it, if a client's action did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub action: Option<ActionId>,
    /// The event.
    #[serde(flatten)]
    pub body: EntryBody,
}

/// The author of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// The holder of this seat.
    #[cfg_attr(feature = "openapi", schema(title = "AuthorSeat"))]
    Seat(Seat),
    /// The table itself: chance, computer players, clocks.
    #[cfg_attr(feature = "openapi", schema(title = "AuthorTable"))]
    Table,
}

/// A client without a seat acts through the table.
impl From<Option<Seat>> for Author {
    fn from(seat: Option<Seat>) -> Self {
        seat.map_or(Self::Table, Self::Seat)
    }
}

deserialize_fielded!(Entry);

impl Fielded for Entry {
    const EXPECTED: &'static str = "an entry";
    const NAMES: &'static [&'static str] = &[
        "format",
        "version",
        "at",
        "who",
        "action",
        "kind",
        "game",
        "rules",
        "options",
        "commitment",
        "seat",
        "name",
        "token",
        "round",
        "ply",
        "move",
        "moves",
        "drawn",
        "why",
        "explanation",
        "back_to",
        "secret",
        "seed",
    ];

    fn of(fields: &mut Fields) -> Result<Self, serde_json::Error> {
        Ok(Self {
            format: fields.take("format")?,
            version: fields.take("version")?,
            at: fields.take("at")?,
            who: fields.take("who")?,
            action: fields.take_any("action")?,
            body: EntryBody::of(fields)?,
        })
    }
}

/// Why a line of a log is not an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// It is longer than any entry.
    #[error("entry {version} is longer than {limit} bytes", limit = Entry::MAX_BYTES)]
    TooLong {
        /// The version that was expected.
        version: u64,
    },
    /// Its format is unknown.
    #[error("entry {version} is in format {format}, which is not known here")]
    UnknownFormat {
        /// The version that was expected.
        version: u64,
        /// Its format.
        format: u64,
    },
    /// Its kind is unknown.
    #[error("entry {version} is of the kind {kind:?}, which is not known here")]
    UnknownKind {
        /// The version that was expected.
        version: u64,
        /// Its kind.
        kind: String,
    },
    /// It is not an entry.
    #[error("entry {version} cannot be read: {why}")]
    Unreadable {
        /// The version that was expected.
        version: u64,
        /// The problem.
        why: String,
    },
}

impl Entry {
    /// The format in which entries are written.
    pub const FORMAT: u16 = 1;

    /// The most bytes that an entry has.
    pub const MAX_BYTES: usize = 4096;

    /// An entry in the current format that no action caused.
    #[must_use]
    pub const fn new(version: u64, at: u64, who: Author, body: EntryBody) -> Self {
        Self { format: Self::FORMAT, version, at, who, action: None, body }
    }

    /// The seat whose entry it is: for a join, and for another device, the seat that was taken.
    #[must_use]
    pub const fn seat(&self) -> Option<Seat> {
        match (&self.body, &self.who) {
            (EntryBody::Joined { seat, .. } | EntryBody::SeatMoved { seat, .. }, _)
            | (_, Author::Seat(seat)) => Some(*seat),
            _ => None,
        }
    }

    /// Whether the author acted for its own seat.
    pub(crate) fn is_by_its_own_seat(&self) -> bool {
        let (Author::Seat(who), Some(seat)) = (self.who, self.body.seat()) else { return true };
        who == seat
    }

    /// The kinds of entries that this version reads and writes.
    pub const KINDS: [&'static str; 18] = [
        "created",
        "joined",
        "left",
        "played",
        "sealed",
        "revealed",
        "chance",
        "forfeited",
        "tied",
        "next_round",
        "claimed",
        "takeback_asked",
        "takeback_granted",
        "takeback_declined",
        "seat_offered",
        "seat_moved",
        "ended",
        "seed_revealed",
    ];

    /// Reads the line of a log at this version.
    ///
    /// # Errors
    /// If the line is not an entry, or is of an unknown format or kind, which the error names.
    pub fn read(text: &str, version: u64) -> Result<Self, EntryError> {
        if text.len() > Self::MAX_BYTES {
            return Err(EntryError::TooLong { version });
        }
        let unreadable =
            |error: serde_json::Error| EntryError::Unreadable { version, why: error.to_string() };
        let value: Value = serde_json::from_str(text).map_err(unreadable)?;
        match value.get("format").and_then(Value::as_u64) {
            Some(format) if format != u64::from(Self::FORMAT) => {
                return Err(EntryError::UnknownFormat { version, format });
            }
            _ => {}
        }
        match value.get("kind").and_then(Value::as_str) {
            Some(kind) if !Self::KINDS.contains(&kind) => {
                Err(EntryError::UnknownKind { version, kind: kind.to_owned() })
            }
            _ => serde_json::from_value(value).map_err(unreadable),
        }
    }

    /// Writes the line of a log.
    ///
    /// # Panics
    /// Never: every entry can be written.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = String::with_capacity(192);
        push_entry(&mut text, self);
        text
    }
}

#[cfg(test)]
mod tests {
    use game::MoveText;

    use super::*;
    use crate::digest::Digest;
    use crate::entry_body::Forfeit;
    use crate::player_name::PlayerName;
    use crate::revealed_seed::RevealedSeed;
    use crate::table_options::{Clock, Options};

    #[track_caller]
    fn check(who: Author, action: Option<&str>, body: EntryBody) {
        let action = action.map(|id| id.parse().unwrap());
        let entry = Entry { action, ..Entry::new(7, 1_763_000_000_000, who, body) };
        assert_eq!(Entry::read(&entry.write(), 7), Ok(entry));
    }

    #[test]
    fn every_kind_survives_a_round_trip() {
        let (seat, other) = (Seat::FIRST, Seat::new(1).unwrap());
        let (round, ply) = (3, 4_000_000_000);
        let text = |text: &str| text.parse::<MoveText>().unwrap();
        let commitment = Digest::of(b"seed");
        let clock = Some(Clock::PerMove(u64::MAX));
        let computers = vec![None, Some("perfect".to_owned())];
        let options = Options { alternate: true, computers, clock, prompt: false, own_rules: true };
        let game = "nim:1,2".to_owned();
        check(Author::Table, None, EntryBody::Created { game, rules: 2, options, commitment });
        let name = PlayerName::new("Ada \"Ä\"").unwrap();
        let joined = |token| EntryBody::Joined { seat, name: name.clone(), token };
        check(Author::Table, Some("a:0"), joined(None));
        check(Author::Table, Some("a:0"), joined(Some(commitment)));
        check(Author::Seat(seat), Some("a-_Z:18446744073709551615"), EntryBody::Left { seat });
        let chosen = text("\"\\\n\u{1}ß");
        let played = |explanation| EntryBody::Played {
            seat: other,
            round,
            ply,
            chosen: chosen.clone(),
            explanation,
        };
        check(Author::Seat(other), Some("b:2"), played(None));
        let explanation = r#"{"sentence":"It is \"so\"","wanted_by":["DefaultMoves"]}"#;
        check(Author::Table, None, played(serde_json::from_str(explanation).unwrap()));
        check(Author::Seat(seat), None, EntryBody::Sealed { seat, round, ply, chosen: None });
        check(
            Author::Seat(seat),
            None,
            EntryBody::Sealed { seat, round, ply, chosen: Some(text("x")) },
        );
        let moves = vec![(seat, text("a1")), (other, chosen)];
        check(Author::Seat(other), Some("b:3"), EntryBody::Revealed { round, ply, moves });
        check(Author::Table, None, EntryBody::Chance { round, ply, drawn: text("6") });
        for why in [Forfeit::Resigned, Forfeit::Acknowledged, Forfeit::OutOfTime] {
            check(Author::Table, None, EntryBody::Forfeited { seat, round, why });
        }
        check(Author::Seat(seat), Some("a:5"), EntryBody::Tied { round });
        check(Author::Seat(seat), Some("a:6"), EntryBody::NextRound { round });
        check(Author::Seat(other), Some("b:4"), EntryBody::Claimed { seat, round });
        check(Author::Seat(seat), Some("a:7"), EntryBody::TakebackAsked { seat, round, ply });
        let granted = EntryBody::TakebackGranted { seat: other, round, ply, back_to: 3 };
        check(Author::Table, None, granted);
        check(Author::Seat(other), None, EntryBody::TakebackDeclined { seat: other, round, ply });
        for digest in [None, Some(commitment)] {
            check(Author::Seat(seat), None, EntryBody::SeatOffered { seat, secret: digest });
            check(Author::Table, Some("c:1"), EntryBody::SeatMoved { seat, token: digest });
        }
        check(Author::Seat(seat), Some("a:8"), EntryBody::Ended { seat });
        let seed = RevealedSeed::new([7; 32]);
        check(Author::Table, None, EntryBody::SeedRevealed { seed });
    }

    #[test]
    fn an_explanation_that_is_too_long_is_refused() {
        let line = |length: usize| {
            let sentence = "x".repeat(length);
            format!(
                r#"{{"format":1,"version":7,"at":1,"who":"table","kind":"played","seat":1,"round":1,"ply":1,"move":"b2","explanation":{{"sentence":"{sentence}"}}}}"#
            )
        };
        let longest = crate::explanation::MAX_BYTES - r#"{"sentence":""}"#.len();
        assert_eq!(Entry::read(&line(longest), 7).unwrap().write(), line(longest));
        let error = Entry::read(&line(longest + 1), 7).unwrap_err().to_string();
        assert_eq!(error, "entry 7 cannot be read: an explanation is longer than 1024 bytes");
    }
}
