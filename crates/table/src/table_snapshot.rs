//! Snapshots, from which readers of a long log begin.

use game::Seat;
use serde::Serialize;

use crate::fields::{Fielded, Fields, deserialize_fielded, fielded, fielded_or_none};
use crate::table_options::Options;
use crate::table_state::{MAX_RECENT_ACTIONS, MAX_ROUNDS, Occupant, RecentAction};

/// The state of a table at the start of a round. Later entries can be folded without the earlier
/// ones.
///
/// It can be made again from the log, so it may be deleted at any time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TableSnapshot {
    /// The number of the format in which it is written.
    pub format: u16,
    /// The version of the last entry before it.
    pub version: u64,
    /// When that entry was written.
    pub at: u64,
    /// The game, with its parameters.
    pub game: String,
    /// The version of the game's rules when the table was created.
    pub rules: u32,
    /// The options of the table.
    pub options: Options,
    /// The player of each seat.
    #[serde(rename = "chairs")]
    pub occupants: Vec<Option<Occupant>>,
    /// The loser of every round that is over; a tie has none.
    pub losers: Vec<Option<Seat>>,
    /// The most recent actions.
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
    /// The format in which snapshots are written. One in another format is ignored: the log is read
    /// instead.
    pub const FORMAT: u16 = 1;

    /// The snapshot as a client may see it: without tokens, and with the actions of its own seat
    /// only.
    #[must_use]
    pub fn visible_to(&self, viewer: Option<Seat>) -> Self {
        let mut shown = self.clone();
        for occupant in shown.occupants.iter_mut().flatten() {
            occupant.token = None;
        }
        shown.recent.retain(|recent| viewer.is_some() && recent.seat == viewer);
        shown
    }

    /// Checks that a table with this number of seats can have this snapshot.
    pub(crate) fn is_sound(&self, seats: usize) -> Result<(), String> {
        let is_there = |seat: &Seat| seat.index() < seats;
        let recent = self.recent.iter();
        let is_past = |version: u64| (1..=self.version).contains(&version);
        let sound = [
            (self.format == Self::FORMAT, "its format is unknown"),
            (self.version > 0, "the log is empty"),
            (self.version <= u64::MAX / 2, "the log is too long"),
            (self.losers.len() <= MAX_ROUNDS as usize, "it has too many rounds"),
            (self.recent.len() <= MAX_RECENT_ACTIONS, "it has too many recent actions"),
            (self.occupants.len() == seats, "it has another number of seats"),
            (self.losers.iter().flatten().all(is_there), "there is no such seat"),
            (
                self.occupants.iter().flatten().all(|occupant| is_past(occupant.since)),
                "a version is later than the log",
            ),
            (
                recent.clone().all(|recent| is_past(recent.version)),
                "a version is later than the log",
            ),
            (
                recent.filter_map(|recent| recent.seat).all(|seat| is_there(&seat)),
                "there is no such seat",
            ),
        ];
        match sound.into_iter().find(|(is_so, _)| !is_so) {
            Some((_, why)) => Err(format!("the snapshot is invalid: {why}")),
            None => Ok(()),
        }
    }
}
