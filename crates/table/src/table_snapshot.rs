//! Where readers of a long log begin.

use game::Seat;
use serde::Serialize;

use crate::entry::Options;
use crate::fields::{Fielded, Fields, deserialize_fielded, fielded, fielded_or_none};
use crate::table_state::{MAX_RECENT_ACTIONS, MAX_ROUNDS, Occupant, RecentAction};

/// How a table stood at the start of a round: what comes after it can be folded without what came
/// before.
///
/// It follows from the log and may be lost or thrown away at any time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableSnapshot {
    /// How it is written; see [`TableSnapshot::FORMAT`].
    pub format: u16,
    /// The version of the last entry that it holds.
    pub version: u64,
    /// When that was written.
    pub at: u64,
    /// The game, with its parameters.
    pub game: String,
    /// Which rules of it were known when the table was created.
    pub rules: u32,
    /// How the table is played at.
    pub options: Options,
    /// Who sits where.
    #[serde(rename = "chairs")]
    pub occupants: Vec<Option<Occupant>>,
    /// Who lost each round that is over; nobody where it was a tie.
    pub losers: Vec<Option<Seat>>,
    /// The last actions.
    pub recent: Vec<RecentAction>,
}

deserialize_fielded!(TableSnapshot);

impl Fielded for TableSnapshot {
    const EXPECTED: &'static str = "a snapshot";
    const NAMES: &'static [&'static str] =
        &["format", "version", "at", "game", "rules", "options", "chairs", "losers", "recent"];

    fn of(fields: &mut Fields) -> Result<Self, serde_json::Error> {
        Ok(Self {
            format: fields.take("format")?,
            version: fields.take("version")?,
            at: fields.take("at")?,
            game: fields.take("game")?,
            rules: fields.take("rules")?,
            options: fields.take_fielded("options")?,
            occupants: fields.take_list("chairs", fielded_or_none)?,
            losers: fields.take("losers")?,
            recent: fields.take_list("recent", fielded)?,
        })
    }
}

impl TableSnapshot {
    /// How snapshots are written now. One in another format is of no use: the log is read instead.
    pub const FORMAT: u16 = 1;

    /// What clients may be shown: no tokens, and of the actions only those of the seat that looks.
    #[must_use]
    pub fn visible_to(&self, viewer: Option<Seat>) -> Self {
        let mut shown = self.clone();
        for occupant in shown.occupants.iter_mut().flatten() {
            occupant.token = None;
        }
        shown.recent.retain(|recent| viewer.is_some() && recent.seat == viewer);
        shown
    }

    /// Whether there can be such a state at a table with so many seats.
    pub(crate) fn is_sound(&self, seats: usize) -> Result<(), String> {
        let is_there = |seat: &Seat| seat.index() < seats;
        let recent = self.recent.iter();
        let is_past = |version: u64| (1..=self.version).contains(&version);
        let sound = [
            (self.format == Self::FORMAT, "it is in a format that is not known here"),
            (self.version > 0, "no log is empty"),
            (self.version <= u64::MAX / 2, "no log is so long"),
            (self.losers.len() <= MAX_ROUNDS as usize, "no table has so many rounds"),
            (self.recent.len() <= MAX_RECENT_ACTIONS, "nobody remembers so many actions"),
            (self.occupants.len() == seats, "it has another number of seats"),
            (self.losers.iter().flatten().all(is_there), "there is no such seat"),
            (
                self.occupants.iter().flatten().all(|occupant| is_past(occupant.since)),
                "it is not so far yet",
            ),
            (recent.clone().all(|recent| is_past(recent.version)), "it is not so far yet"),
            (
                recent.filter_map(|recent| recent.seat).all(|seat| is_there(&seat)),
                "there is no such seat",
            ),
        ];
        match sound.into_iter().find(|(is_so, _)| !is_so) {
            Some((_, why)) => Err(format!("the snapshot cannot be: {why}")),
            None => Ok(()),
        }
    }
}
